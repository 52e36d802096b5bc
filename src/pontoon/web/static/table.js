// `<pontoon-table>` draws the table as the server describes it, and nothing else.
// Any view may follow any other (after a reconnect the next can be rounds away): what is drawn comes from the view
// alone; only movement comes from the difference between two views.
import { cardItem, chipStack, float, fly, hushed, isStill, withSuits } from "./card.js";
import { drawBonus, drawInscriptions, drawRack, drawShoe, drawSign, freeNear, hush, of, onArc } from "./cloth.js";
import {
  besides,
  boxResult,
  callWords,
  clausesOf,
  howOf,
  momentWords,
  settledWords,
  sharedWords,
  sumOf,
} from "./moment.js";
import { dollars, make, net, refill, withBots } from "./parts.js";

const CHIP = 44; // pixels: no chip on the felt is wider
const FEW = 3; // other players in one row on a phone
const ORDINALS = ["", "First", "Second", "Third", "Fourth"];
const PACES = { slow: 1.8, normal: 1, fast: 0.45, instant: 0 };

// --- reading the view ---

/** @param {TableView} view */
const isBetting = (view) => view.phase === "ready" && !view.due;

/** Whether any card is on the table. @param {TableView} view */
const hasCards = ({ round }) =>
  Boolean(round?.dealer || round?.boxes?.some((box) => box.hands?.some((hand) => hand.cards.length)));

/** "wins 3:2, +$15", or the amount alone where the words are shown for the whole hand. */
function resultOf(settled, shared = "") {
  const words = shared ? "" : `${settledWords(settled)}, `;
  return of("span", `result ${howOf(sumOf(settled))}`, words + net(sumOf(settled)));
}

/** How a wager is to be drawn. @typedef {{box: number, name: string, open: boolean, owner: string, turn: number,
 *   number?: number, several?: boolean, shared?: string, alone?: boolean}} About */

export class PontoonTable extends HTMLElement {
  /** What each part was last drawn from: a part that did not change is left alone. @type {Map<string, string>} */
  drawn = new Map();
  /** Results of the last round; they stay in small print, because the cards are collected before people have read. */
  last = { number: 0, dealer: "", boxes: new Map() };
  /** Which table at which version is drawn; stored here because a model may be changed in place. */
  shown = "";
  /** The box at the centre; 0 for none. */
  stage = 0;
  /** Milliseconds until the last card of this step has landed: totals and results are not shown before. */
  landing = 0;
  /** The elements of each box. @type {any[]} */
  seats = [];
  /** The model drawn last. @type {DrawnTable | null} */
  model = null;
  /** A round that is over and stays readable. @type {{round: RoundView, until: number} | null} */
  settled = null;
  /** @type {number | undefined} */
  reading;
  /** Parts of the table, made by `build`. @type {Record<string, any>} */
  parts = {};

  connectedCallback() {
    if (!this.parts.cloth) this.build();
  }

  build() {
    const part = (tag, name, attributes = {}) => (this.parts[name] = make(tag, { class: name, ...attributes }));
    const list = { role: "list" };
    this.parts.cloth = make(
      "section",
      { class: "cloth", "aria-label": this.dataset.label ?? "Table" },
      part("div", "arcs", { "aria-hidden": "true" }),
      part("div", "sign"),
      part("div", "bonus"),
      part("div", "rack"),
      part("div", "dealer", { role: "group", "aria-label": "Dealer" }),
      part("div", "shoe"),
      part("ul", "printed", { ...list, "aria-label": "Printed on the layout" }),
      part("div", "call"),
      part("ol", "boxes", { ...list, "aria-label": "Boxes" }),
      part("div", "air", { "aria-hidden": "true" }),
    );
    this.append(this.parts.cloth);
    this.addEventListener("click", (event) => this.clicked(/** @type {Element} */ (event.target).closest("button")));
  }

