// The school: exercises made by the engine, graded with the clause; levels that rise, and a record for everyone.
import { button, counted, dollars, make } from "../parts.js";
import { link } from "./app.js";
import { chips, choice, face, hand, keyed, rulesName } from "./common.js";
import { KINDS, TRAINERS, clauseWords } from "./school_class.js";

/** @param {any} app @param {any} main */
export const open = (app, main) => new Lesson(app, main);

const LEVELS = [1, 2, 3];
const PAD = ["7", "8", "9", "4", "5", "6", "1", "2", "3", "0", ".50", "⌫"];

class Lesson {
  constructor(app, main) {
    this.app = app;
    this.amount = "";
    /** @type {any} */
    this.now = null;
    this.began = 0;
    this.streak = 0;
    /** The level reached in this exercise; 0 for none. */
    this.raised = 0;
    this.answering = false;
    /** Which question of the exercise, and those answered wrongly or late. */
    this.step = 0;
    /** @type {string[]} */
    this.faults = [];
    this.seed = 0;
    this.log = make("ol", { class: "lesson-log", "aria-label": "Answers, newest first" });
    this.record = make("dl", { class: "school-record" });
    this.place = make("section", { class: "stack lesson", "aria-label": "Exercise", "aria-live": "polite" });
    /** The level reached in each kind, and what leads to the next. @type {any[]} */
    this.levels = [];
    this.towards = make("div", { class: "towards" });
    const start = new URLSearchParams(location.search);
    this.choose(start);
    this.arrange(main);
    this.onkey = (event) => this.key(event);
    document.addEventListener("keydown", this.onkey);
    this.begin(start.get("rulebook"));
  }

  /** What can be chosen, as the address wants it. @param {URLSearchParams} start */
  choose(start) {
    this.seed = Number(start.get("seed") ?? Math.floor(Math.random() * 1e6));
    this.kind = choice("Kind of exercise", KINDS, start.get("kind") ?? "payouts", () => this.fresh(true));
    this.book = choice("Rulebook", [], "");
    this.level = choice(
      "Level",
      LEVELS.map((one) => [one, `Level ${one}`]),
      Number(start.get("level") ?? 1),
      () => this.fresh(),
    );
    /** Whether the level follows the person's answers; a level that was chosen stays. */
    this.rising = !start.has("level");
    this.level.addEventListener("click", () => (this.rising = this.level.value === this.reached()?.level));
  }

  /** @param {any} main */
  arrange(main) {
    const trains = TRAINERS.includes(this.app.role()) ? [link("Class", "/school/class")] : [];
    this.app.header("School", [], [...trains, link("Tables", "/floor")]);
    main.replaceChildren(
      make(
        "div",
        { class: "school" },
        make(
          "div",
          { class: "stack" },
          make("div", { class: "school-choices" }, this.kind, this.book, this.level, this.towards),
          this.place,
        ),
        make(
          "aside",
          { class: "stack", "aria-label": "Your record" },
          make("h2", {}, "Your record"),
          this.record,
          this.log,
        ),
      ),
    );
  }

  /** List the rulebooks there are exercises on, and begin. @param {string | null} wanted */
  async begin(wanted) {
    try {
      const { shipped, usual } = await this.app.connection.rulebooks();
      const books = choice(
        "Rulebook",
        shipped.map((name) => [name, rulesName(name)]),
        wanted ?? usual,
        () => this.fresh(),
      );
      this.book.replaceWith(books);
      this.book = books;
      await this.showRecord();
    } catch (problem) {
      return this.app.notice(problem.words, "alarm");
    }
    this.ready = true;
    this.fresh(true);
  }

  close() {
    document.removeEventListener("keydown", this.onkey);
  }

