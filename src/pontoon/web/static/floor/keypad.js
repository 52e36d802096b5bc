// 48 keys, one tap a card: twelve ranks and four suits that never move.
import { cardName } from "../card.js";
import { make } from "../parts.js";
import { RANKS, SUITS, face } from "./common.js";

export class Keypad {
  /** @param {(card: string) => void} press */
  constructor(press) {
    /** @type {Map<string, any>} */
    this.keys = new Map();
    this.element = make("div", { class: "keypad", role: "group", "aria-label": "Cards" });
    for (const suit of SUITS)
      for (const rank of RANKS) {
        const card = rank + suit;
        const key = make(
          "button",
          { type: "button", class: "key", "data-card": card, "data-suit": suit, onclick: () => press(card) },
          rank,
          make("span", { class: "pip" }, face(card).slice(1)),
        );
        this.keys.set(card, key);
        this.element.append(key);
      }
    this.element.addEventListener("keydown", (event) => this.arrow(event));
    this.left([]);
  }

  /** Which cards the shoe no longer holds. @param {string[]} none */
  left(none) {
    for (const [card, key] of this.keys) {
      const gone = none.includes(card);
      key.classList.toggle("none", gone);
      key.setAttribute("aria-label", cardName(card) + (gone ? ", none left in the shoe" : ""));
    }
  }

  /** Mark the card that was refused. @param {string} card */
  refused(card) {
    for (const [code, key] of this.keys) key.classList.toggle("bad", code === card);
  }

  /** @param {KeyboardEvent} event */
  arrow(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: RANKS.length, ArrowUp: -RANKS.length }[event.key];
    const keys = [...this.keys.values()];
    const at = keys.indexOf(event.target);
    if (!step || at < 0) return;
    event.preventDefault();
    keys[at + step]?.focus();
  }
}
