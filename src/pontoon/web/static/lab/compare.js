// Two casinos side by side: their edges, and every rule that they have differently.
import { make } from "../parts.js";
import { casino, counted, money, percent } from "./words.js";

export class Compare {
  constructor() {
    this.title = make("h2", { id: "lab-compare-title" }, "Side by side");
    this.body = make("div", {});
    this.element = make("section", {
      class: "lab-card lab-compare",
      "aria-labelledby": "lab-compare-title",
      hidden: true,
    });
    this.element.append(this.title, this.body);
  }

  /** @param {Lab.EdgePart | null} edge @param {Lab.State} state */
  show(edge, state) {
    this.element.hidden = !edge || !state.against;
    if (!edge || !state.against) return;
    const changes = edge.changes.length ? `, ${counted(edge.changes.length, "rule")} changed` : "";
    const names = [casino(state.rulebook) + changes, casino(state.against)];
    const main = edge.differences.filter((one) => one.main);
    const rest = edge.differences.filter((one) => !one.main);
    const more = make("tbody", { hidden: true }, ...rest.map(row));
    const count = rest.length === 1 ? "1 more rule that differs" : `${rest.length} more rules that differ`;
    const fold = rest.length > 0 && unfold(count, more);
    const table = make(
      "table",
      { class: "lab-sides-table" },
      make("thead", {}, make("tr", {}, make("td"), ...names.map((name) => make("th", { scope: "col" }, name)))),
      make("tbody", {}, ...totals(edge, state), ...main.map(row)),
      more,
    );
    this.body.replaceChildren(...[table, fold].filter(Boolean));
  }
}

/** @param {string} words @param {HTMLElement} more */
function unfold(words, more) {
  const open = make("button", { type: "button", class: "link", "aria-expanded": "false" }, words);
  open.addEventListener("click", () => {
    more.hidden = !more.hidden;
    open.setAttribute("aria-expanded", String(!more.hidden));
    open.textContent = more.hidden ? words : "Fewer rules";
  });
  return open;
}

/** @param {Lab.EdgePart} edge @param {Lab.State} state */
function totals({ now, was }, state) {
  const hour = (/** @type {Lab.Side} */ side) => money(side.house_edge * state.stake * state.pace);
  const better = (/** @type {number} */ one, /** @type {number} */ other) =>
    percent(one) !== percent(other) && one < other ? "best" : "";
  const edges = [
    make("td", { class: better(now.house_edge, was.house_edge) }, percent(now.house_edge)),
    make("td", { class: better(was.house_edge, now.house_edge) }, percent(was.house_edge)),
  ];
  const line = (label, cells) => make("tr", { class: "lab-total" }, make("th", { scope: "row" }, label), ...cells);
  const plain = (...texts) => texts.map((text) => make("td", {}, text));
  return [
    line("House edge", edges),
    line("An hour costs", plain(hour(now), hour(was))),
    line("Packs", plain(String(now.packs), String(was.packs))),
  ];
}

/** @param {Lab.Difference} one */
function row(one) {
  const said = (words, clauses) =>
    make("td", {}, words, " ", clauses.length ? make("span", { class: "lab-clause" }, `Rule ${clauses[0]}`) : "");
  return make(
    "tr",
    {},
    make("th", { scope: "row" }, one.label),
    said(one.first, one.first_clauses),
    said(one.second, one.second_clauses),
  );
}
