// The coach of a practice table: what each decision is worth, what the chart says, what was given away, and the long run.
import { dollars, make, net } from "../parts.js";
import { Panel, cite, grid, prepared } from "./part.js";

const ASKED = ["decision", "forfeit", "insurance", "surrender"];
const BASIS = { shoe: "Counted: every card dealt since the shuffle.", round: "Counted: the cards of this round." };
const NAMES = { hard: "hard", soft: "soft", pairs: "pair", forfeit: "doubled" };
const WIDE = 320,
  HIGH = 120;
const cents = (amount) => net(Math.round(amount));
const percent = (part) => `${(part * 100).toFixed(2)} %`;

/** Rounds seen while this page was open, by table: result and what was to be expected, in cents. */
const sessions = new Map();

class Coach extends Panel {
  key = "";

  build() {
    this.state = make("p", { role: "status" });
    this.now = make("div", { class: "stack" });
    this.before = make("div", { class: "stack" });
    this.long = make("div", { class: "stack" });
    this.append(
      make("h2", {}, "Coach"),
      this.state,
      this.now,
      make("h3", {}, "Decisions of this round"),
      this.before,
      make("h3", {}, "The long run"),
      this.long,
    );
  }

  update(model) {
    this.model = model;
    const { view, room, me } = model;
    if (!view || !this.state) return;
    if (!room.practice) {
      this.state.textContent = "The coach speaks only at practice tables.";
      return;
    }
    if (!me) {
      this.state.textContent = "Take a name, and the coach speaks to you.";
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
    const wait = setTimeout(() => (this.state.textContent = "The coach does the sums…"), 400);
    const told = await this.attempt(() =>
      prepared(this.connection, `/api/tables/${this.model.id}/coach`, () => this.key === key && this.isConnected),
    );
    clearTimeout(wait);
    if (this.key !== key || !told) return;
    this.removeAttribute("aria-busy");
    this._draw(told);
  }

  // --- this hand ---

  _draw(told) {
    const best = told.actions[0];
    this.state.textContent = best
      ? `${told.cards.join(" ")} against ${told.dealer}: ${best.action}`
      : "Nothing is to be decided now.";
    this.now.replaceChildren(
      ...(best ? [this._bars(told), this._square(told), make("p", { class: "muted" }, BASIS[told.basis])] : []),
    );
    const rows = told.decisions.map((one) => [
      `Box ${one.box}${one.hand > 1 ? `, hand ${one.hand}` : ""}`,
      `${one.cards.join(" ")} against ${one.dealer}`,
      one.chosen,
      one.cost > 1e-9 ? `${one.best} was better: ${cents(-one.cents)}` : "best",
    ]);
    this.before.replaceChildren(
      rows.length
        ? grid("What you decided, and what it gave away", ["Place", "Cards", "You", "Against the best"], rows)
        : make("p", { class: "muted" }, "None yet."),
    );
    const { edge } = told;
    this.edge = edge;
    const hour = `At ${dollars(edge.stake)} a round and ${Math.round(edge.pace)} rounds an hour: about ${dollars(Math.round(edge.hour))} an hour to the house, played well.`;
    this.costs = make("p", {}, `House edge ${percent(edge.house_edge)} of the first wager. ${hour}`);
    this._graph();
  }

  /** Bars from the worst to the best, zero between them where both are there. */
  _bars({ actions, stake }) {
    const values = actions.map((one) => one.value);
    const low = Math.min(0, ...values),
      high = Math.max(0, ...values);
    const place = (value) => ((value - low) / (high - low || 1)) * 100;
    const rows = actions.map((one) => {
      const from = place(Math.min(0, one.value)),
        to = place(Math.max(0, one.value));
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
      const marks = [one.best && "best", one.chart && "chart"].filter(Boolean).join(", ");
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
      `What each decision is worth, of a wager of ${dollars(stake)}`,
      ["Decision", "Value", "A unit", "Chips", "Clause"],
      rows,
    );
  }

  _square({ square, actions }) {
    if (!square) return make("p", { class: "muted" }, "The chart has no square for this.");
    const words = `Chart, ${NAMES[square.block]} ${square.row} against ${square.column}: ${square.code}, so ${square.action}.`;
    const other = actions[0] && square.action !== actions[0].action;
    return make("p", {}, words, other ? " With the cards that are gone another decision is better." : "");
  }

  // --- rounds ---

  _rounds({ id, events }) {
    const over = (events ?? []).find((one) => one.type === "RoundKept");
    if (
      !over ||
      this.counted === over.facts.number ||
      !over.facts.players.some(([player]) => player === this.model.me.name)
    )
      return;
    this.counted = over.facts.number;
    this.attempt(async () => {
      const told = await prepared(this.connection, `/api/tables/${id}/coach/last`, () => this.isConnected);
      if (!told || told.number !== over.facts.number) return;
      const rounds = sessions.get(id) ?? [];
      sessions.set(id, [...rounds, told]);
      this._graph();
    });
  }

  /** Result against expectation, round by round. */
  _graph() {
    const rounds = sessions.get(this.model.id) ?? [];
    const sums = (value) => rounds.reduce((all, one) => [...all, all[all.length - 1] + value(one)], [0]);
    const result = sums((one) => one.net),
      expected = sums((one) => one.expected - one.cost);
    const cost = rounds.reduce((sum, one) => sum + one.cost, 0);
    const parts = [this.costs].filter(Boolean);
    if (rounds.length) {
      const low = Math.min(...result, ...expected),
        high = Math.max(...result, ...expected);
      const x = (index) => (index / rounds.length) * WIDE,
        y = (value) => HIGH - ((value - low) / (high - low || 1)) * HIGH;
      const line = (values, name) =>
        svg("polyline", {
          class: name,
          points: values.map((value, index) => `${x(index).toFixed(1)},${y(value).toFixed(1)}`).join(" "),
        });
      const words = `${rounds.length} ${rounds.length === 1 ? "round" : "rounds"}: result ${cents(result[rounds.length])}, expected ${cents(expected[rounds.length])}, of which decisions gave away ${cents(-cost)}.`;
      parts.push(
        svg(
          "svg",
          { class: "graph", viewBox: `-4 -4 ${WIDE + 8} ${HIGH + 8}`, role: "img", "aria-label": words },
          svg("line", { x1: 0, x2: WIDE, y1: y(0), y2: y(0) }),
          line(expected, "expected"),
          line(result, "result"),
        ),
        make("p", {}, words),
        make("p", { class: "muted" }, "Solid: your result. Dashed: what was to be expected."),
      );
    }
    this.long.replaceChildren(...parts);
  }
}

function svg(tag, attributes, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}
customElements.define("pontoon-coach", Coach);
