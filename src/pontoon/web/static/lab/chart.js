// The strategy chart: the squares that change, with the old answer crossed out, or all of it.
import { make } from "../parts.js";

const AROUND = 1; // rows shown above and below those that change
const KICKERS = { hard: "Hard totals against the dealer’s card", soft: "Soft totals", pairs: "Pairs" };
const ACTIONS = { S: "Stand", H: "Hit", D: "Double", P: "Split", R: "Surrender" };

/** The colour of a code: the first letter is the action. @param {string} code */
const kind = (code) => `lab-${code[0]}`;

export class Chart {
  constructor() {
    /** @type {Lab.ChartPart | null} */
    this.part = null;
    this.title = make("h2", { id: "lab-chart-title" }, "Strategy chart");
    this.body = make("div", { class: "lab-tables" });
    this.legend = make("p", { class: "lab-legend" });
    this.whole = false;
    this.chosen = false; // whether the user has chosen one of the two
    this.views = make("div", { class: "lab-segments", role: "radiogroup", "aria-label": "Squares to show" });
    const view = (id, words, whole) => {
      const onchange = () => ((this.chosen = true), (this.whole = whole), this._draw());
      return make(
        "label",
        {},
        make("input", { type: "radio", name: "lab-view", id, onchange }),
        make("span", {}, words),
      );
    };
    this.views.append(view("lab-view-changed", "Changed", false), view("lab-view-whole", "Whole chart", true));
    const head = make("div", { class: "lab-chart-head" }, this.title, this.views);
    const named = { class: "lab-card lab-chart", "aria-labelledby": "lab-chart-title", "aria-busy": "true" };
    this.element = make("section", named, head, this.body, this.legend);
    this.busy(true);
  }

  /** @param {boolean} busy while it is being drawn */
  busy(busy) {
    this.element.setAttribute("aria-busy", String(busy));
    if (busy) this.title.textContent = "Drawing the strategy chart…";
  }

  /** @param {Lab.ChartPart} part @param {string} other the casino it is compared with, or nothing */
  show(part, other) {
    this.part = part;
    this.busy(false);
    const squares =
      part.changed === 1 ? "1 square of the strategy chart" : `${part.changed} squares of the strategy chart`;
    if (other) this.title.textContent = part.changed ? `${squares} differ from ${other}` : `The same chart as ${other}`;
    else if (part.changed) this.title.textContent = `${squares} ${part.changed === 1 ? "changes" : "change"}`;
    else this.title.textContent = "No square of the strategy chart changes";
    if (!this.chosen) this.whole = !part.changed;
    this._draw();
  }

  _draw() {
    for (const [id, on] of [
      ["changed", !this.whole],
      ["whole", this.whole],
    ]) {
      const input = /** @type {HTMLInputElement} */ (this.views.querySelector(`#lab-view-${id}`));
      input.checked = Boolean(on);
    }
    if (!this.part) return;
    const { upcards, blocks } = this.part;
    const shown = blocks.filter((block) => this.whole || block.changed);
    this.body.replaceChildren(...shown.map((block) => this._block(block, upcards)));
    this._legend(shown);
  }

  /** @param {Lab.Block} block @param {string[]} upcards */
  _block(block, upcards) {
    const rows = this.whole ? block.rows : near(block.rows);
    const head = make("tr", {}, make("td"), ...upcards.map((card) => make("th", { scope: "col" }, card)));
    const caption = make("caption", { class: "lab-kicker" }, KICKERS[block.name] ?? block.title);
    return make(
      "table",
      { class: "lab-table" },
      caption,
      make("thead", {}, head),
      make("tbody", {}, ...rows.map(line)),
    );
  }

  /** Only the signs that are to be seen. @param {Lab.Block[]} shown */
  _legend(shown) {
    const { legend, changed } = /** @type {Lab.ChartPart} */ (this.part);
    const rows = shown.flatMap((block) => (this.whole ? block.rows : near(block.rows)));
    const seen = rows.flatMap((row) => row.cells.map((one) => one.code + (one.was ?? ""))).join("");
    const sign = ({ sign: text, words }) =>
      ACTIONS[text]
        ? make("span", {}, make("b", { class: kind(text) }, text), ` ${ACTIONS[text]}`)
        : make("span", { class: "muted" }, `${text}: ${words}`);
    const struck = changed > 0 && make("span", { class: "muted" }, "Crossed out: the other answer");
    const used = legend.filter(({ signs }) => [...signs].some((letter) => seen.includes(letter)));
    this.legend.replaceChildren(...used.map(sign), ...(struck ? [struck] : []));
  }
}

/** The rows that change and their neighbours. @param {Lab.Row[]} rows */
function near(rows) {
  const changed = rows.flatMap((row, place) => (row.changed ? [place] : []));
  return rows.slice(Math.max(0, changed[0] - AROUND), (changed.at(-1) ?? 0) + AROUND + 1);
}

/** @param {Lab.Row} row */
function line(row) {
  return make("tr", {}, make("th", { scope: "row" }, row.hand), ...row.cells.map(cell));
}

/** @param {Lab.Cell} one */
function cell({ code, words, was }) {
  const said = make("span", { class: "visually-hidden" }, words);
  const shown = make("span", { "aria-hidden": "true" }, code, was && make("s", {}, was));
  return make("td", { class: `${kind(code)}${was ? " changed" : ""}`, title: words }, shown, said);
}
