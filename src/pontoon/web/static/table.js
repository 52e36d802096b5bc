// The cloth: `<pontoon-table>` draws what the server says of a table, and nothing it does not say.
// Any view may follow any other (after a reconnect the next one can be rounds away): what stands on the cloth comes from
// the view alone; only what moves comes from the difference between two views.

import { cardItem, withSuits } from "./card.js";
import { chipStack } from "./chips.js";
import { dollars, make, net, refill, spaced } from "./parts.js";

const SVG = "http://www.w3.org/2000/svg";
const BOXES = [1, 2, 3, 4, 5, 6, 7];
const PACES = { slow: 1.8, normal: 1, fast: 0.45, instant: 0 };
const FLIGHT = 380; // milliseconds from the shoe to a hand at the normal speed
const APART = 90; // between cards that come in one step
const OFFERS = { insurance: "Insurance is open", surrender: "Surrender is open", forfeit: "Keep or forfeit?", withdraw: "A wager may be withdrawn" };
const KINDS = { perfect_pairs: "Perfect Pairs", pairs_play: "Pairs Play", super_bonus: "Super Bonus", envy_bonus: "Bonus" };

// What is printed on the cloth: division-15 3.2(b), adelaide 4, federal's picture; the others ask for no words of their own.
const DEALER_WORDS = {
  "division-15": "Dealer draws to hard 16 or soft 17",
  adelaide: "Dealer must stand on hard 17 or soft 18",
  federal: "Dealer draws on soft 17",
};
const PLAIN_DEALER_WORDS = "Dealer stands on hard 17 or soft 18";

/** The inscriptions of this table; an operator's override of a rule is printed too. */
function inscriptions(view, room) {
  const own = room.overrides ?? {};
  const odds = (key, usual) => String(own[key] ?? usual).replace(":", " to ");
  const hard = own["dealer.stands_hard"], soft = own["dealer.stands_soft"]; // prettier-ignore
  const dealer = hard || soft ? `Dealer stands on hard ${hard ?? 17} or soft ${soft ?? 18}` : DEALER_WORDS[view.rulebook];
  return {
    pontoon: `Pontoon pays ${odds("payout.pontoon", "3:2")}`,
    dealer: dealer ?? PLAIN_DEALER_WORDS,
    insurance: `Insurance pays ${odds("insurance.odds", "2:1")}`,
  };
}

const hush = (words) => make("span", { class: "visually-hidden" }, words);
const isBetting = (view) => view.phase === "ready" && !view.due;
const settledNet = (settled) => settled.reduce((sum, one) => sum + one.net, 0);

const howOf = (sum) => (sum > 0 ? "win" : sum < 0 ? "lose" : "even");

/** How the settlements of one wager read: "wins 3:2". */
const settledWords = (settled) => [...new Set(settled.map((one) => (one.kind === "super_bonus" ? KINDS.super_bonus : one.words)))].join(", ");

/** "wins 3:2, +$15", or the amount alone where the words are said for the whole hand. */
function resultOf(settled, shared = "") {
  const sum = settledNet(settled);
  return make("span", { class: `result ${howOf(sum)}` }, `${shared ? "" : `${settledWords(settled)}, `}${net(sum)}`);
}

export class PontoonTable extends HTMLElement {
  constructor() {
    super();
    /** What each part was last drawn from, so that a part that did not change is left alone (and keeps the focus). */
    this.drawn = new Map();
    /** Results of the last round by box: they stay in small print after the cards are collected. */
    this.last = { number: 0, dealer: "", boxes: new Map() };
    this.waitKey = "";
    /** Which table at which version is drawn: a model may be changed in place. */
    this.shown = "";
  }

  connectedCallback() {
    if (!this.firstElementChild) this.build();
  }

  build() {
    const part = (tag, name, attributes = {}) => (this[name] = make(tag, { class: name, ...attributes }));
    const arcs = document.createElementNS(SVG, "svg");
    arcs.setAttribute("class", "arcs");
    arcs.setAttribute("viewBox", "0 0 1280 360");
    arcs.setAttribute("aria-hidden", "true");
    this.arcs = arcs;
    this.cloth = make(
      "section",
      { class: "cloth", "aria-label": "Table" },
      arcs,
      part("div", "sign"),
      part("div", "rack"),
      part("section", "dealer", { "aria-label": "Dealer" }),
      part("div", "shoe"),
      part("ul", "printed", { role: "list", "aria-label": "On the cloth" }),
      part("div", "call"),
      part("ol", "boxes", { role: "list" }),
      part("div", "air", { "aria-hidden": "true" }),
    );
    this.seats = BOXES.map((box) => this.buildBox(box));
    this.boxes.append(...this.seats.map((seat) => seat.item));
    this.append(this.cloth);
    this.addEventListener("click", (event) => this.clicked(event));
  }