  async showRecord() {
    const reply = await this.app.connection.get("/api/school/record").catch(() => null);
    if (!reply) return;
    this.levels = reply.levels;
    this.showLevel();
    const facts = [
      ["Streak", String(reply.streak)],
      ["Best", String(reply.best)],
      ["Right", `${reply.right} of ${reply.done}`],
      ["A payout takes", reply.seconds ? `${reply.seconds} s` : "–"],
    ];
    this.record.replaceChildren(
      ...facts.map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, value))),
    );
  }

  /** How far the person is with this kind. */
  reached() {
    return this.levels.find((one) => one.kind === this.kind.value);
  }

  /** What leads to the next level. */
  showLevel() {
    const now = this.reached();
    if (!now) return;
    const pace = now.in_time ? " in good time" : "";
    const words = now.streak
      ? `Level ${now.level + 1} after ${now.streak} right answers in a row${pace}: ${now.run} so far`
      : `You have reached level ${now.level}, the highest`;
    const bar = make("progress", { max: now.streak || 1, value: now.streak ? now.run : 1, "aria-label": words });
    this.towards.replaceChildren(bar, make("span", { class: "quiet" }, words));
  }

  /** Another kind, rulebook or level: from the first question. @param {boolean} [kind] whether the kind is another */
  fresh(kind = false) {
    if (!this.ready) return;
    this.step = 0;
    this.faults = [];
    if (kind && this.rising) this.level.set(this.reached()?.level ?? 1);
    this.showLevel();
    this.load();
  }

  async load() {
    if (!this.ready) return;
    const query = new URLSearchParams({
      kind: this.kind.value,
      rulebook: this.book.value,
      level: this.level.value,
      seed: String(this.seed),
      step: String(this.step),
    });
    this.asked = query;
    const reply = await this.app.connection.get(`/api/school/exercise?${query}`).catch((problem) => {
      this.app.notice(problem.words, "alarm");
      return null;
    });
    if (this.asked !== query) return; // another exercise was asked for
    this.now = reply;
    this.amount = "";
    this.began = performance.now();
    this.draw();
  }

  draw(reply = null) {
    const { now } = this;
    if (!now) return;
    const hands = now.hands.map((one) =>
      make(
        "div",
        { class: "felt" },
        make("span", { class: "cap" }, one.title),
        one.cards.length ? hand(one.cards) : make("span", { class: "quiet" }, "No card yet"),
        make("b", {}, reply || now.kind !== "payouts" ? one.words : ""),
      ),
    );
    const said = now.said.replaceAll(/[A2-9JQK][shcd]\b/g, face);
    this.place.replaceChildren(
      ...(now.steps > 1 ? [this.progress()] : []),
      make(
        "h2",
        { class: now.choices.length ? "question ask" : "question" },
        said && make("span", { class: "said" }, `${said}. `),
        now.question,
      ),
      ...(reply ? [] : [clock(now.seconds)]),
      make(
        "div",
        { class: "school-hands" },
        ...hands,
        now.stake ? make("div", { class: "felt" }, make("span", { class: "cap" }, "Wager"), chips(now.stake)) : "",
      ),
      ...(reply ? this.graded(reply) : now.choices.length ? this.choices() : this.pad()),
    );
  }

  progress() {
    const { step, steps } = this.now;
    return make(
      "p",
      { class: "quiet" },
      `Step ${step + 1} of ${steps}`,
      this.faults.length ? `, ${this.faults.length} wrong or late` : "",
    );
  }

  choices() {
    return [
      make(
        "div",
        { class: "answer-list", role: "group", "aria-label": "Answers" },
        ...this.now.choices.map((one, place) => {
          const made = button("", () => this.answer(one), { class: "btn answer", "data-answer": place });
          made.append(make("kbd", {}, String(place + 1)), ` ${one}`);
          return made;
        }),
      ),
    ];
  }

  pad() {
    const shown = make("output", { class: "amount", id: "amount" }, `$${this.amount}`);
    const keys = PAD.map((one) =>
      button(one, () => this.type(one), { class: "btn", "aria-label": one === "⌫" ? "Delete" : one }),
    );
    return [
      make(
        "div",
        { class: "stack pad-side" },
        shown,
        make("div", { class: "pad", role: "group", "aria-label": "Amount" }, ...keys),
        keyed("Pay", "Enter", () => this.pay(), { class: "btn pay", id: "pay" }),
      ),
    ];
  }

  type(one) {
    this.amount = one === "⌫" ? this.amount.slice(0, -1) : this.amount + one;
    const shown = document.getElementById("amount");
    if (shown) shown.textContent = `$${this.amount}`;
  }

  pay() {
    this.answer(String(Math.round(Number(this.amount || "0") * 100)));
  }

  async answer(given) {
    if (this.answering) return; // a second press of the same answer
    this.answering = true;
    try {
      await this.mark(given);
    } catch (problem) {
      this.app.notice(problem.words ?? "The server does not answer. Try again in a moment.", "alarm");
    } finally {
      this.answering = false;
    }
  }

  async mark(given) {
    const { kind, rulebook, level, seed, step, steps } = this.now;
    const took = Math.round(performance.now() - this.began);
    const reply = await this.app.connection.post("/api/school/answers", {
      kind,
      rulebook,
      level,
      seed,
      answer: given,
      took,
      step,
    });
    this.streak = reply.right ? this.streak + 1 : 0;
    const late = took > this.now.seconds * 1000;
    if (steps > 1 && (late || !reply.right))
      this.faults.push(`Step ${step + 1}, ${reply.right ? "late" : "wrong"}: ${reply.answer}${cited(reply)}`);
    this.log.prepend(answerLine(this.now, reply, given, took));
    const before = this.reached()?.level ?? 1;
    await this.showRecord();
    const after = this.reached()?.level ?? before;
    if (after > before) this.raised = after;
    if (kind === "procedure" && reply.right && step + 1 < steps) return this.next(); // the round goes on
    this.draw(reply);
    document.getElementById("next")?.focus();
  }

  graded(reply) {
    const late =
      performance.now() - this.began > this.now.seconds * 1000 ? ` A good dealer takes ${this.now.seconds} s.` : "";
    const plain = reply.why.replace(/\.$/, "");
    return [
      make(
        "div",
        { class: `sheet verdict ${reply.right ? "right" : "wrong"}`, role: "status" },
        make("h2", {}, reply.right ? "Right" : "Wrong"),
        make("p", {}, plain, cited(reply), ".", late),
        reply.clauses.length ? clauseWords(this.app, this.now.rulebook, reply.clauses[0]) : null,
        make("p", { class: "quiet" }, `Streak ${this.streak}`),
      ),
      ...(this.raised ? [make("p", { class: "good raised", role: "status" }, `Level ${this.raised} reached`)] : []),
      ...(this.last() ? this.summary() : []),
      button(this.last() ? "Next exercise" : "Next step", () => this.next(), { class: "btn go", id: "next" }),
    ];
  }

  last() {
    return this.now.step + 1 === this.now.steps;
  }

  /** Each wrong or late step by name. */
  summary() {
    const { steps } = this.now;
    if (steps === 1) return [];
    const right = steps - this.faults.length;
    return [
      make(
        "section",
        { class: "sheet stack", "aria-label": "The whole exercise" },
        make("h3", {}, `${right} of ${counted(steps, "step")} right and in time`),
        make("ol", { class: "lesson-log" }, ...this.faults.map((one) => make("li", { class: "wrong" }, one))),
      ),
    ];
  }

  next() {
    const over = this.last();
    this.step = over ? 0 : this.step + 1;
    if (over) {
      this.seed += 1;
      this.faults = [];
      this.raised = 0;
      if (this.rising) this.level.set(this.reached()?.level ?? 1);
    }
    this.load();
  }

  key(event) {
    if (!this.now || event.ctrlKey || event.metaKey) return;
    const next = document.getElementById("next");
    if (event.key === "Enter" && !next && !this.now.choices.length) return this.pay();
    if (next || event.target.tagName === "INPUT") return;
    const place = Number(event.key) - 1;
    if (this.now.choices.length) return this.now.choices[place] && this.answer(this.now.choices[place]);
    if (/^[0-9.]$/.test(event.key)) this.type(event.key);
    if (event.key === "Backspace") this.type("⌫");
  }
}

