// The game in words: a log for screen readers, and a command line that does what the buttons do.
import { placed } from "./plan.js";
import { ACTIONS, offered, rareCommands, said } from "./controls.js";
import { chipsOf, inTurn, isAsked, momentWords } from "./moment.js";
import { cents, counted, dollars, make, net, spaced, withBots } from "./parts.js";

const KEPT = 200; // lines in the log
const BATCH = 350; // milliseconds: events within this time are read together
const COACH_TRIES = 30;
const COACH_WAIT = 600; // milliseconds between requests while the server calculates

/** @param {DrawnTable} model */
const chipWords = (model) => `${dollars(chipsOf(model))}${model.room.own_chips ? " in practice chips" : ""}`;

const HELP = `hand: your hands. dealer: the dealer's hand. legal: what you may do. why, why split: why it is refused.
clause: the clause of the last line. ev: the coach's values.
bet 10 on 3: put chips on a box. ready (or deal), repeat, double it, clear, undo. sit 3, leave, cut 100.
hit, stand, double (or double 5), split, surrender, forfeit, keep, insure, no. table, wallet, help.
In a tournament: chips, all in.`;

export class Spoken extends HTMLElement {
  /** Lines that wait to be shown, with their clauses. @type {[string, string[]][]} */
  waiting = [];
  turn = "";
  /** Commands typed so far. @type {string[]} */
  past = [];
  /** @type {any} */
  model = null;
  /** @type {any} */
  table = null;
  /** @type {(() => void) | null} */
  lastWhy = null;
  /** @type {number | undefined} */
  timer;

  connectedCallback() {
    this.log = make("ol");
    const live = { role: "log", "aria-live": "polite", "aria-label": "Dealer's calls", class: "log", tabindex: 0 };
    this.roll = make("div", live, this.log);
    const typing = { autocomplete: "off", autocapitalize: "none", spellcheck: "false" };
    this.line = make("input", { id: "line", ...typing, placeholder: "hit, bet 10 on 3, help" });
    const recall = (event) => event.key === "ArrowUp" && this.past.length && (this.line.value = this.past.at(-1));
    this.line.addEventListener("keydown", recall);
    const label = make("label", { for: "line" }, "Command");
    const onsubmit = (event) => this._entered(event);
    const send = make("button", { class: "button" }, "Send");
    this.append(this.roll, make("form", { class: "row command", onsubmit }, label, this.line, send));
  }

  /**
   * What the command line acts on.
   * @param {{press: (name: string, amount?: number) => void, bets: any, session: any}} table
   */
  use(table) {
    this.table = table;
  }

  /** @param {TableModel} model */
  update(model) {
    this.model = model;
    const { room, view } = model;
    for (const event of model.events ?? []) if (event.words) this.say(event.words, event.clauses);
    const cards = inTurn(model).hand?.cards;
    const now = JSON.stringify([room.waits, room.players, view.number, cards, view.round?.offer]);
    if (now !== this.turn && isAsked(model) && room.waits !== "wagers") this.say(momentWords(model));
    this.turn = now;
  }

  /** @param {string} words @param {string[]} [clauses] */
  say(words, clauses = []) {
    this.waiting.push([withBots(words), clauses]);
    this.timer ??= setTimeout(() => this._flush(), BATCH);
  }

  _flush() {
    this.timer = undefined;
    const rulebook = this.model?.view.rulebook;
    const lines = this.waiting.splice(0).map(([words, clauses]) => {
      const numbers = clauses.join(", ");
      const why = () =>
        this.dispatchEvent(new CustomEvent("why", { bubbles: true, detail: { clauses, words, rulebook } }));
      if (numbers) this.lastWhy = why;
      // Not reached by Tab, because there would be hundreds: the command `clause` does the same.
      const label = { class: "cite", "aria-label": `Clause ${numbers}`, tabindex: -1 };
      const cite = numbers && make("button", { type: "button", ...label, onclick: why }, numbers);
      return make("li", {}, words, cite && " ", cite);
    });
    this.log.append(...lines);
    while (this.log.children.length > KEPT) this.log.firstChild.remove();
    this.roll.scrollTop = this.roll.scrollHeight;
  }

