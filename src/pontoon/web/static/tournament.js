// The page of a tournament: the conditions, the user's own place, the standings, the tables, and what has happened.
import { newKey } from "./connection.js";
import { chipGraph } from "./panels/chips.js";
import { cite, grid } from "./panels/part.js";
import { hex, possible, sha, unhex } from "./panels/proof.js";
import { button, dateWords, dollars, field, make, on, renew, routed, spaced } from "./parts.js";
import {
  isFinal,
  news,
  nextSteps,
  ordinal,
  payments,
  players,
  poolOf,
  prints,
  sessions,
  standings,
  tables,
} from "./tournament_sheets.js";

const EVERY = 30_000; // milliseconds; the server tells when something moves, this is for a lost line
const STYLES = ["/static/tournament.css", "/static/panels/panels.css"];
const OWN = ["Enter", "TakeSeat", "BuyBack", "Appeal"]; // commands that players give for themselves
const STATUS = {
  in: "You are in.",
  reserve: "You are on the list of reserves. The fee is due when you are offered a seat.",
  forfeited: "You were not seated in time and have lost your seat.",
  eliminated: "You are out.",
  disqualified: "The director has disqualified you.",
  substituted: "A substitute plays for you.",
};

/** Open a tournament. @param {App} app @param {HTMLElement} main @param {string} id */
export function open(app, main, id) {
  return new Tournament(app, main, id);
}

/** "2 h 5 min", "4 min 10 s". @param {number} left milliseconds */
export function leftWords(left) {
  const seconds = Math.max(0, Math.round(left / 1000));
  const [days, hours, minutes] = [
    Math.floor(seconds / 86400),
    Math.floor(seconds / 3600) % 24,
    Math.floor(seconds / 60) % 60,
  ];
  if (days > 1) return `${days} days`;
  if (days) return `1 day ${hours} h`;
  if (hours) return `${hours} h ${minutes} min`;
  return minutes ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
}

class Tournament {
  /** The parts of the page, by name. @type {Record<string, any>} */
  parts = {};
  /** The two columns of sheets. @type {any[]} */
  columns = [];
  /** The user that the view was made for. */
  asked = "";
  /** @type {number | null} */
  version = null;
  ownShown = "";
  newsShown = "";

  /** @param {App} app @param {HTMLElement} main @param {string} id */
  constructor(app, main, id) {
    this.app = app;
    this.id = id;
    /** @type {{id: string, view: TournamentView | null, rulebook: string}} */
    this.model = { id, view: null, rulebook: "" };
    this.sheets = STYLES.filter((href) => !document.querySelector(`link[href="${href}"]`)).map((href) =>
      make("link", { rel: "stylesheet", href }),
    );
    document.head.append(...this.sheets);
    this._build(main);
    this.look();
    this.timer = setInterval(() => document.hidden || this.look(), EVERY);
    this.leaving = new AbortController();
    on(app.connection, "tournament", (answer) => answer.tournament === id && this.look(), this.leaving.signal);
    app.connection.follow(id);
    this.ticking = setInterval(() => this._countdown(), 1000);
  }

  close() {
    clearInterval(this.timer);
    clearInterval(this.ticking);
    this.leaving.abort();
    this.app.connection.follow("");
    this.closed = true;
    document.title = "Pontoon";
  }

