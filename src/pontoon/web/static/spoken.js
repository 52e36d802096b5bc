// The game in words: what happens goes to a log that screen readers read, and a line of text does what buttons do.
import { cents, dollars, make, net, spaced } from "./parts.js";
import { ACTIONS, inTurn, momentWords, offered, said, seldom } from "./controls.js";
import { placed } from "./bets.js";

const KEPT = 200; // lines in the log
const BATCH = 350; // milliseconds: what happens together is read together

const COACH_TRIES = 30,
  COACH_WAIT = 600;

const HELP = `hand: your hands. dealer: the dealer's. legal: what you may do. why, why split: why not. clause: of the last line. ev: what the coach says.
bet 10 on 3: put chips on a box. place, done, repeat, double it, clear, undo. sit 3, leave, cut 100.
hit, stand, double, split, surrender, forfeit, keep, insure, no. table, wallet, help. In a tournament: chips, all in.`;

export class Spoken extends HTMLElement {
  connectedCallback() {
    this.log = make("ol");
    this.roll = make(
      "div",
      { role: "log", "aria-live": "polite", "aria-label": "The dealer", class: "log", tabindex: 0 },
      this.log,
    );
    this.line = make("input", {
      id: "line",
      autocomplete: "off",
      autocapitalize: "none",
      spellcheck: "false",
      placeholder: "hand, legal, hit, bet 10 on 3, help",
    });
    const label = make("label", { for: "line" }, "Command");
    const onsubmit = (event) => this._asked(event);
    const form = make(
      "form",
      { class: "row command", onsubmit },
      label,
      this.line,
      make("button", { class: "button" }, "Say"),
    );
    this.append(this.roll, form);
    this.waiting = [];
    this.turn = "";
    this.past = [];
    this.line.addEventListener(
      "keydown",
      (event) => event.key === "ArrowUp" && this.past.length && (this.line.value = this.past.at(-1)),
    );
  }

  /** @param {{press: (name: string) => void, bets: import("./bets.js").Bets, session: any}} table what the line can do */
  use(table) {
    this.table = table;
  }

  update(model) {
    this.model = model;
    for (const event of model.events ?? []) if (event.words) this.say(event.words, event.clauses);
    const now = JSON.stringify([
      model.room.waits,
      model.room.players,
      model.view.number,
      inTurn(model).hand?.cards,
      model.view.round?.offer,
    ]);
    const asked = model.room.players?.includes(model.me?.name) && model.room.waits !== "wagers";
    if (now !== this.turn && asked) this.say(momentWords(model));
    this.turn = now;
  }

  /** @param {string} words @param {string[]} [clauses] */
  say(words, clauses = []) {
    this.waiting.push([words, clauses]);
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
      // Not on the way of the Tab key, for there would be hundreds: the command `clause` does the same.
      const cite =
        numbers &&
        make(
          "button",
          { type: "button", class: "cite", "aria-label": `Clause ${numbers}`, tabindex: -1, onclick: why },
          numbers,
        );
      return make("li", {}, words, cite && " ", cite);
    });
    this.log.append(...lines);
    while (this.log.children.length > KEPT) this.log.firstChild.remove();
    this.roll.scrollTop = this.roll.scrollHeight;
  }

  async _asked(event) {
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
    if (action && !(word === "double" && rest[0] === "it")) return this.table.press(action);
    const asked = ASKED[word];
    return asked ? asked(this, rest) : `"${text}" is no command. ${HELP}`;
  }
}

