// The sheets of a tournament's page: standings, players, tables, prizes, sessions, events. Each returns its elements.
import { cite, grid } from "./panels/part.js";
import { counted, dollars, hourWords, listed, make, routed, timeWords } from "./parts.js";

const SHOWN = 12; // rows of the standings before the rest is folded

/** The status of a player who is no longer in. */
const OUT = {
  forfeited: "lost the seat",
  eliminated: "out",
  disqualified: "disqualified",
  substituted: "replaced",
  reserve: "reserve",
};
const ENDINGS = { 1: "st", 2: "nd", 3: "rd" };

/** "1st", "12th". @param {number} place */
export function ordinal(place) {
  const teen = place % 100 > 10 && place % 100 < 14;
  return `${place}${(!teen && ENDINGS[place % 10]) || "th"}`;
}

/** The prize pool, in cents. @param {TournamentView} view */
export const poolOf = (view) => view.pool || view.payments.reduce((sum, one) => sum + one.amount, 0);

/** Whether the final places are known. @param {TournamentView} view */
export const isFinal = (view) => ["awarded", "over"].includes(view.phase);

/**
 * The columns of the standings: heading and cell, those that have something to show.
 * @param {TournamentView} view
 * @param {string} me
 * @returns {[string, (one: StandingRow) => any][]}
 */
function columns(view, me) {
  const { standings: rows, results } = view;
  const final = isFinal(view);
  const people = new Map(view.players.map((one) => [one.name, one]));
  const reached = (name) =>
    results.findLast((result) => result.standings.some((one) => one.player === name))?.name ?? "";
  const player = (one) => {
    const status = !final && OUT[people.get(one.player)?.status ?? ""];
    const you = one.player === me && make("span", { class: "tag" }, "you");
    return make("span", {}, one.player, you, status && make("span", { class: "tag out" }, status));
  };
  /** @type {[string, (one: StandingRow) => any, boolean][]} */
  const all = [
    ["Place", (one) => ordinal(one.place), true],
    ["Player", player, true],
    ["Prize", (one) => (one.prize ? dollars(one.prize) : ""), rows.some((one) => one.prize)],
    ["Table", (one) => String(one.table || ""), !final && new Set(rows.map((one) => one.table)).size > 1],
    ["Points", (one) => one.points, view.format === "points"],
    ["Chips", (one) => dollars(one.chips), true],
    // Chips of different sessions do not compare.
    ["Reached", (one) => reached(one.player), final && results.length > 1],
  ];
  return all.filter(([, , shown]) => shown).map(([name, cell]) => [name, cell]);
}

/** @param {TournamentView} view @param {string} me */
export function standings(view, me) {
  const rows = view.standings;
  const shown = columns(view, me);
  const heading = shown.map(([name]) => name);
  const line = (one) => shown.map(([, cell]) => cell(one));
  const session = view.sessions[view.session - 1]?.name;
  const running = view.phase === "session" ? `${session}, current standings` : "";
  const caption = isFinal(view) ? "Final result" : running || `Result of ${view.results.at(-1)?.name ?? "the session"}`;
  const top = rows.filter((one, place) => place < SHOWN || one.player === me);
  const all = () => grid("All players", heading, rows.map(line));
  const rest = rows.length > top.length && foldOf("all-standings", `All ${rows.length}`, all());
  return [grid(caption, heading, top.map(line)), rest];
}

const foldOf = (id, title, inside) => make("details", { id }, make("summary", {}, title), inside);

/** @param {TournamentView} view @param {string} me */
export function players(view, me) {
  const names = view.players.map((one) => {
    const status = OUT[one.status] && make("span", { class: "tag" }, OUT[one.status]);
    return make("li", { class: one.name === me ? "own" : null }, one.name, status);
  });
  const words = `${counted(view.players.length, "player")} entered; at least ${view.least} needed.`;
  return [make("p", { class: "muted" }, words), make("ol", { class: "names", role: "list" }, ...names)];
}

/**
 * A box of a table.
 * @param {TournamentView} view
 * @param {TournamentTable} table
 * @param {SeatRow} seat
 * @param {string} me
 */
function seatItem(view, table, seat, me) {
  const gone = view.phase === "session" && !seat.seated;
  const title = "Starting marker: wagers first";
  const marker = seat.box === table.marker && make("span", { class: "marker", title }, "first");
  const before = seat.seated ? "seated" : "not seated yet";
  const chips = gone ? "out" : view.phase === "session" ? dollars(seat.chips) : before;
  const number = make("span", { class: "visually-hidden" }, "Box ");
  return make(
    "li",
    { class: [gone && "gone", seat.player === me && "own"].filter(Boolean).join(" ") || null },
    make("span", { class: "number" }, number, String(seat.box)),
    make("span", { class: "who" }, seat.player, marker),
    make("span", { class: "held" }, chips),
  );
}