  _build(main) {
    const part = (name, tag = "div", attributes = {}) => (this.parts[name] = make(tag, attributes));
    const sheet = (title, name, ...before) => {
      const id = `${name}-title`;
      const attributes = { class: "sheet", "aria-labelledby": id, hidden: true };
      return (this.parts[`${name}Sheet`] = make(
        "section",
        attributes,
        make("h2", { id }, title),
        ...before,
        part(name),
      ));
    };
    this.graph = chipGraph();
    this.says = make("p", { class: "muted", role: "status" }, "Loading the tournament…");
    this.clock = make("p", { class: "countdown" });
    const title = make("div", { class: "sayings" }, part("title"), this.clock);
    const own = part("own", "section", { id: "own", "aria-label": "Your part" });
    const left = [sheet("Standings", "standings", this.graph), sheet("Players", "players"), sheet("Tables", "tables")];
    const right = [
      sheet("Prizes", "payments"),
      sheet("Sessions", "sessions"),
      sheet("Events", "news"),
      sheet("Fair ballot", "ballot"),
    ];
    this.columns = [left, right].map((inside) => make("div", { class: "column" }, ...inside));
    part("desk", "section", { class: "sheet", id: "director", "aria-label": "Director's desk", hidden: true });
    this.page = make(
      "div",
      { id: "tournament" },
      make("header", { class: "felt cup" }, title, own),
      this.says,
      make("div", { class: "columns" }, this.parts.desk, ...this.columns),
      prints(this.id),
      this._paper(),
    );
    main.replaceChildren(this.page);
  }

  /** The page of an official: the desk in front, then the tables and what happened, then the standings. */
  _directing() {
    if (this.page.classList.contains("directing")) return;
    this.page.classList.add("directing");
    const [middle, last] = this.columns;
    const { tablesSheet, playersSheet, newsSheet, standingsSheet } = this.parts;
    middle.append(tablesSheet, playersSheet, newsSheet);
    last.prepend(standingsSheet);
  }

  // --- loading ---

  async look(anew = false) {
    const me = this.app.connection.me?.name ?? "";
    if (anew || me !== this.asked) this.version = null; // another user sees another view
    this.asked = me;
    const since = this.version === null ? "" : `?after=${this.version}`;
    try {
      const view = await this.app.connection.get(`/api/tournaments/${encodeURIComponent(this.id)}${since}`);
      if (this.closed || !view) return;
      this.version = view.version;
      this.model.view = view;
      this.model.rulebook = view.rulebook;
      this.says.textContent = "";
      this._show();
    } catch (problem) {
      this.says.textContent = problem.words ?? String(problem);
    }
  }

  update() {
    if ((this.app.connection.me?.name ?? "") !== this.asked) this.look();
    else if (this.model.view) this._own(this.model.view);
  }

  /**
   * Give a command: officials in their role, players for themselves.
   * @param {Command} command
   * @returns {Promise<boolean>}
   */
  async give(command) {
    const { me } = this.app.connection;
    const as = OWN.includes(command.type) && command.player === me?.name ? "player" : me?.role;
    try {
      const path = `/api/tournaments/${encodeURIComponent(this.id)}/commands`;
      await this.app.connection.post(path, { key: newKey(), command, as });
      await this.look(true);
      return true;
    } catch (problem) {
      this.app.notice(problem.words ?? String(problem), problem.clauses);
      return false;
    }
  }

  _show() {
    const { view } = this.model;
    if (!view) return;
    document.title = `${view.name} · Pontoon`;
    this._head(view);
    this._own(view);
    this._standings(view);
    this._sheet("players", ["draft", "entries", "closed", "cancelled"].includes(view.phase), players(view, this.asked));
    this._sheet("tables", view.tables.length || view.ties.length, tables(view, this.asked));
    this._sheet("payments", view.payments.length, payments(view));
    this._sheet("sessions", true, sessions(view));
    this._news(view);
    this._ballot(view);
    this.paper.hidden = false;
    this._desk(view);
    this._countdown();
  }

  /** Fill a sheet, or hide it. */
  _sheet(name, shown, children) {
    this.parts[`${name}Sheet`].hidden = !shown;
    if (shown) renew(this.parts[name], ...children);
  }

  // --- the head ---