const ASKED = {
  help: () => HELP,
  hand: ({ model }) => handWords(model) || "You have no hand",
  dealer: ({ model }) =>
    model.view.round?.dealer
      ? `Dealer: ${model.view.round.dealer.cards.join(" ")}, ${model.view.round.dealer.words}`
      : "The dealer has no card",
  legal: ({ model }) => legalWords(model),
  why: ({ model }, rest) => whyWords(model, rest[0]),
  clause: (line) => (line.lastWhy ? void line.lastWhy() : "Nothing with a clause has been said"),
  ev: ({ model }) => coachWords(model),
  table: ({ model }) => tableWords(model),
  wallet: ({ model, table }) =>
    `${dollars(model.me?.wallet ?? 0)}; this session ${net(table.session.net)} in ${table.session.minutes} minutes`,
  bet: (line, rest) => bet(line, rest),
  place: ({ table }) => void table.bets.place(),
  done: ({ table }) => void table.bets.done(),
  repeat: ({ table }) => void table.bets.repeat(),
  double: ({ table }) => void table.bets.twice(),
  all: ({ model, table }) => (model.room.heat ? void table.bets.allIn() : "All in is for tournaments"),
  chips: ({ model }) =>
    model.room.heat
      ? model.room.heat.chips.map(([player, held]) => `${player} ${dollars(held)}`).join(", ")
      : `${dollars(model.me?.wallet ?? 0)}`,
  clear: ({ table }) => void table.bets.clear(),
  undo: ({ table }) => void table.bets.undo(),
  sit: ({ table }, rest) => void table.bets.sit(Number(rest[0]) || undefined),
  leave: ({ model, table }) => void table.bets._send([{ type: "Leave", player: model.me?.name }]),
  cut: ({ model, table }, rest) => {
    const { cut } = model.view;
    if (!cut) return "Nobody is asked to cut now";
    const depth = Number(rest[0]) || Math.round((cut.least + cut.most) / 2);
    table.bets._send([{ type: "Cut", by: model.me?.name, depth }]);
  },
};

/** "bet 10 on 3", "bet 5 on 3 perfect pairs". */
function bet({ model, table }, rest) {
  const [amount, , box, ...kind] = rest[1] === "on" ? rest : [rest[0], "on", ...rest.slice(1)];
  const stake = cents(amount ?? "");
  if (!(stake > 0) || !Number(box)) return "Say: bet 10 on 3";
  const side = kind.length ? kind.join("_") : "main";
  if (side !== "main" && !(model.view.side_wagers ?? []).includes(side))
    return `There is no side wager ${kind.join(" ")} here`;
  if (table.bets._open()) table.bets.bet(Number(box), stake, side);
}

function handWords(model) {
  const own = (model.view.round?.boxes ?? []).filter(
    (box) => box.controller === model.me?.name || box.bettors.some((one) => one.player === model.me?.name),
  );
  const words = own.flatMap((box) =>
    box.hands?.length
      ? box.hands.map(
          (hand, place) =>
            `${where(box, place)}: ${hand.cards.join(" ")}, ${hand.words}${results(hand, model.me?.name)}`,
        )
      : [`Box ${box.number}: ${dollars(placed(model).get(box.number)?.stake ?? 0)}, no cards yet`],
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

function legalWords(model) {
  const names = ACTIONS.map(([name, kinds]) => offered(model, name, kinds))
    .filter((one) => one.command)
    .map((one) => one.label);
  const more = seldom(model).map((one) => one.label);
  const all = [...names, ...more, ...(model.view.cut?.by === model.me?.name ? ["Cut"] : [])];
  return all.length ? `You may: ${all.join(", ")}` : `Nothing now. ${momentWords(model)}`;
}

function whyWords(model, word) {
  const rows = ACTIONS.filter(([name]) => !word || name.toLowerCase() === word).map(([name, kinds]) =>
    offered(model, name, kinds),
  );
  const refused = rows.filter((one) => !one.command && (word || one.clauses.length));
  if (refused.length) return refused.map(said).join(". ");
  return word && rows.length ? `${rows[0].label} is allowed` : `Nothing is refused now. ${momentWords(model)}`;
}

/** What each decision is worth; the server may need a while for its sums. */
async function coachWords(model) {
  try {
    for (let tries = 0; tries < COACH_TRIES; tries += 1) {
      const told = await model.connection.get(`/api/tables/${model.id}/coach`);
      if (told.status !== "preparing") {
        const worth = (told.actions ?? []).map((one) => `${spaced(one.action)} ${one.value.toFixed(3)}`).join(", ");
        return worth ? `Worth in wagers: ${worth}` : "Nothing is to be decided now";
      }
      await new Promise((wait) => setTimeout(wait, COACH_WAIT));
    }
    return "The coach is still at the sums; ask again";
  } catch (problem) {
    return problem.words;
  }
}

function tableWords(model) {
  const { view, me } = model;
  const seats = (view.seats ?? []).map((one) => `box ${one.box} ${one.player === me?.name ? "you" : one.player}`);
  const wagers = (view.round?.boxes ?? []).flatMap((box) =>
    box.bettors.map((one) => `${one.player} ${dollars(one.stake)} on box ${box.number}`),
  );
  const sides = (view.side_wagers ?? []).map(spaced);
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
