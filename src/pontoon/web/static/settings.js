// The user's settings, stored in this browser; the session with its limits; and the keys.

const KEPT = "pontoon.settings";
const SESSION = "pontoon.session";
const MINUTE = 60_000;
const BREAK = 30 * MINUTE; // a longer absence ends the session
export const PAUSE = 60_000; // milliseconds that betting stays closed after a limit is reached

export const DEFAULTS = {
  theme: "auto", // auto, dark, light
  fourColours: false,
  speed: "normal", // slow, normal, fast, instant
  keysOn: true,
  /** Keys that differ from the default, by action. @type {Record<string, string>} */
  keys: {},
  guard: true, // confirm unusual plays
  sound: true,
  coach: false,
  cut: false, // be asked to cut the cards
  insurance: true, // be asked for insurance
  log: false,
  realityCheck: 30, // minutes; 0 is never
  lossLimit: 0, // cents; 0 is none
  timeLimit: 0, // minutes; 0 is none
};

/** Settings are read as properties and changed with `set`, which stores them and publishes the change. */
export class Settings extends EventTarget {
  theme = DEFAULTS.theme;
  fourColours = DEFAULTS.fourColours;
  speed = DEFAULTS.speed;
  keysOn = DEFAULTS.keysOn;
  keys = DEFAULTS.keys;
  guard = DEFAULTS.guard;
  sound = DEFAULTS.sound;
  coach = DEFAULTS.coach;
  cut = DEFAULTS.cut;
  insurance = DEFAULTS.insurance;
  log = DEFAULTS.log;
  realityCheck = DEFAULTS.realityCheck;
  lossLimit = DEFAULTS.lossLimit;
  timeLimit = DEFAULTS.timeLimit;

  constructor() {
    super();
    Object.assign(this, read(localStorage, KEPT));
    this.show();
  }

  /** @param {string} name @param {any} value */
  set(name, value) {
    this[name] = value;
    const changed = Object.keys(DEFAULTS).filter((one) => JSON.stringify(this[one]) !== JSON.stringify(DEFAULTS[one]));
    localStorage.setItem(KEPT, JSON.stringify(Object.fromEntries(changed.map((one) => [one, this[one]]))));
    this.show();
    this.dispatchEvent(new CustomEvent("change", { detail: { name, value } }));
  }

  /** Set the attributes that the style sheets read. */
  show() {
    const root = document.documentElement.dataset;
    root.theme = this.theme;
    root.speed = this.speed;
    root.colours = this.fourColours ? "four" : "two";
  }
}

/**
 * What is stored of a session.
 * @typedef {{began: number, seen: number, name: string, first: number, given: number, net: number, checked: number,
 *   openAfter: number, lossSeen: number, timeSeen: number}} Stored
 */

/** One session: it continues when the page is closed and opened again, and ends after a break. */
export class Session extends EventTarget {
  /** @param {Settings} settings */
  constructor(settings) {
    super();
    this.settings = settings;
    /** @type {Stored} */
    this.kept = read(localStorage, SESSION);
    if (Date.now() - (this.kept.seen ?? 0) > BREAK) this.kept = /** @type {Stored} */ ({});
    this.kept.began ??= Date.now();
    this.kept.checked ??= this.kept.began;
    this.wallet = 0;
    this.out = 0; // own chips on the table while betting is open
    this.held = false; // a round with own chips is in progress: its result is not known yet
    this.net = this.kept.net ?? 0;
    this.told = false; // the limit that is reached was announced
    this._store();
    setInterval(() => this._tick(), 1000);
  }

  get minutes() {
    return Math.floor((Date.now() - this.kept.began) / MINUTE);
  }

  /** Which of the user's limits has closed betting; empty for none. */
  get stopped() {
    const { lossLimit, timeLimit } = this.settings;
    if (lossLimit && -this.net - (this.kept.lossSeen ?? 0) >= lossLimit) return "loss";
    if (timeLimit && this.minutes - (this.kept.timeSeen ?? 0) >= timeLimit) return "time";
    return "";
  }

  /** Milliseconds until betting can be reopened. */
  get pause() {
    return Math.max(0, (this.kept.openAfter ?? 0) - Date.now());
  }

  /** @param {string} name @param {number} wallet in cents */
  walletIs(name, wallet) {
    if (this.kept.name !== name) Object.assign(this.kept, { name, first: wallet, given: 0, lossSeen: 0, net: 0 });
    this.wallet = wallet;
    this._updateNet();
  }