  /** @param {TournamentView} view */
  _head(view) {
    const entered = view.players.filter((one) => !["reserve", "substituted"].includes(one.status)).length;
    const facts = [
      ["Entry", view.fee ? dollars(view.fee) : "free"],
      ["Chips", dollars(view.chips)],
      ["Wagers", `${dollars(view.minimum)} to ${dollars(view.maximum)}`],
      ["Players", `${entered} of ${view.most}`],
      ["Prize pool", dollars(poolOf(view))],
      ["Director", view.director || "not nominated yet"],
    ];
    const list = make(
      "dl",
      { class: "facts" },
      ...facts.map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, value))),
    );
    renew(
      this.parts.title,
      make("p", { class: "kind" }, `Tournament · ${spaced(view.format).replace("knock out", "knock-out")}`),
      make("h1", {}, view.name),
      make("p", { class: "phase" }, `${view.words[0].toUpperCase()}${view.words.slice(1)}`),
      list,
      this.parts.desk.hidden && nextSteps(view, this.model.rulebook),
      routed(`/screen/${view.id}`, "Large screen", { class: "button small" }),
    );
  }

  _countdown() {
    const { view } = this.model;
    if (!view) return;
    const left = (view.start || 0) - Date.now();
    const rest = view.pause_ends - Date.now();
    const paused = rest > 0 ? `Break: play resumes in ${leftWords(rest)}` : "Break: the director resumes play";
    const due = view.start && dateWords(view.start);
    const starts = left > 0 ? `Starts ${due}, in ${leftWords(left)}` : `Due to start ${due}; waiting for the director`;
    const words = view.pause ? paused : due ? starts : "";
    if (this.clock.textContent !== words) this.clock.textContent = words;
  }

  // --- the user's own part ---

  /** @param {TournamentView} view */
  _own(view) {
    const { me, signedIn } = this.app.connection;
    const { mine, may } = view;
    const place = view.standings.find((one) => one.player === me?.name);
    const allowed = may.filter((one) => OWN.includes(one));
    const short = (me?.wallet ?? 0) < view.fee;
    const now = JSON.stringify([me?.name, signedIn, mine, allowed, view.phase, view.fee, place, short, view.appeals]);
    if (now === this.ownShown || this.parts.own.querySelector("#appeal[open]")) return; // someone is typing
    this.ownShown = now;
    this.parts.own.replaceChildren(...this._ownPart(view, me, place));
  }

  /** @param {TournamentView} view @param {Me | null} me @param {StandingRow | undefined} place @returns {Node[]} */
  _ownPart(view, me, place) {
    const { mine, may } = view;
    if (!me) return this.app.connection.signedIn ? [] : [this._newcomer()];
    if (!mine) return may.includes("Enter") && me.name !== view.director ? [this._entering(view, me)] : [];
    const result = place && isFinal(view) ? this._result(place) : [make("p", {}, this._standingWords(view, mine))];
    const title = make("h2", {}, "Your part");
    return [make("div", { class: "mine" }, title, ...result, ...this._seat(view, mine), ...this._actions(view, me))];
  }

  /** @param {StandingRow} place */
  _result(place) {
    const prize = place.prize ? `You win ${dollars(place.prize)}.` : "No prize this time.";
    return [make("p", { class: "place" }, `${ordinal(place.place)} place`), make("p", {}, prize)];
  }

  /** @param {TournamentView} view @param {Mine} mine */
  _seat(view, mine) {
    if (!mine.table || !["balloted", "session"].includes(view.phase) || mine.status !== "in") return [];
    const [table, box] = [mine.table, mine.box].map((number) => make("b", {}, String(number)));
    const seat = make("p", { class: "seat" }, "Table ", table, ", box ", box);
    return view.phase === "session" ? [seat, make("p", {}, `Your chips: ${dollars(mine.chips)}`)] : [seat];
  }

  /** What the user may do now. @param {TournamentView} view @param {Me} me @returns {Node[]} */
  _actions(view, me) {
    const { mine, may, phase, buy_back: price } = view;
    if (!mine) return [];
    const give = (type) => () => this.give({ type, player: me.name });
    const primary = { class: "button primary" };
    const seats = may.includes("TakeSeat") && mine.table && !mine.seated;
    const back = may.includes("BuyBack") && mine.status === "eliminated";
    const buy = `Buy back${price ? ` for ${dollars(price)}` : ""}`;
    return [
      seats && button("Take my seat", give("TakeSeat"), { ...primary, id: "take-seat" }),
      phase === "balloted" && mine.seated && make("p", {}, "You are seated. The table opens when the session starts."),
      mine.room && routed(`/t/${mine.room}`, "Go to my table", { ...primary, id: "my-table" }),
      back && button(buy, give("BuyBack"), { ...primary, id: "buy-back" }),
      ...this._appeal(view, me),
    ].filter(Boolean);
  }

  /** The player's own appeals, and a form for a new one. @param {TournamentView} view @param {Me} me */
  _appeal(view, me) {
    const answer = { upheld: "upheld", dismissed: "dismissed", "": "the operator has not decided yet" };
    const own = view.appeals.filter((one) => one.player === me.name);
    const lines = own.map((one) =>
      make("p", { class: "muted" }, `Your appeal: ${answer[one.outcome]}${one.decision ? ` (${one.decision})` : ""}`),
    );
    if (!view.may.includes("Appeal")) return lines;
    const reason = make("input", { id: "appeal-reason", required: true, maxlength: 200, autocomplete: "off" });
    const onsubmit = async (event) => {
      event.preventDefault();
      const fold = event.target.closest("details");
      fold.open = false; // an open form is not drawn again
      if (!(await this.give({ type: "Appeal", player: me.name, reason: reason.value.trim() }))) fold.open = true;
    };
    const form = make(
      "form",
      { onsubmit },
      field("What do you dispute?", reason),
      make("button", { class: "button" }, "Appeal"),
    );
    return [...lines, make("details", { id: "appeal" }, make("summary", {}, "Appeal against a decision"), form)];
  }

  /** @param {TournamentView} view @param {Mine} mine */
  _standingWords(view, { status }) {
    if (view.phase === "cancelled") return "Your fee was refunded.";
    const next =
      view.phase === "between" &&
      status === "in" &&
      view.sessions.slice(view.session).find((one) => one.kind === "session");
    return next ? `You advance to ${next.name}.` : (STATUS[status] ?? "");
  }

  _newcomer() {
    const name = make("input", { id: "newcomer", required: true, maxlength: 24, autocomplete: "nickname" });
    const onsubmit = async (event) => {
      event.preventDefault();
      await this.app.connection.guest(name.value.trim()).catch((problem) => this.app.notice(problem.words));
    };
    return make(
      "form",
      { class: "mine", onsubmit },
      make("h2", {}, "You are watching"),
      field("Your name", name),
      make("button", { class: "button primary" }, "Join as guest"),
    );
  }

  _entering(view, me) {
    const agreed = make("input", { type: "checkbox", id: "agreed", required: view.agreement });
    const group = make("input", { id: "group", maxlength: 64, autocomplete: "off" });
    const read = button("Read the conditions", () => this._openPaper(), { class: "button small", id: "read-paper" });
    const onsubmit = (event) => {
      event.preventDefault();
      this.give({ type: "Enter", player: me.name, group: group.value.trim(), agreed: agreed.checked });
    };
    const few =
      me.wallet < view.fee &&
      make("p", { class: "muted" }, `You have ${dollars(me.wallet)}; the fee is ${dollars(view.fee)}.`);
    return make(
      "form",
      { class: "mine", onsubmit },
      make("h2", {}, "Enter"),
      make(
        "p",
        {},
        `${view.fee ? `For ${dollars(view.fee)} you` : "You"} get ${dollars(view.chips)} in tournament chips.`,
      ),
      view.groups && field("Your group (optional)", group, view.groups),
      view.agreement && make("p", { class: "agree" }, field("I agree to the rules and the conditions", agreed), read),
      few,
      make("button", { class: "button primary", id: "enter" }, view.fee ? `Enter for ${dollars(view.fee)}` : "Enter"),
    );
  }

  // --- the sheets ---

  /** @param {TournamentView} view */
  _standings(view) {
    const { parts, asked } = this;
    parts.standingsSheet.hidden = !view.standings.length;
    this.graph.hidden = !view.history.some((one) => one.points.length > 1);
    this.graph.update(view.history, asked);
    const unfolded = [...parts.standings.querySelectorAll("details[open]")].map((one) => one.id);
    renew(parts.standings, ...standings(view, asked));
    for (const id of unfolded) parts.standings.querySelector(`#${CSS.escape(id)}`)?.setAttribute("open", "");
  }

  /** @param {TournamentView} view */
  _news(view) {
    this.parts.newsSheet.hidden = !view.told.length;
    const latest = JSON.stringify(view.told.at(-1)) ?? "";
    if (this.newsShown !== latest) this.parts.news.replaceChildren(news(view));
    this.newsShown = latest;
  }

  // --- the conditions and the ballot ---

  _paper() {
    this.paper = make(
      "details",
      { class: "sheet", id: "paper", hidden: true },
      make("summary", {}, make("h2", {}, "Conditions")),
    );
    this.paper.addEventListener("toggle", () => this.paper.open && this._readPaper(), { once: true });
    return this.paper;
  }

  _openPaper() {
    this.paper.open = true;
    this.paper.scrollIntoView({ block: "start" });
    this.paper.querySelector("summary").focus({ preventScroll: true });
  }

  async _readPaper() {
    const path = `/api/tournaments/${encodeURIComponent(this.id)}/conditions`;
    try {
      const paper = await this.app.connection.get(path);
      const part = (one) =>
        one.rows.length
          ? grid(`Clause ${one.clause}`, one.rows[0], one.rows.slice(1))
          : make("p", {}, one.words, " ", cite([one.clause], one.words, this.model.rulebook));
      const section = (one) => [make(one.level > 1 ? "h4" : "h3", {}, one.title), ...one.parts.map(part)];
      const print = make("a", { href: `${path}?as=html`, target: "_blank", rel: "noopener" }, "Printable page");
      this.paper.append(
        make("p", {}, print),
        make("div", { class: "pages" }, ...paper.sections.map((one) => make("section", {}, ...section(one)))),
        make("small", { class: "muted digest" }, paper.foot),
      );
    } catch (problem) {
      this.paper.append(make("p", {}, problem.words));
    }
  }

  /** @param {TournamentView} view */
  async _ballot(view) {
    this.parts.ballotSheet.hidden = !view.seed_hash;
    const published = "The seed that every ballot was drawn from is published:";
    const hidden = "One seed decides every ballot. Its hash was published before the first entry.";
    const later = "The seed is published when the places are awarded.";
    const lines = [
      make("p", {}, view.seed ? published : `${hidden} ${later}`),
      make("p", { class: "hash" }, view.seed || view.seed_hash),
    ];
    if (view.seed && possible()) {
      const same = hex(await sha(unhex(view.seed))) === view.seed_hash;
      const good = "Checked in your browser: it is the seed whose hash was published before the first entry.";
      const words = same ? good : "This is NOT the seed whose hash was published.";
      lines.push(make("p", { class: same ? "good" : "bad" }, words));
    }
    renew(this.parts.ballot, ...lines);
  }

  // --- the director ---

  /** @param {TournamentView} view */
  async _desk(view) {
    const { me } = this.app.connection;
    const { desk } = this.parts;
    const runs = me?.name === view.director && me?.role === "tournament_director"; // may also seat players
    const may = view.may.filter((one) => !OWN.includes(one) || (["Enter", "TakeSeat", "Appeal"].includes(one) && runs));
    const shown = !desk.hidden;
    desk.hidden = !may.length;
    if (shown === desk.hidden) this._head(view); // the next steps are at the desk, or else in the head
    if (!may.length) return;
    this._directing();
    await import("./panels/director.js");
    if (this.closed) return;
    if (!desk.firstChild) desk.append(make("pontoon-director"));
    desk.firstChild.update(view, { may, give: (command) => this.give(command), me, runs });
  }
}
