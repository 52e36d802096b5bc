// Betting: a chip rail and boxes to tap. Chips on a box are placed a moment later, so they count when betting closes.
import { limitWords } from "./cloth.js";
import { bettingOpen, chipsOf } from "./moment.js";
import {
  MAIN,
  chipsFor,
  commandsFor,
  copy,
  free,
  heatBox,
  isAlone,
  keepLast,
  lastOf,
  mayBet,
  placed,
  sideTitle,
  sideWords,
  sidesOf,
  sumOf,
  sumSide,
  totalOf,
  written,
} from "./plan.js";
import { button, cents, dollars, listed, make, renew } from "./parts.js";

const SOON = 350; // milliseconds without another tap, then the chips are placed

// --- the element ---

export class Bets extends HTMLElement {
  /** @type {Plan} */
  plan = new Map();
  /** Earlier plans, for undo. @type {Plan[]} */
  past = [];
  round = "";
  /** The wagers on the table when the plan was last compared with them. */
  lay = "";
  /** Where chips go: the main wager or a side wager. */
  on = MAIN;
  busy = false;
  /** Whether the user leaves the seat, and does not lose it. */
  leaving = false;
  again = false;
  words = "";
  chip = 0;
  /** Boxes tapped while the last chips were being placed. @type {number[]} */
  queued = [];
  /** @type {number | undefined} */
  soon;
  /** @type {any} */
  model = null;

  connectedCallback() {
    if (this.rail) return;
    this.rail = make("div", { class: "row rail", role: "radiogroup", "aria-label": "Chip" });
    this.kinds = make("div", { class: "row kinds", role: "radiogroup", "aria-label": "Bet on" });
    this.odds = make("small", { class: "muted odds", role: "status" });
    const label = { id: "typed", "aria-label": "Or type an amount", placeholder: "amount" };
    this.typed = make("input", { inputmode: "decimal", autocomplete: "off", size: 6, ...label });
    this.typed.addEventListener("keydown", (event) => event.key === "Enter" && this._entered());
    this.tools = make("div", { class: "row tools" });
    this.append(
      make("div", { class: "row chips-row" }, this.rail, this.typed),
      make("div", { class: "row kinds-row" }, this.kinds, this.odds),
      this.tools,
    );
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
    this.words = model.stopped || this._sideWords(model) || this._planWords() || this._idleWords(model);
  }

  /** What a chosen side bet pays, as long as it has no chips. @param {TableModel} model */
  _sideWords(model) {
    const side = sidesOf(model).find((one) => one.name === this.on);
    const laid = [...this.plan.values()].some((one) => one.side[this.on]);
    return side && !laid ? `${side.title}: ${sideWords(side)}` : "";
  }

  /** @param {TableModel} model */
  _idleWords({ room, view }) {
    const seat = this._seat() || room.heat ? "" : "Tap a box to bet there. ";
    return seat + limitWords(view.limits).replace("Wagers ", "");
  }

  /** Store the wagers of a round, so that they can be repeated; a new round begins with an empty plan. */
  _newRound(model) {
    const open = bettingOpen(model);
    const now = `${model.id} ${open} ${model.room.waits === "wagers" ? "" : model.view.number}`;
    const lie = placed(model);
    if (!open && lie.size && model.view.phase === "round") keepLast(model.id, lie);
    const same = now === this.round;
    const followed = this._all(this.plan) === this.lay; // nothing is planned here: follow what another page has done
    if (!same && this.round.includes(" true ") && !open) this._returned(lie);
    this.round = now;
    this.lay = this._all(lie);
    if (same && (!followed || this.busy || this._all(this.plan) === this.lay)) return;
    this.plan = copy(lie);
    if (!same) this.past = [];
    this._changed();
  }

  /** Chips that lay on a box but were no allowed wager when betting closed go back, and the player is told. */
  _returned(lie) {
    const lost = [...this.plan].filter(([box, one]) => written(one) !== written(lie.get(box)) && totalOf(one));
    if (!lost.length) return;
    const words = lost.map(([box, one]) => `${dollars(totalOf(one))} on box ${box}`);
    this.dispatchEvent(
      new CustomEvent("problem", {
        bubbles: true,
        detail: {
          words: `Not bet: ${listed(words)}. ${limitWords(this.model.view.limits)}. The chips are yours again.`,
        },
      }),
    );
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
    const radio = (one) => {
      const chip = this._radio(`chip-${one}`, dollars(one).slice(1), this.chip === one, choose(one), "chip");
      chip.ariaLabel = dollars(one);
      return chip;
    };
    renew(this.rail, ...chips.map(radio));
  }