  /** @param {number} amount in cents */
  chipsGiven(amount) {
    this.kept.given += amount;
    this._updateNet();
  }

  /** @param {number} out @param {boolean} held */
  tableIs(out, held) {
    this.out = out;
    this.held = held;
    this._updateNet();
  }

  /** Reopen betting: the limit counts from here again. */
  goOn() {
    const stop = this.stopped;
    if (stop === "loss") this.kept.lossSeen = -this.net;
    if (stop === "time") this.kept.timeSeen = this.minutes;
    this.kept.openAfter = 0;
    this.told = false;
    this._store();
  }

  checked() {
    this.kept.checked = Date.now();
    this._store();
  }

  _updateNet() {
    if (!this.kept.name) return;
    if (!this.held) this.net = this.wallet + this.out - this.kept.first - this.kept.given;
    this.kept.net = this.net;
    this._store();
  }

  _store() {
    this.kept.seen = Date.now();
    localStorage.setItem(SESSION, JSON.stringify(this.kept));
    this.dispatchEvent(new Event("change"));
  }

  _tick() {
    if (this.stopped && !this.told) {
      this.told = true;
      this.kept.openAfter ||= Date.now() + PAUSE;
      this._store();
      this.dispatchEvent(new Event("stop"));
    }
    if (Date.now() - this.kept.seen > MINUTE) this._store();
    const every = this.settings.realityCheck * MINUTE;
    if (every && this.kept.name && Date.now() - this.kept.checked >= every) {
      this.checked();
      this.dispatchEvent(new Event("reality"));
    }
    this.dispatchEvent(new Event("tick"));
  }
}

/** @param {Storage} store @param {string} name */
function read(store, name) {
  try {
    return JSON.parse(store.getItem(name) ?? "{}") ?? {};
  } catch {
    return {}; // not written by this page
  }
}

// --- keys: they can be changed and turned off (WCAG 2.1.4), and never act while the user types or in a dialog ---

/** Action, default key and description, in the order of the help. */
export const KEYS = [
  ["Hit", "h", "Hit"],
  ["Stand", "s", "Stand"],
  ["Double", "d", "Double"],
  ["Split", "p", "Split"],
  ["Surrender", "u", "Surrender"],
  ["Forfeit", "f", "Forfeit"],
  ["Keep", "k", "Keep"],
  ["Insure", "i", "Insure"],
  ["No", "n", "No"],
  ["Confirm", "Enter", "Deal, or be ready"],
  ["Repeat", "r", "Rebet: the last bets again"],
  ["Twice", "t", "Twice the bets"],
  ["Undo", "z", "Undo"],
  ["Clear", "c", "Clear your bets"],
  ["Command", "/", "Go to the command line"],
  ["Help", "?", "Help"],
];

/** The current key of an action. @param {Settings} settings @param {string} action */
export const keyOf = (settings, action) => settings.keys[action] ?? KEYS.find(([name]) => name === action)?.[1] ?? "";

const TYPING = "input, textarea, select, [contenteditable]";
const CHIPS = ".spot, .chip";
const PRESSED = "button, a[href], summary, [role=button], [role=radio]";

/**
 * Listen to keys until the signal aborts.
 * @param {Settings} settings
 * @param {(action: string, box?: number) => boolean | void} perform
 * @param {AbortSignal} signal
 */
export function listen(settings, perform, signal) {
  const pressed = (/** @type {KeyboardEvent} */ event) => {
    if (!settings.keysOn || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    const target = /** @type {Element} */ (event.target);
    if (document.querySelector("dialog[open]") || target.closest?.(TYPING)) return;
    const onChips = event.key === "Enter" && target.closest?.(CHIPS); // Enter deals; the space bar presses a box
    if ((event.key === "Enter" || event.key === " ") && target.closest?.(PRESSED) && !onChips) return;
    const action = actionOf(settings, event.key);
    if (!action) return;
    event.preventDefault();
    perform(action, action === "Box" ? Number(event.key) : undefined);
  };
  document.addEventListener("keydown", pressed, { signal });
}

/** The action of a key; empty if it has none. @param {Settings} settings @param {string} key */
function actionOf(settings, key) {
  if (/^[1-9]$/.test(key)) return "Box";
  const name = key.length === 1 ? key.toLowerCase() : key;
  return KEYS.find(([action]) => keyOf(settings, action) === name)?.[0] ?? "";
}
