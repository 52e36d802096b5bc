// Betting: a chip rail, boxes to tap, and a plan of wagers that is placed as a whole and can be undone until the call.
import { limitWords } from "./cloth.js";
import { bettingOpen, chipsOf } from "./moment.js";
import { button, cents, dollars, listed, make, renew, titled } from "./parts.js";

const CHIPS = [50, 100, 250, 500, 2500, 10_000, 50_000, 100_000];
const MOST_CHIPS = 6;
const MAIN = "main";
const LAST = "pontoon.last";

// --- reading the view ---

/** The user's wagers on the table. @param {TableModel} model @returns {Plan} */
export function placed(model) {
  /** @type {Plan} */
  const plan = new Map();
  const name = model.me?.name;
  for (const box of model.view.round?.boxes ?? []) {
    const own = box.bettors.find((one) => one.player === name);
    if (own) plan.set(box.number, { stake: own.stake, side: {} });
  }
  for (const one of model.view.round?.side ?? []) {
    if (one.player !== name) continue;
    const wager = plan.get(one.box) ?? { stake: 0, side: {} };
    wager.side[one.kind] = one.stake;
    plan.set(one.box, wager);
  }
  return plan;
}

/** Chips from the smallest that is useful to the largest that is allowed. @param {TableView} view */
export function chipsFor({ limits, cloth }) {
  const least = Math.max(limits.smallest_chip || CHIPS[0], Math.floor((limits.minimum || 0) / 5));
  const most = limits.maximum || Infinity;
  const fitting = CHIPS.filter((one) => one >= least && one <= most && one % cloth.multiple === 0);
  return fitting.length ? fitting.slice(0, MOST_CHIPS) : [least];
}

/** The side wagers this table takes. @param {TableModel} model */
const sidesOf = ({ view }) => view.cloth.side ?? [];

/** What a side wager is called. @param {TableModel} model @param {string} name */
export const sideTitle = (model, name) => sidesOf(model).find((one) => one.name === name)?.title ?? titled(name);

/** The box given by the ballot, at a tournament table; 0 for spectators. @param {TableModel} model */
const heatBox = ({ room, view, me }) =>
  (room.heat && (view.seats ?? []).find((one) => one.player === me?.name)?.box) || 0;

/** Whether the user may bet now: at a tournament table until their wager is made. @param {TableModel} model */
function mayBet(model) {
  const { heat } = model.room;
  if (!bettingOpen(model) || !model.me) return false;
  if (!heat) return true;
  const own = heatBox(model);
  return Boolean(own) && (heat.order.includes(own) || sidesOf(model).length > 0);
}

/** @param {Plan} plan @returns {Plan} */
const copy = (plan) => new Map([...plan].map(([box, { stake, side }]) => [box, { stake, side: { ...side } }]));

/** A planned wager as text, to compare two. @param {PlannedWager} [one] */
function written(one) {
  if (!one) return "";
  const side = Object.entries(one.side).filter(([, stake]) => stake);
  return JSON.stringify([one.stake, side.toSorted()]);
}

/** @param {PlannedWager} one */
const totalOf = ({ stake, side }) => Object.values(side).reduce((all, more) => all + more, stake);

/** All chips of a plan, in cents. @param {Plan} plan */
export const sumOf = (plan) => [...plan.values()].reduce((all, one) => all + totalOf(one), 0);

/**
 * The commands that turn the wagers on the table into the planned ones; a change takes the old wager back first.
 * @param {string} player
 * @param {Plan} old
 * @param {Plan} wanted
 */
export function commandsFor(player, old, wanted) {
  /** @type {Command[]} */
  const commands = [];
  for (const box of new Set([...old.keys(), ...wanted.keys()])) {
    const [was, is] = [old.get(box), wanted.get(box)];
    if (written(was) === written(is)) continue;
    if (was) commands.push({ type: "TakeBack", box, player });
    if (is?.stake) commands.push({ type: "PlaceWager", box, player, stake: is.stake });
    for (const [kind, stake] of Object.entries(is?.side ?? {}))
      if (stake) commands.push({ type: "PlaceSideWager", box, player, kind, stake });
  }
  return commands;
}

// --- the element ---

export class Bets extends HTMLElement {
  /** @type {Plan} */
  plan = new Map();
  /** Earlier plans, for undo. @type {Plan[]} */
  past = [];
  round = "";
  /** The wagers on the table when the plan was last compared with them. */
  lay = "";
  /** What the chips go on: the main wager or a side wager. */
  on = MAIN;
  busy = false;
  again = false;
  words = "";
  chip = 0;
  /** @type {any} */
  model = null;