  /** The main wager and all side wagers of the layout, with the odds of the selected one. */
  _drawKinds(model) {
    const sides = sidesOf(model);
    if (!sides.some((one) => one.name === this.on)) this.on = MAIN;
    this.kinds.hidden = !sides.length;
    const choose = (name) => () => (this.on = name);
    const radio = ({ name, title }) => this._radio(`on-${name}`, title, this.on === name, choose(name), "button small");
    renew(this.kinds, ...[{ name: MAIN, title: "Main bet" }, ...sides].map(radio));
    const chosen = sides.find((one) => one.name === this.on);
    this.odds.hidden = !chosen;
    this.odds.textContent = chosen ? sideWords(chosen) : "";
  }

  _radio(id, words, checked, choose, kind) {
    const press = () => {
      choose();
      this.typed.value = "";
      this.update(this.model);
      this.dispatchEvent(new CustomEvent("pending", { bubbles: true })); // the prompt says what a side bet pays
    };
    const onkeydown = (event) => step(event) && event.preventDefault();
    const value = { "data-value": id.split("-")[1], "aria-checked": String(checked), tabindex: checked ? 0 : -1 };
    return make(
      "button",
      { type: "button", role: "radio", id, class: kind, ...value, onclick: press, onkeydown },
      words,
    );
  }

  /** "Your bets: $25 on box 1 and $5 on Perfect Pairs"; below the minimum, what is missing. */
  _planWords() {
    const { limits } = this.model.view;
    const short = [...this.plan].find(([, { stake }]) => stake && stake < (limits.minimum ?? 0));
    if (short) return `The minimum is ${dollars(limits.minimum)}: add ${dollars(limits.minimum - short[1].stake)}`;
    const bets = [...this.plan].flatMap(([box, { stake, side }]) => {
      const sides = Object.entries(side).filter(([, amount]) => amount);
      const where = stake ? "" : `, box ${box}`;
      const words = sides.map(([name, amount]) => `${dollars(amount)} on ${sideTitle(this.model, name)}${where}`);
      return stake ? [`${dollars(stake)} on box ${box}`].concat(words) : words;
    });
    return bets.length ? `Your bets: ${listed(bets)}` : "";
  }

  /** Whether the plan can be placed as it is: every wager has reached the minimum. */
  get lawful() {
    const least = this.model.view.limits.minimum ?? 0;
    return [...this.plan.values()].every(({ stake, side }) => (stake ? stake >= least : !sumSide(side)));
  }

  _drawTools(model) {
    const lie = placed(model);
    const passed = model.room.passed?.includes(model.me?.name);
    const seat = this._seat();
    const last = sumOf(lastOf(model.id));
    const empty = this.plan.size + lie.size === 0;
    const again = empty && last > 0;
    const usable = (lie.size > 0 || this.plan.size > 0 || again) && !passed && (again || this.lawful);
    const go = passed ? "Waiting for others" : again ? `Rebet ${dollars(last)}` : isAlone(model) ? "Deal" : "Ready";
    const tool = (id, label, press, may, kind = "", title = label) =>
      button(label, () => may && press(), { id, class: `button ${kind}`, "aria-disabled": String(!may), title });
    if (model.room.heat) return this._heatTools(model, tool);
    renew(
      this.tools,
      tool("undo", "Undo", () => this.undo(), this.past.length > 0),
      tool("clear", "Clear", () => this.clear(), !empty),
      !again && last > 0 && tool("repeat", "Rebet", () => this.repeat(), true, "", "The same bets as last round"),
      tool("twice", again ? "Rebet ×2" : "Bet ×2", () => this.twice(), !empty || again, "", "Twice the bets"),
      seat && tool("leave", "Leave", () => this.leave(), true, "quiet"),
      tool("done", go, () => this.deal(), usable, usable ? "go" : "go idle"),
    );
  }