  async _entered(event) {
    event.preventDefault();
    const text = this.line.value.trim().toLowerCase();
    this.line.value = "";
    if (!text || !this.model) return;
    this.past.push(text);
    const answer = await this._answer(text);
    if (answer) this.say(answer);
  }

  /** @param {string} text @returns {Promise<string> | string | void} */
  _answer(text) {
    const [word, ...rest] = text.split(/\s+/);
    const action = ACTIONS.find(([name]) => name.toLowerCase() === word)?.[0];
    if (action && !(word === "double" && rest[0] === "it")) return this._press(action, rest[0]);
    const command = COMMANDS[word];
    return command ? command(this, rest) : `"${text}" is not a command. ${HELP}`;
  }

  /** "double 5" doubles for less, "insure 4" insures for less. @param {string} action @param {string} [amount] */
  _press(action, amount) {
    if (!amount) return this.table.press(action);
    const read = cents(amount);
    if (!(read > 0)) return `"${amount}" is not an amount; type one such as 12.50`;
    if (!["Double", "Insure"].includes(action)) return `${action} takes no amount`;
    this.table.press(action, read);
  }
}

/** By the first word: the element and the other words, to an answer or nothing. */
const COMMANDS = {
  help: () => HELP,
  hand: ({ model }) => handWords(model) || "You have no hand",
  dealer: ({ model }) =>
    model.view.round?.dealer
      ? `Dealer: ${model.view.round.dealer.cards.join(" ")}, ${model.view.round.dealer.words}`
      : "The dealer has no card",
  legal: ({ model }) => legalWords(model),
  why: ({ model }, rest) => whyWords(model, rest[0]),
  clause: (line) => (line.lastWhy ? void line.lastWhy() : "No line with a clause yet"),
  ev: ({ model }) => coachWords(model),
  table: ({ model }) => tableWords(model),
  wallet: ({ model, table }) => `${chipWords(model)}; ${sessionWords(table.session)}`,
  bet: (line, rest) => bet(line, rest),
  place: ({ table }) => void table.bets.place(),
  deal: ({ table }) => void table.bets.deal(),
  done: ({ table }) => void table.bets.done(),
  ready: ({ table }) => void table.bets.done(),
  repeat: ({ table }) => void table.bets.repeat(),
  double: ({ table }) => void table.bets.twice(),
  all: ({ model, table }) => (model.room.heat ? void table.bets.allIn() : "All in is for tournaments"),
  chips: ({ model }) =>
    model.room.heat
      ? model.room.heat.chips.map(([player, held]) => `${player} ${dollars(held)}`).join(", ")
      : chipWords(model),
  clear: ({ table }) => void table.bets.clear(),
  undo: ({ table }) => void table.bets.undo(),
  sit: ({ table }, rest) => void table.bets.sit(Number(rest[0]) || undefined),
  leave: ({ table }) => void table.bets.leave(),
  cut: ({ model, table }, rest) => {
    const { cut } = model.view;
    if (!cut) return "No cut is offered now";
    const depth = Number(rest[0]) || Math.round((cut.least + cut.most) / 2);
    table.bets._send([{ type: "Cut", by: model.me?.name, depth }]);
  },
};

/** @param {import("./settings.js").Session} session */
const sessionWords = (session) => `this session ${net(session.net)} in ${counted(session.minutes, "minute")}`;

/** "bet 10 on 3", "bet 5 on 3 perfect pairs". */
function bet({ model, table }, rest) {
  const [amount, , box, ...kind] = rest[1] === "on" ? rest : [rest[0], "on", ...rest.slice(1)];
  const stake = cents(amount ?? "");
  if (!(stake > 0) || !Number(box)) return "Type: bet 10 on 3";
  const words = kind.join(" ");
  const offers = model.view.cloth.side ?? [];
  const side = words ? offers.find((one) => one.title.toLowerCase() === words)?.name : "main";
  if (!side) return `There is no side wager ${words} here`;
  if (table.bets._open()) table.bets.bet(Number(box), stake, side);
}

