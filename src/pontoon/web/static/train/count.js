// Counting practice: cards one after the other, then a question about the running count, or the play by the true count.
import { cardPicture } from "../card.js";
import { button, counted, field, make, pause, titled } from "../parts.js";

/** @type {[number, string][]} */
const SPEEDS = [
  [1500, "slow"],
  [900, "normal"],
  [500, "fast"],
  [300, "very fast"],
];
const TRIES = 200;

/**
 * @param {App} app
 * @param {HTMLElement} side
 * @param {HTMLElement} felt
 * @param {string} book
 * @param {HTMLElement} back the way back to the hands
 */
export async function counting(app, side, felt, book, back) {
  side.replaceChildren(make("h2", {}, "Counting"), make("p", { role: "status" }, "Calculating the count…"));
  const told = await prepared(app, side, `/api/counts/${book}`);
  if (told) draw(app, side, felt, told, book);
  side.append(back);
}

/**
 * An answer from the server, asked for again while it calculates.
 * @param {App} app
 * @param {HTMLElement} side
 * @param {string} path
 */
async function prepared(app, side, path) {
  for (let tries = 0; tries < TRIES && side.isConnected; tries += 1) {
    const told = await app.connection.get(path).catch((problem) => void app.notice(problem.words));
    if (!told || told.status !== "preparing") return told;
    await pause(500);
  }
  return null;
}

/** @param {App} app @param {HTMLElement} side @param {HTMLElement} felt @param {CountTags} told @param {string} book */
function draw(app, side, felt, told, book) {
  const option = ([value, words]) => make("option", { value, selected: words === "normal" }, words);
  const speed = make("select", { id: "count-speed" }, ...SPEEDS.map(option));
  const pack = told.pack.length;
  const lengths = [pack / 4, pack / 2, pack].map((value) => make("option", { value }, `${value} cards`));
  const length = make("select", { id: "count-length" }, ...lengths);
  const tag = ([rank, value]) => make("span", { class: "tag-pair" }, make("b", {}, rank), ` ${signed(value)}`);
  const says = make("p", { role: "status" });
  const begin = () => run(felt, says, told, Number(speed.value), Number(length.value));
  const byCount = async () => {
    says.textContent = "Calculating when the count changes a play. The first time takes about a minute.";
    const path = `/api/counts/${book}/plays?seed=${Date.now()}`;
    const found = await prepared(app, side, path);
    if (!found || !says.isConnected) return;
    says.textContent = "Divide the running count by the packs left; then choose.";
    new Plays(felt, says, found.plays, () => Number(speed.value)).show();
  };
  side.replaceChildren(
    make("h2", {}, "Counting"),
    make("p", {}, "Each card has a number. Add up the numbers of the cards that come out: a high count favours you."),
    make("p", { class: "tags" }, ...told.tags.map(tag)),
    make("p", { class: "muted" }, told.words),
    make("div", { class: "row" }, field("Speed", speed), field("Cards", length)),
    make(
      "p",
      { class: "row" },
      button("Running count", begin, { id: "count-start", class: "button go" }),
      button("Play by the count", byCount, { id: "count-plays" }),
    ),
    says,
  );
}

/** The first cards of a shuffled shoe. @param {CountTags} told @param {number} length */
function dealt({ pack, packs }, length) {
  const shoe = Array.from({ length: packs }, () => pack).flat();
  return Array.from({ length }, () => shoe.splice(Math.floor(Math.random() * shoe.length), 1)[0]);
}

