// Small parts used everywhere: making elements, and amounts between cents and words.

/**
 * Make an element. Text goes in as text, never as markup: names and reasons come from other people.
 * @param {string} tag
 * @param {Record<string, any>} [attributes]  `on…` is a listener, true/false sets or leaves out
 * @param {...(Node|string|null|undefined|false)} children
 * @returns {any}
 */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, String(value));
  }
  element.append(...children.filter((one) => one !== null && one !== undefined && one !== false));
  return element;
}

/** Put these children in place of the old ones, keeping the focus where a child of the same id had it. */
export function refill(parent, ...children) {
  const focused = parent.contains(document.activeElement) ? document.activeElement.id : "";
  parent.replaceChildren(...children.filter(Boolean));
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
}

/** As `refill`, but what looks the same is left alone: a press under way would be lost with its button. */
export function renew(parent, ...children) {
  const looks = children
    .filter(Boolean)
    .map((one) => one.outerHTML)
    .join("");
  if (looks === parent.looks) return;
  parent.looks = looks;
  refill(parent, ...children);
}

/** @param {number} cents */
export function dollars(cents) {
  const sign = cents < 0 ? "−" : "";
  const whole = Math.abs(cents) / 100;
  const digits = Number.isInteger(whole) ? 0 : 2;
  return `${sign}$${whole.toLocaleString("en-AU", { minimumFractionDigits: digits, maximumFractionDigits: digits })}`;
}

/** With a plus where it is one. @param {number} cents */
export const net = (cents) => (cents > 0 ? `+${dollars(cents)}` : dollars(cents));

/** What a person typed, in cents; NaN where it is no amount. @param {string} text */
export function cents(text) {
  const plain = text.trim().replace(/^\$/, "").replace(/,/g, "");
  return /^\d+(\.\d{1,2})?$/.test(plain) ? Math.round(Number(plain) * 100) : NaN;
}

/** "perfect_pairs" is "perfect pairs". @param {string} name */
export const spaced = (name) => name.replaceAll("_", " ");

/** Why the game does not go on; a ruling has the name of its command, "VoidRound". */
export function heldWords({ paused, proposals }) {
  const ruling = proposals?.[0]?.what.replace(/\B[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `The game is held: ${ruling ? `a ruling waits for approval: ${ruling}` : paused}`;
}

/** A dialog that is shown until it is closed; `close` is its own button. @returns {HTMLDialogElement} */
export function dialog(title, ...children) {
  const heading = make("h2", { id: "dialog-title" }, title);
  const box = make("dialog", { class: "dialog", "aria-labelledby": "dialog-title" }, heading, ...children);
  box.addEventListener("close", () => box.remove());
  document.body.append(box);
  box.showModal();
  return box;
}

/** A labelled field. @param {string} label */
export const field = (label, input, note) =>
  make("label", { class: "field" }, make("span", {}, label), input, note && make("small", { class: "muted" }, note));

export const button = (label, onclick, attributes = {}) =>
  make("button", { type: "button", class: "button", onclick, ...attributes }, label);
