// The cloth: `<pontoon-table>` draws what the server says of a table, and nothing it does not say.
// Any view may follow any other (after a reconnect the next can be rounds away): what lies on the cloth comes from the
// view alone; only what moves comes from the difference between two views.
import { cardItem, chipStack, withSuits } from "./card.js";
import { dollars, heldWords, make, net, refill, spaced } from "./parts.js";

const PACES = { slow: 1.8, normal: 1, fast: 0.45, instant: 0 };
const FLIGHT = 380; // milliseconds from the shoe to a hand at the normal pace
const APART = 90; // between cards that come in one step
// Words the documents want on the cloth: division-15 3.2(b), adelaide 4, federal's picture.
const DEALER = {
  "division-15": "Dealer draws to hard 16 or soft 17",
  adelaide: "Dealer must stand on hard 17 or soft 18",
  federal: "Dealer draws on soft 17",
};

// --- small readings ---

/** "perfect_pairs" is "Perfect Pairs". */
const titled = (name) => spaced(name).replace(/\b\w/g, (letter) => letter.toUpperCase());
const of = (tag, name, ...children) => make(tag, { class: name }, ...children);
const hush = (words) => of("span", "visually-hidden", words);
const isBetting = (view) => view.phase === "ready" && !view.due;
const hasCards = ({ round }) =>
  !!round && (!!round.dealer || !!round.boxes?.some((box) => box.hands?.some((hand) => hand.cards.length)));
const sumOf = (settled = []) => settled.reduce((sum, one) => sum + one.net, 0);
const howOf = (sum) => (sum > 0 ? "win" : sum < 0 ? "lose" : "even");
const clausesOf = (settled) => settled.flatMap((one) => one.clauses);
const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** How the settlements of one wager read: "wins 3:2". */
const settledWords = (settled = []) =>
  [...new Set(settled.map((one) => (one.kind === "super_bonus" ? titled(one.kind) : one.words)))].join(", ");

/** "wins 3:2, +$15", or the amount alone where the words are said for the whole hand. */
function resultOf(settled, shared = "") {
  const words = shared ? "" : `${settledWords(settled)}, `;
  return of("span", `result ${howOf(sumOf(settled))}`, words + net(sumOf(settled)));
}

/** What is said of all wagers of a hand alike; empty where they came out differently. */
function sharedWords(wagers) {
  const words = new Set(wagers.map((one) => settledWords(one.settled)));
  return words.size === 1 ? [...words][0] : "";
}

/** What is printed on the cloth; an operator's override of a rule is printed too. */
function printedOn(view, own = {}) {
  const odds = (key, usual) => String(own[key] ?? usual).replace(":", " to ");
  const [hard, soft] = [own["dealer.stands_hard"], own["dealer.stands_soft"]];
  const plain = `Dealer stands on hard ${hard ?? 17} or soft ${soft ?? 18}`;
  return [
    ["pontoon", 254, `Pontoon pays ${odds("payout.pontoon", "3:2")}`],
    ["rule", 286, hard || soft ? plain : (DEALER[view.rulebook] ?? plain)],
    ["line", 335, `Insurance pays ${odds("insurance.odds", "2:1")}`],
  ];
}

/** The one card of a double lies across, and so does the card to a split ace (division-15 13.4(b)). */
function acrossAt({ sideways, split, cards }) {
  return sideways || (split && cards[0]?.[0] === "A" && cards.length === 2 ? 2 : 0);
}

/** Insurance, side wagers and bonuses that stand by a box. */
function besides(round, box) {
  const by = (rows, key = "box") => (rows ?? []).filter((one) => one[key] === box);
  return [
    ...by(round?.insurance, "owner_box").map((one) => ({
      ...one,
      insures: true,
      stake: one.amount,
      words: `${one.player} insures${one.owner === one.player ? "" : ` ${one.owner}`}`,
    })),
    ...by(round?.side).map((one) => ({ ...one, words: `${one.player}, ${titled(one.kind)}` })),
    ...by(round?.bonuses).map((one) => ({ ...one, words: `${one.player}, bonus` })),
  ];
}

