// The chip graph: one line a player, drawn here; leaders in colour with their names, one's own line thick.
import { dollars, make } from "../parts.js";

const NARROW = 300,
  WIDEST = 760,
  HIGH = 280,
  LEFT = 58,
  RIGHT = 96,
  TOP = 12,
  BOTTOM = 28;
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

/** Round amounts for the lines across: 0, 500, 1000. */
function marksTo(most) {
  const rough = most / 4;
  const ten = 10 ** Math.floor(Math.log10(Math.max(rough, 1)));
  const step = STEPS.map((one) => one * ten).find((one) => one >= rough) ?? rough;
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, place) => place * step);
}

/** Names at the right end, pushed apart until all can be read. */
function apart(ends) {
  const placed = [...ends].sort((one, other) => one.y - other.y);
  for (let at = 1; at < placed.length; at += 1) placed[at].y = Math.max(placed[at].y, placed[at - 1].y + APART);
  const over = Math.max(0, (placed.at(-1)?.y ?? 0) - (HIGH - BOTTOM));
  for (const one of placed) one.y -= over;
  return placed;
}

class ChipGraph extends HTMLElement {
  connectedCallback() {
    this.watching ??= new ResizeObserver(() => this.told && this.update(...this.told));
    this.watching.observe(this);
  }

  disconnectedCallback() {
    this.watching.disconnect();
  }

  /** @param {{player: string, points: [number, number][]}[]} history best first @param {string} me */
  update(history, me) {
    this.told = [history, me];
    const WIDE = Math.min(WIDEST, Math.max(NARROW, this.clientWidth || 640)); // letters stay as large on a phone
    const now = JSON.stringify([history, me, WIDE]);
    if (now === this.drawn || !history.length) return;
    this.drawn = now;
    const rounds = Math.max(1, ...history.flatMap((one) => one.points.map(([round]) => round)));
    const most = Math.max(100, ...history.flatMap((one) => one.points.map(([, chips]) => chips))) * 1.04;
    const x = (round) => LEFT + (round / rounds) * (WIDE - LEFT - RIGHT);
    const y = (chips) => HIGH - BOTTOM - (chips / most) * (HIGH - BOTTOM - TOP);
    const picture = draw("svg", {
      viewBox: `0 0 ${WIDE} ${HIGH}`,
      role: "img",
      "aria-label": this._words(history, me),
    });
    for (const mark of marksTo(most)) {
      picture.append(draw("line", { class: "mark", x1: LEFT, x2: WIDE - RIGHT, y1: y(mark), y2: y(mark) }));
      picture.append(draw("text", { class: "amount", x: LEFT - 6, y: y(mark) + 4 }, dollars(mark)));
    }
    for (const round of new Set([0, Math.round(rounds / 2), rounds]))
      picture.append(draw("text", { class: "round", x: x(round), y: HIGH - 9 }, round ? `round ${round}` : "start"));
    const kind = (one, place) => (one.player === me ? "own" : place < LEADERS ? `leader-${place + 1}` : "other");
    const lines = history.map((one, place) => ({ ...one, kind: kind(one, place) }));
    const ends = [];
    for (const one of lines.toReversed().sort((a, b) => Number(a.kind === "own") - Number(b.kind === "own"))) {
      const path = one.points
        .map(([round, chips], at) => `${at ? "L" : "M"}${x(round).toFixed(1)} ${y(chips).toFixed(1)}`)
        .join("");
      const [round, chips] = one.points.at(-1);
      const line = draw("path", { class: `line ${one.kind}`, d: path });
      line.append(draw("title", {}, `${one.player} ${dollars(chips)}`));
      picture.append(
        line,
        draw("circle", { class: `dot ${one.kind}`, cx: x(round), cy: y(chips), r: one.kind === "own" ? 4 : 3 }),
      );
      if (one.kind !== "other") ends.push({ ...one, y: y(chips) + 4 });
    }
    for (const one of apart(ends))
      picture.append(
        draw(
          "text",
          { class: `name ${one.kind}`, x: WIDE - RIGHT + 8, y: one.y },
          one.player === me ? "You" : short(one.player),
        ),
      );
    this.replaceChildren(picture);
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
