// The trainer: a situation, a choice, what every choice is worth and why; the chart; counting; progress.
import { cardPicture } from "../card.js";
import { button, counted, field, make, pause, routed } from "../parts.js";
import { listen } from "../settings.js";
import { chartGrid, markOf } from "./chart.js";
import { Progress, today } from "./progress.js";
import { hints, mistakesTable, progressTables } from "./report.js";
import { SAYS, SIGNS, cents, costliest, signed, titled, word } from "./words.js";

const SHEET = "/static/train/train.css";
const BOOK = "pontoon.trained";
/** The kinds of drills and their words. @type {[string, string][]} */
const KINDS = [
  ["daily", "Today’s 20"],
  ["", "All hands"],
  ["hard", "Hard totals"],
  ["soft", "Soft totals"],
  ["pairs", "Pairs"],
  ["doubled", "Doubled hands and forfeit"],
  ["split", "After a split"],
  ["close", "Close calls"],
];
const KEYS = {
  Hit: "hit",
  Stand: "stand",
  Double: "double",
  Split: "split",
  Surrender: "surrender",
  Forfeit: "forfeit",
  Keep: "keep",
};
const CHART_WAIT = 8000; // milliseconds: the last of the waits for a chart, each a little longer than the one before
const NEARLY = 0.0005; // first wagers: choices this close are equally good

/** @param {App} app @param {HTMLElement} main */
export function open(app, main) {
  if (!document.querySelector(`link[href="${SHEET}"]`))
    document.head.append(make("link", { rel: "stylesheet", href: SHEET }));
  return new Trainer(app, main);
}

class Trainer {
  /** @param {App} app @param {HTMLElement} main */
  constructor(app, main) {
    this.app = app;
    this.progress = new Progress();
    const asked = new URLSearchParams(location.search);
    this.position = asked.get("position") ?? "";
    /** The name of the rulebook; known when the server has listed them. */
    this.book = "";
    this.kind = "daily";
    this.at = 0;
    /** @type {DrillRow[]} */
    this.drills = [];
    /** Whether each drill so far was right. @type {boolean[]} */
    this.marks = [];
    /** Charts by rulebook, as they are fetched. @type {Map<string, Promise<any>>} */
    this.charts = new Map();
    /** The square of the hand that was answered last. @type {import("./chart.js").Mark | null} */
    this.mark = null;
    const waits = make("p", { class: "drill-hands", role: "status" }, "Dealing a hand…");
    this.felt = make("section", { class: "drill-felt", "aria-label": "Hand" }, waits);
    this.side = make("section", { class: "drill-side", "aria-live": "polite" });
    this.gone = new AbortController();
    document.title = "Train · Pontoon";
    main.replaceChildren(make("div", { id: "trainer" }, this._bar(), this.felt, this.side));
    listen(app.settings, (action) => this._key(action), this.gone.signal);
    this._open();
  }

  /** The account may be known only now. */
  update() {
    if (!this.progress.connection) this.progress.load(this.app.connection).catch(() => {});
  }

  close() {
    this.gone.abort();
  }

  /** List the rulebooks, choose the position's, the last one or the usual one, and begin. */
  async _open() {
    try {
      const { rulebooks, usual } = await this.app.connection.rulebooks();
      const names = rulebooks.map(({ name }) => name);
      const wanted = [this.position.split("|")[0], localStorage.getItem(BOOK) ?? ""];
      this.book = wanted.find((name) => names.includes(name)) ?? usual;
      const rules = ({ name, place }) =>
        make("option", { value: name, title: place, selected: name === this.book }, titled(name));
      this.books.replaceChildren(...rulebooks.map(rules));
    } catch (problem) {
      return void this.app.notice(problem.words);
    }
    await this.progress.load(this.app.connection).catch(() => {}); // without it the browser's own record is used
    if (this.gone.signal.aborted) return;
    if (this.position) this._single();
    else this._begin(this.choice.value);
  }

