// The page of one table: the layout, the controls and the game in words, all drawn from one model.
import { placed, sumOf } from "./bets.js";
import { ACTIONS } from "./controls.js";
import { bettingOpen, chipsOf, inTurn, isAsked, momentWords } from "./moment.js";
import { FEW_CHIPS, button, field, make } from "./parts.js";
import { listen } from "./settings.js";
import "./spoken.js";
import "./table.js";

const LOGGED = 200; // events
const READ = 8000; // milliseconds a settled round stays on the table after it was collected
const PANELS = [
  ["coach", "Coach"],
  ["history", "History"],
  ["fairness", "Fairness"],
  ["asif", "Other casinos"],
  ["desk", "Desk"],
];
const WIDE = matchMedia("(min-width: 60rem)"); // as in style.css: the panels' buttons fit beside the prompt
const BETTING = ["Confirm", "Repeat", "Undo", "Clear"];
const STOPPED = {
  loss: "Betting is closed: you have reached your loss limit.",
  time: "Betting is closed: you have reached your time limit.",
};

/** Open a table. @param {App} app @param {HTMLElement} main @param {string} id */
export function open(app, main, id) {
  return new Place(app, main, id);
}

class Place {
  /** @param {App} app @param {HTMLElement} main @param {string} id */
  constructor(app, main, id) {
    this.app = app;
    const { connection, settings, session } = app;
    const seen = { version: 0, room: null, view: null, events: [], proofs: [], log: [] };
    /** @type {any} */
    this.model = { id, ...seen, me: connection.me, connection, settings, session, pending: {}, stays: READ };
    this.gone = new AbortController();
    this._build(main);
    connection.watch(id);
    listen(settings, (action, box) => this.perform(action, box), this.gone.signal);
  }

  _build(main) {
    this.title = make("h1", { class: "visually-hidden" }, "Table");
    this.prompt = make("p", { id: "prompt" }, "Loading the table…");
    this.panels = make("nav", { id: "panels", "aria-label": "Panels", class: "row" });
    this.cloth = make("pontoon-table");
    this.controls = make("pontoon-controls");
    this.bets = make("pontoon-bets");
    this.spoken = make("pontoon-spoken");
    this.guest = make("div", { id: "guest" });
    this.ask = make("div", { id: "ask" }, this.prompt);
    const hands = make("div", { id: "rail" }, this.ask, this.guest, this.bets, this.controls);
    const words = make(
      "details",
      { id: "words", open: this.app.settings.log },
      make("summary", {}, "Log and command line"),
      this.spoken,
    );
    const { settings } = this.app;
    words.addEventListener("toggle", () => words.open !== settings.log && settings.set("log", words.open));
    this.root = make("div", { id: "table-page" }, this.title, this.cloth, hands, words, this.panels);
    for (const name of ["box-tap", "bettor-tap"])
      this.root.addEventListener(name, ({ detail }) => this._tapped(detail.box));
    this.root.addEventListener("told", ({ detail }) => this.spoken.say(detail));
    this.root.addEventListener("pending", () => this.update());
    const settle = () => (WIDE.matches ? this.ask : this.root).append(this.panels);
    WIDE.addEventListener("change", settle, { signal: this.gone.signal });
    settle();
    main.replaceChildren(this.root);
    this.spoken.use({ press: (name) => this.controls.press(name), bets: this.bets, session: this.app.session });
  }

  /** At a tournament table: the user's tournament chips, which the header shows in place of the wallet. */
  get chips() {
    const { room, me } = this.model;
    return room?.heat && me && room.heat.chips.some(([player]) => player === me.name) ? chipsOf(this.model) : undefined;
  }

  /** A new state of a table. @param {any} frame */
  frame(frame) {
    const { model } = this;
    if (frame.table !== model.id) return;
    const first = model.view === null;
    Object.assign(model, {
      version: frame.version,
      room: frame.room,
      view: frame.view,
      events: frame.events ?? [],
      proofs: frame.proofs ?? [],
    });
    model.log = [...model.log, ...model.events].slice(-LOGGED);
    this.update();
    this.spoken.update(model);
    model.events = [];
    if (first) this._arrived();
    if (this.app.settings.sound && frame.events?.length) import("./sound.js").then((sound) => sound.play(frame.events));
  }

  _arrived() {
    const { room, view } = this.model;
    const name = room.name || `Table ${room.id}`;
    document.title = `${name} · Pontoon`;
    this.title.textContent = `${name}, rulebook ${view.rulebook}`;
    this.spoken.say(`${name}, rulebook ${view.rulebook}. ${momentWords(this.model)}`);
    if (document.activeElement === document.body) this.root.parentElement.focus({ preventScroll: true });
    if (this.app.settings.coach && room.practice) this.app.openPanel("coach");
  }