/** The user's hands. @param {TableModel} model */
function handWords(model) {
  const name = model.me?.name ?? "";
  const own = (model.view.round?.boxes ?? []).filter(
    (box) => box.controller === name || box.bettors.some((one) => one.player === name),
  );
  const stake = (box) => dollars(placed(model).get(box.number)?.stake ?? 0);
  const hand = (box) => (one, place) =>
    `${where(box, place)}: ${one.cards.join(" ")}, ${one.words}${results(one, name)}`;
  const words = own.flatMap((box) =>
    box.hands?.length ? box.hands.map(hand(box)) : [`Box ${box.number}: ${stake(box)}, no cards yet`],
  );
  return words.join(". ");
}

const where = (box, place) => `Box ${box.number}${box.hands.length > 1 ? `, hand ${place + 1}` : ""}`;
const results = (hand, name) =>
  hand.wagers
    .filter((one) => one.player === name)
    .flatMap((one) => one.settled ?? [])
    .map((one) => `; ${one.words}`)
    .join("");

/** @param {TableModel} model */
function legalWords(model) {
  const names = ACTIONS.map(([name, kinds]) => offered(model, name, kinds))
    .filter((one) => one.command)
    .map((one) => one.label);
  const more = rareCommands(model).map((one) => one.label);
  const all = [...names, ...more, ...(model.view.cut?.by === model.me?.name ? ["Cut"] : [])];
  return all.length ? `You may: ${all.join(", ")}` : `Nothing now. ${momentWords(model)}`;
}

/** @param {TableModel} model @param {string} [word] */
function whyWords(model, word) {
  const rows = ACTIONS.filter(([name]) => !word || name.toLowerCase() === word).map(([name, kinds]) =>
    offered(model, name, kinds),
  );
  const refused = rows.filter((one) => !one.command && (word || one.clauses.length));
  if (refused.length) return refused.map(said).join(". ");
  return word && rows.length ? `${rows[0].label} is allowed` : `Nothing is refused now. ${momentWords(model)}`;
}

/** The value of each decision; the server may need a while to calculate. @param {TableModel} model */
async function coachWords(model) {
  try {
    for (let tries = 0; tries < COACH_TRIES; tries += 1) {
      const reply = await model.connection.get(`/api/tables/${model.id}/coach`);
      if (reply.status !== "preparing") {
        const worth = (reply.actions ?? []).map((one) => `${spaced(one.action)} ${one.value.toFixed(3)}`).join(", ");
        return worth ? `Value per $1 bet: ${worth}` : "No decision yet";
      }
      await new Promise((resolve) => {
        setTimeout(resolve, COACH_WAIT);
      });
    }
    return "The coach is still calculating; ask again";
  } catch (problem) {
    return problem.words;
  }
}

/** @param {TableModel} model */
function tableWords(model) {
  const { view, me } = model;
  const seats = (view.seats ?? []).map((one) => `box ${one.box} ${one.player === me?.name ? "you" : one.player}`);
  const wagers = (view.round?.boxes ?? []).flatMap((box) =>
    box.bettors.map((one) => `${one.player} ${dollars(one.stake)} on box ${box.number}`),
  );
  const sides = (view.cloth.side ?? []).map((one) => one.title);
  const lines = [
    momentWords(model),
    `Rulebook ${view.rulebook}, round ${view.number ?? 0}`,
    `Seats: ${seats.join(", ") || "none taken"}`,
  ];
  if (wagers.length) lines.push(`Wagers: ${wagers.join(", ")}`);
  if (sides.length) lines.push(`Side wagers: ${sides.join(", ")}`);
  return lines.join(". ");
}

customElements.define("pontoon-spoken", Spoken);
