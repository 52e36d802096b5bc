// The coach of a practice table: the value of each decision, basic strategy, the cost of mistakes, the long run.
import { counted, dollars, make, net } from "../parts.js";
import { Panel, cite, grid, prepared } from "./part.js";

const ASKED = ["decision", "forfeit", "insurance", "surrender"];
const BASIS = {
  shoe: "Based on every card dealt since the shuffle.",
  round: "Based on the cards of this round.",
};
const NAMES = { hard: "hard", soft: "soft", pairs: "pair", forfeit: "doubled" };
const WIDE = 320;
const HIGH = 120;
const cents = (amount) => net(Math.round(amount));
const percent = (part) => `${(part * 100).toFixed(2)} %`;

/**
 * Rounds played while this page was open, by table: result and expected result, in cents.
 * @type {Map<string, any[]>}
 */
const sessions = new Map();

class Coach extends Panel {
  key = "";

  build() {
    this.state = make("p", { role: "status" });
    this.now = make("div", { class: "stack" });
    this.earlier = make("div", { class: "stack" });
    this.long = make("div", { class: "stack" });
    this.append(
      make("h2", {}, "Coach"),
      this.state,
      this.now,
      make("h3", {}, "Your decisions this round"),
      this.earlier,
      make("h3", {}, "The long run"),
      this.long,
    );
  }

  update(model) {
    this.model = model;
    const { view, room, me } = model;
    if (!view || !this.state) return;
    if (!room.practice) {
      this.state.textContent = "The coach is available at practice tables only.";
      return;
    }
    if (!me) {
      this.state.textContent = "Sign in to use the coach.";
      return;
    }
    this._rounds(model);
    const round = view.round;
    const asked = round && ASKED.includes(round.stage);
    const cards = (round?.boxes ?? []).map((box) => (box.hands ?? []).map((hand) => hand.cards.length));
    const key = JSON.stringify([
      model.id,
      view.number,
      asked ? [round.stage, round.turn, cards] : view.phase === "ready",
    ]);
    if (key === this.key || (this.key && !asked && view.phase !== "ready")) return;
    this.key = key;
    this._ask(key);
  }

  async _ask(key) {
    this.setAttribute("aria-busy", "true");
    const wait = setTimeout(() => (this.state.textContent = "Calculating…"), 400);
    const reply = await this.attempt(() =>
      prepared(this.connection, `/api/tables/${this.model.id}/coach`, () => this.key === key && this.isConnected),
    );
    clearTimeout(wait);
    if (this.key !== key || !reply) return;
    this.removeAttribute("aria-busy");
    this._draw(reply);
  }

  // --- this hand ---

  _draw(reply) {
    const best = reply.actions[0];
    this.state.textContent = best
      ? `${reply.cards.join(" ")} against ${reply.dealer}: ${best.action}`
      : "No decision yet.";
    this.now.replaceChildren(
      ...(best ? [this._bars(reply), this._square(reply), make("p", { class: "muted" }, BASIS[reply.basis])] : []),
    );
    const rows = reply.decisions.map((one) => [
      `Box ${one.box}${one.hand > 1 ? `, hand ${one.hand}` : ""}`,
      `${one.cards.join(" ")} against ${one.dealer}`,
      one.chosen,
      one.cost > 1e-9 ? `${one.best} was better: ${cents(-one.cents)}` : "Best",
    ]);
    this.earlier.replaceChildren(
      rows.length
        ? grid("Your decisions and what they cost", ["Box", "Cards", "You", "Compared with the best"], rows)
        : make("p", { class: "muted" }, "None yet."),
    );
    if (reply.edge) this.costs = this._costs(reply.edge); // it is still being calculated after a start
    this._graph();
  }

  /** What playing costs an hour. @param {EdgeRow} edge */
  _costs(edge) {
    const pace = `${dollars(edge.stake)} a round and ${Math.round(edge.pace)} rounds an hour`;
    const loss = `an expected loss of ${dollars(Math.round(edge.hour))} an hour with best play`;
    return make("p", {}, `House edge ${percent(edge.house_edge)} of the wager. At ${pace}: ${loss}.`);
  }

