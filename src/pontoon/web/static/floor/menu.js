// The menu of the console: chips, other parts of the floor, what else a dealer may do now, every key.
import { button, dialog, make } from "../parts.js";
import { signOut } from "./app.js";
import { cashier } from "./cashier.js";

/** @param {any} page */
export function openMenu(page) {
  const go = (words, act) => button(words, () => (box.close(), act()), { class: "btn" });
  const items = [
    go("Chips and float", () => cashier(page)),
    go("Next dealer", signOut),
    go("Supervisor's desk", () => page.app.go(`/desk/${page.id}`)),
    go("Pit", () => page.app.go("/pit")),
    go("Tables", () => page.app.go("/floor")),
    go("School", () => page.app.go("/school")),
    go("Sign out", signOut),
  ];
  const others = page.told.others.map((one) => go(one.words, () => page.queue(() => page.give(one.command))));
  const acts = others.length ? [make("h3", {}, "At the table"), make("div", { class: "choice list" }, ...others)] : [];
  const box = dialog("Menu", make("div", { class: "choice" }, ...items), ...acts, make("h3", {}, "Keys"), keys());
  box.append(button("Close", () => box.close(), { class: "btn go" }));
}

/** Every key of the console. */
function keys() {
  const rows = [
    ["7 s, K d", "enter a card: rank, then suit"],
    ["S D P B U", "stand, double, split, absent, surrender"],
    ["Space", "confirm what the band says; tick the payment"],
    ["Shift Space", "all the rest as due"],
    ["E", "paid a different amount"],
    ["Backspace", "undo the last card"],
    ["F8, F9", "report an error, call the supervisor"],
    ["Esc, ?", "clear an alarm; the clause of the band"],
  ];
  return make(
    "dl",
    { class: "keys" },
    ...rows.flatMap(([key, words]) => [make("dt", {}, make("kbd", {}, key)), make("dd", {}, words)]),
  );
}
