// A shift change: the dealer who signs in at the table takes over.
import { button, make } from "../parts.js";
import { form } from "./common.js";

/** The button of a dealer whom the log does not know as the dealer of this table; else null. @param {any} page */
export function relief(page) {
  const name = page.connection.me?.name;
  if (page.app.role() !== "dealer" || page.told.dealer === name) return null;
  return button("Take over as dealer", () => takeOver(page, name), { class: "btn small go", id: "take-over" });
}

/** From now on the signed-in dealer deals; within a round a reason is needed. */
function takeOver(page, dealer) {
  if (!["round", "collect"].includes(page.view.phase))
    return page.queue(() => page.give({ type: "ChangeDealer", dealer }));
  const reason = make("input", { required: true, maxlength: 150, placeholder: "taken ill" });
  form(
    "Take over within a round",
    [make("label", { class: "field" }, make("span", {}, "Why the dealer cannot finish the round"), reason)],
    "Take over",
    () => page.give({ type: "ChangeDealer", dealer, reason: reason.value }),
  );
}