/** @param {TournamentView} view @param {TournamentTable} table @param {string} me */
function tableItem(view, table, me) {
  const { table: number, room, rounds, length, seats } = table;
  const round = `round ${rounds + 1}${length ? ` of ${length}` : ""}`;
  const state = table.ended ? "finished" : view.phase === "balloted" ? "not started" : round;
  const mine = seats.some((one) => one.player === me && one.seated);
  const label = `${mine ? "Play at" : "Watch"} table ${number}`;
  const look = { class: "button small", id: `watch-${number}`, "aria-label": label };
  const link = room && routed(`/t/${room}`, mine ? "Play" : "Watch", look);
  const title = make("h3", {}, `Table ${number}`);
  const boxes = seats.map((one) => seatItem(view, table, one, me));
  return make(
    "li",
    {},
    make("div", { class: "row between" }, title, make("small", { class: "muted" }, state), link),
    make("ul", { class: "seats", role: "list" }, ...boxes),
  );
}

/** @param {TournamentView} view @param {string} me */
export function tables(view, me) {
  const ties = view.ties.map((one) => {
    const how = one.by === "ballot" ? "by ballot" : "by extra rounds";
    const links = one.rooms.map((room) => routed(`/t/${room}`, "Watch", { class: null }));
    return make("p", { class: "tie" }, `Tie between ${listed(one.players)}: tie-break ${how}. `, ...links);
  });
  const items = view.tables.map((one) => tableItem(view, one, me));
  return [...ties, make("ul", { class: "cards-of-tables", role: "list" }, ...items)];
}

/** @param {TournamentView} view */
export function payments(view) {
  const name = (one) =>
    one.session ? `${view.sessions[one.session - 1].name}: ${ordinal(one.place)}` : ordinal(one.place);
  const rows = view.payments.map((one) => [
    name(one),
    one.player,
    dollars(one.amount),
    one.paid ? "paid" : "to be paid",
  ]);
  return [grid(`Prize pool of ${dollars(poolOf(view))}`, ["For", "Player", "Prize", "Status"], rows)];
}

/** @param {TournamentView} view */
export function sessions(view) {
  const line = (one) => {
    const result = view.results.find((row) => row.session === one.number);
    const now = one.number === view.session && ["balloted", "session"].includes(view.phase);
    const advanced = one.number < view.sessions.length ? (result?.advanced.length ?? 0) : 0;
    const over = advanced ? `finished, ${advanced} advanced` : "finished";
    const state = result ? over : now ? "now" : one.starts;
    return make(
      "li",
      { "aria-current": now ? "step" : null, class: result ? "done" : null },
      make("b", {}, one.name),
      one.kind === "repechage" && make("span", { class: "tag" }, "repechage"),
      make("span", { class: "muted" }, ` ${one.length} · ${state}`),
    );
  };
  const pace = `${view.pace} seconds for a wager or a decision`;
  const steps = make("ol", { class: "steps", role: "list" }, ...view.sessions.map(line));
  return [steps, view.pace ? make("p", { class: "muted" }, pace) : null];
}

/** What happened, the latest first. @param {TournamentView} view */
export function news(view) {
  const line = ({ at, words, clauses }) => {
    const time = make("time", { datetime: new Date(at).toISOString() }, hourWords(at));
    return make("li", {}, time, make("span", {}, words, " ", cite(clauses, words, view.rulebook)));
  };
  const list = make("ol", { role: "list" }, ...view.told.toReversed().map(line));
  return make("div", { class: "news", tabindex: 0, role: "log", "aria-label": "Events, latest first" }, list);
}

const ROLES = { operator: "Operator", shift_manager: "Shift manager", director: "Director", players: "Players" };

/** Who has to do what next. @param {TournamentView} view @param {string} rulebook */
export function nextSteps(view, rulebook) {
  const by = (one) => (one.at > Date.now() ? make("span", { class: "tag" }, timeWords(one.at)) : null);
  const line = (one) =>
    make(
      "li",
      {},
      make("b", {}, ROLES[one.role]),
      ` ${one.words} `,
      by(one),
      " ",
      cite([one.clause], one.words, rulebook),
    );
  return view.duties.length
    ? make("ol", { class: "duties", "aria-label": "Who must do what next" }, ...view.duties.map(line))
    : null;
}

/** Sheets and their titles. @type {[string, string][]} */
const PRINTS = [
  ["seating", "Seating cards"],
  ["standings", "Standings"],
  ["payouts", "Payout sheet"],
  ["agreements", "Agreements to sign"],
  ["record", "Full record"],
];

/** The sheets that the server makes, to print or to save. @param {string} id */
export function prints(id) {
  const line = ([sheet, title]) => {
    const path = `/api/tournaments/${id}/sheets/${sheet}`;
    const page = make("a", { href: path, target: "_blank", rel: "noopener" }, title);
    const csv = make("a", { href: `${path}?as=csv`, "aria-label": `${title} as CSV` }, "CSV");
    return make("li", {}, page, " (", csv, ")");
  };
  return make(
    "details",
    { class: "sheet", id: "prints" },
    make("summary", {}, make("h2", {}, "Print or save")),
    make("ul", {}, ...PRINTS.map(line)),
  );
}
