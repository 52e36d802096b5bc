// The action bar: always the same buttons in the same order. What may be pressed, and why not, comes with the view.
import { button, cents, dollars, field, heldWords, make, renew } from "./parts.js";
import { keyOf } from "./keys.js";

/** @typedef {{type: string, box?: number, player?: string, amount?: number, on?: number}} Command */
/** @typedef {{name: string, command: Command | null, label: string, words: string, clauses: string[]}} Offered */

/** The fixed order; the second is the kinds of command a button stands for. */
export const ACTIONS = [
  ["Hit", ["Hit"]],
  ["Stand", ["Stand"]],
  ["Double", ["Double"]],
  ["Split", ["Split"]],
  ["Surrender", ["Surrender"]],
  ["Forfeit", ["Forfeit"]],
  ["Keep", ["Keep"]],
  ["Insure", ["Insure"]],
  ["No", ["Pass", "DeclineSurrender", "DeclineInsurance"]],
];
const PASSED = ["offer", "join", "cut"]; // moments to which "no" is a pass
const OFFERED = ["Surrender", "Insure"]; // asked of several boxes at once: the first has the button, the others one beside
const AGAIN = 3000; // milliseconds for the second press

/** Plays that are seldom meant. A guard against slips, no rule: the list can be changed freely. */
const SLIPS = [
  ["Hit", ({ hand }) => hand && !hand.soft && hand.total >= 17, ({ hand }) => `hit hard ${hand.total}`],
  ["Hit", ({ hand }) => hand?.soft && hand.total >= 19, ({ hand }) => `hit soft ${hand.total}`],
  ["Stand", ({ hand }) => hand && hand.total <= 11, ({ hand }) => `stand on ${hand.total}`],
  ["Double", ({ stake, wallet }) => stake >= wallet, () => "double with all your chips"],
  ["Split", ({ hand }) => hand && !hand.soft && hand.total === 20, () => "split a total of 20"],
  ["Surrender", () => true, () => "surrender half the wager"],
  ["Forfeit", () => true, () => "forfeit the wager"],
];

// --- reading the view ---

export const mine = (model) => (model.view.round?.choices ?? []).filter((one) => one.player === model.me?.name);

/** The hand in turn, and the box it is on. */
export function inTurn(model) {
  const [number, hand] = model.view.round?.turn ?? [0, 0];
  const box = model.view.round?.boxes?.find((one) => one.number === number);
  return { box, hand: box?.hands?.[hand - 1] };
}

/** The chips somebody has to play with: the wallet, or at a tournament's table those in front of them. */
export const chipsOf = ({ room, me }, name = me?.name) => (room.heat ? (room.heat.chips.find(([player]) => player === name)?.[1] ?? 0) : (me?.wallet ?? 0));

/** At a tournament's table wagers are made one after the other. */
function heatWords({ room, view, me }) {
  const { heat } = room;
  if (heat.ended) return "This table has played its session";
  if (!heat.order.length) return room.waits === "wagers" ? "Side wagers are open" : "The next round opens in a moment";
  const names = heat.order.map((box) => view.seats?.find((one) => one.box === box)?.player);
  const mine = names.indexOf(me?.name);
  if (mine === 0) return `Your wager, box ${heat.order[0]}: ${dollars(chipsOf({ room, me }))} in front of you`;
  return `${names[0] ?? "Somebody"} wagers, box ${heat.order[0]}${mine > 0 ? (mine === 1 ? "; you are next" : `; you after ${mine - 1} more`) : ""}`;
}

/** What this moment is, for a person. */
export function momentWords(model) {
  const { room, view, me } = model;
  if (room.paused) return heldWords(room);
  if (room.heat && (!room.waits || room.waits === "wagers") && view.phase !== "round") return heatWords(model);
  const asked = (room.players ?? []).includes(me?.name) && !(room.passed ?? []).includes(me?.name);
  const others = (room.players ?? []).filter((one) => one !== me?.name).join(", ");
  const { box, hand } = inTurn(model);
  switch (room.waits) {
    case "wagers":
      return "Wagers are open";
    case "decision":
      return asked ? `Your decision: box ${box?.number}, ${hand?.words || "face down"}` : `${others} decides, box ${box?.number}`;
    case "offer":
      return asked ? `You are asked: ${view.round?.offer || "an offer"}` : `${others} is asked: ${view.round?.offer}`;
    case "join":
      return asked ? `You may join the ${view.round?.joining}, box ${box?.number}` : `${others} may join the ${view.round?.joining}`;
    case "cut":
      return asked ? "You may cut the cards" : `${others} may cut the cards`;
    default:
      if (view.phase === "closed") return "The table is closed";
      return view.seats?.length ? "The dealer is busy" : "The dealer waits for somebody to sit down: tap a box or press its number";
  }
}