  connectedCallback() {
    this.rail = make("div", { class: "row rail", role: "radiogroup", "aria-label": "Chip" });
    this.kinds = make("div", { class: "row kinds", role: "radiogroup", "aria-label": "Bet on" });
    this.odds = make("small", { class: "muted odds", role: "status" });
    const label = { id: "typed", "aria-label": "Or type an amount", placeholder: "amount" };
    this.typed = make("input", { inputmode: "decimal", autocomplete: "off", size: 6, ...label });
    this.typed.addEventListener("keydown", (event) => event.key === "Enter" && this._entered());
    this.tools = make("div", { class: "row tools" });
    this.append(make("div", { class: "row" }, this.rail, this.typed, this.kinds, this.odds), this.tools);
  }

  /** @param {TableModel} model */
  update(model) {
    this.model = model;
    this._newRound(model);
    this.hidden = !mayBet(model);
    this.inert = model.connection.status !== "open" || Boolean(model.stopped);
    if (this.hidden) return;
    this._drawRail(model);
    this._drawKinds(model);
    this._drawTools(model);
    this.words = model.stopped || (this.dirty ? this._planWords(placed(model)) : this._idleWords(model));
  }

  /** @param {TableModel} model */
  _idleWords({ room, view }) {
    const seat = this._seat() || room.heat ? "" : "Tap a box to bet there. ";
    return seat + limitWords(view.limits);
  }

  /** Store the wagers of a round, so that they can be repeated; a new round begins with an empty plan. */
  _newRound(model) {
    const open = bettingOpen(model);
    const now = `${model.id} ${open} ${model.room.waits === "wagers" ? "" : model.view.number}`;
    const lie = placed(model);
    if (!open && lie.size && model.view.phase === "round") keepLast(model.id, lie);
    const same = now === this.round;
    const followed = this._all(this.plan) === this.lay; // nothing is planned here: follow what another page has done
    this.round = now;
    this.lay = this._all(lie);
    if (same && (!followed || this.busy || this._all(this.plan) === this.lay)) return;
    this.plan = copy(lie);
    if (!same) this.past = [];
    this._changed();
  }

  /** @param {Plan} plan */
  _all(plan) {
    return [...plan]
      .toSorted(([a], [b]) => a - b)
      .map(([box, one]) => box + written(one))
      .join();
  }

  get dirty() {
    return commandsFor("", placed(this.model), this.plan).length > 0;
  }

  // --- drawing ---

  _drawRail({ view }) {
    const chips = chipsFor(view);
    if (!chips.includes(this.chip)) this.chip = chips.find((one) => one >= (view.limits.minimum || 0)) ?? chips[0];
    const choose = (one) => () => (this.chip = one);
    const radio = (one) => this._radio(`chip-${one}`, dollars(one), this.chip === one, choose(one), "chip");
    renew(this.rail, ...chips.map(radio));
  }

  /** The main wager and every side wager the layout has, with the odds of the one that is chosen. */
  _drawKinds(model) {
    const sides = sidesOf(model);
    if (!sides.some((one) => one.name === this.on)) this.on = MAIN;
    this.kinds.hidden = !sides.length;
    const choose = (name) => () => (this.on = name);
    const radio = ({ name, title }) => this._radio(`on-${name}`, title, this.on === name, choose(name), "button small");
    renew(this.kinds, ...[{ name: MAIN, title: "Wager" }, ...sides].map(radio));
    const chosen = sides.find((one) => one.name === this.on);
    this.odds.hidden = !chosen;
    this.odds.textContent = chosen ? sideWords(chosen) : "";
  }

  _radio(id, words, checked, choose, kind) {
    const press = () => {
      choose();
      this.typed.value = "";
      this.update(this.model);
    };
    const onkeydown = (event) => step(event) && event.preventDefault();
    const value = { "data-value": id.split("-")[1], "aria-checked": String(checked), tabindex: checked ? 0 : -1 };
    return make(
      "button",
      { type: "button", role: "radio", id, class: kind, ...value, onclick: press, onkeydown },
      words,
    );
  }

  /** "Press Place to bet $25 on box 1 and $5 on Perfect Pairs". @param {Plan} lie the wagers on the table */
  _planWords(lie) {
    const changed = [...this.plan].filter(([box, one]) => written(one) !== written(lie.get(box)));
    const bets = changed.flatMap(([box, { stake, side }]) => {
      const sides = Object.entries(side).filter(([, amount]) => amount);
      const where = stake ? "" : `, box ${box}`;
      const words = sides.map(([name, amount]) => `${dollars(amount)} on ${sideTitle(this.model, name)}${where}`);
      return stake ? [`${dollars(stake)} on box ${box}`].concat(words) : words;
    });
    return bets.length ? `Press Place to bet ${listed(bets)}` : "Press Place to take your bets back";
  }

