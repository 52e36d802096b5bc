// The lesson: a few fixed hands on a real table, one sentence at a time. The server deals; nobody's chips are at stake.
import { make, button, routed } from "../parts.js";
import { listen } from "../settings.js";
import "../controls.js";
import "../table.js";

const DONE = "pontoon.lesson";
/** The word of an action by the command a button sends. */
const WORDS = { Pass: "no", DeclineSurrender: "no", DeclineInsurance: "no" };
const PLAYER = "You";

/** @param {App} app @param {HTMLElement} main */
export function open(app, main) {
  return new LessonPage(app, main);
}

class LessonPage {
  /** @param {App} app @param {HTMLElement} main */
  constructor(app, main) {
    this.app = app;
    this.at = Number(sessionStorage.getItem(DONE) ?? 0);
    /** @type {string[]} */
    this.actions = [];
    this.acting = false;
    this.gone = new AbortController();
    const play = { status: "open", do: (_, command) => this._act(command) };
    const me = { name: PLAYER, role: "player", guest: true, wallet: 1e9 };
    const settings = Object.assign(Object.create(app.settings), { guard: false });
    /** @type {any} */
    this.model = { id: "lesson", version: 0, connection: play, settings, me, log: [], pending: {}, proofs: [] };
    this.cloth = make("pontoon-table", { class: "staged lesson", "data-label": "Lesson table" });
    this.controls = make("pontoon-controls");
    this.title = make("h1", {});
    this.says = make("p", { id: "lesson-says", role: "status" });
    this.dots = make("p", { class: "dots" });
    this.next = make("div", { class: "lesson-next" });
    const skip = button("Skip", () => this._hand(this.at + 1), { id: "skip", class: "button quiet" });
    const top = make("div", { class: "lesson-top" }, this.title, this.dots, skip);
    const rail = make("div", { id: "rail", class: "lesson-rail" }, top, this.says, this.controls, this.next);
    this.table = make("div", { id: "table-page" }, this.cloth, rail);
    main.replaceChildren(this.table);
    document.title = "Learn Pontoon in three minutes";
    const press = (action) =>
      this.over ? action === "Confirm" && this._hand(this.at + 1) : this.controls.press(action);
    listen(app.settings, (action) => void press(action), this.gone.signal);
    this._begin();
  }

  update() {}

  close() {
    this.gone.abort();
  }

  async _begin() {
    try {
      this.lesson = await this.app.connection.get("/api/lesson");
      await this._hand(Math.min(this.at, this.lesson.hands.length - 1));
    } catch (problem) {
      this.app.notice(problem.words);
    }
  }

  /** Go to a hand; after the last one comes the end. @param {number} at */
  async _hand(at) {
    if (at >= this.lesson.hands.length) return this._end();
    this.at = at;
    sessionStorage.setItem(DONE, String(at));
    this.actions = [];
    this.model.version += 1000;
    this.model.id = `lesson ${at}`;
    await this._draw();
  }

  /** @param {Command} command */
  async _act(command) {
    if (this.acting) return { version: this.model.version }; // a second press before the first one's answer
    this.acting = true;
    this._ask(null);
    this.actions.push(WORDS[command.type] ?? command.type.toLowerCase());
    try {
      await this._draw();
    } catch (problem) {
      this.actions.pop();
      throw problem;
    } finally {
      this.acting = false;
    }
    return { version: this.model.version };
  }

  /** Mark the action that the sentence asks for. @param {string | null | undefined} action */
  _ask(action) {
    for (const one of this.controls.querySelectorAll(".action"))
      one.classList.toggle("asked-for", Boolean(action) && one.dataset.action?.toLowerCase() === action);
  }

  async _draw() {
    const hand = this.lesson.hands[this.at];
    const query = new URLSearchParams({
      rulebook: this.lesson.rulebook,
      cards: hand.cards,
      actions: this.actions.join(),
    });
    const reply = await this.app.connection.get(`/api/practice?${query}`);
    Object.assign(this.model, {
      version: this.model.version + 1,
      room: reply.room,
      view: reply.view,
      events: reply.events,
    });
    this.over = reply.over;
    this.cloth.update(this.model);
    this.controls.update(this.model);
    this._say(hand, reply);
    (await import("../celebrate.js")).celebrate(this.table, this.model, this.cloth.landing);
  }

  /** @param {LessonHand} hand @param {PracticeHand} reply */
  _say(hand, reply) {
    const plan = hand.step.map((one) => one.tap);
    const done = this.actions.length;
    const follows = this.actions.every((action, place) => action === plan[place]);
    const step = follows ? hand.step[done] : null;
    this.title.textContent = hand.title;
    this.dots.textContent = `Hand ${this.at + 1} of ${this.lesson.hands.length}`;
    const result = reply.net > 0 ? "You win." : reply.net < 0 ? "You lose this one." : "A tie: your bet comes back.";
    const own = follows ? hand.end : `${result} That was another way to play it.`;
    this.says.textContent = reply.over ? own : (step?.say ?? "Play it your way: your total is on the gold mark.");
    this._ask(step?.tap);
    const again = button("Play it again", () => this._hand(this.at), { id: "again" });
    const last = this.at + 1 === this.lesson.hands.length;
    const next = button(last ? "Finish" : "Next hand", () => this._hand(this.at + 1), {
      id: "next",
      class: "button go",
    });
    this.next.replaceChildren(...(reply.over ? [again, next] : []));
    if (reply.over) next.focus({ preventScroll: true });
  }

  _end() {
    sessionStorage.removeItem(DONE);
    const play = button("Play now", () => this.app.playNow(), { id: "play-now", class: "button go big" });
    const links = [
      routed("/train", "Train with 20 hands", { class: "button big" }),
      routed(`/rules/${this.lesson.rulebook}`, "Read the rules", { class: "button big" }),
    ];
    const page = make(
      "div",
      { class: "reading lesson-end" },
      make("h1", {}, "You know the game"),
      make(
        "p",
        {},
        "Closer to 21 than the dealer. No tens. Your 21 always wins. Double on any number of cards, and forfeit a " +
          "bad one. Split pairs. Bonus hands pay extra.",
      ),
      make("p", {}, "Turn on the coach at the table and it tells you what each choice is worth."),
      make("div", { class: "row" }, play, ...links),
    );
    document.body.dataset.page = "lesson-end";
    this.app.closePanel();
    document.getElementById("main")?.replaceChildren(page);
    play.focus();
  }
}