  /** At a tournament table a wager stays, players do not leave, and all chips may continue one hand. */
  _heatTools(model, tool) {
    const { heat } = model.room;
    const own = heatBox(model);
    const turn = heat.order[0] === own || !heat.order.includes(own);
    const sides = sidesOf(model).length > 0;
    renew(
      this.tools,
      tool("repeat", "Rebet", () => this.repeat(), lastOf(model.id).size > 0),
      tool("twice", "Bet ×2", () => this.twice(), this.plan.size + lastOf(model.id).size > 0),
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
    this._changed(`All in: ${dollars(stake)}; press Place`);
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
    if (this.busy) return void (this.queued = [...(this.queued ?? []), number]);
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
    this._changed(`Box ${number}: ${dollars(one.stake)}`);
    this._soon();
  }

  /** Take one chip off a box. @param {number} number */
  less(number) {
    const one = this.plan.get(number);
    if (!this._open() || !one || this.model.room.heat) return;
    this._remember();
    const left = Math.max(0, (this.on === MAIN ? one.stake : (one.side[this.on] ?? 0)) - this.chip);
    if (this.on === MAIN) one.stake = left;
    else one.side[this.on] = left;
    if (!totalOf(one) || !one.stake) this.plan.delete(number);
    this._changed(`Box ${number}: ${dollars(one.stake)}`);
    this._soon();
  }

  /** Place the chips when no further tap comes; at a tournament a wager stays, so it is placed by hand. */
  _soon() {
    clearTimeout(this.soon);
    if (!this.model.room.heat) this.soon = setTimeout(() => this.lawful && this.dirty && this.place(), SOON);
  }

  /** Enter after a typed amount puts it on the user's box; Enter again deals. */
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
    this._soon();
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
    this._soon();
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

  /** Undo one step; a step already placed is withdrawn at the table too. */
  undo() {
    if (!this._open() || !this.past.length) return;
    this.plan = this.past.pop() ?? new Map();
    this._changed("Undone");
    this._soon();
  }

  async place() {
    const { model } = this;
    if (!this._open()) return;
    if (model.room.heat?.order.includes(heatBox(model)) && model.room.heat.order[0] !== heatBox(model))
      return this._say("It is not your turn to wager");
    clearTimeout(this.soon);
    const commands = commandsFor(model.me.name, placed(model), this.plan);
    const first =
      !model.room.heat && commands.find((one) => one.type === "PlaceWager" && free(model).includes(one.box ?? 0));
    // The seat comes after the wager: a wager that is refused must not leave the player sitting there.
    if (first && !this._seat()) commands.push({ type: "Sit", player: model.me.name, box: first.box });
    const done = await this._send(commands);
    if (done) this.typed.value = ""; // the next tap is a chip again, as the rail shows
    else this.plan = copy(placed(this.model));
    this._changed();
    const [next, ...rest] = this.queued ?? [];
    this.queued = rest;
    if (next) this.tap(next);
    return done;
  }

  /** One press: the last bets again if none lie there, then the chips count and the dealer need not wait. */
  async deal() {
    this.again = this.busy; // pressed while chips are being placed, it acts when they are
    if (!this._open()) return;
    if (!this.plan.size && !placed(this.model).size) this.plan = lastOf(this.model.id);
    if (!this.lawful) return this._say(this._planWords());
    if (this.dirty && !(await this.place())) return;
    if (placed(this.model).size) await this._send([{ type: "Pass" }]);
  }

  done() {
    return this.deal();
  }

  leave() {
    this.leaving = true;
    return this._send([{ type: "Leave", player: this.model.me.name }]);
  }

  sit(box = [...this.plan.keys()].find((one) => free(this.model).includes(one)) ?? free(this.model)[0]) {
    return this._send([{ type: "Sit", player: this.model.me.name, box }]);
  }

  /** Enter: the chips count, and the dealer need not wait. Pressed before an answer is here, it acts afterwards. */
  confirm() {
    this.again = this.busy;
    if (!this._open()) return;
    if (this.model.room.heat) return void (this.dirty && this.place());
    this.deal();
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

customElements.define("pontoon-bets", Bets);