  _drawTools(model) {
    const lie = placed(model);
    const passed = model.room.passed?.includes(model.me?.name);
    const seat = this._seat();
    const ready = lie.size > 0 && !this.dirty && !passed;
    const tool = (id, label, press, usable, kind = "") =>
      button(label, () => usable && press(), { id, class: `button ${kind}`, "aria-disabled": String(!usable) });
    if (model.room.heat) return this._heatTools(model, tool);
    renew(
      this.tools,
      tool("repeat", "Repeat", () => this.repeat(), lastOf(model.id).size > 0),
      tool("twice", "Double it", () => this.twice(), this.plan.size + lastOf(model.id).size > 0),
      tool("undo", "Undo", () => this.undo(), this.past.length > 0),
      tool("clear", "Clear", () => this.clear(), this.plan.size + lie.size > 0),
      seat
        ? tool("leave", `Leave seat ${seat.box}`, () => this._send([{ type: "Leave", player: model.me.name }]), true)
        : tool("sit", "Sit", () => this.sit(), free(model).length > 0),
      tool("place", "Place", () => this.place(), this.dirty, this.dirty ? "primary" : ""),
      tool("done", passed ? "Waiting" : "Ready", () => this.done(), ready, ready ? "primary" : ""),
    );
  }

  /** At a tournament table a wager stays, players do not leave, and all chips may go on one hand. */
  _heatTools(model, tool) {
    const { heat } = model.room;
    const own = heatBox(model);
    const turn = heat.order[0] === own || !heat.order.includes(own);
    const sides = sidesOf(model).length > 0;
    renew(
      this.tools,
      tool("repeat", "Repeat", () => this.repeat(), lastOf(model.id).size > 0),
      tool("twice", "Double it", () => this.twice(), this.plan.size + lastOf(model.id).size > 0),
      tool("all-in", "All in", () => this.allIn(), heat.order.includes(own)),
      tool("clear", "Clear", () => this.clear(), this.dirty),
      tool(
        "place",
        turn ? "Place" : "Place on your turn",
        () => this.place(),
        this.dirty && turn,
        this.dirty && turn ? "wide primary" : "wide",
      ),
      sides && tool("done", "Ready", () => this.done(), !heat.order.includes(own) && !this.dirty),
    );
  }

  /** Plan all chips, up to the maximum, in an amount that is allowed. */
  allIn() {
    const { room, view } = this.model;
    const own = heatBox(this.model);
    if (!this._open() || !room.heat.order.includes(own)) return;
    const most = Math.min(chipsOf(this.model), view.limits.maximum || Infinity);
    const stake = most - (most % view.cloth.multiple);
    this._remember();
    this.plan.set(own, { stake, side: {} });
    this._changed(`All in: ${dollars(stake)}, not placed yet`);
  }

  _seat() {
    return (this.model.view.seats ?? []).find((one) => one.player === this.model.me?.name);
  }

  // --- what can be done ---

  /** What a tap adds: the typed amount, or the chip. */
  get amount() {
    return this.typed.value.trim() ? cents(this.typed.value) : this.chip;
  }

  tap(number) {
    if (!this._open()) return;
    const own = heatBox(this.model);
    if (this.model.room.heat && number !== own) return this._say(`Your box is ${own}, by the ballot`);
    const amount = this.amount;
    if (!(amount > 0)) return this._say("Enter an amount such as 12.50");
    this.bet(number, amount, this.on);
  }

  /** Add to the plan. @param {number} number @param {number} amount @param {string} [kind] */
  bet(number, amount, kind = MAIN) {
    this._remember();
    const one = this.plan.get(number) ?? { stake: 0, side: {} };
    if (kind === MAIN) one.stake += amount;
    else one.side[kind] = (one.side[kind] ?? 0) + amount;
    this.plan.set(number, one);
    this._changed(`Box ${number}: ${dollars(one.stake)}, not placed yet`);
  }

  /** Enter after a typed amount plans it on the user's box; Enter again places it. */
  _entered() {
    if (!this.typed.value.trim() || !this._seat()) return this.confirm();
    this.tap(this._seat().box);
    this.typed.value = "";
  }

  repeat() {
    if (!this._open()) return;
    this._remember();
    this.plan = lastOf(this.model.id);
    this._changed(`Last bets repeated: ${dollars(sumOf(this.plan))}`);
  }

  twice() {
    if (!this._open()) return;
    this._remember();
    const plan = this.plan.size ? copy(this.plan) : lastOf(this.model.id);
    for (const one of plan.values()) {
      one.stake *= 2;
      for (const kind of Object.keys(one.side)) one.side[kind] *= 2;
    }
    this.plan = plan;
    this._changed(`Doubled: ${dollars(sumOf(plan))}`);
  }