/**
 * A line of the list of answers: what was right, the clause, the time, and what was said instead.
 * @param {any} now
 * @param {any} reply
 * @param {string} given
 * @param {number} took in milliseconds
 */
function answerLine(now, reply, given, took) {
  const said = now.choices.length ? given : dollars(Number(given) || 0);
  const late = took > now.seconds * 1000;
  const verdict = reply.right ? (late ? "late" : "right") : "wrong";
  const what = now.choices.length ? reply.answer : reply.why.replace(/\.$/, "");
  return make(
    "li",
    { class: verdict },
    make("span", { class: "mark", "aria-hidden": "true" }, reply.right ? "✓" : "✗"),
    make(
      "span",
      { class: "what" },
      make("b", {}, what),
      make("small", {}, [verdict, reply.clauses[0] && `clause ${reply.clauses[0]}`].filter(Boolean).join(", ")),
      !reply.right && make("small", {}, `You said: ${said || "nothing"}`),
    ),
    make("span", { class: "took" }, `${(took / 1000).toFixed(1)} s`),
  );
}

/** A bar that fills in the time a good dealer takes. @param {number} seconds */
function clock(seconds) {
  const bar = make("div", { class: "clock", "aria-hidden": "true" });
  bar.style.setProperty("--seconds", `${seconds}s`);
  return bar;
}

/** " (clause 14.1)". @param {any} reply */
const cited = (reply) => (reply.clauses.length ? ` (clause ${reply.clauses.join(", ")})` : "");