/** Show the cards, then ask for the count. */
async function run(felt, says, told, speed, length) {
  const cards = dealt(told, length);
  const place = make("div", { class: "count-card" });
  felt.replaceChildren(make("b", {}, "Keep the running count"), place);
  felt.scrollIntoView({ block: "nearest" });
  for (const card of cards) {
    if (!place.isConnected) return;
    place.replaceChildren(cardPicture(card));
    await pause(speed);
  }
  const tag = (card) => told.tags.find(([ranks]) => ranks.includes(card[0]))?.[1] ?? 0;
  const right = cards.reduce((sum, card) => sum + tag(card), 0);
  const guess = make("input", { id: "count-guess", inputmode: "numeric", size: 5, autocomplete: "off" });
  const packs = told.packs - cards.length / told.pack.length;
  const onsubmit = (event) => {
    event.preventDefault();
    const off = Number(guess.value.replace("−", "-")) - right;
    const verdict = off
      ? `Off by ${Math.abs(off)}: the running count is ${signed(right)}.`
      : `Right: ${signed(right)}.`;
    says.textContent = `${verdict} With ${packs.toFixed(1)} packs left the true count is ${signed(right / packs, 1)}.`;
  };
  const check = make("button", { class: "button go" }, "Check");
  felt.replaceChildren(
    make(
      "div",
      { class: "drill-done" },
      make("form", { class: "row", onsubmit }, field("Running count", guess), check),
    ),
  );
  guess.focus();
}

/** A number with its sign, and a true minus. @param {number} value @param {number} [digits] */
const signed = (value, digits = 0) =>
  `${Number(value.toFixed(digits)) > 0 ? "+" : ""}${value.toFixed(digits)}`.replace("-", "−");

/** Hands to decide by the count: cards come out, then a hand is to be played. */
class Plays {
  /** @param {HTMLElement} felt @param {HTMLElement} says @param {any[]} plays @param {() => number} speed */
  constructor(felt, says, plays, speed) {
    this.felt = felt;
    this.says = says;
    this.plays = plays;
    this.speed = speed;
    this.at = 0;
    this.right = 0;
  }

  get play() {
    return this.plays[this.at];
  }

  async show() {
    const { play } = this;
    const place = make("div", { class: "count-card" });
    this.felt.replaceChildren(
      make("b", {}, `Hand ${this.at + 1} of ${this.plays.length}: the running count is ${signed(play.before)}`),
      place,
    );
    this.felt.scrollIntoView({ block: "nearest" });
    await pause(this.speed() * 2);
    for (const card of play.cards) {
      if (!place.isConnected) return;
      place.replaceChildren(cardPicture(card));
      await pause(this.speed());
    }
    if (place.isConnected) this._ask();
  }

  _ask() {
    const { play } = this;
    const fan = (cards, label) =>
      make(
        "div",
        { class: "fanned", role: "img", "aria-label": `${label}: ${cards.join(" ")}` },
        ...cards.map((card) => cardPicture(card)),
      );
    const choice = (action) =>
      button(titled(action), () => this._chosen(action), { class: "action", "data-do": action });
    this.choices = make("div", { class: "drill-choices" }, ...play.may.map(choice));
    this.felt.replaceChildren(
      make("b", {}, `About ${counted(play.packs_left, "pack")} left: what do you play?`),
      make("span", { class: "quiet" }, "Count the hand and the dealer’s card too."),
      make(
        "div",
        { class: "drill-hands" },
        make("span", { class: "kicker" }, "Dealer"),
        fan([play.dealer], "Dealer"),
        make("span", { class: "kicker" }, `You: ${play.words}`),
        fan(play.hand, "You"),
      ),
      this.choices,
    );
    /** @type {HTMLElement | null} */ (this.choices.firstElementChild)?.focus({ preventScroll: true });
  }

  /** @param {string} action */
  _chosen(action) {
    const { play } = this;
    const good = action === play.best;
    this.right += Number(good);
    const true_count = signed(play.true_count, 1);
    const count = `${signed(play.running)} divided by ${play.packs_left} is a true count of ${true_count}`;
    const verdict = good ? "Right." : `${titled(play.best)} is best.`;
    this.says.textContent = `${verdict} ${count}. ${play.rule} Basic strategy: ${play.basic}.`;
    this.at += 1;
    const over = this.at === this.plays.length;
    const next = button("Next hand", () => this.show(), { class: "button go", id: "count-next" });
    const score = make("p", { role: "status" }, `${this.right} of ${this.at} right`);
    this.choices.replaceChildren(over ? score : next);
    if (!over) next.focus({ preventScroll: true });
  }
}
