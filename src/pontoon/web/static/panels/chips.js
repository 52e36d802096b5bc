// The chip graph: one line for each player; the leaders in colour with their names, the user's own line thick.
import { dollars, make } from "../parts.js";

const [NARROW, WIDEST, HIGH] = [300, 760, 280];
const [LEFT, RIGHT, TOP, BOTTOM] = [58, 96, 12, 28]; // margins
const LEADERS = 3;
const APART = 15; // between two names at the ends of lines
const SVG = "http://www.w3.org/2000/svg";
const STEPS = [1, 2, 2.5, 5, 10];

function draw(tag, attributes, text = "") {
  const one = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) one.setAttribute(name, String(value));
  if (text) one.textContent = text;
  return one;
}

/** Round amounts for the horizontal lines: 0, 500, 1000. @param {number} most */
function marksTo(most) {
  const rough = most / 4;
  const ten = 10 ** Math.floor(Math.log10(Math.max(rough, 1)));
  const step = STEPS.map((one) => one * ten).find((one) => one >= rough) ?? rough;
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, place) => place * step);
}

/**
 * Names at the right end, moved apart so that all can be read.
 * @template {{y: number}} T
 * @param {T[]} ends
 * @returns {T[]}
 */
function apart(ends) {
  const placed = ends.toSorted((one, other) => one.y - other.y);
  for (let at = 1; at < placed.length; at += 1) placed[at].y = Math.max(placed[at].y, placed[at - 1].y + APART);
  const over = Math.max(0, (placed.at(-1)?.y ?? 0) - (HIGH - BOTTOM));
  for (const one of placed) one.y -= over;
  return placed;
}

class ChipGraph extends HTMLElement {
  watching = new ResizeObserver(() => this.update(...this.shown));
  /** History and user drawn last. @type {[ChipLine[], string]} */
  shown = [[], ""];
  drawn = "";

  connectedCallback() {
    this.watching.observe(this);
  }

  disconnectedCallback() {
    this.watching.disconnect();
  }

  /** @param {ChipLine[]} history best first @param {string} me */
  update(history, me) {
    this.shown = [history, me];
    const wide = Math.min(WIDEST, Math.max(NARROW, this.clientWidth || 640)); // so that letters keep their size
    const now = JSON.stringify([history, me, wide]);
    if (now === this.drawn || !history.length) return;
    this.drawn = now;
    const points = history.flatMap((one) => one.points);
    const rounds = Math.max(1, ...points.map(([round]) => round));
    const most = Math.max(100, ...points.map(([, chips]) => chips)) * 1.04;
    const x = (round) => LEFT + (round / rounds) * (wide - LEFT - RIGHT);
    const y = (chips) => HIGH - BOTTOM - (chips / most) * (HIGH - BOTTOM - TOP);
    const label = this._words(history, me);
    const picture = draw("svg", { viewBox: `0 0 ${wide} ${HIGH}`, role: "img", "aria-label": label });
    for (const mark of marksTo(most)) {
      picture.append(draw("line", { class: "mark", x1: LEFT, x2: wide - RIGHT, y1: y(mark), y2: y(mark) }));
      picture.append(draw("text", { class: "amount", x: LEFT - 6, y: y(mark) + 4 }, dollars(mark)));
    }
    for (const round of new Set([0, Math.round(rounds / 2), rounds]))
      picture.append(draw("text", { class: "round", x: x(round), y: HIGH - 9 }, round ? `round ${round}` : "start"));
    for (const one of apart(this._lines(picture, x, y))) {
      const name = one.player === me ? "You" : short(one.player);
      picture.append(draw("text", { class: `name ${one.kind}`, x: wide - RIGHT + 8, y: one.y }, name));
    }
    this.replaceChildren(picture);
  }

  /** Draw every line, the user's own last; returns the names at their ends. */
  _lines(picture, x, y) {
    const [history, me] = this.shown;
    const kind = (one, place) => (one.player === me ? "own" : place < LEADERS ? `leader-${place + 1}` : "other");
    const lines = history.map(({ player, points }, place) => ({ player, points, kind: kind({ player }, place) }));
    const ends = [];
    for (const one of lines.toReversed().toSorted((a, b) => Number(a.kind === "own") - Number(b.kind === "own"))) {
      const at = ([round, chips]) => `${x(round).toFixed(1)} ${y(chips).toFixed(1)}`;
      const [round, chips] = one.points.at(-1) ?? [0, 0];
      const line = draw("path", { class: `line ${one.kind}`, d: `M${one.points.map(at).join("L")}` });
      line.append(draw("title", {}, `${one.player} ${dollars(chips)}`));
      const size = one.kind === "own" ? 4 : 3;
      picture.append(line, draw("circle", { class: `dot ${one.kind}`, cx: x(round), cy: y(chips), r: size }));
      if (one.kind !== "other") ends.push({ player: one.player, kind: one.kind, y: y(chips) + 4 });
    }
    return ends;
  }

  _words(history, me) {
    const line = (one) => `${one.player}${one.player === me ? " (you)" : ""} ${dollars(one.points.at(-1)[1])}`;
    const named = history.filter((one, place) => place < LEADERS || one.player === me);
    return `Chips after each round. ${named.map(line).join(", ")}`;
  }
}

const short = (name) => (name.length > 11 ? `${name.slice(0, 10)}…` : name);

customElements.define("pontoon-chip-graph", ChipGraph);
/** An empty graph. */
export const chipGraph = () => make("pontoon-chip-graph");