/** @returns {Offered} what one button stands for now */
export function offered(model, name, kinds) {
  const rows = [...mine(model)].sort((a, b) => Number(b.box === inTurn(model).box?.number) - Number(a.box === inTurn(model).box?.number));
  // A pass is "no" for all boxes and ends the wait; a single declined surrender leaves the offer open.
  if (kinds[0] === "Pass" && mayPass(model)) return { name, command: { type: "Pass" }, label: "No", words: "", clauses: [] };
  for (const row of rows) {
    const command = row.allowed?.find((one) => kinds.includes(one.type));
    if (command) return { name, command, label: labelled(model, name, row, command), words: "", clauses: [] };
  }
  for (const row of rows) {
    const no = row.refused?.find((one) => kinds.includes(one.command.type));
    if (no) return { name, command: null, label: name, words: no.words, clauses: no.clauses ?? [] };
  }
  return { name, command: null, label: name, words: `not asked now. ${momentWords(model)}`, clauses: [] };
}

const mayPass = ({ room, me }) =>
  PASSED.includes(room.waits) && room.players?.includes(me?.name) && !room.passed?.includes(me?.name);

/** A co-bettor covers a split and joins a double; where several boxes are asked the button says which. */
function labelled(model, name, row, command) {
  const joining = model.view.round?.joining;
  const word = joining && command.type === "Split" ? "Cover" : joining ? "Join double" : name;
  const several = mine(model).filter((one) => one.allowed?.some((other) => other.type === command.type)).length > 1;
  return several ? `${word}, box ${row.box}` : word;
}

/** What is offered only now and then, as buttons beside the bar. @returns {{label: string, command: Command}[]} */
export function seldom(model) {
  const found = [];
  const words = {
    Ride: (one) => `Ride on hand ${one.on}`,
    RefuseCard: () => "Refuse the card",
    Withdraw: (one) => `Withdraw the wager, box ${one.box}`,
  };
  const asked = new Set();
  for (const row of mine(model))
    for (const one of row.allowed ?? []) {
      if (words[one.type]) found.push({ label: words[one.type](one), command: one });
      else if (OFFERED.includes(one.type) && asked.has(one.type)) found.push({ label: `${one.type}, box ${row.box}`, command: one });
      asked.add(one.type);
    }
  const own = model.view.round?.boxes?.find((box) => box.bettors.some((one) => one.player === model.me?.name));
  for (const bare of own ? (model.view.round?.insurable ?? []) : [])
    if (bare.player !== model.me?.name)
      found.push({
        label: `Insure ${bare.player}'s wager, box ${bare.box}`,
        command: { type: "Insure", box: own.number, player: model.me.name, amount: bare.most, for_box: bare.box, for_player: bare.player },
      });
  return found;
}

/** The slip this would be, in words; empty where it is none. */
function slip(model, name, command) {
  const { box, hand } = inTurn(model);
  const own = box?.bettors.find((one) => one.player === model.me?.name);
  const facts = { hand, stake: command.amount || own?.stake || 0, wallet: chipsOf(model) };
  const found = SLIPS.find(([action, when]) => action === name && when(facts));
  return found ? found[2](facts) : "";
}

/** Whether one sits here or has chips on the layout; whoever only watches needs no buttons. */
function plays({ view, me }) {
  if (!me) return false;
  const bets = (view.round?.boxes ?? []).some((box) => box.bettors.some((one) => one.player === me.name));
  return bets || (view.seats ?? []).some((one) => one.player === me.name);
}

// --- the element ---

export class Controls extends HTMLElement {
  connectedCallback() {
    this.bar = make("div", { class: "actions", role: "toolbar", "aria-label": "Actions" });
    this.more = make("div", { class: "row seldom" });
    this.amount = make("input", { inputmode: "decimal", autocomplete: "off", size: 7, id: "less" });
    this.less = make("label", { class: "row" }, "Amount, if less", this.amount);
    this.reason = make("p", { class: "muted reason", id: "reason" });
    this.buttons = new Map(ACTIONS.map(([name]) => [name, this._button(name)]));
    this.bar.append(...this.buttons.values());
    this.append(this.more, this.bar, make("div", { class: "row under" }, this.reason, this.less));
    this.busy = false;
    this.armed = "";
  }

  _button(name) {
    const label = make("span", { class: "label" }, name);
    const tell = () => this._tell(name);
    const hush = () => this.armed || (this.reason.textContent = "");
    return make(
      "button",
      { type: "button", class: "button action", id: `do-${name}`, "data-action": name, onclick: () => this.press(name), onfocus: tell, onblur: hush, onmouseenter: tell, onmouseleave: hush },
      label,
      make("kbd", { "aria-hidden": "true" }),
    );
  }

