// Helpers used everywhere: making elements, amounts and names in words.

/** Cents below which new play chips are offered; the server decides whether they are given. */
export const FEW_CHIPS = 1000;

/**
 * Make an element. Text is inserted as text, never as markup: names and reasons come from other people.
 * @param {string} tag
 * @param {Record<string, any>} [attributes]  `on…` is a listener; true sets an attribute, false leaves it out
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

/**
 * Listen to a CustomEvent by its detail.
 * @param {EventTarget} target
 * @param {string} name
 * @param {(detail: any) => void} act
 * @param {AbortSignal} [signal] ends it
 */
export const on = (target, name, act, signal) =>
  target.addEventListener(name, (event) => act(/** @type {CustomEvent} */ (event).detail), { signal });

/**
 * Replace the children; the focus stays on the child that has the same id.
 * @param {HTMLElement} parent
 * @param {...(Node|string|null|undefined|false|0|"")} children
 */
export function refill(parent, ...children) {
  const focused = parent.contains(document.activeElement) ? document.activeElement?.id : "";
  parent.replaceChildren(.../** @type {(Node|string)[]} */ (children.filter(Boolean)));
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
}

/**
 * As `refill`, but nothing is replaced while it looks the same: a press under way would be lost with its button.
 * @param {any} parent
 * @param {...any} children
 */
export function renew(parent, ...children) {
  const looks = children
    .filter(Boolean)
    .map((one) => one.outerHTML)
    .join("");
  if (looks === parent.looks) return;
  parent.looks = looks;
  refill(parent, ...children);
}

/** The names of bots as people read them: "bot rk3hg6 2" is "Bot 2". @param {string} words */
export const withBots = (words) => words.replaceAll(/\bbot [2-9a-z]+ (\d+)\b/g, "Bot $1");

/** "$2,000", "−$7.50". @param {number} amount in cents */
export function dollars(amount) {
  const sign = amount < 0 ? "−" : "";
  const whole = Math.abs(amount) / 100;
  const digits = Number.isInteger(whole) ? 0 : 2;
  return `${sign}$${whole.toLocaleString("en-AU", { minimumFractionDigits: digits, maximumFractionDigits: digits })}`;
}

/** A result with its sign: "+$15". @param {number} amount in cents */
export const net = (amount) => (amount > 0 ? `+${dollars(amount)}` : dollars(amount));

/** A typed amount in cents; NaN if it is not an amount. @param {string} text */
export function cents(text) {
  const plain = text.trim().replace(/^\$/, "").replaceAll(",", "");
  return /^\d+(\.\d{1,2})?$/.test(plain) ? Math.round(Number(plain) * 100) : NaN;
}

/** "perfect_pairs" is "perfect pairs". @param {string} name */
export const spaced = (name) => name.replaceAll("_", " ");

/** "perfect_pairs" is "Perfect Pairs", "insurance" is "Insurance". @param {string} name */
export const titled = (name) => spaced(name).replaceAll(/\b\w/g, (letter) => letter.toUpperCase());

/** "division-15" is "Division 15". @param {string} name */
export const bookName = (name) => titled(name.replaceAll("-", " "));

/** "Ann, Ben and Cas". @param {string[]} names */
export const listed = (names) => [names.slice(0, -1).join(", "), ...names.slice(-1)].filter(Boolean).join(" and ");

/** "1 round", "2 rounds". @param {number} count @param {string} noun */
export const counted = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** The name of a command in words: "VoidRound" is "void round". @param {string} name */
export const commandWords = (name) => name.replaceAll(/\B[A-Z]/g, " $&").toLowerCase();

/** Why the game is paused. @param {Pick<RoomView, "paused" | "proposals">} room */
export function pausedWords({ paused, proposals = [] }) {
  return `Game paused: ${proposals.length ? `ruling awaiting approval: ${commandWords(proposals[0].what)}` : paused}`;
}

/**
 * Open a modal dialog.
 * @param {string} title
 * @param {...(Node|string|null|undefined|false)} children
 * @returns {HTMLDialogElement}
 */
export function dialog(title, ...children) {
  const heading = make("h2", { id: "dialog-title" }, title);
  const box = make("dialog", { class: "dialog", "aria-labelledby": "dialog-title" }, heading, ...children);
  box.addEventListener("close", () => box.remove());
  document.body.append(box);
  box.showModal();
  return box;
}

/** A labelled field. @param {string} label @param {HTMLElement} input @param {string} [note] */
export const field = (label, input, note) =>
  make("label", { class: "field" }, make("span", {}, label), input, note && make("small", { class: "muted" }, note));

/** @param {string} label @param {(event: Event) => void} onclick @param {Record<string, any>} [attributes] */
export const button = (label, onclick, attributes = {}) =>
  make("button", { type: "button", class: "button", onclick, ...attributes }, label);

/** A link within the page. @param {string} href @param {string} words @param {Record<string, any>} [attributes] */
export const routed = (href, words, attributes = {}) =>
  make("a", { href, "data-route": true, class: "button", ...attributes }, words);

const DAY = /** @type {const} */ ({ weekday: "short", day: "numeric", month: "short" });
const HOUR = /** @type {const} */ ({ hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

/** "Sat, 5 Jun, 19:00". @param {number} at milliseconds since 1970 */
export const dateWords = (at) => new Date(at).toLocaleString("en-AU", { ...DAY, ...HOUR });

/** "19:00". @param {number} at milliseconds since 1970 */
export const hourWords = (at) => new Date(at).toLocaleTimeString("en-AU", HOUR);

/** "19:00" today, otherwise with the day. @param {number} at milliseconds since 1970 */
export const timeWords = (at) =>
  new Date(at).toDateString() === new Date().toDateString() ? hourWords(at) : dateWords(at);

/** Wait. @param {number} time in milliseconds */
export const pause = (time) =>
  new Promise((resolve) => {
    setTimeout(resolve, time);
  });
