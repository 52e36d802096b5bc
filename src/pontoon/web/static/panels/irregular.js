// Irregularities: every kind of error, what the rulebook says, and the money after each remedy.
import { button, field, make } from "../parts.js";
import { cite, grid } from "./part.js";

/**
 * Fill this part of the desk once, so that a selection is not lost while the game continues.
 * @param {any} desk
 * @param {HTMLElement} place
 * @param {ErrorRow[]} errors
 */
export function irregularities(desk, place, errors) {
  if (place.firstElementChild) return;
  const rulebook = () => desk.model.view.rulebook;
  const kind = make("select", {}, ...errors.map((one) => make("option", { value: one.kind }, one.words)));
  const box = make("input", { type: "number", min: 0, max: desk.model.view.cloth.boxes, value: 0 });
  const says = make("div", { class: "stack", role: "status" });
  const show = () => {
    const error = errors.find((one) => one.kind === kind.value);
    if (error) says.replaceChildren(...rule(error, rulebook()));
  };
  const ask = async () => {
    show();
    const answer = await desk.attempt(() =>
      desk.connection.get(`/api/tables/${desk.model.id}/irregularities/${kind.value}?box=${Number(box.value)}`),
    );
    if (answer) says.append(...remedies(answer.ruling, rulebook()));
  };
  kind.addEventListener("change", show);
  place.append(
    make(
      "div",
      { class: "row" },
      field("What went wrong", kind),
      field("Box (0 for none)", box),
      button("Show remedies", ask),
    ),
    says,
  );
  show();
}

/** What the rulebook says about an error. @param {ErrorRow} error @param {string} rulebook */
function rule(error, rulebook) {
  const silent = error.silent ? "The rulebook has no rule for this; the house decides. " : "";
  const says = make("p", {}, silent, error.says, " ", cite(error.clauses, error.says, rulebook));
  return [says, make("p", { class: "muted" }, `Approval: ${error.approval.join("; ") || "not specified"}`)];
}

/** Each player's result if all stand from here, or what is decided so far. */
function money(position) {
  const amounts = Object.entries(position?.if_all_stand ?? position?.net ?? {});
  return amounts.map(([name, amount]) => `${name} ${amount}`).join(", ") || "open";
}

function remedies({ before, remedies: found }, rulebook) {
  const rows = found.map((one) => [
    one.name,
    one.words,
    cite(one.clauses, one.words, rulebook),
    one.refused ?? money(one.after),
  ]);
  const table = grid(
    "Remedies, and each player's money after each",
    ["Remedy", "Action", "Clause", "Money after"],
    rows,
  );
  return [make("p", {}, `Now: ${money(before)}`), rows.length ? table : make("p", {}, "No remedy is available now.")];
}
