// A table as a page: the cloth, what can be pressed, and the game in words, all fed from one model.
import "./spoken.js";
import { Bets, placed, bettingOpen } from "./bets.js";
import { ACTIONS, chipsOf, inTurn, momentWords } from "./controls.js";
import { listen } from "./keys.js";
import { button, field, make } from "./parts.js";
import "./table.js";

const TOLD = 200;
const READ = 8000; // milliseconds a settled round can be read on the cloth after it was collected
const FEW = 1000; // cents below which chips are given out; the server decides
const PANELS = [
  ["coach", "Coach"],
  ["history", "History"],
  ["fairness", "Fairness"],
  ["asif", "As if"],
  ["desk", "Desk"],
];
const WIDE = matchMedia("(min-width: 60rem)"); // as in style.css: there is room for the panels' buttons beside the prompt
const BETTING = ["Confirm", "Repeat", "Undo", "Clear"];
const STOPPED = {
  loss: "Betting is closed: you have reached the loss you set.",
  time: "Betting is closed: the time you set is over.",
};

/** Open a table in `main`. */
export function open(app, main, id) {
  return new Place(app, main, id);
}

class Place {
  constructor(app, main, id) {
    this.app = app;
    const { connection, settings, session } = app;
    this.model = {
      id,
      version: 0,
      room: null,
      view: null,
      events: [],
      proofs: [],
      log: [],
      me: connection.me,
      connection,
      settings,
      session,
      pending: {},
      stays: READ,
    };
    this.gone = new AbortController();
    this._build(main);
    connection.watch(id);
    listen(settings, (action, box) => this.perform(action, box), this.gone.signal);
  }

  _build(main) {
    this.title = make("h1", { class: "visually-hidden" }, "Table");
    this.prompt = make("p", { id: "prompt" }, "Coming to the table…");
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
      make("summary", {}, "The dealer's words and the command line"),
      this.spoken,
    );
    words.addEventListener(
      "toggle",
      () => words.open !== this.app.settings.log && this.app.settings.set("log", words.open),
    );
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

  /** At a tournament's table: the chips in front of one, which the header shows in place of the wallet. */
  get chips() {
    const { room, me } = this.model;
    return room?.heat && me && room.heat.chips.some(([player]) => player === me.name) ? chipsOf(this.model) : undefined;
  }

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
    model.log = [...model.log, ...model.events].slice(-TOLD);
    this.update();
    this.spoken.update(model);
    model.events = [];
    if (first) this._arrived();
    if (this.app.settings.sound && frame.events?.length)
      import("./sound.js").then((sound) => sound.play(frame.events, model));
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
    this._reckon();
    this.prompt.classList.toggle("asked", Boolean(model.me && model.room.players?.includes(model.me.name)));
    this._cloth();
    this.bets.update(model);
    this.prompt.textContent = [momentWords(model), !this.bets.hidden && this.bets.words].filter(Boolean).join(". ");
    this.controls.update(model);
    this._bringIntoView();
    this._newcomer();
    this._panels();
    this.app.who();
    this.app.updatePanel(model);
  }

  /** While wagers are open a tap puts the chip down; at other times it takes a free seat. */
  _tapped(box) {
    if (!this.model.me) return this.root.querySelector("#newcomer")?.focus();
    const seated = this.model.view.seats?.some((one) => one.player === this.model.me.name);
    if (this.model.room.heat && (this.bets.hidden || !seated)) return;
    if (!this.bets.hidden || seated) this.bets.tap(box);
    else this.bets.sit(box);
  }

  /** A fault in the picture must not take the controls and the words away. */
  _cloth() {
    try {
      this.cloth.update?.(this.model);
    } catch (error) {
      console.error(error);
    }
  }

  /** On a small screen the controls may lie over the box that is to be decided. */
  _bringIntoView() {
    const { box } = inTurn(this.model);
    const now = box && box.controller === this.model.me?.name ? `${this.model.view.number} ${box.number}` : "";
    if (now && now !== this.inView) {
      const place = this.cloth.querySelector(`li[data-box="${box.number}"]`);
      const covered = this.root.querySelector("#rail").getBoundingClientRect().top;
      if (place?.getBoundingClientRect().bottom > covered)
        place.scrollIntoView({ block: "center", behavior: "instant" });
    }
    this.inView = now;
  }

  /** Own chips on the layout are not lost: the result of a round counts when it is over. */
  _reckon() {
    const { model } = this;
    const own = [...placed(model).values()].reduce(
      (sum, one) => sum + one.stake + Object.values(one.side).reduce((a, b) => a + b, 0),
      0,
    );
    if (model.room.heat) return this.app.session.tableIs(0, false); // tournament chips are no part of the wallet
    const open = bettingOpen(model) || model.view.phase === "ready";
    this.app.session.tableIs(open ? own : 0, !open && own > 0);
  }

  /** Whoever came by a link has no name yet: watching is free, playing needs one. */
  _newcomer() {
    const { connection } = this.app;
    if (this.model.room.heat) return; // a seat is given by the ballot
    const broke = connection.me && connection.me.wallet < FEW && bettingOpen(this.model);
    if (broke && !this.guest.children.length)
      this.guest.append(button("New play chips", () => this.app.newChips(), { id: "chips" }));
    if (connection.me || connection.signedIn) return broke || this.guest.replaceChildren();
    if (this.guest.children.length) return;
    const name = make("input", { id: "newcomer", required: true, maxlength: 24, autocomplete: "nickname" });
    const come = async (event) => {
      event.preventDefault();
      await connection.guest(name.value.trim()).catch((problem) => this.app.notice(problem.words));
    };
    const play = make("button", { class: "button primary" }, "Play as guest");
    this.guest.append(
      make("form", { class: "row", onsubmit: come }, "You are watching.", field("Your name", name), play),
    );
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
      const back =
        heat &&
        make(
          "a",
          { href: `/tournament/${heat.tournament}`, "data-route": true, class: "button", id: "to-tournament" },
          "Tournament",
        );
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

  perform(action, box) {
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