/** "20: Ann +$10, Ben −$5"; one who is alone is in the heading. */
function boxResult({ hands }) {
  const sums = new Map();
  for (const one of hands.flatMap((hand) => hand.wagers))
    sums.set(one.player, (sums.get(one.player) ?? 0) + sumOf(one.settled));
  const totals = hands
    .map((hand) => hand.words?.split(", ")[0])
    .filter(Boolean)
    .join(" / ");
  return `${totals}: ${[...sums].map(([player, sum]) => (sums.size > 1 ? `${player} ` : "") + net(sum)).join(", ")}`;
}

/** Whose wager is due at a tournament's table. */
function heatWaits({ seats = [] }, { heat, waits }) {
  const [first] = heat.order;
  if (first) return `Box ${first}: ${seats.find((one) => one.box === first)?.player ?? ""} wagers`;
  return heat.ended
    ? "This table has played its session"
    : waits === "wagers"
      ? "Side wagers are open"
      : "The next round opens in a moment";
}

/** Who is waited for, in words. */
function waitWords(view, room) {
  const { waits, round } = view;
  const names = (room.players ?? waits.players ?? []).filter((one) => !room.passed?.includes(one));
  const who = names.join(", ");
  if (room.paused) return heldWords(room);
  if (view.phase === "closed") return "The table is closed";
  if (view.cut && who) return `${who} is asked to cut`;
  if (isBetting(view) && room.heat) return heatWaits(view, room);
  if (isBetting(view)) return "Place your wagers";
  if (round?.offer) return `${titled(round.offer)} is open${who && `: ${who}`}`;
  if (round?.joining && who) return `Who joins the ${round.joining}? ${who}`;
  if (waits.actor === "controller") return `Box ${round.turn[0]}: ${who} decides`;
  if (view.phase === "collect") return "The cards are collected next";
  const to = waits.card_to?.[0];
  return to === undefined ? "The dealer prepares the cards" : to ? `A card for box ${to}` : "The dealer draws";
}

export class PontoonTable extends HTMLElement {
  /** What each part was last drawn from: a part that did not change is left alone. */
  drawn = new Map();
  /** The last round's results: they stay in small print, for cards leave the layout faster than people read. */
  last = { number: 0, dealer: "", boxes: new Map() };
  /** Which table at which version is drawn; kept here because a model may be changed in place. */
  shown = "";
  moment = "none";

  connectedCallback() {
    if (!this.cloth) this.build();
  }

  build() {
    const part = (tag, name, attributes = {}) => (this[name] = make(tag, { class: name, ...attributes }));
    const list = { role: "list" };
    this.clock = make("span", { class: "clock", "aria-hidden": "true" }, make("i"));
    this.cloth = make(
      "section",
      { class: "cloth", "aria-label": this.dataset.label ?? "Table" },
      part("div", "arcs", { "aria-hidden": "true" }),
      part("div", "sign"),
      part("div", "rack"),
      part("div", "dealer", { role: "group", "aria-label": "Dealer" }),
      part("div", "shoe"),
      part("ul", "printed", { ...list, "aria-label": "On the cloth" }),
      part("div", "call"),
      part("ol", "boxes", { ...list, "aria-label": "Boxes" }),
      part("div", "air", { "aria-hidden": "true" }),
    );
    this.seats = [1, 2, 3, 4, 5, 6, 7].map((box) => {
      const spot = make("button", { type: "button", class: "spot", "data-box": box });
      const [heading, beside, hands] = [make("h3"), of("div", "beside"), of("div", "hands")];
      return {
        box,
        spot,
        heading,
        beside,
        hands,
        item: make("li", { class: "box", "data-box": box }, spot, heading, beside, hands),
      };
    });
    this.boxes.append(...this.seats.map((seat) => seat.item));
    this.append(this.cloth);
    this.addEventListener("click", (event) => this.clicked(event.target.closest("button")));
  }