  _bar() {
    const option = ([value, words]) => make("option", { value }, words);
    this.choice = make(
      "select",
      { id: "drill-kind", onchange: () => this._begin(this.choice.value) },
      ...KINDS.map(option),
    );
    this.books = make("select", { id: "drill-book", onchange: () => this._chosen() });
    const shows = (act) => async () => (await act(), this._reveal("start"));
    const chart = button(
      "Strategy chart",
      shows(() => this._chart()),
      { id: "show-chart" },
    );
    const count = button(
      "Counting",
      shows(async () => (await import("./count.js")).counting(this.app, this.side, this.felt, this.book, this._goOn())),
      { id: "show-count" },
    );
    const stats = button(
      "Progress",
      shows(() => this._stats()),
      { id: "show-progress" },
    );
    return make(
      "div",
      { class: "drill-bar" },
      make("h1", {}, "Train"),
      field("Hands", this.choice),
      field("Rules", this.books),
      chart,
      count,
      stats,
      routed("/review", "Review", { id: "show-review" }),
    );
  }

  /** Below the hand on a narrow screen: bring it into view. @param {ScrollLogicalPosition} block */
  _reveal(block) {
    if (matchMedia("(max-width: 999px)").matches) this.side.scrollIntoView({ block });
  }

  _chosen() {
    this.book = this.books.value;
    localStorage.setItem(BOOK, this.book);
    this._begin(this.choice.value);
  }

  /** Fetch drills of a kind. @param {string} kind */
  async _begin(kind) {
    if (!this.book) return this._open(); // the rulebooks were not listed the first time
    this.kind = kind;
    this.choice.value = kind;
    const weak = kind === "daily" ? "" : this.progress.weak(this.book).join();
    const seed = kind === "daily" ? 0 : Date.now();
    const query = new URLSearchParams({ rulebook: this.book, area: kind, weak, seed: String(seed) });
    this._hint();
    const told = await this._prepared(`/api/drills?${query}`);
    if (!told) return;
    this.drills = told.drills;
    this.at = 0;
    this.marks = [];
    this._show();
  }

  /** One position from the address. */
  async _single() {
    const told = await this._prepared(`/api/drills/answer?position=${encodeURIComponent(this.position)}`);
    if (!told) return this._begin("daily");
    this.drills = [told.drill];
    this.kind = "";
    this._show();
  }

  /** An answer of the server, asked again while it calculates. @param {string} path */
  async _prepared(path) {
    for (let tries = 0; tries < 60; tries += 1) {
      try {
        const told = await this.app.connection.get(path);
        if (told.status !== "preparing") return told;
      } catch (problem) {
        return void this.app.notice(problem.words);
      }
      await pause(400);
    }
    return null;
  }

  // --- a drill ---

  /** What to do, beside a hand that is not answered yet. */
  _hint() {
    this.side.replaceChildren(...hints());
  }

  /** From the chart, the count or the progress back to the hands. */
  _goOn() {
    const on = this.answered && this.at + 1 < this.drills.length;
    const back = () => (this._hint(), this._show());
    const next = button(on ? "Next hand →" : "Back to the hands", () => (on ? this._next() : back()), {
      id: "next-drill",
      class: "button go",
    });
    return make("div", { class: "row between drill-next" }, make("span"), next);
  }

  get drill() {
    return this.drills[this.at];
  }

  _show() {
    const { drill } = this;
    if (!drill) return this._done();
    this.answered = false;
    const title = KINDS.find(([name]) => name === this.kind)?.[1] ?? "All hands";
    this.where = make("span", {});
    this.markRow = make("div", { class: "marks", "aria-hidden": "true" });
    this._score();
    const fan = (cards, label) =>
      make(
        "div",
        { class: "fanned", role: "img", "aria-label": `${label}: ${cards.join(" ")}` },
        ...cards.map((card) => cardPicture(card)),
      );
    this.choices = make("div", { class: "drill-choices" }, ...drill.may.map((action) => this._choice(action)));
    this.felt.replaceChildren(
      make("div", { class: "row between" }, make("b", {}, this.position ? "Your position" : title), this.where),
      this.markRow,
      make(
        "div",
        { class: "drill-hands" },
        make("small", { class: "kicker" }, "Dealer"),
        fan([drill.dealer], "Dealer"),
        fan(drill.hand, "Your hand"),
        make("p", {}, make("b", { class: "pill gold" }, drill.words), " Your bet: $25"),
      ),
      this.choices,
    );
  }