  /** As many boxes as the layout has. @param {number} count */
  buildBoxes(count) {
    this.seats = Array.from({ length: count }, (_, at) => {
      const box = at + 1;
      const spot = make("button", { type: "button", class: "spot", "data-box": box });
      const [heading, beside, hands] = [make("h3"), of("div", "beside"), of("div", "hands")];
      const item = make("li", { class: "box", "data-box": box }, spot, heading, beside, hands);
      return { box, spot, heading, beside, hands, item };
    });
    this.parts.boxes.replaceChildren(...this.seats.map((seat) => seat.item));
    this.parts.boxes.style.setProperty("--boxes", String(count));
  }

  /** Draw a model. @param {DrawnTable} model */
  update(model) {
    if (!this.parts.cloth) this.build();
    if (!model.view) return;
    const before = this.beforeMoves(model);
    this.model = model;
    this.shown = `${model.id} ${model.version}`;
    this.keepResults(model.view);
    const view = this.lying(model);
    this.drawFurniture(view, model.room);
    const had = hasCards(view) ? "" : this.last.dealer;
    this.redraw("dealer", [view.round?.dealer, view.round?.exposed, had], () => this.drawDealer(view.round, had));
    this.drawCall({ ...model, view });
    if (this.seats.length !== view.cloth.boxes) this.buildBoxes(view.cloth.boxes);
    for (const seat of this.seats) this.drawBox(seat, { ...model, view });
    this.arrange({ ...model, view });
    this.landing = 0;
    if (before) this.afterMoves(before);
  }

  /**
   * The user's own hand is bottom centre, whichever box it is; the others sit around the table as at the casino.
   * Without an own box a free one invites there to bet; if none is free, the middle one is at the centre, in the size
   * of the others.
   * @param {DrawnTable} model
   */
  arrange({ view, room: { heat } }) {
    const mine = this.seats.filter((seat) => seat.item.classList.contains("mine")).map((seat) => seat.box);
    const [turn = 0] = view.round?.turn ?? [];
    const middle = Math.ceil(this.seats.length / 2);
    const inviting = isBetting(view) && !heat ? freeNear(this.seats, middle) : 0;
    const stage = mine.includes(turn) ? turn : mine.includes(this.stage) ? this.stage : (mine[0] ?? inviting);
    const centre = stage || middle;
    this.stage = stage;
    this.parts.cloth.classList.toggle("watched", !stage);
    const others = this.seats.filter(({ box, item }) => box !== stage && !item.classList.contains("empty"));
    this.parts.cloth.classList.toggle("crowd", others.length > FEW);
    for (const { box, item } of this.seats) {
      const { side, place, places } = onArc(box, centre, this.seats.length);
      item.classList.toggle("stage", box === stage);
      item.style.setProperty("--side", String(side));
      item.style.setProperty("--place", String(place));
      item.style.setProperty("--part", (place / Math.max(1, places - 1)).toFixed(3));
    }
  }

  /**
   * A quick table collects a round before people have read it: the round stays a little longer (`stays`, in
   * milliseconds), until the next bet.
   * @param {DrawnTable} model
   */
  lying({ view, pending, stays = 0 }) {
    const { round } = view;
    clearTimeout(this.reading);
    if (round?.stage === "ended") {
      this.settled = { round, until: performance.now() + stays };
      return view;
    }
    const left = (this.settled?.until ?? 0) - performance.now();
    const over = left <= 0 || round?.boxes?.length || Object.keys(pending ?? {}).length;
    if (over) this.settled = null;
    else this.reading = setTimeout(() => this.isConnected && this.model && this.update(this.model), left);
    return this.settled ? { ...view, round: this.settled.round } : view;
  }

  /** Draw a part if what it is drawn from has changed. */
  redraw(name, from, draw) {
    const now = JSON.stringify(from);
    if (this.drawn.get(name) !== now) draw();
    this.drawn.set(name, now);
  }

  clicked(button) {
    if (!button || button.ariaDisabled === "true") return;
    const box = Number(button.dataset.box);
    const { view } = this.model ?? {};
    if (button.why) this.publish("why", { ...button.why, rulebook: view?.rulebook });
    else if (button.dataset.player) this.publish("bettor-tap", { box, player: button.dataset.player });
    else this.publish("box-tap", { box, betting: view && isBetting(view) });
  }

