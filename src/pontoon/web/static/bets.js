// Betting: a chip rail, boxes to tap, and a plan of wagers that is placed as a whole and can be undone until the call.
import { chipsOf } from "./controls.js";
import { button, cents, dollars, make, renew, spaced } from "./parts.js";

/** @typedef {{stake: number, side: Record<string, number>}} Wager what is meant for one box */
/** @typedef {Map<number, Wager>} Plan */

const CHIPS = [50, 100, 250, 500, 2500, 10_000, 50_000, 100_000];
const MOST_CHIPS = 6;
const MAIN = "main";
const LAST = "pontoon.last";

// --- reading the view ---

export const bettingOpen = (model) => model.room.waits === "wagers" && !model.room.paused;

/** Own wagers as they lie on the table. @returns {Plan} */
export function placed(model) {
  const plan = new Map();
  const name = model.me?.name;
  for (const box of model.view.round?.boxes ?? []) {
    const own = box.bettors.find((one) => one.player === name);
    if (own) plan.set(box.number, { stake: own.stake, side: {} });
  }
  for (const one of model.view.round?.side ?? []) {
    if (one.player !== name) continue;
    if (!plan.has(one.box)) plan.set(one.box, { stake: 0, side: {} });
    plan.get(one.box).side[one.kind] = one.stake;
  }
  return plan;
}

/** Chips from the smallest that helps to the largest that is allowed. */
export function chipsFor(limits) {
  const least = Math.max(limits.smallest_chip || 50, Math.floor((limits.minimum || 0) / 5));
  const most = limits.maximum || Infinity;
  const fitting = CHIPS.filter((one) => one >= least && one <= most && one % 2 === 0);
  return fitting.length ? fitting.slice(0, MOST_CHIPS) : [least];
}

/** The box the ballot gave, at a tournament's table; 0 for whoever only watches. */
const heatBox = ({ room, view, me }) =>
  (room.heat && (view.seats ?? []).find((one) => one.player === me?.name)?.box) || 0;

/** Whether there is something to bet for this person: at a tournament's table until the own wager is made. */
function mayBet(model) {
  const { heat } = model.room;
  if (!bettingOpen(model) || !model.me) return false;
  if (!heat) return true;
  const own = heatBox(model);
  return Boolean(own) && (heat.order.includes(own) || Boolean(model.view.side_wagers?.length));
}

const copy = (plan) => new Map([...plan].map(([box, one]) => [box, { stake: one.stake, side: { ...one.side } }]));
const written = (one) =>
  one
    ? JSON.stringify([
        one.stake,
        Object.entries(one.side)
          .filter(([, stake]) => stake)
          .sort(),
      ])
    : "";
const sum = (plan) =>
  [...plan.values()].reduce((all, one) => all + one.stake + Object.values(one.side).reduce((a, b) => a + b, 0), 0);

