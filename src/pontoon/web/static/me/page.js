// The user's own page: sign in, create an account, keep a guest's name, sign out; what was practised, and where to go.
import { sign } from "../card.js";
import { Door } from "../door.js";
import { counted, dollars, make } from "../parts.js";
import { Progress } from "../train/progress.js";

/** Addresses, titles, words and signs of what belongs to a player. @type {[string, string, string, string][]} */
const PLACES = [
  ["/players", "My statistics", "By area, and whether others see them.", "fairness"],
  ["/review", "Review my rounds", "Every mistake of your last rounds, its cost and the reason.", "history"],
  ["/train", "Train", "Today’s 20 hands, the strategy chart, counting.", "coach"],
  ["/players", "Leaderboard", "Who makes the cheapest mistakes. Luck has no part in it.", "together"],
  ["/tables", "Tables", "Play with others, or make a table of your own.", "rules"],
];

/** @param {App} app @param {HTMLElement} main */
export function open(app, main) {
  const door = new Door(app);
  const progress = new Progress();
  const title = make("h1", {});
  const facts = make("dl", { class: "facts-row" });
  const [own, ...others] = PLACES.map(tile);
  own.id = "my-statistics";
  const show = () => {
    const { me } = app.connection;
    title.textContent = me?.name ?? "Sign in";
    own.hidden = !me || me.guest;
    if (me) own.href = `/players/${encodeURIComponent(me.name)}`;
    facts.replaceChildren(...(me ? factRows(me, progress) : []).flatMap(fact));
  };
  const words = "Play chips only: nothing here is worth money. An account keeps your name and your chips.";
  main.replaceChildren(
    make(
      "div",
      { class: "reading wide" },
      title,
      make("p", {}, words),
      door.element,
      facts,
      make("div", { class: "home-cards tiles" }, own, ...others),
    ),
  );
  document.title = "You · Pontoon";
  show();
  const read = () => progress.connection || progress.load(app.connection).then(show, () => {});
  return { update: () => (door.update(), show(), read()), close() {} };
}

const tile = ([href, name, words, mark]) =>
  make("a", { href, "data-route": true, class: "home-card" }, sign(mark), make("h2", {}, name), make("p", {}, words));

const fact = ([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, value));

/** Chips, and what the trainer has recorded. @param {Me} me @param {Progress} progress @returns {[string, string][]} */
function factRows(me, { answers, streak }) {
  const right = answers.filter((one) => !one.cost).length;
  const cost = answers.reduce((sum, one) => sum + one.cost, 0);
  /** @type {[string, string][]} */
  const chips = [
    ["Chips", dollars(me.wallet)],
    ["Practice chips", dollars(me.practice ?? 0)],
  ];
  if (!answers.length) return chips;
  return [
    ...chips,
    ["Answered in the trainer", counted(answers.length, "hand")],
    ["Best play", `${Math.round((right / answers.length) * 100)}%`],
    ["Mistakes cost in 100 hands", dollars(Math.round((cost / answers.length) * 100))],
    ["Daily set", streak ? `${counted(streak, "day")} in a row` : "not yet today"],
  ];
}
