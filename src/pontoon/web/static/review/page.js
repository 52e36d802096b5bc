// The review of a session: every mistake with its cost, the worst first, and the result broken down.
import { cardPicture } from "../card.js";
import { button, counted, dollars, field, make, net, pause, routed } from "../parts.js";
import { shareDialog } from "../hand/share.js";

const SHEETS = ["/static/train/train.css", "/static/review/review.css"];
const MOST = 100; // rounds
const APART = 3_600_000; // milliseconds without a round that end a session
/** @type {[string, string][]} */
const SPANS = [
  ["session", "Last session"],
  ["all", `Last ${MOST} rounds`],
];

/** @param {App} app @param {HTMLElement} main */
export function open(app, main) {
  for (const href of SHEETS)
    if (!document.querySelector(`link[href="${href}"]`))
      document.head.append(make("link", { rel: "stylesheet", href }));
  const page = new Review(app, main);
  page.start();
  return { update() {}, close: () => (page.closed = true) };
}

class Review {
  /** @param {App} app @param {HTMLElement} main */
  constructor(app, main) {
    this.app = app;
    this.closed = false;
    this.asked = 0;
    const option = ([value, words]) => make("option", { value }, words);
    this.span = make("select", { id: "review-span", onchange: () => this.start() }, ...SPANS.map(option));
    this.title = make("h1", {}, "Review");
    this.line = make("p", { class: "muted", role: "status" });
    this.practise = routed("/train", "Practise the worst hand", { class: "button go", id: "practise", hidden: true });
    this.body = make("div", { class: "stack" });
    const head = make(
      "header",
      { class: "review-head" },
      make("div", {}, this.title, this.line),
      make("div", { class: "row" }, field("Rounds", this.span), this.practise),
    );
    document.title = "Review · Pontoon";
    main.replaceChildren(make("div", { class: "review-page" }, head, this.body));
  }

  /** Read the rounds, then look over one after the other. */
  async start() {
    const asked = (this.asked += 1);
    const { connection } = this.app;
    this.body.replaceChildren();
    this.practise.hidden = true;
    if (!connection.signedIn) return this._nothing();
    try {
      const { rounds } = await connection.get(`/api/rounds?limit=${MOST}`);
      await this._look(this.span.value === "all" ? rounds : lastSession(rounds), asked);
    } catch (problem) {
      this.app.notice(problem.words);
    }
  }

  /** There is nothing to look over yet: say what will be here, and lead to a table. */
  _nothing() {
    this.line.textContent = "Play a few rounds first: your mistakes are listed here, with their cost.";
    const play = button("Play now", () => this.app.playNow(), { id: "play-now", class: "button go big" });
    this.body.replaceChildren(make("div", { class: "row" }, play, routed("/train", "Train", { class: "button big" })));
  }

  async _look(rounds, asked) {
    /** @type {RoundReview[]} */
    const done = [];
    for (const round of rounds) {
      this.line.textContent = `Looking over round ${done.length + 1} of ${rounds.length}…`;
      const answer = await this._round(round);
      if (this.closed || asked !== this.asked) return;
      if (answer) done.push(answer);
    }
    this._draw(done);
  }

  async _round({ table, number }) {
    for (let tries = 0; tries < 60 && !this.closed; tries += 1) {
      const answer = await this.app.connection.get(`/api/rounds/${table}/${number}/review`);
      if (answer.status !== "preparing") return answer;
      await pause(300);
    }
    return null;
  }

  /** @param {RoundReview[]} rounds */
  _draw(rounds) {
    if (!rounds.length) return this._nothing();
    const mistakes = rounds
      .flatMap((round) => round.mistakes.map((one) => ({ ...one, round })))
      .toSorted((a, b) => b.cents - a.cents);
    const cost = sum(mistakes.map((one) => one.cents));
    const made = sum(rounds.map((one) => one.decisions));
    this.title.textContent = mistakes.length
      ? `${counted(mistakes.length, "mistake")} cost ${cents(cost)}`
      : "No mistakes";
    const best = `${made - mistakes.length} of them best play`;
    this.line.textContent = `${counted(rounds.length, "round")}, ${counted(made, "decision")}, ${best}.`;
    const worst = mistakes.find((one) => one.position);
    this.practise.hidden = !worst;
    if (worst) this.practise.href = trainer(worst.position);
    this.body.replaceChildren(
      make("div", { class: "review-top" }, this._areas(mistakes), this._apart(rounds, cost)),
      ...(mistakes.length ? [this._table(mistakes)] : []),
      make("p", { class: "muted" }, "Costs are exact averages, given the cards already seen in each round."),
    );
  }

