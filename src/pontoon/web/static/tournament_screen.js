// The large screen of a tournament, for everyone in the room: clock, standings, seating, next session.
import { dateWords, dollars, hourWords, listed, make, on, renew } from "./parts.js";
import { isFinal, ordinal, poolOf } from "./tournament_sheets.js";

const SECOND = 1000;
const DAY = 86_400_000;
const MANY = 14; // with more players than this, two columns are easier to read

/** @param {App} app @param {HTMLElement} main @param {string} id */
export const open = (app, main, id) => new Screen(app, main, id);

class Screen {
  constructor(app, main, id) {
    this.app = app;
    this.id = id;
    /** @type {TournamentView | null} */
    this.view = null;
    this.sheet = make("link", { rel: "stylesheet", href: "/static/tournament.css" });
    document.head.append(this.sheet);
    this.head = make("div", {});
    this.clock = make("p", { class: "screen-clock" });
    this.until = make("p", { class: "muted" });
    this.tables = make("div", { class: "screen-tables" });
    this.side = make("aside", { class: "screen-side" });
    this.hour = make("p", {});
    this.words = make("p", {});
    const top = make("header", {}, this.head, make("div", { class: "screen-when" }, this.until, this.clock));
    const body = make("div", { class: "screen-body" }, this.tables, this.side);
    main.replaceChildren(make("div", { id: "screen" }, top, body, make("footer", {}, this.words, this.hour)));
    document.body.classList.add("on-screen");
    this.leaving = new AbortController();
    on(app.connection, "tournament", (answer) => answer.tournament === id && this.look(), this.leaving.signal);
    app.connection.follow(id);
    this.ticking = setInterval(() => this.tick(), SECOND);
    this.again = setInterval(() => this.look(), 30 * SECOND);
    this.look();
  }

  close() {
    clearInterval(this.ticking);
    clearInterval(this.again);
    this.leaving.abort();
    this.app.connection.follow("");
    this.sheet.remove();
    document.body.classList.remove("on-screen");
  }

  update() {}

  async look() {
    try {
      this.view = await this.app.connection.get(`/api/tournaments/${encodeURIComponent(this.id)}`);
    } catch (problem) {
      this.words.textContent = problem.words ?? String(problem);
      return;
    }
    if (!this.view) return;
    document.title = `${this.view.name} · Pontoon`;
    const { view } = this;
    const phase = `${view.words[0].toUpperCase()}${view.words.slice(1)}${roundWords(view)}`;
    renew(this.head, make("h1", {}, view.name), make("p", { class: "screen-phase" }, phase));
    renew(this.tables, ...(isSeated(view) ? view.tables.map((one) => table(view, one)) : [ranking(view)]));
    renew(this.side, prizes(view), upcoming(view));
    this.words.textContent = footWords(view);
    this.tick();
  }

  tick() {
    this.hour.textContent = hourWords(Date.now());
    if (!this.view) return;
    const { pause, pause_ends: pauseEnds, start } = this.view;
    const end = pause ? pauseEnds : start;
    const soon = end && end - Date.now() < DAY;
    const starts = soon ? `Starts at ${hourWords(end)}, in` : `Starts ${dateWords(end)}`;
    this.until.textContent = end ? (pause ? "Play resumes in" : starts) : "";
    this.clock.textContent = soon ? clockWords(end - Date.now()) : hourWords(Date.now());
  }
}

/** ", round 3 of 6", where all tables are about as far. @param {TournamentView} view */
function roundWords(view) {
  if (view.phase !== "session" || !view.tables.length) return "";
  const playing = view.tables.filter((one) => !one.ended);
  if (!playing.length) return "";
  const round = Math.min(...playing.map((one) => one.rounds)) + 1;
  return `, round ${round}${playing[0].length ? ` of ${playing[0].length}` : ""}`;
}

