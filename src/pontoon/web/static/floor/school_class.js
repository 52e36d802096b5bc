// The class: how everyone does in each kind of exercise, and the weak clauses of one person.
import { button, counted, make } from "../parts.js";
import { link } from "./app.js";
import { rulesName } from "./common.js";

/** @type {[string, string][]} */
export const KINDS = [
  ["payouts", "Payouts"],
  ["procedure", "Procedure"],
  ["spot", "Spot the error"],
  ["rulings", "Rulings"],
  ["document", "The document"],
];
/** Who may look at the class. */
export const TRAINERS = ["game_supervisor", "casino_supervisor", "inspector", "administrator"];
const [LOW, FAIR] = [65, 80];

/** @param {any} app @param {any} main */
export const open = (app, main) => new ClassPage(app, main);

const percent = (topic) => Math.round((100 * topic.right) / topic.done);
const grade = (share) => (share < LOW ? "low" : share < FAIR ? "fair" : "high");

class ClassPage {
  constructor(app, main) {
    this.app = app;
    /** @type {any[]} */
    this.people = [];
    this.sums = make("dl", { class: "sums-row" });
    this.table = make("div", { class: "stack" });
    this.one = make("aside", { class: "sheet stack class-one", "aria-label": "Person", "aria-live": "polite" });
    app.header(
      "School",
      ["Class"],
      [
        link("Exercises", "/school"),
        button("CSV", () => this.save(), { class: "btn small" }),
        button("Print", () => print(), { class: "btn small" }),
      ],
    );
    main.replaceChildren(this.sums, make("div", { class: "class-page" }, this.table, this.one));
    this.load();
  }

  async load() {
    const answer = await this.app.connection.get("/api/school/class").catch((problem) => {
      this.app.notice(problem.words, "alarm");
      return null;
    });
    if (!answer) return;
    this.people = answer.people;
    this.sums.replaceChildren(...sums(answer.people));
    if (!answer.people.length) {
      this.table.replaceChildren(make("p", { class: "quiet" }, "Nobody has done an exercise yet."));
      this.one.hidden = true;
      return;
    }
    const weakest = answer.people.toSorted((one, two) => one.right / one.done - two.right / two.done)[0];
    this.show(weakest);
  }

  /** The table, and one person beside it. @param {any} one */
  show(one) {
    const head = ["Person", ...KINDS.map(([, words]) => words), "Best streak", "Payout"];
    this.table.replaceChildren(
      make(
        "div",
        { class: "scroll", tabindex: 0, role: "region", "aria-label": "Class" },
        make(
          "table",
          { class: "class-grid" },
          make("caption", {}, "Right answers in percent, with the level reached"),
          make("thead", {}, make("tr", {}, ...head.map((name) => make("th", { scope: "col" }, name)))),
          make("tbody", {}, ...this.people.map((row) => this.line(row, row === one))),
          make("tfoot", {}, this.whole()),
        ),
      ),
      make(
        "p",
        { class: "row legend" },
        make("span", { class: "score high" }, `${FAIR} and over`),
        make("span", { class: "score fair" }, `${LOW} to ${FAIR - 1}`),
        make("span", { class: "score low" }, `under ${LOW}`),
      ),
    );
    this.person(one);
  }

  line(row, shown) {
    const cell = (/** @type {[string, string]} */ [kind]) => {
      const topic = row.kinds.find((found) => found.name === kind);
      const level = row.levels.find((found) => found.kind === kind)?.level ?? 1;
      if (!topic) return make("td", {}, make("span", { class: "score none" }, "none"));
      const share = percent(topic);
      return make("td", {}, make("span", { class: `score ${grade(share)}` }, String(share)), levelTag(level));
    };
    const name = button(row.person, () => this.show(row), { class: "btn small", "aria-pressed": String(shown) });
    return make(
      "tr",
      { class: shown ? "shown" : "" },
      make("th", { scope: "row" }, name, make("small", { class: "level" }, counted(row.done, "exercise"))),
      ...KINDS.map(cell),
      make("td", { class: "num" }, String(row.best)),
      make("td", { class: "num" }, row.seconds ? `${row.seconds} s` : "–"),
    );
  }

