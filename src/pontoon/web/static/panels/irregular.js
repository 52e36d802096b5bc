// Irregularities: every kind of error, what the document does about it, and what each remedy makes of the money.
import { button, field, make } from "../parts.js";
import { cite, grid } from "./part.js";

/** Fill this part of the desk, once: what is chosen there is not to be lost while the game goes on. */
export function irregularities(desk, place, errors) {
  if (place.firstElementChild) return;
  const rulebook = () => desk.model.view.rulebook;
  const kind = make("select", {}, ...errors.map((one) => make("option", { value: one.kind }, one.words)));
  const box = make("input", { type: "number", min: 0, max: 7, value: 0 });
  const says = make("div", { class: "stack", role: "status" });
  const show = () =>
    says.replaceChildren(
      ...document_(
        errors.find((one) => one.kind === kind.value),
        rulebook(),
      ),
    );
  const ask = async () => {
    show();
    const told = await desk.attempt(() =>
      desk.connection.get(`/api/tables/${desk.model.id}/irregularities/${kind.value}?box=${Number(box.value)}`),
    );
    if (told) says.append(...remedies(told.ruling, rulebook()));
  };
  kind.addEventListener("change", show);
  place.append(
    make(
      "div",
      { class: "row" },
      field("What went wrong", kind),
      field("Box, 0 is none", box),
      button("Remedies now", ask),
    ),
    says,
  );
  show();
}

function document_(error, rulebook) {
  const silent = error.silent ? "The document has no rule; the house decides. " : "";
  const says = make("p", {}, silent, error.says, " ", cite(error.clauses, error.says, rulebook));
  return [says, make("p", { class: "muted" }, `Approves: ${error.approval.join("; ") || "nobody is named"}`)];
}

/** What everybody has if all stand from here, else what is decided so far. */
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
    "Lawful remedies, and everybody's money after each",
    ["Remedy", "What is done", "Clause", "Money after"],
    rows,
  );
  return [
    make("p", {}, `As it stands: ${money(before)}`),
    rows.length ? table : make("p", {}, "No remedy is open at this moment."),
  ];
}