  /** How many of the set were right, in words and as a row of marks. */
  _score() {
    const right = this.marks.filter(Boolean).length;
    const { length } = this.drills;
    this.where.textContent = length > 1 ? `Hand ${this.at + 1} of ${length} · ${right} right` : this.drill.title;
    const kind = (at) => (at < this.marks.length ? (this.marks[at] ? "right" : "wrong") : "");
    this.markRow.replaceChildren(...this.drills.map((_, at) => make("i", { class: kind(at) })));
  }

  _choice(action) {
    const key = Object.keys(KEYS).find((name) => KEYS[name] === action) ?? "";
    const icon = make("i", { class: `icon ${action}`, "aria-hidden": "true" }, SIGNS[action] ?? "");
    const texts = make(
      "span",
      { class: "texts" },
      make("span", { class: "label" }, key),
      make("small", { class: "says" }, SAYS[action] ?? ""),
    );
    return make(
      "button",
      {
        type: "button",
        class: "action",
        id: `choose-${action}`,
        "data-action": action,
        onclick: () => this._choose(action),
      },
      icon,
      texts,
    );
  }

  _key(action) {
    if (action === "Confirm" && this.answered) return this._next();
    const wanted = KEYS[action];
    if (wanted && this.drill?.may.includes(wanted)) this._choose(wanted);
  }

  /** @param {string} action */
  async _choose(action) {
    if (this.answered || !this.drill) return;
    this.answered = true;
    const { drill } = this;
    const told = await this._prepared(`/api/drills/answer?position=${encodeURIComponent(drill.position)}`);
    if (!told || drill !== this.drill) return;
    const [best] = told.choices;
    const chosen = told.choices.find((one) => one.action === action) ?? best;
    const isRight = best.value - chosen.value < NEARLY;
    const cost = isRight ? 0 : Math.round((best.cents - chosen.cents) * 10) / 10;
    this.marks.push(isRight);
    this._score();
    this.progress.add({
      day: today(),
      book: this.book,
      cell: drill.cell,
      area: drill.area,
      position: drill.position,
      chosen: action,
      best: best.action,
      cost,
    });
    this._mark(action, best.action);
    this._explain(told, chosen, cost, isRight);
  }

  _mark(chosen, best) {
    for (const one of this.choices.children) {
      const { action } = one.dataset;
      one.classList.toggle("best", action === best);
      one.classList.toggle("wrong", action === chosen && action !== best);
      one.querySelector(".says").textContent =
        action === best
          ? action === chosen
            ? "Best, your choice"
            : "Best"
          : action === chosen
            ? "Your choice"
            : SAYS[action];
    }
  }

  /** @param {DrillAnswer} told */
  _explain(told, chosen, cost, isRight) {
    const values = told.choices.map((one) => one.cents);
    const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
    const place = (value) => ((value - low) / (high - low || 1)) * 100;
    const row = (one, at) => {
      const bar = make("span", { class: "bar-line" });
      const fill = make("i", { class: at === 0 ? "best" : one.action === chosen.action ? "wrong" : "" });
      fill.style.left = `${place(Math.min(0, one.cents))}%`;
      fill.style.width = `${Math.max(1, place(Math.max(0, one.cents)) - place(Math.min(0, one.cents)))}%`;
      const zero = make("u");
      zero.style.left = `${place(0)}%`;
      bar.append(fill, zero);
      const mine = one.action === chosen.action && make("small", {}, " your choice");
      return make(
        "tr",
        {},
        make("th", { scope: "row" }, one.action, mine),
        make("td", {}, bar),
        make("td", { class: "money" }, signed(one.cents)),
      );
    };
    const title = isRight ? "Right" : `${word(told.choices[0].action)} was better`;
    const price =
      cost && make("p", { class: "price" }, `Costs ${cents(cost)} each time, ${cents(cost * 100)} in 100 such hands`);
    const chart = make("div", { class: "chart-place" });
    const share = `${location.origin}/train?position=${encodeURIComponent(told.drill.position)}`;
    const copy = button(
      "Copy link",
      () => navigator.clipboard?.writeText(share).then(() => (copy.textContent = "Copied")),
      { class: "button small" },
    );
    const next = button(this.at + 1 < this.drills.length ? "Next hand →" : "Finish", () => this._next(), {
      id: "next-drill",
      class: "button go",
    });
    const clauses = make("small", { class: "muted" }, `Rule ${chosen.clauses.join(", ")}`);
    this.side.replaceChildren(
      make("h2", { class: isRight ? "good" : "bad" }, title),
      ...(price ? [price] : []),
      make("p", { class: "muted" }, "Average result on a $25 bet. The line is zero."),
      make("table", { class: "worths" }, make("tbody", {}, ...told.choices.map(row))),
      make("p", { class: "why-box" }, told.why),
      chart,
      make("div", { class: "row between drill-next" }, make("span", { class: "row" }, copy, clauses), next),
    );
    next.focus({ preventScroll: true });
    this._reveal("nearest");
    this._square(chart, told);
  }