  buildBox(box) {
    const heading = make("h3", {});
    const spot = make("button", { type: "button", class: "spot", "data-box": box });
    const hands = make("div", { class: "hands" });
    const beside = make("div", { class: "beside" });
    return { box, heading, spot, hands, beside, item: make("li", { class: "box", "data-box": box }, spot, heading, beside, hands) };
  }

  /** Draw this model. @param {any} model see the contract of the page */
  update(model) {
    if (!this.cloth) this.build();
    const { view, room = {} } = model;
    if (!view) return;
    const moves = this.beforeMoves(model);
    this.model = model;
    this.shown = `${model.id} ${model.version}`;
    this.keepResults(view);
    this.part("arcs", [view.rulebook, room.overrides], () => this.drawArcs(inscriptions(view, room)));
    this.part("printed", [view.rulebook, room.overrides], () => this.drawPrinted(inscriptions(view, room)));
    this.part("sign", [view.rulebook, view.packs, view.limits, view.number, view.shoe.number, view.closing, view.rounds_left], () => this.drawSign(view));
    this.part("shoe", [view.shoe, view.packs, view.device, view.joker], () => this.drawShoe(view));
    this.part("rack", [view.shoe.discards], () => this.drawRack(view));
    this.part("dealer", [view.round?.dealer, view.round?.exposed, this.lastDealer(view)], () => this.drawDealer(view));
    this.drawCall(model);
    for (const seat of this.seats) this.drawBox(seat, model);
    this.afterMoves(moves);
  }

  /** Draw one part again where what it is drawn from has changed. */
  part(name, from, draw) {
    const now = JSON.stringify(from);
    if (this.drawn.get(name) === now) return;
    this.drawn.set(name, now);
    draw();
  }

  clicked(event) {
    const target = event.target.closest("button");
    if (!target) return;
    const { box, player } = target.dataset;
    if (target.ariaDisabled === "true") return;
    if (target.classList.contains("spot")) this.tell("box-tap", { box: Number(box), betting: isBetting(this.model.view) });
    else if (target.classList.contains("bettor")) this.tell("bettor-tap", { box: Number(box), player });
    else if (target.why) this.tell("why", { ...target.why, rulebook: this.model.view.rulebook });
  }

  tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { bubbles: true, detail }));
  }

  whyButton(mark, about, clauses, words) {
    const button = make("button", { type: "button", class: "why", id: `why ${mark}`, "aria-label": `Why: ${about}` }, "?");
    button.why = { clauses: [...new Set(clauses)], words };
    return button;
  }

  // --- the furniture ---

  drawArcs({ pontoon, dealer, insurance }) {
    const text = (id, path, words, name) =>
      `<path id="${id}" d="${path}" fill="none"/><text class="${name}"><textPath href="#${id}" startOffset="50%">${words}</textPath></text>`;
    // From left to right and sagging, so that the letters stand upright for whoever sits here.
    const arc = (y) => `M120 ${y - 104}A1340 1340 0 0 0 1160 ${y - 104}`;
    this.arcs.innerHTML = `<path class="line" d="${arc(312)}"/><path class="line" d="${arc(344)}"/>`;
    const words = { pontoon: [arc(254), pontoon.toUpperCase()], rule: [arc(286), dealer], line: [arc(335), insurance.toUpperCase()] };
    for (const [name, [path, said]] of Object.entries(words)) {
      const holder = document.createElementNS(SVG, "g");
      holder.innerHTML = text(`arc-${name}`, path, "", `on-${name}`);
      holder.querySelector("textPath").textContent = said;
      this.arcs.append(holder);
    }
  }

  drawPrinted({ pontoon, dealer, insurance }) {
    const lines = [["pontoon", pontoon], ["rule", dealer], ["line", insurance]]; // prettier-ignore
    refill(this.printed, ...lines.map(([name, words]) => make("li", { class: `printed-${name}` }, words)));
  }

  drawSign(view) {
    const { minimum, maximum, box_maximum: box } = view.limits;
    const limits = maximum ? `${dollars(minimum ?? 0)} to ${dollars(maximum)}` : `from ${dollars(minimum ?? 0)}`;
    const facts = [`${view.packs} packs`, `round ${view.number ?? 0}`, `shoe ${view.shoe.number ?? 0}`];
    const last = view.closing ? (view.rounds_left ? `Last ${view.rounds_left} rounds` : "This table closes") : "";
    refill(this.sign,
      make("h2", {}, view.rulebook === "division-15" ? "Division 15" : view.rulebook),
      make("p", { class: "limits" }, hush("Limits of a wager: "), limits, box ? ` · ${dollars(box)} a box` : ""),
      make("p", { class: "facts" }, facts.join(" · ")),
      last ? make("p", { class: "facts" }, last) : "",
    );
  }

  /** The shoe from the side: how full it is, and where the cutting card stands. */
  drawShoe(view) {
    const { left = 0, behind = 0, cutting_card: cutting, came } = view.shoe;
    const all = view.packs * 48 + (view.joker ? 1 : 0);
    const full = (left / all) * 66;
    const mark = cutting === "in" ? `<rect class="cutting-card" x="${8 + (behind / all) * 66}" y="13" width="4" height="27" rx="1"/>` : "";
    const picture = `<svg viewBox="0 0 100 54" aria-hidden="true"><path class="case" d="M4 48V14Q4 8 10 8H72L96 34V48Z"/><rect class="stock" x="8" y="15" width="${full}" height="25"/>${mark}<path class="mouth" d="M76 46 74 30 92 40V46Z"/></svg>`;
    this.shoe.innerHTML = picture;
    const name = { continuous: "Shuffler", shuffling_shoe: "Shuffling shoe" }[view.device] ?? "Shoe";
    this.shoe.append(make("p", {}, hush(`${name}: `), make("b", {}, String(left)), " left"));
    if (cutting === "in") this.shoe.append(hush(`The cutting card is in, ${behind} cards behind it.`));
    if (cutting !== "came") return;
    const where = { first: "first", dealer: "dealer" }[came] ?? (came ? `box ${came}` : "");
    this.shoe.append(make("p", { class: "came" }, "cutting card", where && make("span", {}, `: ${where}`)));
  }

  drawRack(view) {
    const count = view.shoe.discards ?? 0;
    const full = Math.min(30, Math.ceil(count / 12));
    this.rack.innerHTML = `<svg viewBox="0 0 100 54" aria-hidden="true"><rect class="stock" x="22" y="${44 - full}" width="56" height="${full}"/><path class="case" d="M14 6V48H86V6" fill="none"/></svg>`;
    this.rack.append(make("p", {}, make("b", {}, String(count)), " discards"));
  }

  // --- the dealer ---

  lastDealer(view) {
    return !view.round?.dealer && this.last.number && !hasCards(view) ? this.last.dealer : "";
  }

  drawDealer(view) {
    const hand = view.round?.dealer;
    const exposed = view.round?.exposed;
    const said = hand ? hand.words : this.lastDealer(view);
    refill(this.dealer,
      make("h2", {}, "Dealer"),
      this.cardList(hand?.cards ?? [], "Dealer's cards"),
      make("p", { class: "total" }, make("b", {}, hand && hand.cards.length === 1 ? String(hand.total) : said || "no card"), hand?.cards.length === 1 ? make("span", {}, ` ${said}`) : ""),
      exposed && make("p", { class: "tag" }, `next card seen: ${withSuits(exposed)}`),
    );
  }

  cardList(cards, label, across = 0) {
    const list = make("ol", { class: "cards", role: "list", "aria-label": label });
    list.append(...cards.map((card, at) => cardItem(card, across === at + 1)));
    list.style.setProperty("--n", String(Math.max(cards.length, 2)));
    list.hidden = !cards.length;
    return list;
  }

  // --- what is said, and who is waited for ---

  drawCall({ view, room = {}, events = [], log = [], version }) {
    const told = [...(events.length ? events : log.slice(-1))].reverse().find((one) => one.words);
    const waits = waitWords(view, room);
    this.part("call", [told?.words, waits, room.paused], () => {
      const said = told && make("p", { class: "said" }, make("span", {}, withSuits(told.words)), told.clauses?.length ? this.whyButton("call", told.words, told.clauses, told.words) : "");
      this.clock ??= make("span", { class: "clock", "aria-hidden": "true" }, make("i", {}));
      const line = room.paused ? `The game is held: ${room.paused}` : waits;
      refill(this.call, said, make("p", { class: "waits" }, make("span", {}, line), this.clock));
    });
    this.runClock(view, room, version);
  }

  /** The bar shrinks with the time that is left; a step in between that asks nothing new lets it run on. */
  runClock(view, room) {
    const round = view.round;
    const cards = round?.boxes?.flatMap((box) => box.hands?.flatMap((hand) => hand.cards) ?? []).length ?? 0;
    const key = room.clock && !room.paused ? JSON.stringify([view.number, view.phase, round?.stage, round?.turn, cards, room.clock]) : "";
    if (key === this.waitKey) return;
    this.waitKey = key;
    this.clock.hidden = !key;
    const bar = this.clock.firstElementChild;
    for (const one of bar.getAnimations()) one.cancel();
    if (key) bar.animate({ transform: ["scaleX(1)", "scaleX(0)"] }, { duration: room.left ?? room.clock, fill: "forwards", easing: matchMedia("(prefers-reduced-motion: reduce)").matches ? "steps(10)" : "linear" });
  }

  // --- the boxes ---

  drawBox(seat, { view, room = {}, me, pending }) {
    const { box, item, spot } = seat;
    const round = view.round;
    const place = round?.boxes?.find((one) => one.number === box);
    const sitting = view.seats?.find((one) => one.box === box);
    const bot = room.bots?.find((one) => one.box === box);
    const owner = place?.controller || sitting?.player || "";
    const mine = !!me?.name && (sitting?.player === me.name || !!place?.bettors.some((one) => one.player === me.name));
    const turn = round?.turn?.[0] === box ? round.turn[1] : 0;
    const open = isBetting(view) || (!sitting && !place && !view.seats?.some((one) => one.player === me?.name));
    const hands = place?.hands?.length || 0;
    item.classList.toggle("mine", mine);
    item.classList.toggle("empty", !place && !sitting);
    item.classList.toggle("in-turn", !!turn);
    item.dataset.hands = String(Math.min(hands, 4));
    if (turn) item.setAttribute("aria-current", "true");
    else item.removeAttribute("aria-current");
    spot.setAttribute("aria-disabled", String(!open));
    this.part(`spot ${box}`, [open, owner, isBetting(view), mine], () => spot.setAttribute("aria-label", spotWords(box, owner, view, open)));
    this.part(`head ${box}`, [owner, mine, bot, sitting, me?.name], () => this.drawHeading(seat, owner, mine, bot, sitting, me));
    const beside = besides(round, box);
    const last = !hasCards(view) && this.last.boxes.get(box);
    this.part(`beside ${box}`, [beside, last], () => this.drawBeside(seat, beside, last));
    const meant = isBetting(view) ? pending?.[box] : null;
    item.classList.toggle("meant", !!meant);
    this.part(`hands ${box}`, [place, turn, me?.name, round?.insurable, meant], () => this.drawHands(seat, place, turn, me, round, meant));
  }

  drawHeading({ box, heading }, owner, mine, bot, sitting, me) {
    const marks = [owner && owner !== me?.name && mine && "you bet here", bot && "program", sitting?.restricted && "held to the minimum", sitting?.maximum && `limit ${dollars(sitting.maximum)}`];
    refill(heading,
      make("span", { class: "number" }, hush("Box "), String(box), hush(owner ? ", " : ", free")),
      owner && make("span", { class: "who" }, owner),
      owner && owner === me?.name && make("span", { class: "tag" }, "you"),
      ...marks.filter(Boolean).map((one) => make("span", { class: "tag" }, one)),
    );
  }

  /** Insurance, side wagers and bonuses; after the round what it came to. */
  drawBeside({ box, beside }, rows, last) {
    const lines = rows.map((row) =>
      make(
        "li",
        {},
        row.stake ? chipStack(row.stake) : null,
        make("span", {}, `${row.words} ${row.stake ? dollars(row.stake) : ""}`),
        row.settled.length ? resultOf(row.settled) : null,
        row.settled.length ? this.whyButton(`${box} ${row.words}`, row.words, row.settled.flatMap((one) => one.clauses), row.words) : null,
      ),
    );
    const list = (name, inside) => inside.length && make("ul", { role: "list", class: name }, ...inside);
    const insured = rows.filter((row) => row.insurance).length;
    refill(beside, list("insurance", lines.slice(0, insured)), list("more", lines.slice(insured)));
    if (last) beside.append(make("p", { class: "before" }, hush("Last round: "), last));
  }

  drawHands({ box, hands }, place, turn, me, round, meant) {
    if (!place?.hands?.some((hand) => hand.cards.length)) {
      const plan = meant && make("p", { class: "plan" }, chipStack(meant.stake), `${dollars(meant.stake)} not placed`);
      return refill(hands, place && this.wagerList(box, 0, place.bettors, { me, round, owner: place.controller }), plan);
    }
    const several = place.hands.length > 1;
    refill(hands,
      ...place.hands.map((hand, at) => this.drawHand(box, hand, at + 1, { me, round, several, owner: place.controller, turn: turn === at + 1, count: place.hands.length })),
    );
  }

  drawHand(box, hand, number, about) {
    const { several, count } = about;
    const [total, ...tags] = hand.words ? hand.words.split(", ") : [hand.cards.length ? "face down" : "no card"];
    const given = hand.wagers.length > 0 && hand.wagers.every((one) => one.surrendered);
    const shared = sharedWords(hand.wagers);
    const marks = [hand.skipped && "passed over", hand.absent && "absent"].filter(Boolean);
    return make(
      "div",
      { class: `hand${about.turn ? " playing" : ""}`, role: "group", "aria-label": several ? `Hand ${number} of ${count}` : `Hand on box ${box}`, "data-hand": number },
      this.cardList(hand.cards, "Cards", acrossAt(hand)),
      given && make("span", { class: "given", "aria-hidden": "true" }, "surrender"),
      make("p", { class: "total" }, make("b", {}, total), this.outcome(box, number, hand, tags, shared), ...marks.map((one) => make("span", { class: "tag" }, one))),
      this.wagerList(box, number, hand.wagers, { ...about, shared }),
    );
  }

  /** Row and odds ("6-7-8 spades, wins 3:1") as a button that tells why; before the settlement what the hand is. */
  outcome(box, number, hand, tags, shared) {
    const settled = hand.wagers.flatMap((one) => one.settled ?? []);
    const row = tags.filter((tag) => /^\d-/.test(tag));
    const plain = tags.filter((tag) => !row.includes(tag)).join(", "); // doubled, surrendered: to be seen by the cards
    if (!settled.length) return make("span", { class: row.length ? "result win" : "visually-hidden" }, ` ${[...row, plain].filter(Boolean).join(", ")}`);
    const sum = settledNet(settled);
    const words = [...row, shared || "results"].join(", ");
    const button = this.whyButton(`${box}.${number}`, words, settled.flatMap((one) => one.clauses), `Box ${box}: ${words}`);
    button.className = `result ${howOf(sum)}`;
    return button;
  }

  /** From front to back: the controller's chips lie nearest to the cards, those of the others behind. */
  wagerList(box, hand, wagers, about) {
    const lines = wagers.map((wager) => this.wagerLine(box, hand, wager, about, wagers.length === 1));
    return make("ul", { class: "wagers", role: "list", "aria-label": "Wagers" }, ...lines);
  }

  wagerLine(box, hand, wager, { me, round, several, shared, owner }, alone) {
    const settled = wager.settled ?? [];
    const amount = dollars(wager.stake) + (wager.double ? ` + ${dollars(wager.double)}` : "");
    const named = alone && wager.player === owner ? "visually-hidden" : "who"; // the heading names the owner already
    const line = [make("span", { class: several && settled.length ? "visually-hidden" : "amount" }, amount), " ", make("span", { class: named }, wager.player)];
    const tappable = !settled.length && (!hand || round?.insurable?.length);
    const marks = [wager.rides && "rides", !settled.length && wager.surrendered && "surrendered", !settled.length && wager.kept && "kept"].filter(Boolean);
    return make(
      "li",
      { class: `wager${wager.player === me?.name ? " own" : ""}`, "data-key": `${box} ${hand} ${wager.player}`, "data-net": settled.length ? settledNet(settled) : null },
      chipStack(wager.stake + (wager.double ?? 0)),
      tappable ? make("button", { type: "button", class: "bettor", "data-box": box, "data-player": wager.player, id: `bettor ${box} ${wager.player}` }, ...line) : make("span", {}, ...line),
      ...marks.map((mark) => make("span", { class: "tag" }, mark)),
      settled.length ? resultOf(settled, shared) : null,
    );
  }

  /** A settled round is kept until the next one has cards: the cards leave the layout faster than people read. */
  keepResults(view) {
    const round = view.round;
    if (view.number !== this.last.number && hasCards(view)) this.last = { number: 0, dealer: "", boxes: new Map() };
    if (!round || round.stage !== "ended") return;
    const boxes = new Map(round.boxes.map((box) => [box.number, boxResult(box)]));
    this.last = { number: view.number, dealer: round.dealer ? `had ${round.dealer.words}` : "", boxes };
  }

  // --- what moves ---

  /** How long a flight takes now; 0 is instant. */
  pace(model) {
    const asked = model.settings?.speed ?? 1;
    const pace = typeof asked === "number" ? asked : (PACES[asked] ?? 1);
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches || document.hidden || !this.isConnected;
    const step = model.events?.length && this.shown.startsWith(`${model.id} `) && this.shown !== `${model.id} ${model.version}`;
    return still || !step ? 0 : pace;
  }

  /** Where everything lies before the new view is drawn. */
  beforeMoves(model) {
    const pace = this.pace(model);
    if (!pace) return null;
    const cards = this.cardsNow();
    const paid = new Set([...this.querySelectorAll(".wager[data-net]")].map((one) => one.dataset.key));
    const bets = new Set([...this.querySelectorAll(".wager")].map((one) => one.dataset.key));
    return { pace, cards, paid, bets };
  }

  cardsNow() {
    const found = new Map();
    for (const list of this.querySelectorAll(".cards")) {
      const box = list.closest(".box")?.dataset.box ?? "0";
      const place = `${box}.${list.closest(".hand")?.dataset.hand ?? 0}`;
      [...list.children].forEach((item, at) => found.set(`${place} ${at} ${item.dataset.card}`, { box, item, card: item.dataset.card, at: item.getBoundingClientRect() }));
    }
    return found;
  }

  /** New cards come from the shoe, or from the hand they were split from; cards that are gone go to the rack. */
  afterMoves(before) {
    if (!before) return;
    const now = this.cardsNow();
    const gone = [...before.cards].filter(([key]) => !now.has(key)).map(([, one]) => one);
    let late = 0;
    for (const [key, one] of now) {
      if (before.cards.has(key)) continue;
      const from = gone.findIndex((old) => old.card === one.card && old.box === one.box);
      const start = from >= 0 ? gone.splice(from, 1)[0].at : this.shoe.getBoundingClientRect();
      fly(one.item, start, one.at, before.pace, from >= 0 ? 0 : late++);
    }
    const rack = this.rack.getBoundingClientRect();
    gone.forEach((one, at) => this.float(one.item.firstElementChild, one.at, rack, before.pace, at / 3));
    this.moveChips(before);
  }

  moveChips({ pace, paid, bets }) {
    const house = this.dealer.getBoundingClientRect();
    for (const line of this.querySelectorAll(".wager")) {
      const chips = line.querySelector(".chips");
      const { key, net: won } = line.dataset;
      if (!bets.has(key) && !line.closest(".hand")?.dataset.hand) fly(chips, { ...rectOf(chips), y: rectOf(chips).y + 60 }, rectOf(chips), pace, 0);
      if (won === undefined || paid.has(key) || won === "0") continue;
      const spot = rectOf(chips);
      if (Number(won) > 0) this.float(chips, house, spot, pace * 1.6, 0);
      else this.float(chips, spot, house, pace * 1.6, 0);
    }
  }

  /** Let a picture of this drawing fly and vanish. */
  float(drawing, from, to, pace, late) {
    const ghost = drawing.cloneNode(true);
    const zero = this.cloth.getBoundingClientRect();
    this.air.append(ghost);
    Object.assign(ghost.style, { left: `${from.x - zero.x}px`, top: `${from.y - zero.y}px`, width: `${drawing.clientWidth || from.width}px` });
    const move = `translate(${to.x + to.width / 2 - from.x - from.width / 2}px, ${to.y + to.height / 2 - from.y - from.height / 2}px)`;
    const flight = ghost.animate({ transform: ["none", move], opacity: [1, 1, 0.2] }, { duration: FLIGHT * 1.3 * pace, delay: late * APART * pace, easing: "ease-in-out", fill: "both" });
    flight.finished.then(() => ghost.remove(), () => ghost.remove());
  }
}

