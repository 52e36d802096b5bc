// What the trainer shows beside the hand besides values and charts: hints, mistakes, progress by area and by day.
import { withSuits } from "../card.js";
import { WORDS } from "../means.js";
import { make, routed } from "../parts.js";
import { cents, dayWords, heading } from "./words.js";

const UNUSUAL = ["Soft 17", "Forfeit", "Surrender"]; // words that players of other games may not know

/** What to do, and words that need explaining. */
export function hints() {
  const rows = WORDS.filter(([name]) => UNUSUAL.includes(name));
  return [
    make("h2", {}, "What would you do?"),
    make("p", {}, "Choose, and see what every choice is worth and why. Nothing is at stake."),
    make("dl", { class: "hints" }, ...rows.flatMap(([name, words]) => [make("dt", {}, name), make("dd", {}, words)])),
  ];
}

/** Mistakes, the worst first. @param {import("./progress.js").Answer[]} answers */
export function mistakesTable(answers) {
  const row = (one) => {
    const [, , hand, dealer] = one.position.split("|");
    const link = routed(`/train?position=${encodeURIComponent(one.position)}`, "Again", { class: "button small" });
    return make(
      "tr",
      {},
      make("td", {}, withSuits(`${hand} against ${dealer}`)),
      make("td", { class: "bad" }, one.chosen),
      make("td", { class: "good" }, one.best),
      make("td", { class: "money" }, cents(one.cost)),
      make("td", {}, link),
    );
  };
  const head = ["Hand", "You", "Better", "Cost", "Practise"].map((words) => heading(words));
  const rows = answers.toSorted((a, b) => b.cost - a.cost).map(row);
  return make("table", { class: "worths" }, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...rows));
}

/**
 * Hands, share of best play and cost of mistakes, by area and by day.
 * @param {import("./progress.js").Progress} progress
 * @param {[string, string][]} kinds the names of the areas and their words
 */
export function progressTables(progress, kinds) {
  const row = ([name, { right, all, cost }]) =>
    make(
      "tr",
      {},
      make("th", { scope: "row" }, kinds.find(([kind]) => kind === name)?.[1] ?? name),
      make("td", {}, String(all)),
      make("td", {}, `${Math.round((right / all) * 100)}%`),
      make("td", { class: "money" }, cents((cost / all) * 100)),
    );
  const table = (first, rows) =>
    make(
      "table",
      { class: "worths" },
      make("thead", {}, make("tr", {}, ...[first, "Hands", "Right", "Cost in 100"].map((words) => heading(words)))),
      make("tbody", {}, ...rows.map(row)),
    );
  const days = progress.days().map(([day, one]) => [dayWords(day), one]);
  return [table("Area", [...progress.areas()]), table("Day", days)];
}
