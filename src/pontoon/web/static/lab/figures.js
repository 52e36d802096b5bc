// The edge in large figures, on a scale beside the old one; the cost per hour; the side bets.
import { cents, make } from "../parts.js";
import { casino, exact, money, percent } from "./words.js";

const STEPS = [0.002, 0.004, 0.006, 0.01, 0.02, 0.04, 0.06, 0.1, 0.2, 0.4, 1];
const CHIP = 50; // cents: stakes are multiples of it
const CROWDED = 0.66; // from here on there is no room for the end of the scale
const ROOM = 1.25; // the scale reaches a quarter further than its figures

/** The ends of a scale that has zero on it. @param {number[]} values */
function scaleOf(values) {
  const end = (/** @type {number} */ value) => STEPS.find((step) => step >= value * ROOM) ?? 1;
  const low = Math.min(0, ...values);
  return { low: low < 0 ? -end(-low) : 0, high: end(Math.max(0.001, ...values)) };
}

export class Figures {
  /** @param {(changed: {stake?: number, pace?: number}) => void} choose */
  constructor(choose) {
    this.number = make("output", { id: "lab-edge", "aria-live": "polite" }, "…");
    this.favour = make("p", { class: "lab-favour" });
    this.scale = make("div", { class: "lab-scale", role: "img" });
    this.hour = make("b", { id: "lab-hour" });
    this.was = make("span", { id: "lab-hour-was" });
    this.swing = make("p", { id: "lab-swing", class: "muted" });
    this.sides = make("p", { id: "lab-sides" });
    this.says = make("p", { id: "lab-says", role: "alert" });
    this.stake = this._input("lab-stake", "Stake a round in dollars", "decimal", (text) => {
      const stake = Math.round(cents(text) / CHIP) * CHIP;
      if (stake >= 100 && stake <= 10_000_000) choose({ stake });
    });
    this.pace = this._input("lab-pace", "Rounds an hour", "numeric", (text) => {
      const pace = Number(text);
      if (Number.isInteger(pace) && pace >= 1 && pace <= 1000) choose({ pace });
    });
    const cost = make("div", { class: "lab-cost" }, this.hour, this.was, this._at());
    const edge = make("div", {}, make("h2", { class: "lab-kicker" }, "House edge"), this.number, this.favour);
    const under = make("div", { class: "lab-under" }, this.sides, this.swing);
    const named = { class: "lab-card lab-figures", "aria-label": "House edge and cost" };
    this.element = make("section", named, edge, this.scale, cost, under, this.says);
  }

  _at() {
    return make("p", { class: "muted" }, "at $", this.stake, " a round and ", this.pace, " rounds an hour");
  }

  _input(id, label, inputmode, change) {
    const input = make("input", { id, inputmode, autocomplete: "off", "aria-label": label, size: 4 });
    input.addEventListener("change", () => change(input.value));
    return input;
  }

  /** Update the inputs, unless the user is typing. @param {Lab.State} state */
  chosen({ stake, pace }) {
    if (document.activeElement !== this.stake) this.stake.value = String(stake / 100);
    if (document.activeElement !== this.pace) this.pace.value = String(pace);
  }

  /** @param {boolean} busy while the calculation is running */
  busy(busy) {
    this.element.setAttribute("aria-busy", String(busy));
  }

  /** @param {string} words */
  say(words) {
    this.says.textContent = words;
  }

  /** @param {Lab.EdgePart} edge @param {Lab.State} state */
  show(edge, state) {
    const { now, was } = edge;
    this.number.textContent = percent(now.house_edge);
    this.number.title = exact(now.house_edge);
    this.favour.textContent = now.house_edge < 0 ? "The player has the edge." : "";
    this._draw(now.house_edge, was.house_edge, state.against ? casino(state.against) : "was");
    this._cost(edge, state);
    this._sides(edge, state.against ? casino(state.against) : "was");
  }

  /** @param {Lab.EdgePart} edge @param {Lab.State} state */
  _cost({ now, was }, state) {
    const hour = state.stake * state.pace;
    const cost = money(Math.abs(now.house_edge) * hour);
    this.hour.textContent = now.house_edge < 0 ? `+${cost} an hour` : `${cost} an hour`;
    const before = money(was.house_edge * hour);
    const other = state.against ? `${casino(state.against)}: ${before}` : `was ${before}`;
    this.was.textContent = now.digest === was.digest && now.packs === was.packs ? "" : other;
  }

  /** A perfect bettor's luck in an hour. @param {number} deviation @param {Lab.State} state */
  deviation(deviation, { stake, pace }) {
    const swing = Math.round((deviation * Math.sqrt(pace) * stake) / 100) * 100;
    this.swing.textContent = `Luck moves an hour by about ${money(swing)} either way.`;
  }

  /** @param {Lab.EdgePart} edge @param {string} other the casino it is compared with */
  _sides({ now, was }, other) {
    const before = new Map(was.side_bets.map((bet) => [bet.name, bet.house_edge]));
    const bet = ({ name, house_edge: edge, fraction }) => {
      const old = before.get(name);
      const changed = old !== undefined && old !== edge ? ` (${other} ${percent(old)})` : "";
      const good = edge < 0 ? " – the player has the edge" : "";
      return make(
        "span",
        { title: `${fraction} of the bet` },
        make("b", {}, name),
        ` ${percent(edge)}${changed}${good}`,
      );
    };
    const bets = now.side_bets.map(bet);
    this.sides.replaceChildren(...(bets.length ? ["Side bets: ", ...bets] : ["No side bets."]));
  }

  /** @param {number} now @param {number} was @param {string} name of what it was */
  _draw(now, was, name) {
    const { low, high } = scaleOf([now, was]);
    const at = (/** @type {number} */ value) => `${((value - low) / (high - low)) * 100}%`;
    const dot = make("i", { class: "lab-now" });
    const ring = make("i", { class: "lab-was" });
    const span = make("i", { class: "lab-span" });
    const label = make("span", { class: "lab-was-label" }, `${name} ${percent(was)}`);
    const zero = make("span", { class: "lab-zero" }, "0");
    dot.style.left = at(now);
    ring.style.left = label.style.left = at(was);
    zero.style.left = at(0);
    span.style.left = at(Math.min(now, was));
    span.style.width = `${(Math.abs(now - was) / (high - low)) * 100}%`;
    const same = percent(now) === percent(was);
    this.scale.dataset.kind = same ? "" : now < was ? "good" : "bad";
    const ends = make("span", { class: "lab-high" }, `${Number((high * 100).toFixed(1))}%`);
    const others = same ? [ends] : [ring, label, ...((was - low) / (high - low) < CROWDED ? [ends] : [])];
    this.scale.replaceChildren(make("i", { class: "lab-track" }), span, ...others, dot, zero);
    this.scale.setAttribute("aria-label", `House edge ${percent(now)}, ${name} ${percent(was)}`);
  }
}