function rectOf(element) {
  const { x, y, width, height } = element.getBoundingClientRect();
  return { x, y, width, height };
}

/** Let an element come from another place to where it lies. */
function fly(element, from, to, pace, late) {
  const dx = from.x + from.width / 2 - to.x - to.width / 2;
  const dy = from.y + from.height / 2 - to.y - to.height / 2;
  element.animate(
    { transform: [`translate(${dx}px, ${dy}px) rotate(-24deg) scale(.86)`, "none"], opacity: [0, 1, 1] },
    { duration: FLIGHT * pace, delay: late * APART * pace, easing: "cubic-bezier(.2,.7,.3,1)", fill: "backwards" },
  );
}

const hasCards = (view) => !!view.round && (!!view.round.dealer || view.round.boxes?.some((box) => box.hands?.some((hand) => hand.cards.length)));

/** The one card of a double lies across, and so does the card to a split ace (division-15 13.4(b)). */
function acrossAt(hand) {
  if (hand.sideways) return hand.sideways;
  return hand.split && hand.cards[0]?.[0] === "A" && hand.cards.length === 2 ? 2 : 0;
}

/** What is said of all wagers of a hand alike; empty where they came out differently. */
function sharedWords(wagers) {
  const words = new Set(wagers.map((one) => settledWords(one.settled ?? [])));
  return words.size === 1 ? [...words][0] : "";
}