  /** Draw this model. @param {any} model see the contract of the page */
  update(model) {
    if (!this.cloth) this.build();
    if (!model.view) return;
    const before = this.beforeMoves(model);
    this.model = model;
    this.shown = `${model.id} ${model.version}`;
    this.keepResults(model.view);
    const { room = {} } = model;
    const view = this.lying(model);
    this.part("printed", [view.rulebook, room.overrides], () => this.drawPrinted(printedOn(view, room.overrides)));
    this.part(
      "sign",
      [
        view.rulebook,
        view.packs,
        view.limits,
        view.number,
        view.shoe.number,
        view.closing,
        view.rounds_left,
        room.heat?.name,
        room.heat?.round,
      ],
      () => this.drawSign(view, room),
    );
    this.part("shoe", [view.shoe, view.device], () => this.drawShoe(view));
    this.part("rack", [view.shoe.discards], () => this.drawRack(view.shoe.discards ?? 0));
    const had = hasCards(view) ? "" : this.last.dealer;
    this.part("dealer", [view.round?.dealer, view.round?.exposed, had], () => this.drawDealer(view.round ?? {}, had));
    this.drawCall({ ...model, view }, room);
    for (const seat of this.seats) this.drawBox(seat, { ...model, view }, room);
    this.boxes.dataset.own = String(this.boxes.querySelectorAll(".mine").length);
    if (before) this.afterMoves(before);
  }

  /**
   * A quick table collects a round before anybody has read it: it lies here a little longer (`stays`, in milliseconds),
   * until somebody bets.
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
    else this.reading = setTimeout(() => this.isConnected && this.update(this.model), left);
    return this.settled ? { ...view, round: this.settled.round } : view;
  }

  /** Draw one part again where what it is drawn from has changed. */
  part(name, from, draw) {
    const now = JSON.stringify(from);
    if (this.drawn.get(name) !== now) draw();
    this.drawn.set(name, now);
  }

  clicked(button) {
    if (!button || button.ariaDisabled === "true") return;
    const box = Number(button.dataset.box);
    if (button.why) this.tell("why", { ...button.why, rulebook: this.model.view.rulebook });
    else if (button.dataset.player) this.tell("bettor-tap", { box, player: button.dataset.player });
    else this.tell("box-tap", { box, betting: isBetting(this.model.view) });
  }

  tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { bubbles: true, detail }));
  }

  whyButton(id, clauses, words, name = "why", shown = "?") {
    const button = make(
      "button",
      { type: "button", class: name, id: `why-${id}`, "aria-label": `${shown === "?" ? words : shown}, why` },
      shown,
    );
    button.why = { clauses: [...new Set(clauses)], words };
    return button;
  }

  // --- the furniture ---

  drawPrinted(lines) {
    refill(this.printed, ...lines.map(([name, , words]) => of("li", `printed-${name}`, words)));
    // Sagging, so that the letters stand upright for whoever sits here.
    const arc = (y) => `d="M120 ${y - 104}A1340 1340 0 0 0 1160 ${y - 104}"`;
    const texts = lines.map(
      ([name, y]) =>
        `<path id="arc-${name}" ${arc(y)} fill="none"/><text class="on-${name}"><textPath href="#arc-${name}" startOffset="50%"/></text>`,
    );
    this.arcs.innerHTML = `<svg viewBox="0 0 1280 360"><path class="line" ${arc(312)}/><path class="line" ${arc(344)}/>${texts.join("")}</svg>`;
    this.arcs.querySelectorAll("textPath").forEach((path, at) => (path.textContent = lines[at][2]));
  }

  drawSign(view, room) {
    const { minimum = 0, maximum, box_maximum: most } = view.limits;
    const limits = `Wagers ${maximum ? `${dollars(minimum)} to ${dollars(maximum)}` : `from ${dollars(minimum)}`}${most ? `, ${dollars(most)} a box` : ""}`;
    const { heat } = room;
    const facts = heat
      ? [
          `${heat.extra ? "extra rounds" : `table ${heat.table}`}`,
          `round ${heat.round}${heat.rounds ? ` of ${heat.rounds}` : ""}`,
        ]
      : [`${view.packs} packs`, `round ${view.number ?? 0}`, `shoe ${view.shoe.number ?? 0}`];
    if (view.closing) facts.push(view.rounds_left ? `last ${view.rounds_left} rounds` : "closing");
    refill(
      this.sign,
      of("h2", "", heat ? heat.name : view.rulebook.replace("-", " ")),
      of("p", "limits", limits),
      of("p", "facts", facts.join(" · ")),
      room.lesson && of("p", "lesson", `cards chosen by ${room.made_by}`),
    );
  }

  /** The shoe from the side: how full it is, and where the cutting card stands. */
  drawShoe(view) {
    const { left = 0, behind = 0, cutting_card: cutting, came = "" } = view.shoe;
    const wide = 66 / (view.packs * 48);
    const card =
      cutting === "in" ? `<rect class="cutting" x="${8 + behind * wide}" y="12" width="4" height="31" rx="1"/>` : "";
    this.shoe.innerHTML = `<svg viewBox="0 0 100 54" aria-hidden="true"><path class="case" d="M4 48V14Q4 8 10 8H74L96 36V48Z"/><rect class="stock" x="8" y="15" width="${left * wide}" height="25"/>${card}<path class="mouth" d="M77 46V28L91 39V46Z"/></svg>`;
    const name = { continuous: "Shuffler: ", shuffling_shoe: "Shuffling shoe: " }[view.device] ?? "Shoe: ";
    this.shoe.append(of("p", "", hush(name), of("b", "", String(left)), " left"));
    if (cutting === "in") this.shoe.append(hush(`The cutting card is in, ${behind} cards behind it`));
    if (cutting === "came")
      this.shoe.append(of("p", "came", `cutting card${came && `: ${Number(came) ? `box ${came}` : came}`}`));
  }

  drawRack(count) {
    const full = Math.min(32, Math.ceil(count / 10));
    this.rack.innerHTML = `<svg viewBox="0 0 100 54" aria-hidden="true"><rect class="stock" x="20" y="${45 - full}" width="60" height="${full}"/><path class="case" d="M14 6V48H86V6"/></svg>`;
    this.rack.append(of("p", "", of("b", "", String(count)), " discards"));
  }

  drawDealer({ dealer, exposed }, had) {
    const first = dealer?.cards.length === 1;
    const total = of(
      "p",
      "total",
      of("b", "", first ? String(dealer.total) : (dealer?.words ?? (had || "no card"))),
      first && of("span", "", dealer.words),
    );
    refill(
      this.dealer,
      of("h2", "", "Dealer"),
      this.cardList(dealer?.cards ?? [], "Dealer's cards"),
      total,
      exposed && of("p", "tag", `next card, seen: ${withSuits(exposed)}`),
    );
  }

  cardList(cards, label, across = 0) {
    const list = make(
      "ol",
      { class: "cards", role: "list", "aria-label": label, hidden: !cards.length },
      ...cards.map((card, at) => cardItem(card, across === at + 1)),
    );
    list.style.setProperty("--n", String(Math.max(cards.length, 2)));
    return list;
  }

  // --- what is said, and who is waited for ---

  drawCall({ view, events = [], log = [] }, room) {
    const told = [...log.slice(-1), ...events].findLast((one) => one.words);
    const waits = waitWords(view, room);
    this.part("call", [told?.words, waits], () => {
      const why = told?.clauses?.length && this.whyButton("call", told.clauses, told.words);
      refill(
        this.call,
        told && of("p", "said", of("span", "", withSuits(told.words)), why || null),
        of("p", "waits", of("span", "", waits), this.clock),
      );
    });
    this.runClock(view, room);
  }

  /** The bar shrinks with the time that is left; a step in between that asks nothing new lets it run on. */
  runClock({ number, phase, round, shoe }, room) {
    const moment =
      room.clock && !room.paused
        ? JSON.stringify([number, phase, round?.stage, round?.turn, shoe.left, room.clock])
        : "";
    if (moment === this.moment) return;
    this.moment = moment;
    this.clock.hidden = !moment;
    const bar = this.clock.firstElementChild;
    for (const one of bar.getAnimations()) one.cancel();
    if (moment)
      bar.animate(
        { transform: ["scaleX(1)", "scaleX(0)"] },
        { duration: room.left ?? room.clock, fill: "forwards", easing: isStill() ? "steps(10)" : "linear" },
      );
  }

  // --- the boxes ---

  drawBox(seat, { view, me, pending }, room) {
    const { box, item, spot } = seat;
    const { round, seats = [] } = view;
    const place = round?.boxes?.find((one) => one.number === box);
    const sits = seats.find((one) => one.box === box);
    const owner = place?.controller || sits?.player || "";
    const name = me?.name ?? "";
    const mine = !!name && (sits?.player === name || !!place?.bettors.some((one) => one.player === name));
    const turn = round?.turn?.[0] === box ? round.turn[1] : 0;
    const betting = isBetting(view);
    const { heat } = room;
    const free = !heat && !owner && !seats.some((one) => one.player === name);
    const wagers = heat?.order[0] === box; // whose wager is due
    const may = betting && (!heat || (sits?.player === name && heat.order.includes(box)));
    const meant = betting && pending?.[box];
    const states = { mine, empty: !owner && !meant, "in-turn": !!turn || wagers, meant: !!meant };
    item.className = ["box", ...Object.keys(states).filter((state) => states[state])].join(" ");
    item.dataset.hands = String(place?.hands?.length ?? 0);
    item.ariaCurrent = turn || wagers ? "true" : null;
    spot.ariaDisabled = String(!may && !free);
    spot.ariaLabel = `Box ${box}${may ? ": place a wager" : free ? ": take the seat" : ""}`;
    const bot = room.bots?.some((one) => one.player === owner);
    const chips = heat?.chips.find(([player]) => player === owner)?.[1];
    const marker = !!heat && heat.marker === box;
    this.part(`head ${box}`, [owner, mine, bot, sits, name, chips, marker], () =>
      this.drawHeading(seat, { owner: bot ? "bot" : owner, mine, sits, name, chips, marker }),
    );
    const rows = besides(round, box);
    const last = !hasCards(view) && this.last.boxes.get(box);
    this.part(`beside ${box}`, [rows, last], () => this.drawBeside(seat, rows, last));
    const open = betting || !!round?.insurable?.length;
    this.part(`hands ${box}`, [place, turn, name, open, meant], () =>
      this.drawHands(seat, place, meant, { box, turn, name, open, owner }),
    );
  }

  drawHeading({ box, heading }, { owner, mine, sits, name, chips, marker }) {
    const marks = [
      mine && (owner === name ? "you" : "you bet here"),
      sits?.restricted && "held to the minimum",
      sits?.maximum && `limit ${dollars(sits.maximum)}`,
    ];
    const number = of("span", "number", hush("Box "), String(box), hush(owner ? ", " : ", free"));
    const front = chips !== undefined && of("span", "front", hush(", in front: "), dollars(chips));
    const first =
      marker &&
      make(
        "span",
        { class: "first", title: "Starting marker: this box wagers first" },
        hush("starting marker, wagers "),
        "1st",
      );
    refill(
      heading,
      number,
      owner && of("span", "who", owner),
      first,
      ...marks.map((one) => one && of("span", "tag", one)),
      front,
    );
  }

  drawBeside({ box, beside }, rows, last) {
    const lines = rows.map(({ stake, words, settled }, at) =>
      make(
        "li",
        {},
        stake ? chipStack(stake) : null,
        of("span", "", words + (stake ? ` ${dollars(stake)}` : "")),
        settled &&
          this.whyButton(
            `${box}-beside-${at}`,
            clausesOf(settled),
            words,
            `result ${howOf(sumOf(settled))}`,
            `${settledWords(settled)}, ${net(sumOf(settled))}`,
          ),
      ),
    );
    const insured = rows.filter((row) => row.insures).length;
    const list = (name, inside) => inside.length && make("ul", { class: name, role: "list" }, ...inside);
    refill(
      beside,
      list("insurance", lines.slice(0, insured)),
      list("more", lines.slice(insured)),
      last && of("p", "before", hush("Last round: "), last),
    );
  }

  drawHands({ hands }, place, meant, about) {
    if (place?.hands?.some((hand) => hand.cards.length))
      return refill(hands, ...place.hands.map((hand, at) => this.drawHand(hand, at + 1, place.hands.length, about)));
    const plan = meant && of("p", "plan", chipStack(meant.stake), `${dollars(meant.stake)}, not placed`);
    refill(hands, place && this.wagerList(place.bettors, about), plan);
  }

  drawHand(hand, number, count, about) {
    const { box, turn } = about;
    const [total, ...tags] = hand.words ? hand.words.split(", ") : ["face down"];
    const given = hand.wagers.length && hand.wagers.every((one) => one.surrendered);
    const shared = sharedWords(hand.wagers);
    const marks = [hand.skipped && "passed over", hand.absent && "absent"]
      .filter(Boolean)
      .map((one) => of("span", "tag", one));
    return make(
      "div",
      {
        class: turn === number ? "hand playing" : "hand",
        role: "group",
        "aria-label": count > 1 ? `Hand ${number} of ${count}` : `Hand on box ${box}`,
        "data-hand": number,
      },
      this.cardList(hand.cards, "Cards", acrossAt(hand)),
      given ? make("span", { class: "given", "aria-hidden": "true" }, "surrender") : null,
      of(
        "p",
        "total",
        of("b", "", hand.cards.length ? total : "no card"),
        this.outcome(hand, tags, shared, `${box}-${number}`),
        ...marks,
      ),
      this.wagerList(hand.wagers, { ...about, number, several: count > 1, shared }),
    );
  }

  /** Row and odds ("6-7-8 spades, wins 3:1") as a button that tells why; before the settlement what the hand is. */
  outcome(hand, tags, shared, id) {
    const settled = hand.wagers.flatMap((one) => one.settled ?? []);
    const row = tags.filter((tag) => /^\d-/.test(tag));
    if (!settled.length) return of("span", row.length ? "result win" : "visually-hidden", ` ${tags.join(", ")}`); // doubled, surrendered: the cards show it
    const words = [...row, shared || "results"].join(", ");
    return this.whyButton(id, clausesOf(settled), words, `result ${howOf(sumOf(settled))}`, words);
  }

  /** From front to back: the controller's chips lie nearest to the cards, those of the others behind. */
  wagerList(wagers, about) {
    const alone = wagers.length === 1 && wagers[0].player === about.owner; // the heading names the owner already
    return make(
      "ul",
      { class: "wagers", role: "list", "aria-label": "Wagers" },
      ...wagers.map((wager) => this.wagerLine(wager, { ...about, alone })),
    );
  }

  wagerLine(
    { player, stake, double = 0, settled, surrendered, kept, rides },
    { box, number = 0, name, open, several, shared, alone },
  ) {
    const amount =
      double === stake ? `2 × ${dollars(stake)}` : dollars(stake) + (double ? ` + ${dollars(double)}` : "");
    const line = [
      of("span", several && settled ? "visually-hidden" : "amount", amount),
      " ",
      of("span", alone ? "visually-hidden" : "who", player),
    ];
    const marks = [rides && "rides", !settled && surrendered && "surrendered", !settled && kept && "kept"].filter(
      Boolean,
    );
    const words = open
      ? make(
          "button",
          { type: "button", class: "bettor", "data-box": box, "data-player": player, id: `bettor-${box}-${player}` },
          ...line,
        )
      : of("span", "line", ...line);
    const key = {
      class: player === name ? "wager own" : "wager",
      "data-key": `${box} ${number} ${player}`,
      "data-net": settled ? sumOf(settled) : null,
    };
    return make(
      "li",
      key,
      chipStack(stake + double),
      words,
      ...marks.map((mark) => of("span", "tag", mark)),
      settled && resultOf(settled, shared),
    );
  }

  keepResults(view) {
    const { round, number } = view;
    if (number !== this.last.number && hasCards(view)) this.last = { number: 0, dealer: "", boxes: new Map() };
    if (round?.stage !== "ended") return;
    this.last = {
      number,
      dealer: round.dealer ? `had ${round.dealer.words}` : "",
      boxes: new Map(round.boxes.map((box) => [box.number, boxResult(box)])),
    };
  }

  // --- what moves ---

  /** Where everything lies before a step is drawn; nothing where nothing is to move. */
  beforeMoves({ id, version, events, settings }) {
    const asked = settings?.speed ?? 1;
    const pace = PACES[asked] ?? Number(asked);
    const isStep = events?.length && this.shown.startsWith(`${id} `) && this.shown !== `${id} ${version}`;
    if (!pace || !isStep || isStill() || document.hidden || !this.isConnected) return null;
    const wagers = [...this.querySelectorAll(".wager")];
    const keys = (list) => new Set(list.map((one) => one.dataset.key));
    return { pace, cards: this.cardsNow(), bets: keys(wagers), paid: keys(wagers.filter((one) => one.dataset.net)) };
  }

  cardsNow() {
    const found = new Map();
    for (const item of this.querySelectorAll(".card")) {
      const box = item.closest(".box")?.dataset.box ?? "0";
      const place = [
        box,
        item.closest(".hand")?.dataset.hand,
        [...item.parentElement.children].indexOf(item),
        item.dataset.card,
      ];
      found.set(place.join(" "), { box, item, card: item.dataset.card, at: item.getBoundingClientRect() });
    }
    return found;
  }

  /** New cards come from the shoe, or from the hand they were split from; cards that are gone go to the rack. */
  afterMoves({ pace, cards, bets, paid }) {
    const now = this.cardsNow();
    const gone = [...cards].filter(([key]) => !now.has(key)).map(([, one]) => one);
    const [shoe, rack, house] = [this.shoe, this.rack, this.dealer].map((one) => one.getBoundingClientRect());
    let late = 0;
    for (const [key, { item, card, box, at }] of now) {
      if (cards.has(key)) continue;
      const old = gone.findIndex((one) => one.card === card && one.box === box);
      if (old >= 0) fly(item, gone.splice(old, 1)[0].at, at, pace, 0);
      else fly(item, shoe, at, pace, late++);
    }
    gone.forEach((one, at) => this.float(one.item.firstElementChild, one.at, rack, pace, at / 3));
    for (const line of this.querySelectorAll(".wager")) {
      const { key, net: won } = line.dataset;
      const chips = line.firstElementChild;
      const spot = chips.getBoundingClientRect();
      if (!bets.has(key) && key.includes(" 0 "))
        fly(chips, new DOMRect(spot.x, spot.y + 60, spot.width, spot.height), spot, pace, 0);
      if (!Number(won) || paid.has(key)) continue;
      if (Number(won) > 0) this.float(chips, house, spot, pace * 1.6, 0);
      else this.float(chips, spot, house, pace * 1.6, 0);
    }
  }

  /** Let a copy of this drawing fly and vanish. */
  float(drawing, from, to, pace, late) {
    const ghost = drawing.cloneNode(true);
    const zero = this.air.getBoundingClientRect();
    const middle = (rect) => [rect.x + rect.width / 2 - zero.x, rect.y + rect.height / 2 - zero.y];
    const [start, end] = [middle(from), middle(to)].map(([x, y]) => `translate(${x}px, ${y}px) translate(-50%, -50%)`);
    ghost.style.width = `${drawing.getBoundingClientRect().width || from.width}px`;
    this.air.append(ghost);
    const flight = ghost.animate(
      { transform: [start, end], opacity: [1, 1, 0.2] },
      { duration: FLIGHT * 1.3 * pace, delay: late * APART * pace, easing: "ease-in-out", fill: "both" },
    );
    flight.onfinish = flight.oncancel = () => ghost.remove();
  }
}

/** Let an element come from another place to where it lies. */
function fly(element, from, to, pace, late) {
  const [x, y] = [from.x - to.x + (from.width - to.width) / 2, from.y - to.y + (from.height - to.height) / 2];
  const start = `translate(${x}px, ${y}px) rotate(-24deg) scale(.86)`;
  element.animate(
    { transform: [start, "none"], opacity: [0, 1, 1] },
    { duration: FLIGHT * pace, delay: late * APART * pace, easing: "cubic-bezier(.2,.7,.3,1)", fill: "backwards" },
  );
}

customElements.define("pontoon-table", PontoonTable);
