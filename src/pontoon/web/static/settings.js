// What a person has chosen, kept in this browser; and the session: time, net result, reality check, self-set stops.

const KEPT = "pontoon.settings";
const SESSION = "pontoon.session";
const MINUTE = 60_000;
const BREAK = 30 * MINUTE; // whoever was away so long begins a new session
export const PAUSE = 60_000; // how long betting stays closed after a stop before it can be opened again

export const DEFAULTS = {
  theme: "auto", // auto, dark, light
  fourColours: false,
  speed: "normal", // slow, normal, fast, instant
  keysOn: true,
  keys: {}, // action -> key, where it differs
  guard: true, // accident guard
  sound: false,
  coach: false,
  log: true,
  realityCheck: 30, // minutes; 0 is never
  lossLimit: 0, // cents; 0 is none
  timeLimit: 0, // minutes; 0 is none
};

/** Settings are read as properties and set with `set`, which keeps them and tells everybody. */
export class Settings extends EventTarget {
  constructor() {
    super();
    Object.assign(this, DEFAULTS, read(localStorage, KEPT));
    this.show();
  }

  set(name, value) {
    this[name] = value;
    const changed = Object.keys(DEFAULTS).filter((one) => JSON.stringify(this[one]) !== JSON.stringify(DEFAULTS[one]));
    localStorage.setItem(KEPT, JSON.stringify(Object.fromEntries(changed.map((one) => [one, this[one]]))));
    this.show();
    this.dispatchEvent(new CustomEvent("change", { detail: { name, value } }));
  }

  /** What style sheets read. */
  show() {
    const root = document.documentElement.dataset;
    root.theme = this.theme;
    root.speed = this.speed;
    root.colours = this.fourColours ? "four" : "two";
  }
}

/** One sitting: it goes on when the page is closed and opened again, and ends with a break. */
export class Session extends EventTarget {
  /** @param {Settings} settings */
  constructor(settings) {
    super();
    this.settings = settings;
    /** @type {{began: number, name: string, first: number, given: number, checked: number, openAfter: number, lossSeen: number, timeSeen: number}} */
    this.kept = read(localStorage, SESSION);
    if (Date.now() - (this.kept.seen ?? 0) > BREAK) this.kept = /** @type {any} */ ({});
    this.kept.began ??= Date.now();
    this.kept.checked ??= this.kept.began;
    this.wallet = 0;
    this.out = 0; // own chips on the table while wagers are open
    this.held = false; // a round with own chips is under way: the result is known when it is over
    this.net = this.kept.net ?? 0;
    this.told = false; // that a stop is reached
    this._keep();
    setInterval(() => this._tick(), 1000);
  }

  get minutes() {
    return Math.floor((Date.now() - this.kept.began) / MINUTE);
  }

  /** Why betting is closed by a stop the person set, or nothing. */
  get stopped() {
    const { lossLimit, timeLimit } = this.settings;
    if (lossLimit && -this.net - (this.kept.lossSeen ?? 0) >= lossLimit) return "loss";
    if (timeLimit && this.minutes - (this.kept.timeSeen ?? 0) >= timeLimit) return "time";
    return "";
  }

  /** When a stop may be lifted, in milliseconds from now. */
  get pause() {
    return Math.max(0, (this.kept.openAfter ?? 0) - Date.now());
  }

  walletIs(name, wallet) {
    if (this.kept.name !== name) Object.assign(this.kept, { name, first: wallet, given: 0, lossSeen: 0, net: 0 });
    this.wallet = wallet;
    this._reckon();
  }

  chipsGiven(amount) {
    this.kept.given += amount;
    this._reckon();
  }

  tableIs(out, held) {
    this.out = out;
    this.held = held;
    this._reckon();
  }

  /** Lift a stop: it counts again from here. */
  goOn() {
    const stop = this.stopped;
    if (stop === "loss") this.kept.lossSeen = -this.net;
    if (stop === "time") this.kept.timeSeen = this.minutes;
    this.kept.openAfter = 0;
    this.told = false;
    this._keep();
  }

  checked() {
    this.kept.checked = Date.now();
    this._keep();
  }

  _reckon() {
    if (!this.kept.name) return;
    if (!this.held) this.net = this.wallet + this.out - this.kept.first - this.kept.given;
    this.kept.net = this.net;
    this._keep();
  }

  _keep() {
    this.kept.seen = Date.now();
    localStorage.setItem(SESSION, JSON.stringify(this.kept));
    this.dispatchEvent(new Event("change"));
  }

  _tick() {
    if (this.stopped && !this.told) {
      this.told = true;
      this.kept.openAfter ||= Date.now() + PAUSE;
      this._keep();
      this.dispatchEvent(new Event("stop"));
    }
    if (Date.now() - this.kept.seen > MINUTE) this._keep();
    const every = this.settings.realityCheck * MINUTE;
    if (every && this.kept.name && Date.now() - this.kept.checked >= every) {
      this.checked();
      this.dispatchEvent(new Event("reality"));
    }
    this.dispatchEvent(new Event("tick"));
  }
}

function read(store, name) {
  try {
    return JSON.parse(store.getItem(name) ?? "{}") ?? {};
  } catch {
    return {}; // written by something else: begin anew
  }
}