  /** The class as a whole. */
  whole() {
    const cell = (/** @type {[string, string]} */ [kind]) => {
      const topics = this.people.flatMap((row) => row.kinds.filter((found) => found.name === kind));
      const sum = (key) => topics.reduce((total, one) => total + one[key], 0);
      return make("td", {}, topics.length ? `${percent({ right: sum("right"), done: sum("done") })}` : "–");
    };
    return make("tr", {}, make("th", { scope: "row" }, "Class"), ...KINDS.map(cell), make("td", {}), make("td", {}));
  }

  /** One person's weak clauses, each with what it says. @param {any} one */
  person(one) {
    const weak = one.weak.map((topic) => weakClause(this.app, topic));
    this.one.replaceChildren(
      make("h2", {}, one.person),
      make("p", { class: "quiet" }, `${counted(one.done, "exercise")}, best streak ${one.best}`),
      make("h3", {}, "Weak clauses"),
      ...(weak.length ? weak : [make("p", { class: "good" }, "None: every clause was answered right.")]),
      make("h3", {}, "Levels"),
      make("ul", { class: "plain" }, ...one.levels.map(levelLine)),
    );
  }

  save() {
    const head = ["person", "exercises", "right", "best streak", "seconds for a payout"];
    const kinds = KINDS.flatMap(([kind]) => [`${kind} percent`, `${kind} level`]);
    const rows = this.people.map((one) => [
      one.person,
      one.done,
      one.right,
      one.best,
      one.seconds,
      ...KINDS.flatMap(([kind]) => {
        const topic = one.kinds.find((found) => found.name === kind);
        return [topic ? percent(topic) : "", one.levels.find((found) => found.kind === kind)?.level ?? ""];
      }),
      one.weak.map((topic) => topic.name).join("; "),
    ]);
    const quoted = (value) => `"${String(value).replaceAll('"', '""')}"`;
    const lines = [[...head, ...kinds, "weak clauses"], ...rows].map((row) => row.map(quoted).join(","));
    const address = URL.createObjectURL(new Blob([`${lines.join("\r\n")}\r\n`], { type: "text/csv" }));
    make("a", { href: address, download: "class.csv" }).click();
    URL.revokeObjectURL(address);
  }
}

const levelTag = (level) => make("small", { class: "level" }, `level ${level}`);

function levelLine(one) {
  const name = KINDS.find(([kind]) => kind === one.kind)?.[1];
  const next = one.streak ? `, ${one.run} of ${one.streak} to level ${one.level + 1}` : "";
  return make("li", {}, `${name}: level ${one.level}${next}`);
}

/** What a clause says, as soon as the server answers. @param {any} app @param {string} book @param {string} clause */
export function clauseWords(app, book, clause) {
  const words = make("p", { class: "quiet" });
  app.connection
    .get(`/api/rulebooks/${book}/clauses/${encodeURIComponent(clause)}`)
    .then((answer) => (words.textContent = answer.words))
    .catch(() => {});
  return words;
}

/** A clause with its share of right answers and its own words. @param {any} app @param {any} topic */
function weakClause(app, topic) {
  const [book, clause] = topic.name.split(" ");
  const says = `${topic.right} of ${topic.done} right`;
  return make(
    "div",
    { class: "weak" },
    make("p", { class: "row" }, make("b", {}, `${rulesName(book)} ${clause}`), make("span", { class: "space" }), says),
    make("meter", { min: 0, max: topic.done, low: topic.done * 0.65, value: topic.right, "aria-label": says }),
    clauseWords(app, book, clause),
  );
}

/** @param {any[]} people */
function sums(people) {
  const add = (key) => people.reduce((total, one) => total + one[key], 0);
  const timed = people.filter((one) => one.seconds);
  const seconds = timed.reduce((total, one) => total + one.seconds, 0) / (timed.length || 1);
  const weak = new Map();
  for (const one of people)
    for (const topic of one.weak) weak.set(topic.name, (weak.get(topic.name) ?? 0) + topic.done - topic.right);
  const [worst] = [...weak].toSorted((one, two) => two[1] - one[1]);
  const facts = [
    [people.length === 1 ? "person" : "people", String(people.length)],
    ["exercises", add("done").toLocaleString("en-AU")],
    ["right", add("done") ? `${percent({ right: add("right"), done: add("done") })}%` : "–"],
    ["per payout", timed.length ? `${seconds.toFixed(1)} s` : "–"],
    ["most mistakes", worst ? worst[0].replace(/^\S+/, rulesName) : "none"],
  ];
  return facts.map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, value)));
}