  /** Clear the plan; wagers on the table are taken back. */
  clear() {
    if (!this._open()) return;
    this._remember();
    this.plan = new Map();
    if (this.model.room.heat) this.plan = copy(placed(this.model)); // a wager that was made stays
    this._changed("Cleared");
    if (!this.model.room.heat && placed(this.model).size) this.place();
  }

  /** One step back; a step that was placed already is taken back at the table too. */
  undo() {
    if (!this._open() || !this.past.length) return;
    const was = this.dirty;
    this.plan = this.past.pop() ?? new Map();
    this._changed("Undone");
    if (!was) this.place();
  }

  async place() {
    const { model } = this;
    if (!this._open()) return;
    if (model.room.heat?.order.includes(heatBox(model)) && model.room.heat.order[0] !== heatBox(model))
      return this._say("It is not your turn to wager");
    const commands = commandsFor(model.me.name, placed(model), this.plan);
    const first =
      !model.room.heat && commands.find((one) => one.type === "PlaceWager" && free(model).includes(one.box ?? 0));
    if (first && !this._seat()) commands.unshift({ type: "Sit", player: model.me.name, box: first.box });
    if (await this._send(commands)) this.typed.value = ""; // the next tap is a chip again, as the rail shows
    else this.plan = copy(placed(this.model));
    this._changed();
  }

  done() {
    if (this._open()) this._send([{ type: "Pass" }]);
  }

  sit(box = [...this.plan.keys()].find((one) => free(this.model).includes(one)) ?? free(this.model)[0]) {
    return this._send([{ type: "Sit", player: this.model.me.name, box }]);
  }

  /** Enter: place the plan, then be ready. Pressed before the answer is here, it acts when the answer arrives. */
  confirm() {
    this.again = this.busy;
    if (!this._open()) return;
    if (this.dirty) this.place();
    else if (placed(this.model).size && !this.model.room.heat) this.done();
  }

  _open() {
    if (this.inert || this.busy) return false;
    if (!this.hidden && this.model && bettingOpen(this.model)) return true;
    this._say("Betting is closed");
    return false;
  }

  async _send(commands) {
    if (this.busy) return false;
    this.busy = true;
    let done = false;
    try {
      for (const command of commands) await this.model.connection.do(this.model.id, command);
      done = true;
    } catch (problem) {
      this.dispatchEvent(new CustomEvent("problem", { bubbles: true, detail: problem }));
    }
    this.busy = false;
    if (done && this.again) this.confirm();
    this.again = false;
    return done;
  }

  _remember() {
    this.past.push(copy(this.plan));
  }

  /** Publish the plan: the table shows it too. */
  _changed(words = "") {
    const pending = [...this.plan].filter(([box, one]) => written(one) !== written(placed(this.model).get(box)));
    this.model.pending = Object.fromEntries(pending);
    this.dispatchEvent(new CustomEvent("pending", { bubbles: true }));
    if (words) this._say(words);
  }

  _say(words) {
    this.dispatchEvent(new CustomEvent("told", { bubbles: true, detail: words }));
  }
}

/** Boxes without a player. @param {TableModel} model */
function free({ view }) {
  const taken = new Set((view.seats ?? []).map((one) => one.box));
  return Array.from({ length: view.cloth.boxes }, (_, place) => place + 1).filter((one) => !taken.has(one));
}

/**
 * Odds and limits of a side wager: "perfect pair 25 to 1, mixed pair 5 to 1; up to $50".
 * @param {SideOfferView} side
 */
function sideWords({ odds = [], minimum = 0, maximum = 0, multiple = 0 }) {
  const limits = [
    minimum && `from ${dollars(minimum)}`,
    maximum && `up to ${dollars(maximum)}`,
    multiple && `in multiples of ${dollars(multiple)}`,
  ];
  const rows = odds.map((one) => `${one.title} ${one.odds}`).join(", ");
  return [rows, limits.filter(Boolean).join(", ")].filter(Boolean).join("; ");
}

/** Arrow keys move within a radio group. @param {any} event */
function step(event) {
  const way = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (!way) return false;
  const all = [...event.currentTarget.parentElement.children];
  const next = all[(all.indexOf(event.currentTarget) + way + all.length) % all.length];
  next.focus();
  next.click();
  return true;
}

/** @param {string} table @param {Plan} plan */
function keepLast(table, plan) {
  sessionStorage.setItem(`${LAST} ${table}`, JSON.stringify([...plan]));
}

/** The wagers of the last round here. @param {string} table @returns {Plan} */
function lastOf(table) {
  return new Map(JSON.parse(sessionStorage.getItem(`${LAST} ${table}`) ?? "[]"));
}

customElements.define("pontoon-bets", Bets);