  update(model) {
    this.model = model;
    const { settings, connection } = model;
    this.inert = connection.status !== "open";
    let first = true;
    for (const [name, kinds] of ACTIONS) {
      const what = offered(model, name, kinds);
      const one = this.buttons.get(name);
      one.setAttribute("aria-disabled", String(!what.command));
      one.classList.toggle("primary", Boolean(what.command) && first && this.armed !== name);
      one.classList.toggle("danger", this.armed === name);
      if (what.command) first = false;
      one.firstChild.textContent = this.armed === name ? this.armedWords : what.label;
      one.lastChild.textContent = settings.keysOn ? keyOf(settings, name) : "";
      one.title = what.command ? "" : said(what);
      if (settings.keysOn) one.setAttribute("aria-keyshortcuts", keyOf(settings, name));
      else one.removeAttribute("aria-keyshortcuts");
    }
    this._extras(model);
    this.hidden = model.room.waits === "wagers" || !plays(model);
    this._moment(model);
  }

  /** A new moment: what was armed or said for the last one is gone. */
  _moment(model) {
    const now = JSON.stringify([model.room.waits, model.view.number, model.view.round?.turn, inTurn(model).hand?.cards]);
    if (now === this.moment) return;
    this.moment = now;
    this.armed = "";
    this.reason.replaceChildren();
    this.amount.value = "";
  }

  _extras(model) {
    const amounts = mine(model).flatMap((row) => (row.allowed ?? []).filter((one) => one.type === "Double" || one.type === "Insure"));
    this.less.hidden = amounts.length === 0;
    const own = inTurn(model).box?.bettors.find((one) => one.player === model.me?.name);
    this.amount.placeholder = dollars(amounts[0]?.amount || own?.stake || 0);
    renew(
      this.more,
      ...seldom(model).map(({ label, command }, place) =>
        button(label, () => this._guarded(command.type, command), { id: `seldom-${place}`, "data-command": JSON.stringify(command) }),
      ),
      this._cut(model),
    );
  }

  _cut(model) {
    const { cut } = model.view;
    if (!cut || cut.by !== model.me?.name) return null;
    const depth = make("input", { type: "range", id: "depth", min: cut.least, max: cut.most, value: Math.round((cut.least + cut.most) / 2) });
    const send = () => this._send({ type: "Cut", by: cut.by, depth: Number(depth.value) });
    return make("span", { class: "row" }, field(`Cut, ${cut.least} to ${cut.most} cards deep`, depth), button("Cut", send, { id: "cut", class: "button primary" }));
  }

  /** Press an action by its name, from a button, a key or the command line; says why where it cannot be. */
  press(name) {
    const kinds = ACTIONS.find(([one]) => one === name)[1];
    const what = offered(this.model, name, kinds);
    if (!what.command) {
      this._tell(name);
      this.dispatchEvent(new CustomEvent("told", { bubbles: true, detail: said(what) }));
      const detail = { clauses: what.clauses, words: what.words, rulebook: this.model.view.rulebook };
      if (what.clauses.length) this.dispatchEvent(new CustomEvent("why", { bubbles: true, detail }));
      return;
    }
    this._guarded(name, what.command);
  }

  _guarded(name, wanted) {
    const command = this._withAmount(wanted);
    if (!command || (this.model.settings.guard && !this._meant(name, command))) return;
    this._send(command);
  }

  _withAmount(command) {
    if ((command.type !== "Double" && command.type !== "Insure") || !this.amount.value.trim()) return command;
    const amount = cents(this.amount.value);
    if (amount > 0) return { ...command, amount };
    this._say("An amount is a number such as 12.50");
    return null;
  }

  /** Whether this is no slip, or was pressed again in time. */
  _meant(name, command) {
    const words = slip(this.model, name, command);
    if (!words || this.armed === name) {
      this.armed = "";
      return true;
    }
    this.armed = name;
    this.armedWords = `Really ${words}?`;
    this._say(`Press ${name} again within 3 seconds to ${words}`);
    clearTimeout(this.arming);
    this.arming = setTimeout(() => this._disarm(), AGAIN);
    this.update(this.model);
    return false;
  }

  _disarm() {
    this.armed = "";
    this.reason.textContent = "";
    this.update(this.model);
  }

  async _send(command) {
    if (this.busy) return;
    this.busy = true;
    this.bar.setAttribute("aria-busy", "true");
    try {
      await this.model.connection.do(this.model.id, command);
    } catch (problem) {
      this.dispatchEvent(new CustomEvent("problem", { bubbles: true, detail: problem }));
    } finally {
      this.busy = false;
      this.bar.removeAttribute("aria-busy");
    }
  }

  _tell(name) {
    if (!this.model || this.armed) return;
    const what = offered(this.model, name, ACTIONS.find(([one]) => one === name)[1]);
    this.reason.textContent = what.command ? "" : said(what);
  }

  _say(words) {
    this.reason.textContent = words;
    this.dispatchEvent(new CustomEvent("told", { bubbles: true, detail: words }));
  }
}

/** A refusal as one sentence, with its clauses. */
export const said = (what) => `${what.name}: ${what.words}${what.clauses.length ? ` (clause ${what.clauses.join(", ")})` : ""}`;

customElements.define("pontoon-controls", Controls);