  /**
   * The square of the chart with its neighbours; after a start the server may still be calculating the chart.
   * @param {HTMLElement} place
   * @param {DrillAnswer} told
   */
  async _square(place, { square, drill }) {
    for (let wait = 500; !square && wait <= CHART_WAIT && place.isConnected; wait *= 1.3) {
      await pause(wait);
      const path = `/api/drills/answer?position=${encodeURIComponent(drill.position)}`;
      square = (await this.app.connection.get(path).catch(() => null))?.square;
    }
    if (!square) return;
    const chart = await this._loadChart();
    this.mark = markOf(square);
    if (chart && place.isConnected) place.replaceChildren(chartGrid(chart, this.mark));
  }

  _loadChart() {
    if (!this.charts.has(this.book))
      this.charts.set(
        this.book,
        this.app.connection.get(`/api/charts/${this.book}`).catch(() => null),
      );
    return this.charts.get(this.book);
  }

  _next() {
    this.at += 1;
    this.mark = null;
    this.position = "";
    this._hint();
    this._show();
  }

  // --- after the set ---

  _done() {
    const right = this.marks.filter(Boolean).length;
    if (this.kind === "daily" && this.drills.length) this.progress.finished();
    const { streak } = this.progress;
    const run = streak > 1 ? `${streak} days in a row.` : "Come back tomorrow for the next 20.";
    const again = button("Another 20 hands", () => this._begin(""), { id: "more-drills", class: "button go big" });
    this.felt.replaceChildren(
      make(
        "div",
        { class: "drill-done" },
        make("h2", {}, `${right} of ${this.drills.length} right`),
        make("p", {}, this.kind === "daily" ? run : ""),
        again,
        routed("/", "Play", { class: "button big" }),
      ),
    );
    const mistakes = this.progress.answers.slice(-this.marks.length).filter((one) => one.cost);
    this.side.replaceChildren(
      make(
        "h2",
        {},
        mistakes.length ? `Mistakes cost ${cents(mistakes.reduce((sum, one) => sum + one.cost, 0))}` : "No mistakes",
      ),
      mistakesTable(mistakes),
    );
  }

  async _stats() {
    const { progress } = this;
    if (!progress.connection) await progress.load(this.app.connection).catch(() => {});
    const all = progress.answers.length;
    if (!all)
      return void this.side.replaceChildren(
        make("h2", {}, "Progress"),
        make("p", {}, "Answer a few hands first."),
        this._goOn(),
      );
    const erase = button("Delete my progress", async () => {
      try {
        await progress.clear();
      } catch (problem) {
        return void this.app.notice(problem.words);
      }
      this._stats();
    });
    this.side.replaceChildren(
      make("h2", {}, "Progress"),
      make("p", {}, `${counted(all, "hand")} answered, ${counted(progress.streak, "day")} in a row.`),
      ...progressTables(progress, KINDS),
      make("h3", {}, "Your costliest mistakes"),
      mistakesTable(costliest(progress.answers)),
      make("p", { class: "muted" }, progress.connection ? "Stored with your account." : "Stored in this browser only."),
      make("div", { class: "row" }, erase, routed("/players", "Leaderboard", { id: "show-leaders" })),
      this._goOn(),
    );
  }

  async _chart() {
    this.side.replaceChildren(
      make("h2", {}, `Strategy chart, ${titled(this.book)}`),
      make("p", { role: "status" }, "Drawing the chart. The first time takes a few seconds."),
    );
    const chart = await this._loadChart();
    if (!chart) return;
    const print_ = button("Print", () => print(), { id: "print-chart" });
    this.side.replaceChildren(
      make("div", { class: "row between" }, make("h2", {}, `Strategy chart, ${titled(this.book)}`), print_),
      chartGrid(chart, this.mark, true),
      this._goOn(),
    );
  }
}
