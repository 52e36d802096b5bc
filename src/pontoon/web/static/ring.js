// The countdown: a ring with the time left as text, on every size of screen; none if nobody waits.
import { drawing } from "./card.js";
import { isAsked } from "./moment.js";
import { make } from "./parts.js";

const ROUND = 2 * Math.PI * 20;
const URGENT = 5; // seconds
const MANY = 99; // seconds: more are shown in minutes
const OFTEN = 200; // milliseconds between two drawings

export class Ring {
  constructor() {
    this.seconds = make("span");
    this.picture = drawing(`<svg viewBox="0 0 48 48" aria-hidden="true"><circle class="track" cx="24" cy="24" r="20"/>
      <circle class="left" cx="24" cy="24" r="20" stroke-dasharray="${ROUND}"/></svg>`);
    this.element = make("div", { class: "ring", role: "timer", "aria-label": "Time left", hidden: true }, this.seconds);
    this.element.prepend(this.picture);
    this.moment = "";
    /** Whether a knock announces the last seconds. */
    this.knocks = false;
    this.ends = 0;
    this.whole = 0;
    /** @type {number | undefined} */
    this.timer = undefined;
  }

  /** A step in between that asks nothing new does not restart the clock. @param {TableModel} model */
  update(model) {
    const { view, room, settings } = model;
    const { number, phase, round, shoe } = view;
    const now = [number, phase, round?.stage, round?.turn, shoe.left, room.clock];
    const moment = room.clock && !room.paused ? JSON.stringify(now) : "";
    if (moment === this.moment) return;
    this.moment = moment;
    this.stop();
    this.knocks = settings.sound && isAsked(model);
    this.element.hidden = !moment;
    if (!moment) return;
    this.whole = room.clock ?? 0;
    this.ends = performance.now() + (room.left ?? this.whole);
    this._draw();
    this.timer = setInterval(() => this._draw(), OFTEN);
  }

  _draw() {
    const left = Math.max(0, this.ends - performance.now());
    const seconds = Math.ceil(left / 1000);
    this.seconds.textContent = seconds > MANY ? `${Math.ceil(seconds / 60)} min` : String(seconds);
    this.element.classList.toggle("long", seconds > MANY);
    this.element.classList.toggle("urgent", seconds <= URGENT);
    const arc = /** @type {SVGElement} */ (this.picture.lastElementChild);
    arc.style.strokeDashoffset = String(ROUND * (1 - left / this.whole));
    if (this.knocks && seconds <= URGENT) this._knock();
    if (!left) clearInterval(this.timer);
  }

  async _knock() {
    this.knocks = false;
    (await import("./sound.js")).knock();
  }

  stop() {
    clearInterval(this.timer);
  }
}