/** The commands that turn what lies there into what is meant: one wager a box, so a change is taken back first. */
export function commandsFor(player, old, wanted) {
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
  connectedCallback() {
    /** @type {Plan} */ this.plan = new Map();
    /** @type {Plan[]} */ this.past = [];
    this.round = "";
    this.on = MAIN;
    this.busy = false;
    this.again = false;
    this.rail = make("div", { class: "row rail", role: "radiogroup", "aria-label": "Chip" });
    this.kinds = make("div", { class: "row kinds", role: "radiogroup", "aria-label": "Chips go on" });
    this.typed = make("input", {
      inputmode: "decimal",
      autocomplete: "off",
      size: 6,
      id: "typed",
      "aria-label": "Or type an amount",
      placeholder: "amount",
    });
    this.typed.addEventListener("keydown", (event) => event.key === "Enter" && this._entered());
    this.tools = make("div", { class: "row tools" });
    this.words = "";
    const row = make("div", { class: "row" }, this.rail, this.typed, this.kinds);
    this.append(row, this.tools);
  }

  update(model) {
    this.model = model;
    this._newRound(model);
    this.hidden = !mayBet(model);
    this.inert = model.connection.status !== "open" || Boolean(model.stopped);
    if (this.hidden) return;
    this._drawRail(model);
    this._drawKinds(model);
    this._drawTools(model);
    const seat = this._seat() || model.room.heat ? "" : "Tap a box to bet; placing takes the seat there. ";
    this.words =
      model.stopped ||
      (this.dirty ? `Not placed yet: ${this._meant(placed(model))}` : seat + limitWords(model.view.limits));
  }

  /** Wagers of the last round are kept to be repeated; a new one begins empty. */
  _newRound(model) {
    const open = bettingOpen(model);
    const now = `${model.id} ${open} ${model.room.waits === "wagers" ? "" : model.view.number}`;
    const lie = placed(model);
    if (!open && lie.size && model.view.phase === "round") keepLast(model.id, lie);
    const same = now === this.round;
    const followed = this._all(this.plan) === this.lay; // nothing of our own is meant: what another page of ours did counts
    this.round = now;
    this.lay = this._all(lie);
    if (same && (!followed || this.busy || this._all(this.plan) === this.lay)) return;
    this.plan = copy(lie);
    if (!same) this.past = [];
    this._changed();
  }

  _all(plan) {
    return [...plan]
      .sort(([a], [b]) => a - b)
      .map(([box, one]) => box + written(one))
      .join();
  }

  get dirty() {
    return commandsFor("", placed(this.model), this.plan).length > 0;
  }

  // --- drawing ---

  _drawRail({ view }) {
    const chips = chipsFor(view.limits);
    if (!chips.includes(this.chip)) this.chip = chips.find((one) => one >= (view.limits.minimum || 0)) ?? chips[0];
    renew(
      this.rail,
      ...chips.map((one) =>
        this._radio(`chip-${one}`, dollars(one), this.chip === one, () => (this.chip = one), "chip"),
      ),
    );
  }

  _drawKinds({ view }) {
    const kinds = [MAIN, ...(view.side_wagers ?? [])];
    if (!kinds.includes(this.on)) this.on = MAIN;
    this.kinds.hidden = kinds.length < 2;
    const words = (kind) => (kind === MAIN ? "Wager" : spaced(kind));
    renew(
      this.kinds,
      ...kinds.map((kind) =>
        this._radio(`on-${kind}`, words(kind), this.on === kind, () => (this.on = kind), "button small"),
      ),
    );
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

  /** What is meant and does not lie there yet, box by box. */
  _meant(lie) {
    const changed = [...this.plan].filter(([box, one]) => written(one) !== written(lie.get(box)));
    const sides = (one) =>
      Object.entries(one.side)
        .filter(([, stake]) => stake)
        .map(([kind, stake]) => ` and ${spaced(kind)} ${dollars(stake)}`);
    return (
      changed.map(([box, one]) => `box ${box} ${dollars(one.stake)}${sides(one).join("")}`).join(", ") ||
      "wagers taken back"
    );
  }

  _drawTools(model) {
    const lie = placed(model);
    const passed = model.room.passed?.includes(model.me?.name);
    const seat = this._seat();
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
      tool(
        "done",
        passed ? "Waiting" : "Done",
        () => this.done(),
        lie.size > 0 && !this.dirty && !passed,
        lie.size > 0 && !this.dirty && !passed ? "primary" : "",
      ),
    );
  }

  /** At a tournament's table a wager stays, nobody leaves, and everything may be put on one hand. */
  _heatTools(model, tool) {
    const { heat } = model.room;
    const own = heatBox(model);
    const turn = heat.order[0] === own || !heat.order.includes(own);
    const sides = Boolean(model.view.side_wagers?.length);
    renew(
      this.tools,
      tool("repeat", "Repeat", () => this.repeat(), lastOf(model.id).size > 0),
      tool("twice", "Double it", () => this.twice(), this.plan.size + lastOf(model.id).size > 0),
      tool("all-in", "All in", () => this.allIn(), heat.order.includes(own)),
      tool("clear", "Clear", () => this.clear(), this.dirty),
      tool(
        "place",
        turn ? "Place" : "Place when it is your turn",
        () => this.place(),
        this.dirty && turn,
        this.dirty && turn ? "wide primary" : "wide",
      ),
      sides && tool("done", "Done", () => this.done(), !heat.order.includes(own) && !this.dirty),
    );
  }

  /** All chips, as far as the limit goes; a wager can be halved. */
  allIn() {
    if (!this._open() || !this.model.room.heat.order.includes(heatBox(this.model))) return;
    const own = heatBox(this.model);
    const most = Math.min(chipsOf(this.model), this.model.view.limits.maximum || Infinity);
    this._remember();
    this.plan.set(own, { stake: most - (most % 2), side: {} });
    this._changed(`All in: ${dollars(this.plan.get(own).stake)}, not placed yet`);
  }

  _seat() {
    return (this.model.view.seats ?? []).find((one) => one.player === this.model.me?.name);
  }

  // --- what can be done ---

  /** What a tap puts down: the typed amount, else the chip. */
  get amount() {
    return this.typed.value.trim() ? cents(this.typed.value) : this.chip;
  }

  tap(number) {
    if (!this._open()) return;
    const own = heatBox(this.model);
    if (this.model.room.heat && number !== own) return this._say(`You play box ${own}, which the ballot gave you`);
    const amount = this.amount;
    if (!(amount > 0)) return this._say("An amount is a number such as 12.50");
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

  /** Enter after a typed amount puts it on the own box; Enter again places it. */
  _entered() {
    if (!this.typed.value.trim() || !this._seat()) return this.confirm();
    this.tap(this._seat().box);
    this.typed.value = "";
  }

  repeat() {
    if (!this._open()) return;
    this._remember();
    this.plan = lastOf(this.model.id);
    this._changed(`The last wagers again: ${dollars(sum(this.plan))}`);
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
    this._changed(`Doubled: ${dollars(sum(plan))}`);
  }

  /** Nothing is meant any more; what lies there already is taken back. */
  clear() {
    if (!this._open()) return;
    this._remember();
    this.plan = new Map();
    if (this.model.room.heat) this.plan = copy(placed(this.model)); // a wager that was made stays
    this._changed("Cleared");
    if (!this.model.room.heat && placed(this.model).size) this.place();
  }

  /** One step back; where that step was placed already, the table follows at once. */
  undo() {
    if (!this._open() || !this.past.length) return;
    const was = this.dirty;
    this.plan = this.past.pop();
    this._changed("Undone");
    if (!was) this.place();
  }

  async place() {
    const { model } = this;
    if (!this._open()) return;
    if (model.room.heat?.order.includes(heatBox(model)) && model.room.heat.order[0] !== heatBox(model))
      return this._say("It is not your turn to wager yet");
    const commands = commandsFor(model.me.name, placed(model), this.plan);
    const first =
      !model.room.heat && commands.find((one) => one.type === "PlaceWager" && free(model).includes(one.box));
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

  /** Enter: place what is meant, and then be done. Pressed before the answer has come, it counts when it comes. */
  confirm() {
    this.again = this.busy;
    if (!this._open()) return;
    if (this.dirty) this.place();
    else if (placed(this.model).size && !this.model.room.heat) this.done();
  }

  _open() {
    if (this.inert || this.busy) return false;
    if (!this.hidden && this.model && bettingOpen(this.model)) return true;
    this._say("Wagers are not open now");
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

  /** The cloth shows what is meant too. */
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

/** Boxes where nobody sits. */
function free(model) {
  const taken = new Set((model.view.seats ?? []).map((one) => one.box));
  return Array.from({ length: model.view.boxes ?? 7 }, (_, place) => place + 1).filter((one) => !taken.has(one));
}

function limitWords(limits) {
  const least = limits.minimum ? `from ${dollars(limits.minimum)}` : "any amount";
  return `Wagers ${least}${limits.maximum ? ` to ${dollars(limits.maximum)}` : ""}`;
}

/** Arrows move in a radio group, as everywhere. */
function step(event) {
  const way = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (!way) return false;
  const all = [...event.currentTarget.parentElement.children];
  const next = all[(all.indexOf(event.currentTarget) + way + all.length) % all.length];
  next.focus();
  next.click();
  return true;
}

function keepLast(table, plan) {
  sessionStorage.setItem(`${LAST} ${table}`, JSON.stringify([...plan]));
}

/** @returns {Plan} */
function lastOf(table) {
  return new Map(JSON.parse(sessionStorage.getItem(`${LAST} ${table}`) ?? "[]"));
}

customElements.define("pontoon-bets", Bets);