/** "1:24", "2:05:00". @param {number} left milliseconds */
function clockWords(left) {
  const seconds = Math.max(0, Math.floor(left / SECOND));
  const two = (number) => String(number).padStart(2, "0");
  const minutes = Math.floor(seconds / 60) % 60;
  const hours = Math.floor(seconds / 3600);
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** @param {TournamentView} view */
const isSeated = (view) => ["balloted", "session"].includes(view.phase) && view.tables.length > 0;

/** The players of a table by chips; who would go on is marked. */
function table(view, one) {
  const ranks = new Map(view.standings.map((row) => [row.player, row]));
  const here = view.players.filter((player) => player.table === one.table && player.status === "in");
  const chips = (player) => ranks.get(player.name)?.chips ?? view.chips;
  here.sort((first, second) => chips(second) - chips(first));
  const state = view.phase === "balloted" ? seatedWords(here) : one.ended ? "finished" : `round ${one.rounds + 1}`;
  const row = (player) =>
    make(
      "li",
      { class: view.leading.includes(player.name) ? "goes-on" : null },
      make("span", { class: "screen-seat" }, String(player.box)),
      make("span", { class: "screen-name" }, player.name),
      make("b", {}, view.phase === "balloted" && !player.seated ? "not seated" : dollars(chips(player))),
    );
  return make(
    "section",
    { class: "screen-sheet" },
    make("h2", {}, `Table ${one.table}`, make("small", {}, state)),
    make("ol", {}, ...here.map(row)),
  );
}

const seatedWords = (here) => `${here.filter((player) => player.seated).length} of ${here.length} seated`;

/** Everyone by place, or by name before there are places. @param {TournamentView} view */
function ranking(view) {
  const placed = view.standings.length > 0;
  const rows = placed ? view.standings : view.players.filter((one) => one.status === "in");
  const row = (one) =>
    make(
      "li",
      {},
      make("span", { class: "screen-seat" }, placed ? ordinal(one.place) : ""),
      make("span", { class: "screen-name" }, one.player ?? one.name),
      placed && make("b", {}, one.prize ? dollars(one.prize) : dollars(one.chips)),
    );
  return make(
    "section",
    { class: rows.length > MANY ? "screen-sheet many" : "screen-sheet" },
    make("h2", {}, placed ? (isFinal(view) ? "Results" : "Standings") : "Players"),
    rows.length ? make("ol", {}, ...rows.map(row)) : make("p", {}, "Nobody has entered yet."),
  );
}

/** @param {TournamentView} view */
function prizes(view) {
  const rows = view.payments.map((one) =>
    make("li", {}, make("span", { class: "screen-name" }, one.player), make("b", {}, dollars(one.amount))),
  );
  return make(
    "section",
    { class: "screen-sheet gold" },
    make("h2", {}, `Prize pool ${dollars(poolOf(view))}`),
    rows.length ? make("ol", {}, ...rows) : make("ol", {}, ...view.prizes.map(expected)),
  );
}

/** A prize that the pool pays as it stands. @param {number} amount @param {number} place from 0 */
const expected = (amount, place) =>
  make("li", {}, make("span", { class: "screen-name" }, ordinal(place + 1)), make("b", {}, dollars(amount)));

/** What comes next. @param {TournamentView} view */
function upcoming(view) {
  const following = view.sessions.slice(view.session).find((one) => one.kind === "session");
  const late = view.phase === "balloted" ? view.players.filter((one) => one.table && !one.seated) : [];
  const call = late.length && `${listed(late.map((one) => one.name))}: please take your seats.`;
  return make(
    "section",
    { class: "screen-sheet" },
    make("h2", {}, "Next"),
    following && make("p", { class: "screen-phase" }, following.name),
    following && make("p", {}, following.starts),
    call ? make("p", { class: "screen-call" }, call) : null,
  );
}

/** @param {TournamentView} view */
function footWords(view) {
  if (view.phase === "balloted") return "Be seated before the session starts. An empty seat is forfeited.";
  const legend = view.leading.length ? "Marked: would go on as it stands. " : "";
  return isSeated(view) ? `${legend}Seat number, player, chips` : "";
}