  _areas(mistakes) {
    const sums = new Map();
    for (const { area, cents: lost } of mistakes) sums.set(area, (sums.get(area) ?? 0) + lost);
    const row = ([area, lost]) =>
      make("tr", {}, make("th", { scope: "row" }, area), make("td", { class: "money" }, cents(lost)));
    const rows = [...sums].toSorted((a, b) => b[1] - a[1]).map(row);
    const none = make("p", {}, "Nothing was lost to mistakes.");
    const list = make("table", { class: "worths" }, make("tbody", {}, ...rows));
    return make("section", { class: "review-card" }, make("h2", {}, "Where it went"), rows.length ? list : none);
  }

  /** The result as luck, mistakes and house edge. @param {RoundReview[]} rounds @param {number} cost */
  _apart(rounds, cost) {
    const result = sum(rounds.map((one) => one.net));
    const edge = sum(rounds.map((one) => one.expected));
    const part = (amount, words, kind = "") =>
      make("div", { class: kind }, make("b", {}, net(Math.round(amount))), make("small", {}, words));
    return make(
      "section",
      { class: "review-card" },
      make("h2", {}, "Your result, taken apart"),
      make(
        "div",
        { class: "review-parts" },
        part(result, "Result"),
        part(result - edge + cost, "Luck of the cards"),
        part(-cost, "Your mistakes", cost ? "bad" : ""),
        part(edge, "House edge"),
      ),
      make("p", {}, `With the best play and the same luck: ${net(Math.round(result + cost))}.`),
    );
  }

  _table(mistakes) {
    const heads = ["Your hand", "Dealer", "Situation", "You", "Better", "Cost", "Again"];
    const most = mistakes[0].cents;
    const head = make("tr", {}, ...heads.map((words) => make("th", { scope: "col" }, words)));
    const rows = mistakes.map((one) => this._row(one, most));
    const table = make("table", { class: "review-list" }, make("thead", {}, head), make("tbody", {}, ...rows));
    return make("div", { class: "review-card scroll", tabindex: 0, role: "region", "aria-label": "Mistakes" }, table);
  }

  _row(one, most) {
    const fan = (cards) =>
      make(
        "div",
        { class: "fanned small", role: "img", "aria-label": cards.join(" ") },
        ...cards.map((card) => cardPicture(card)),
      );
    const bar = make("i", { class: "cost-bar" });
    bar.style.width = `${Math.max(4, (one.cents / most) * 90)}px`;
    const again = one.position && routed(trainer(one.position), "Practise", { class: "button small" });
    const share = button("Share", () => shareDialog(this.app.connection, one.round), {
      class: "button small",
      title: "Make a link to the whole round",
    });
    return make(
      "tr",
      {},
      make("td", {}, fan(one.cards)),
      make("td", {}, fan([one.dealer])),
      make("td", {}, make("b", {}, upper(one.words)), make("small", { class: "why" }, one.why)),
      make("td", { class: "bad" }, upper(one.chosen)),
      make("td", { class: "good" }, upper(one.best)),
      make("td", { class: "money" }, bar, cents(one.cents)),
      make("td", {}, make("span", { class: "row" }, again, share)),
    );
  }
}

/** The newest rounds up to the first long pause; they come newest first. @param {{at: number}[]} rounds */
function lastSession(rounds) {
  const end = rounds.findIndex((one, at) => at > 0 && rounds[at - 1].at - one.at > APART);
  return end < 0 ? rounds : rounds.slice(0, end);
}

const sum = (values) => values.reduce((all, one) => all + one, 0);
const upper = (words) => words.replace(/^./, (letter) => letter.toUpperCase());
const trainer = (position) => `/train?position=${encodeURIComponent(position)}`;

/** "$0.61", from cents with fractions. @param {number} amount */
const cents = (amount) => dollars(Math.round(amount));