  update() {
    const { model } = this;
    model.me = this.app.connection.me;
    if (!model.view) return;
    const { session } = this.app;
    model.stopped = STOPPED[session.stopped] ?? "";
    this._updateNet();
    this.prompt.classList.toggle("asked", isAsked(model));
    this._drawTable();
    this.bets.update(model);
    this.prompt.textContent = [momentWords(model), !this.bets.hidden && this.bets.words].filter(Boolean).join(". ");
    this.controls.update(model);
    this._bringIntoView();
    this._drawGuest();
    this._panels();
    this.app.showUser();
    this.app.updatePanel(model);
  }

  /** While betting is open a tap adds the chip; at other times it takes a free seat. @param {number} box */
  _tapped(box) {
    if (box > this.model.view.cloth.boxes) return;
    if (!this.model.me) return this.root.querySelector("#newcomer")?.focus();
    const seated = this.model.view.seats?.some((one) => one.player === this.model.me.name);
    if (this.model.room.heat && (this.bets.hidden || !seated)) return;
    if (!this.bets.hidden || seated) this.bets.tap(box);
    else this.bets.sit(box);
  }

  /** A bug in the drawing must not disable the controls and the log. */
  _drawTable() {
    try {
      this.cloth.update?.(this.model);
    } catch (error) {
      console.error(error);
    }
  }

  /** On a small screen the controls may cover the box in turn: scroll it into view. */
  _bringIntoView() {
    const { box } = inTurn(this.model);
    const now = box && box.controller === this.model.me?.name ? `${this.model.view.number} ${box.number}` : "";
    if (box && now && now !== this.inView) {
      const place = this.cloth.querySelector(`li[data-box="${box.number}"]`);
      const covered = this.root.querySelector("#rail").getBoundingClientRect().top;
      if (place?.getBoundingClientRect().bottom > covered)
        place.scrollIntoView({ block: "center", behavior: "instant" });
    }
    this.inView = now;
  }

  /** Chips on the layout are not lost: the result of a round counts when it is over. */
  _updateNet() {
    const { model } = this;
    if (model.room.heat) return this.app.session.tableIs(0, false); // tournament chips are not part of the wallet
    const own = sumOf(placed(model));
    const before = bettingOpen(model) || model.view.phase === "ready"; // the deal
    this.app.session.tableIs(before ? own : 0, !before && own > 0);
  }

  /** A visitor who is not signed in may watch, and needs a name to play; an empty wallet can be refilled. */
  _drawGuest() {
    const { connection } = this.app;
    if (this.model.room.heat) return; // seats are given by the ballot
    const broke = connection.me && connection.me.wallet < FEW_CHIPS && bettingOpen(this.model);
    if (broke && !this.guest.children.length)
      this.guest.append(button("New play chips", () => this.app.newChips(), { id: "chips" }));
    if (connection.me || connection.signedIn) return broke || this.guest.replaceChildren();
    if (this.guest.children.length) return;
    const name = make("input", { id: "newcomer", required: true, maxlength: 24, autocomplete: "nickname" });
    const onsubmit = async (event) => {
      event.preventDefault();
      await connection.guest(name.value.trim()).catch((problem) => this.app.notice(problem.words));
    };
    const play = make("button", { class: "button primary" }, "Play as guest");
    this.guest.append(make("form", { class: "row", onsubmit }, "You are watching.", field("Your name", name), play));
  }

  _panels() {
    const { me, room } = this.model;
    const may = {
      desk: Boolean(me && (me.role !== "player" || room.made_by === me.name)),
      coach: Boolean(room.practice),
    };
    const shown = PANELS.filter(([name]) => may[name] ?? true);
    const now = this.app.panelName();
    const names = shown.map(([name]) => name).join();
    if (this.shown !== names) {
      this.shown = names;
      const toggle = (name) => (this.app.panelName() === name ? this.app.closePanel() : this.app.openPanel(name));
      const { heat } = room;
      const to = { href: `/tournament/${heat?.tournament}`, "data-route": true, class: "button", id: "to-tournament" };
      const back = heat && make("a", to, "Tournament");
      this.panels.replaceChildren(
        ...(back ? [back] : []),
        ...shown.map(([name, words]) => button(words, () => toggle(name), { "data-panel": name })),
      );
    }
    for (const one of this.panels.querySelectorAll("[data-panel]"))
      one.setAttribute("aria-pressed", String(one.dataset.panel === now));
  }

  panelShown() {
    if (this.model.view) this._panels();
  }

  // --- keys ---

  /** @param {string} action @param {number} [box] */
  perform(action, box = 0) {
    if (this.app.connection.status !== "open" || !this.model.view) return;
    if (action === "Help") return this.app.showHelp();
    if (action === "Command") return this._commandLine();
    if (action === "Box") return this._tapped(box);
    if (BETTING.includes(action)) return this.bets[action.toLowerCase()]();
    if (ACTIONS.some(([name]) => name === action)) this.controls.press(action);
  }

  _commandLine() {
    this.root.querySelector("#words").open = true;
    this.root.querySelector("#line").focus();
  }

  close() {
    this.gone.abort();
    this.app.connection.unwatch(this.model.id);
    this.app.session.tableIs(0, false);
    document.title = "Pontoon";
  }
}
