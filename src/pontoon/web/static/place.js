// The page of one table: the layout, the controls and the game in words, all drawn from one model.
import { hushed, sign } from "./card.js";
import { placed, sumOf } from "./plan.js";
import { ACTIONS } from "./controls.js";
import { bettingOpen, chipsOf, inTurn, isAsked, lastResult, moment, momentWords } from "./moment.js";
import { FIRST_HAND, OWN_TABLE } from "./app.js";
import { limitWords } from "./cloth.js";
import { FEW_CHIPS, button, make, on, pause, titled } from "./parts.js";
import { Ring } from "./ring.js";
import { listen } from "./settings.js";
import "./bets.js";
import "./spoken.js";
import "./table.js";

const LOGGED = 200; // events
const READ = 8000; // milliseconds a settled round stays on the table after it was collected
/** Name and words of each panel; its sign has the same name. @type {[string, string][]} */
const PANELS = [
  ["rules", "Rules here"],
  ["history", "History"],
  ["fairness", "Shuffle proof"],
  ["asif", "Other casinos"],
  ["coach", "Coach details"],
  ["together", "Together"],
  ["desk", "Desk"],
];
const BETTING = ["Confirm", "Repeat", "Twice", "Undo", "Clear"];
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
    on(connection, "emote", (detail) => this._emote(detail), this.gone.signal);
    listen(settings, (action, box) => this.perform(action, box), this.gone.signal);
  }

  _build(main) {
    const { settings } = this.app;
    this.title = make("h1", { class: "visually-hidden" }, "Table");
    this.prompt = make("p", { id: "prompt" }, "Loading the table…");
    this.panels = make("nav", { id: "panels", "aria-label": "Panels" });
    this.cloth = make("pontoon-table", { class: "staged" });
    this.controls = make("pontoon-controls");
    this.bets = make("pontoon-bets");
    this.spoken = make("pontoon-spoken");
    this.guest = make("div", { id: "guest" });
    this.ring = new Ring();
    const replay = () => this.app.openPanel("history", { last: true });
    this.replay = button("Replay", replay, { id: "replay-last", class: "button small", hidden: true });
    const help = { id: "help-here", class: "button tool", "aria-label": "What can I do now?" };
    const ask = button("?", () => this.app.showHelp(), help); // where the header's is in the menu
    this.ask = make("div", { id: "ask" }, this.ring.element, this.prompt, this.replay, ask);
    const rail = make("div", { id: "rail" }, this.ask, this.guest, this.bets, this.controls);
    const words = make(
      "details",
      { id: "words", open: settings.log },
      make("summary", { class: "button small" }, "Round log"),
      this.spoken,
    );
    words.addEventListener("toggle", () => words.open !== settings.log && settings.set("log", words.open));
    this.root = make("div", { id: "table-page" }, this.title, words, this.cloth, rail);
    for (const name of ["box-tap", "bettor-tap"])
      this.root.addEventListener(name, ({ detail }) => this._tapped(detail.box));
    this.cloth.addEventListener("contextmenu", (event) => this._takeOff(event));
    this.cloth.addEventListener("click", (event) => this._peek(/** @type {Element} */ (event.target)));
    this.root.addEventListener("told", ({ detail }) => this.spoken.say(detail));
    this.root.addEventListener("pending", () => this.update());
    main.replaceChildren(this.root);
    this.app.tools(this.panels);
    this.spoken.use({
      press: (name, amount) => this.controls.press(name, false, amount),
      bets: this.bets,
      session: this.app.session,
    });
  }

  /** A phone shows only the totals of others: a tap shows their cards, the next hides them. @param {Element} target */
  _peek(target) {
    const box = /** @type {HTMLElement | null} */ (target.closest(".box:not(.stage, .betting)"));
    for (const one of this.cloth.querySelectorAll("[data-peek]")) if (one !== box) delete one.dataset.peek;
    box?.toggleAttribute("data-peek");
  }

  /** Hold or right-click: one chip less on that box. @param {MouseEvent} event */
  _takeOff(event) {
    const box = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest(".box"))?.dataset.box;
    if (!box || this.bets.hidden) return;
    event.preventDefault();
    this.bets.less(Number(box));
  }

  /** At a tournament or practice table: the user's chips here, which the header shows in place of the wallet. */
  get chips() {
    const { room, me } = this.model;
    const here = room?.own_chips || room?.heat?.chips.some(([player]) => player === me?.name);
    return here && me ? chipsOf(this.model) : undefined;
  }

  get chipsName() {
    return this.model.room?.own_chips ? "Practice chips" : "Chips here";
  }

  /** A new state of a table. @param {any} frame */
  frame(frame) {
    const { model } = this;
    if (frame.table !== model.id) return;
    const first = model.view === null;
    const wasAsked = !first && isAsked(model);
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
    if (first) this._arrived();
    this._seatLost(model.events);
    if (frame.events?.length) {
      if (this.app.settings.sound) import("./sound.js").then((sound) => sound.play(frame.events, model, wasAsked));
      import("./celebrate.js").then((module) => module.celebrate(this.root, model, this.cloth.landing));
    }
    queueMicrotask(() => (model.events = []));
  }

  /** A seat whose player sits out many rounds is freed: they are told. @param {EventView[]} events */
  _seatLost(events) {
    const left = events.some(({ type, facts }) => type === "PlayerLeft" && facts?.player === this.model.me?.name);
    if (left && !this.bets.leaving)
      this.app.notice("You sat out several rounds, so your seat is free. Tap a box to bet.");
    if (left) this.bets.leaving = false;
  }

  _arrived() {
    const { room, view } = this.model;
    const name = room.name || `Table ${room.id}`;
    document.title = `${name} · Pontoon`;
    this.title.textContent = `${name}, rulebook ${view.rulebook}`;
    this._where();
    this.spoken.say(`${name}, rulebook ${view.rulebook}. ${momentWords(this.model)}`);
    if (document.activeElement === document.body) this.root.parentElement.focus({ preventScroll: true });
  }

  update() {
    const { model } = this;
    model.me = this.app.connection.me;
    if (!model.view) return;
    const { session } = this.app;
    model.stopped = STOPPED[session.stopped] ?? "";
    this._updateNet();
    this._remember();
    this.prompt.classList.toggle("asked", isAsked(model));
    this._drawTable();
    this.bets.update(model);
    this._drawPrompt();
    this._where();
    this.controls.update(model);
    hushed(this.controls.querySelectorAll(".says, .worth, .reason"), this.cloth.landing);
    this.ring?.update(model);
    this._advise();
    this._passUnasked();
    this._firstHand();
    this._drawGuest();
    this._panels();
    this.app.showUser();
    this.app.updatePanel(model);
  }

  /** The start page and the list of tables lead back to the table where the user sits. */
  _remember() {
    const { id, view, me } = this.model;
    const own = localStorage.getItem(OWN_TABLE) === id;
    if (own && view.phase === "closed") localStorage.removeItem(OWN_TABLE);
    else if (!own && me && view.seats?.some((one) => one.player === me.name)) localStorage.setItem(OWN_TABLE, id);
  }

  /** Name, rules and limits in the header; the limits may change. */
  _where() {
    const { room, view } = this.model;
    const limits = limitWords(view.limits).replace("Wagers ", "");
    const more = ` rules · ${limits}${room.private ? " · private" : ""}`;
    const line = view.cloth.title + more;
    if (line !== this.whereLine) this.app.where(room.name || `Table ${room.id}`, titled(view.cloth.title), more);
    this.whereLine = line;
  }

  /** A title and a line below it; the total in it waits until its card has landed. */
  _drawPrompt() {
    const { model } = this;
    const [waits, line] = moment(model);
    const words = this.bets.hidden ? line : this.bets.words || line;
    const result = !this.bets.hidden && !this.bets.plan.size && !model.room.heat ? lastResult(model) : "";
    const [title, more] = result ? [result, waits] : [waits, words];
    this.replay.hidden = !result;
    const now = `${title}|${more}`;
    if (now === this.said) return;
    const same = this.said?.startsWith(`${title}|`);
    this.said = now;
    const between = more && make("span", { class: "visually-hidden" }, ": ");
    this.prompt.replaceChildren(
      make("b", {}, title),
      ...(more ? [between, make("span", { class: "line" }, more)] : []),
    );
    hushed([...this.prompt.children].slice(same ? 1 : 0), this.cloth.landing);
  }

  /** At a practice table with the coach on, the bar says what each choice is worth. */
  async _advise() {
    const { model } = this;
    const { settings, connection } = this.app;
    this.app.coachSwitch(Boolean(model.room.practice));
    const { box, hand } = inTurn(model);
    const offer = model.view.round?.offer ?? "";
    const asked =
      model.room.practice && settings.coach && isAsked(model) && ["decision", "offer"].includes(model.room.waits);
    const key = asked
      ? JSON.stringify([model.view.number, offer, box?.number, hand?.cards, model.view.round?.turn])
      : "";
    if (key === this.advising) return;
    this.advising = key;
    if (model.advice) this._advised(null);
    if (!key) return;
    for (let tries = 0; tries < 40 && key === this.advising; tries += 1) {
      const told = await connection.get(`/api/tables/${model.id}/coach`).catch(() => null);
      if (!told || key !== this.advising) return;
      if (told.status === "ready") return this._advised(told.actions.length ? told : null);
      this.controls.reason.textContent = "Calculating…";
      await pause(250);
    }
  }

  /** Most players do not want to cut, some never insure: they are asked only if their settings say so. */
  _passUnasked() {
    const { view, room } = this.model;
    const { settings } = this.app;
    const cut = room.waits === "cut" && !settings.cut;
    const insurance = room.waits === "offer" && view.round?.offer === "insurance" && !settings.insurance;
    const now = (cut || insurance) && isAsked(this.model) ? `${room.waits} ${view.shoe.number} ${view.number}` : "";
    if (now && now !== this.passed) this.app.connection.do(this.model.id, { type: "Pass" }).catch(() => {});
    this.passed = now;
  }

  /** "Play now" means now: the smallest bet, with practice chips, and the cards come. */
  _firstHand() {
    if (this.bets.hidden || this.bets.busy || sessionStorage.getItem(FIRST_HAND) !== this.model.id) return;
    sessionStorage.removeItem(FIRST_HAND);
    this.bets.tap(this.cloth.stage);
    this.bets.deal();
  }

  /** @param {CoachAnswer | null} advice */
  _advised(advice) {
    this.model.advice = advice;
    this.controls.explained = false;
    this.controls.update(this.model);
  }

  /** While betting is open a tap adds the chip; at other times it takes a free seat. @param {number} box */
  _tapped(box) {
    if (box > this.model.view.cloth.boxes) return;
    if (!this.model.me) return void this.app.signInAsGuest();
    const seated = this.model.view.seats?.some((one) => one.player === this.model.me.name);
    if (this.model.room.heat && (this.bets.hidden || !seated)) return;
    if (!this.bets.hidden || seated) this.bets.tap(box);
    else this.bets.sit(box);
  }

  /** @param {EmoteFrame} told */
  async _emote(told) {
    if (told.table === this.model.id) (await import("./emotes.js")).show(this.root, told);
  }

  /** A bug in the drawing must not disable the controls and the log. */
  _drawTable() {
    try {
      this.cloth.update?.(this.model);
    } catch (error) {
      console.error(error);
    }
  }

  /** Chips on the layout are not lost: the result of a round counts when it is over. */
  _updateNet() {
    const { model } = this;
    if (model.room.heat) return this.app.session.tableIs(0, false); // tournament chips are not part of the wallet
    const own = sumOf(placed(model));
    const before = bettingOpen(model) || model.view.phase === "ready"; // the deal
    this.app.session.tableIs(before ? own : 0, !before && own > 0);
  }

  /** A visitor who is not signed in may watch, and plays with one press; few chips can be refilled. */
  _drawGuest() {
    const { connection } = this.app;
    if (this.model.room.heat) return; // seats are given by the ballot
    const { room, view } = this.model;
    const few = Math.max(FEW_CHIPS, room.own_chips ? view.limits.minimum * 2 : 0);
    const broke = connection.me && chipsOf(this.model) < few && bettingOpen(this.model);
    const refill = room.own_chips
      ? button("New practice chips", () => this.app.newPracticeChips(), { id: "chips" })
      : button("New play chips", () => this.app.newChips(), { id: "chips" });
    if (broke && !this.guest.children.length) this.guest.append(refill);
    if (connection.me || connection.signedIn) return broke || this.guest.replaceChildren();
    if (this.guest.children.length) return;
    const play = button("Play here", () => this.app.signInAsGuest(), { class: "button go", id: "play-here" });
    this.guest.append(make("p", { class: "row" }, "You are watching.", play));
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
      const one = ([name, words]) => {
        const attributes = { "data-panel": name, class: "button tool", title: words };
        const opener = button("", () => toggle(name), attributes);
        opener.append(sign(name), make("span", {}, words));
        return opener;
      };
      const log = button("", () => this._commandLine(), { id: "to-log", class: "button tool", title: "Round log" });
      log.append(sign("log"), make("span", {}, "Round log"));
      this.panels.replaceChildren(...(back ? [back] : []), ...shown.map(one), log);
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
    const words = this.root.querySelector("#words");
    words.open = true;
    this.root.querySelector("#line").focus({ preventScroll: true });
  }

  close() {
    this.gone.abort();
    this.ring?.stop();
    this.app.connection.unwatch(this.model.id);
    this.app.session.tableIs(0, false);
    document.title = "Pontoon";
  }
}
