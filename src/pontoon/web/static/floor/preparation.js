// While the cards are prepared: what to do, and players who sit down meanwhile.
import { button, make } from "../parts.js";

/** One action, with a number if one is needed. @param {any} page @param {any} act */
export function preparation(page, act) {
  const number = act.field
    ? make("input", {
        type: "number",
        id: "act-number",
        min: act.least,
        max: act.most,
        value: act.command[act.field],
      })
    : null;
  const LABELS = { depth: "Cards from the front", behind: "Cards behind the cutting card" };
  const waits = !page.may(act) && act.by !== "dealer";
  return make(
    "div",
    { class: "sheet prepare" },
    make("h2", {}, act.words),
    make("p", { class: "quiet" }, act.detail),
    number && make("label", { class: "field" }, make("span", {}, LABELS[act.field]), number),
    waits && make("p", {}, `The ${act.by.replaceAll("_", " ")} does this on their own device.`),
    act.other && button("Declined", () => page.queue(() => page.give(act.other)), { class: "btn", id: "other" }),
    act.words.startsWith("Spread") &&
      button("Nobody came in time", () => page.queue(() => page.give({ type: "ShowCards", player: "", minutes: 60 })), {
        class: "btn",
      }),
    act.words.startsWith("Show") || act.words.startsWith("Spread") ? firstPlayer(page) : null,
    page.wagers.seating(),
  );
}

function firstPlayer(page) {
  const first = page.view.seats?.[0]?.player;
  if (!first) return make("p", { class: "quiet" }, "Seat the first player, then show the cards.");
  return button(`Shown to ${first}`, () => page.queue(() => page.give({ type: "ShowCards", player: first })), {
    class: "btn go",
  });
}