  /** A bar for each decision, around zero. @param {CoachAnswer} answer */
  _bars({ actions, stake }) {
    const values = actions.map((one) => one.value);
    const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
    const place = (value) => ((value - low) / (high - low || 1)) * 100;
    const rows = actions.map((one) => {
      const [from, to] = [place(Math.min(0, one.value)), place(Math.max(0, one.value))];
      const bar = svg(
        "svg",
        {
          class: `bar ${one.best ? "best" : ""}`,
          viewBox: "0 0 100 10",
          preserveAspectRatio: "none",
          "aria-hidden": "true",
        },
        svg("rect", { x: from, y: 1, width: Math.max(to - from, 0.6), height: 8 }),
        svg("line", { x1: place(0), x2: place(0), y1: 0, y2: 10 }),
      );
      const marks = [one.best && "best", one.chart && "basic strategy"].filter(Boolean).join(", ");
      const name = make("span", {}, one.action, marks && make("small", { class: "good" }, ` ${marks}`));
      return [
        name,
        bar,
        one.value.toFixed(4).replace("-", "−"),
        cents(one.cents),
        cite(one.clauses, `${one.action} is allowed`, this.model.view.rulebook),
      ];
    });
    return grid(
      `Value of each decision at a wager of ${dollars(stake)}`,
      ["Decision", "Value", "Per $1 bet", "Chips", "Clause"],
      rows,
    );
  }

  /** What basic strategy says. @param {CoachAnswer} answer */
  _square({ square, actions, edge }) {
    const none = edge ? "Basic strategy does not cover this decision." : "The chart is still being calculated.";
    if (!square) return make("p", { class: "muted" }, none);
    const hand = `${NAMES[square.block]} ${square.row} against ${square.column}`;
    const other = actions[0] && square.action !== actions[0].action;
    const words = `Basic strategy, ${hand}: ${square.action}.`;
    return make("p", {}, words, other ? " With the cards already dealt another decision is better." : "");
  }

  // --- rounds ---

  _rounds({ id, events }) {
    const over = (events ?? []).find((one) => one.type === "RoundKept");
    const played = over?.facts.players.some(([player]) => player === this.model.me.name);
    if (!played || this.counted === over.facts.number) return;
    this.counted = over.facts.number;
    this.attempt(async () => {
      const reply = await prepared(this.connection, `/api/tables/${id}/coach/last`, () => this.isConnected);
      if (!reply || reply.number !== over.facts.number) return;
      const rounds = sessions.get(id) ?? [];
      sessions.set(id, [...rounds, reply]);
      this._graph();
    });
  }

  /** Result and expected result, round by round. */
  _graph() {
    const rounds = sessions.get(this.model.id) ?? [];
    const played = rounds.length ? this._curves(rounds) : [];
    this.long.replaceChildren(...[this.costs].filter(Boolean), ...played);
  }

  /** @param {CoachRound[]} rounds */
  _curves(rounds) {
    const result = sums(rounds.map((one) => one.net));
    const expected = sums(rounds.map((one) => one.expected - one.cost));
    const cost = rounds.reduce((sum, one) => sum + one.cost, 0);
    const [low, high] = [Math.min(...result, ...expected), Math.max(...result, ...expected)];
    const x = (index) => (index / rounds.length) * WIDE;
    const y = (value) => HIGH - ((value - low) / (high - low || 1)) * HIGH;
    const points = (values) => values.map((value, index) => `${x(index).toFixed(1)},${y(value).toFixed(1)}`).join(" ");
    const totals = `result ${cents(result.at(-1))}, expected ${cents(expected.at(-1))}`;
    const words = `${counted(rounds.length, "round")}: ${totals}. Mistakes cost ${dollars(Math.round(cost))}.`;
    const picture = svg(
      "svg",
      { class: "graph", viewBox: `-4 -4 ${WIDE + 8} ${HIGH + 8}`, role: "img", "aria-label": words },
      svg("line", { x1: 0, x2: WIDE, y1: y(0), y2: y(0) }),
      svg("polyline", { class: "expected", points: points(expected) }),
      svg("polyline", { class: "result", points: points(result) }),
    );
    const legend = make("p", { class: "muted" }, "Solid: your result. Dashed: the expected result.");
    return [picture, make("p", {}, words), legend];
  }
}

/** The running sums, from 0. @param {number[]} values */
function sums(values) {
  const all = [0];
  for (const value of values) all.push((all.at(-1) ?? 0) + value);
  return all;
}

function svg(tag, attributes, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}
customElements.define("pontoon-coach", Coach);