  publish(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { bubbles: true, detail }));
  }

  whyButton(id, clauses, words, name = "why", shown = "?") {
    const label = `${shown === "?" ? words : shown}, why`;
    const button = make("button", { type: "button", class: name, id: `why-${id}`, "aria-label": label }, shown);
    button.why = { clauses: [...new Set(clauses)], words };
    return button;
  }

  // --- the furniture and the dealer ---

  /** @param {TableView} view @param {Room} room */
  drawFurniture(view, room) {
    const { cloth, shoe, limits } = view;
    const { heat } = room;
    const closing = [view.closing, view.rounds_left, view.notices];
    const sign = [cloth.title, view.packs, limits, view.number, shoe.number, ...closing];
    this.redraw("bonus", cloth.bonus, () => drawBonus(this.parts.bonus, cloth.bonus));
    this.redraw("printed", cloth.inscriptions, () =>
      drawInscriptions(this.parts.printed, this.parts.arcs, cloth.inscriptions),
    );
    this.redraw("sign", [...sign, heat?.name, heat?.round], () => drawSign(this.parts.sign, view, room));
    this.redraw("shoe", [shoe, view.device], () => drawShoe(this.parts.shoe, view));
    this.redraw("rack", [shoe.discards], () => drawRack(this.parts.rack, shoe.discards ?? 0));
  }

  /** @param {RoundView | null | undefined} round @param {string} had the dealer's last hand in words */
  drawDealer(round, had) {
    const { dealer, exposed } = round ?? {};
    const first = dealer?.cards.length === 1;
    const words = first ? String(dealer?.total) : (dealer?.words ?? had);
    refill(
      this.parts.dealer,
      of("h2", "", "Dealer"),
      this.cardList(dealer?.cards ?? [], "Dealer's cards"),
      (dealer?.cards.length ?? 0) < 2 && make("div", { class: "ghosts", "aria-hidden": "true" }, make("i"), make("i")),
      of("p", "total", words ? of("b", "", words) : hush("no card"), first && of("span", "", dealer?.words)),
      exposed && of("p", "tag", `next card, exposed: ${withSuits(exposed)}`),
    );
  }

  /** @param {string[]} cards @param {string} label @param {number} [across] which card lies across, from 1 */
  cardList(cards, label, across = 0) {
    const items = cards.map((card, at) => cardItem(card, across === at + 1));
    const list = make("ol", { class: "cards", role: "list", "aria-label": label, hidden: !cards.length }, ...items);
    list.style.setProperty("--n", String(Math.max(cards.length, 2)));
    return list;
  }

  // --- announcements and prompts ---

  /** @param {DrawnTable} model */
  drawCall(model) {
    const { events = [], log = [] } = model;
    const said = [...log.slice(-1), ...events].findLast((one) => one.words && one.type !== "TurnCame");
    const waits = momentWords({ ...model, me: null });
    const words = said ? callWords(said, model.me?.name) : "";
    this.redraw("call", [words, waits], () => {
      const why = said?.clauses?.length && this.whyButton("call", said.clauses, words);
      const line = said && of("p", "said", of("span", "", withSuits(words)), why || null);
      refill(this.parts.call, line, of("p", "waits", waits));
    });
  }

  // --- the boxes ---

  /** The state of one box. @param {number} box @param {DrawnTable} model */
  boxFacts(box, { view, room, me, pending }) {
    const { round, seats = [] } = view;
    const { heat } = room;
    const place = round?.boxes?.find((one) => one.number === box);
    const sits = seats.find((one) => one.box === box);
    const owner = place?.controller || sits?.player || "";
    const name = me?.name ?? "";
    const betting = isBetting(view);
    return {
      place,
      sits,
      owner,
      name,
      betting,
      mine: Boolean(name) && (sits?.player === name || Boolean(place?.bettors.some((one) => one.player === name))),
      turn: round?.turn?.[0] === box ? round.turn[1] : 0,
      free: !heat && !owner && !seats.some((one) => one.player === name),
      due: heat?.order[0] === box,
      may: betting && (!heat || (sits?.player === name && heat.order.includes(box))),
      planned: betting ? pending?.[box] : undefined,
      bot: Boolean(room.bots?.some((one) => one.player === owner)),
      chips: heat?.chips.find(([player]) => player === owner)?.[1],
      marker: heat?.marker === box,
    };
  }

  /** @param {any} seat @param {DrawnTable} model */
  drawBox(seat, model) {
    const { box, item, spot } = seat;
    const facts = this.boxFacts(box, model);
    const { place, owner, name, mine, turn, free, due, may, planned, sits } = facts;
    const states = { mine, empty: !owner && !planned, "in-turn": Boolean(turn) || due, planned: Boolean(planned) };
    item.className = ["box", ...Object.keys(states).filter((state) => states[state])].join(" ");
    item.dataset.hands = String(place?.hands?.length ?? 0);
    item.ariaCurrent = turn || due ? "true" : null;
    spot.ariaDisabled = String(!may && !free);
    spot.ariaLabel = `Box ${box}${may ? ": put the chip here" : free ? ": take the seat" : ""}`;
    item.classList.toggle("betting", facts.betting);
    const head = [owner, mine, facts.bot, sits, name, facts.chips, facts.marker];
    this.redraw(`head ${box}`, head, () => this.drawHeading(seat, facts));
    const rows = besides(model.view, box);
    const last = !hasCards(model.view) && this.last.boxes.get(box);
    this.redraw(`beside ${box}`, [rows, last], () => this.drawBeside(seat, rows, last));
    const open = facts.betting || Boolean(model.view.round?.insurable?.length);
    const about = { box, turn, name, open, owner };
    this.redraw(`hands ${box}`, [place, turn, name, open, planned], () => this.drawHands(seat, place, planned, about));
  }

  drawHeading({ box, heading }, { owner, mine, sits, name, chips, marker, bot }) {
    const marks = [
      mine && owner !== name && "you bet here",
      sits?.restricted && "restricted to the minimum",
      sits?.maximum && `limit ${dollars(sits.maximum)}`,
    ].filter(Boolean);
    const number = of("span", "number", hush("Box "), String(box), hush(owner ? ", " : ", free"));
    const front = chips !== undefined && of("span", "front", hush(", chips: "), dollars(chips));
    const title = "Starting marker: this box wagers first";
    const first = marker && make("span", { class: "first", title }, hush("starting marker, wagers "), "1st");
    const who = owner && of("span", "who", owner === name ? "You" : bot ? "Bot" : owner);
    refill(heading, number, who, first, ...marks.map((one) => of("span", "tag", one)), front);
  }

  drawBeside({ box, beside }, rows, last) {
    const result = (settled, words, at) => {
      const shown = `${settledWords(settled)}, ${net(sumOf(settled))}`;
      return this.whyButton(`${box}-beside-${at}`, clausesOf(settled), words, `result ${howOf(sumOf(settled))}`, shown);
    };
    const lines = rows.map(({ stake, words, settled }, at) => {
      const amount = of("span", "", words + (stake ? ` ${dollars(stake)}` : ""));
      return make("li", {}, stake ? chipStack(stake) : null, amount, settled && result(settled, words, at));
    });
    const insured = rows.filter((row) => row.insures).length;
    const list = (name, inside) => inside.length && make("ul", { class: name, role: "list" }, ...inside);
    refill(
      beside,
      list("insurance", lines.slice(0, insured)),
      list("more", lines.slice(insured)),
      last && of("p", "before", hush("Last round: "), last),
    );
  }

  /**
   * @param {any} seat
   * @param {BoxView | undefined} place
   * @param {PlannedWager | undefined} planned
   * @param {About} about
   */
  drawHands({ hands }, place, planned, about) {
    const dealt = place?.hands?.some((hand) => hand.cards.length) ? (place.hands ?? []) : [];
    if (dealt.length) {
      refill(hands, ...dealt.map((hand, at) => this.drawHand(hand, at + 1, dealt.length, about)));
      return;
    }
    const plan = planned && of("p", "plan", chipStack(planned.stake), of("b", "", dollars(planned.stake)));
    const others = planned ? (place?.bettors ?? []).filter((one) => one.player !== about.name) : place?.bettors;
    refill(hands, others?.length && this.wagerList(others, about), plan);
  }

  /** @param {HandView} hand @param {number} number @param {number} count @param {About} about */
  drawHand(hand, number, count, about) {
    const { box, turn } = about;
    const [total, ...tags] = hand.words ? hand.words.split(", ") : ["face down"];
    const live = turn === number;
    const surrendered = hand.wagers.length && hand.wagers.every((one) => one.surrendered);
    const shared = sharedWords(hand.wagers);
    const marks = [hand.skipped && "passed over", hand.absent && "absent"].filter(Boolean);
    const label = count > 1 ? `Hand ${number} of ${count}` : `Hand on box ${box}`;
    return make(
      "div",
      { class: live ? "hand playing" : "hand", role: "group", "aria-label": label, "data-hand": number },
      count > 1 && make("span", { class: "which", "aria-hidden": "true" }, live ? `Hand ${number}` : ORDINALS[number]),
      this.cardList(hand.cards, "Cards", hand.sideways),
      surrendered ? make("span", { class: "given", "aria-hidden": "true" }, "surrender") : null,
      of(
        "p",
        "total",
        of("b", "", hand.cards.length ? total : "no card"),
        this.outcome(hand, tags, shared, `${box}-${number}`),
        ...marks.map((one) => of("span", "tag", one)),
      ),
      this.wagerList(hand.wagers, { ...about, number, several: count > 1, shared }),
    );
  }

  /** Row and odds ("6-7-8 spades, wins 3:1") as a button that explains them; before the settlement what the hand is. */
  outcome(hand, tags, shared, id) {
    const settled = hand.wagers.flatMap((one) => one.settled ?? []);
    if (!settled.length) return of("span", hand.row ? "result win" : "visually-hidden", ` ${tags.join(", ")}`);
    const words = [hand.row, shared || "results"].filter(Boolean).join(", ");
    return this.whyButton(id, clausesOf(settled), words, `result ${howOf(sumOf(settled))}`, words);
  }

  /** From front to back: the controller's chips are nearest to the cards, those of the others behind. */
  wagerList(wagers, about) {
    const alone = wagers.length === 1 && wagers[0].player === about.owner; // the heading names the owner already
    const lines = wagers.map((wager) => this.wagerLine(wager, { ...about, alone }));
    return make("ul", { class: "wagers", role: "list", "aria-label": "Wagers" }, ...lines);
  }

  /** @param {WagerView} wager @param {About} about */
  wagerLine(wager, { box, number = 0, name, open, several, shared, alone }) {
    const { player, stake, double = 0, settled, surrendered, kept, rides } = wager;
    const amount =
      double === stake ? `2 × ${dollars(stake)}` : dollars(stake) + (double ? ` + ${dollars(double)}` : "");
    const line = [
      of("span", several && settled ? "visually-hidden" : "amount", amount),
      " ",
      of("span", alone ? "visually-hidden" : "who", withBots(player)),
    ];
    const marks = [rides && "rides", !settled && surrendered && "surrendered", !settled && kept && "kept"];
    const id = { "data-box": box, "data-player": player, id: `bettor-${box}-${player}` };
    const words = open
      ? make("button", { type: "button", class: "bettor", ...id }, ...line)
      : of("span", "line", ...line);
    const key = { "data-key": `${box} ${number} ${player}`, "data-net": settled ? sumOf(settled) : null };
    return make(
      "li",
      { class: player === name ? "wager own" : "wager", ...key },
      chipStack(stake + double),
      words,
      ...marks.filter(Boolean).map((mark) => of("span", "tag", mark)),
      settled && resultOf(settled, shared),
    );
  }

  /** Store the results of a round that has ended. @param {TableView} view */
  keepResults(view) {
    const { round, number = 0 } = view;
    if (number !== this.last.number && hasCards(view)) this.last = { number: 0, dealer: "", boxes: new Map() };
    if (round?.stage !== "ended") return;
    const boxes = new Map((round.boxes ?? []).map((box) => [box.number, boxResult(box)]));
    this.last = { number, dealer: round.dealer ? `last hand: ${round.dealer.words}` : "", boxes };
  }

  // --- animation ---

  /** Where everything is before a step is drawn; null if nothing is to move. @param {DrawnTable} model */
  beforeMoves({ id, version, events, settings }) {
    const speed = settings?.speed ?? "normal";
    const pace = PACES[speed] ?? Number(speed);
    const isStep = events?.length && this.shown.startsWith(`${id} `) && this.shown !== `${id} ${version}`;
    if (!pace || !isStep || isStill() || document.hidden || !this.isConnected) return null;
    const wagers = [...this.querySelectorAll(".wager")];
    const keys = (list) => new Set(list.map((one) => one.dataset.key));
    return {
      pace,
      cards: this.cardsNow(),
      bets: keys(wagers),
      paid: keys(wagers.filter((/** @type {any} */ one) => one.dataset.net)),
    };
  }

  /** Every card on the table by its place, and where it is on the screen. */
  cardsNow() {
    const found = new Map();
    for (const item of /** @type {NodeListOf<HTMLElement>} */ (this.querySelectorAll(".card"))) {
      const box = /** @type {HTMLElement | null} */ (item.closest(".box"))?.dataset.box ?? "0";
      const hand = /** @type {HTMLElement | null} */ (item.closest(".hand"))?.dataset.hand;
      const at = [...(item.parentElement?.children ?? [])].indexOf(item);
      const place = [box, hand, at, item.dataset.card].join(" ");
      found.set(place, { box, item, card: item.dataset.card, at: item.getBoundingClientRect() });
    }
    return found;
  }

  /** New cards come from the shoe, or from the hand they were split from; removed cards go to the rack. */
  afterMoves({ pace, cards, bets, paid }) {
    const now = this.cardsNow();
    const gone = [...cards].filter(([key]) => !now.has(key)).map(([, one]) => one);
    const [shoe, rack] = [this.parts.shoe, this.parts.rack].map((one) => one.getBoundingClientRect());
    let late = 0;
    for (const [key, { item, card, box, at }] of now) {
      if (cards.has(key)) continue;
      const old = gone.findIndex((one) => one.card === card && one.box === box);
      if (old >= 0) this.land(item, fly(item, gone.splice(old, 1)[0].at, at, pace));
      else this.land(item, fly(item, shoe, at, pace, late++));
    }
    gone.forEach(({ item, at }, place) => {
      float(this.parts.air, item.firstElementChild, { from: at, to: rack, pace, late: place / 3, wide: at.width });
    });
    this.moveChips(pace, bets, paid);
  }

  /** Hide the total and the results of a hand until its card has landed. @param {Element} item @param {number} after */
  land(item, after) {
    this.landing = Math.max(this.landing, after);
    const hand = item.closest(".hand, .dealer");
    hushed([...(hand?.querySelectorAll(".total, .result") ?? []), ...this.parts.call.children], after);
  }

  /** New wagers come from the player; a result goes to the player or to the dealer. */
  moveChips(pace, bets, paid) {
    const house = this.parts.dealer.getBoundingClientRect();
    for (const line of /** @type {NodeListOf<HTMLElement>} */ (this.querySelectorAll(".wager"))) {
      const { key = "", net: won } = line.dataset;
      const chips = line.firstElementChild;
      if (!chips) continue;
      const spot = chips.getBoundingClientRect();
      if (!bets.has(key) && key.includes(" 0 "))
        fly(chips, new DOMRect(spot.x, spot.y + 60, spot.width, spot.height), spot, pace);
      if (!Number(won) || paid.has(key)) continue;
      const [from, to] = Number(won) > 0 ? [house, spot] : [spot, house];
      float(this.parts.air, chips, { from, to, pace: pace * 1.6, wide: Math.min(spot.width, CHIP) });
    }
  }
}

customElements.define("pontoon-table", PontoonTable);