/** "20: Ann +$10, Ben −$5" */
function boxResult(box) {
  const sums = new Map();
  for (const wager of box.hands.flatMap((hand) => hand.wagers)) {
    sums.set(wager.player, (sums.get(wager.player) ?? 0) + settledNet(wager.settled ?? []));
  }
  const totals = box.hands.map((hand) => hand.words?.split(", ")[0]).filter(Boolean).join(" / ");
  return `${totals}: ${[...sums].map(([player, sum]) => `${player} ${net(sum)}`).join(", ")}`;
}

/** Side wagers, insurance and bonuses that stand by a box. */
function besides(round, box) {
  if (!round) return [];
  const insured = (round.insurance ?? []).filter((one) => one.owner_box === box);
  const side = (round.side ?? []).filter((one) => one.box === box);
  const bonus = (round.bonuses ?? []).filter((one) => one.box === box);
  return [
    ...insured.map((one) => ({ words: `${one.player} insures${one.owner === one.player ? "" : ` ${one.owner}`}`, stake: one.amount, settled: one.settled ?? [], insurance: true })),
    ...side.map((one) => ({ words: `${one.player} ${KINDS[one.kind] ?? spaced(one.kind)}`, stake: one.stake, settled: one.settled ?? [] })),
    ...bonus.map((one) => ({ words: `${one.player} ${KINDS.envy_bonus}`, stake: 0, settled: one.settled })),
  ];
}

function spotWords(box, owner, view, open) {
  const name = `Box ${box}${owner ? `, ${owner}` : ""}`;
  if (isBetting(view)) return `${name}: place a wager`;
  return open ? `${name}: take the seat` : name;
}

/** Who is waited for, in words. */
function waitWords(view, room) {
  const { waits, round } = view;
  const names = (room.players?.length ? room.players : (waits.players ?? [])).filter((one) => !room.passed?.includes(one));
  const who = names.length > 3 ? `${names.slice(0, 2).join(", ")} and ${names.length - 2} more` : names.join(", ");
  if (view.phase === "closed") return "The table is closed";
  if (view.cut && who) return `${who} is asked to cut`;
  if (isBetting(view)) return "Place your wagers";
  if (round?.offer) return OFFERS[round.offer] + (who ? `: ${who}` : "");
  if (round?.joining && who) return `Who joins the ${round.joining}? ${who}`;
  if (waits.actor === "controller") return `Box ${round.turn[0]}: ${who} decides`;
  if (view.phase === "collect") return "The round is settled";
  const to = waits.card_to?.[0];
  return to === undefined ? "The dealer prepares the cards" : to ? `A card for box ${to}` : "The dealer draws";
}

customElements.define("pontoon-table", PontoonTable);
