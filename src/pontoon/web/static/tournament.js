// A tournament as a page: the paper, one's own place in it, how it stands, its tables, and what has happened.
import { newKey } from "./connection.js";
import { chipGraph } from "./panels/chips.js";
import { cite, grid } from "./panels/part.js";
import { button, dollars, field, make, renew, spaced } from "./parts.js";

const EVERY = 2000; // milliseconds between looks; one that sees nothing new costs no more than a line
const SHEETS = ["/static/tournament.css", "/static/panels/panels.css"];
const RULEBOOK = "canberra"; // the only document with rules for tournaments
const SHOWN = 12; // rows of the standings before the rest is folded away
const OWN = ["Enter", "TakeSeat", "BuyBack"]; // what players ask for themselves
const STATUS = {
  in: "You are in.",
  reserve: "You are on the list of reserves. The fee is due when a seat is offered to you.",
  forfeited: "You were not seated in time and have lost the seat.",
  eliminated: "You are out.",
  disqualified: "The director has ruled you out.",
  substituted: "Somebody else plays on for you.",
};
const OUT = {
  forfeited: "lost the seat",
  eliminated: "out",
  disqualified: "ruled out",
  substituted: "replaced",
  reserve: "reserve",
};

/** Open a tournament in `main`. */
export function open(app, main, id) {
  return new Tournament(app, main, id);
}

const ordinal = (place) =>
  `${place}${{ 1: "st", 2: "nd", 3: "rd" }[place % 100 > 10 && place % 100 < 14 ? 0 : place % 10] ?? "th"}`;
const when = (at) =>
  new Date(at).toLocaleString("en-AU", {
    weekday: "short",
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
const hour = (at) => new Date(at).toLocaleTimeString("en-AU", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

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
  constructor(app, main, id) {
    this.app = app;
    this.id = id;
    this.model = { id, view: null, rulebook: RULEBOOK };
    this.sheets = SHEETS.filter((href) => !document.querySelector(`link[href="${href}"]`)).map((href) =>
      make("link", { rel: "stylesheet", href }),
    );
    document.head.append(...this.sheets);
    this._build(main);
    this.look();
    this.timer = setInterval(() => document.hidden || this.look(), EVERY);
    this.ticking = setInterval(() => this._countdown(), 1000);
  }

  close() {
    clearInterval(this.timer);
    clearInterval(this.ticking);
    this.closed = true;
    document.title = "Pontoon";
  }

  _build(main) {
    const part = (name, tag = "div", attributes = {}) => (this[name] = make(tag, attributes));
    const sheet = (title, name, ...inside) => {
      const id = `${name}-title`;
      return (this[`${name}Sheet`] = make(
        "section",
        { class: "sheet", "aria-labelledby": id, hidden: true },
        make("h2", { id }, title),
        ...inside,
      ));
    };
    this.graph = chipGraph();
    this.says = make("p", { class: "muted", role: "status" }, "Looking for the tournament…");
    this.clock = make("p", { class: "countdown" });
    const head = make(
      "header",
      { class: "felt cup" },
      make("div", { class: "sayings" }, part("title"), this.clock),
      part("own", "section", { id: "own", "aria-label": "Your part" }),
    );
    const left = make(
      "div",
      { class: "column" },
      sheet("Standings", "standings", this.graph, part("standings")),
      sheet("Players", "players", part("players")),
      sheet("Tables", "tables", part("tables")),
    );
    const right = make(
      "div",
      { class: "column" },
      sheet("Prizes", "payments", part("payments")),
      sheet("Sessions", "sessions", part("sessions")),
      sheet("What happened", "told", part("told")),
      sheet("The ballot can be checked", "ballot", part("ballot")),
    );
    part("desk", "section", { class: "sheet", id: "director", "aria-label": "Director's desk", hidden: true });
    main.replaceChildren(
      make(
        "div",
        { id: "tournament" },
        head,
        this.says,
        this.desk,
        make("div", { class: "columns" }, left, right),
        this._paper(),
      ),
    );
  }

  // --- looking ---

  async look(anew = false) {
    const me = this.app.connection.me?.name ?? "";
    if (anew || me !== this.asked) this.version = null; // somebody else may see something else
    this.asked = me;
    const since = this.version === null || this.version === undefined ? "" : `?after=${this.version}`;
    try {
      const view = await this.app.connection.get(`/api/tournaments/${encodeURIComponent(this.id)}${since}`);
      if (this.closed || !view) return;
      this.version = view.version;
      this.model.view = view;
      this.says.textContent = "";
      this._show();
    } catch (problem) {
      this.says.textContent = problem.words ?? String(problem);
    }
  }

  update() {
    if ((this.app.connection.me?.name ?? "") !== this.asked) this.look();
    else if (this.model.view) this._own();
  }

  /** Ask something; whoever has an office acts in it, but plays as a player. */
  async give(command) {
    const { me } = this.app.connection;
    const as = OWN.includes(command.type) && command.player === me?.name ? "player" : me?.role;
    try {
      await this.app.connection.post(`/api/tournaments/${encodeURIComponent(this.id)}/commands`, {
        key: newKey(),
        command,
        as,
      });
      await this.look(true);
      return true;
    } catch (problem) {
      this.app.notice(problem.words ?? String(problem), problem.clauses);
      return false;
    }
  }

  _show() {
    const { view } = this.model;
    document.title = `${view.name} · Pontoon`;
    this._head(view);
    this._own();
    this._standings(view);
    this._players(view);
    this._tables(view);
    this._payments(view);
    this._sessions(view);
    this._told(view);
    this._ballot(view);
    this.paper.hidden = false;
    this._desk(view);
    this._countdown();
  }

  // --- the head ---

  _head(view) {
    const facts = [
      ["Entry", view.fee ? dollars(view.fee) : "free"],
      ["Chips", dollars(view.chips)],
      ["Wagers", `${dollars(view.minimum)} to ${dollars(view.maximum)}`],
      [
        "Players",
        `${view.players.filter((one) => !["reserve", "substituted"].includes(one.status)).length} of ${view.most}`,
      ],
      ["Prize pool", dollars(view.pool || view.payments.reduce((sum, one) => sum + one.amount, 0))],
      ["Director", view.director || "not named yet"],
    ];
    const list = make(
      "dl",
      { class: "facts" },
      ...facts.map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, value))),
    );
    renew(
      this.title,
      make("p", { class: "kind" }, `Tournament · ${spaced(view.format).replace("knock out", "knock-out")}`),
      make("h1", {}, view.name),
      make("p", { class: "phase" }, `${view.words[0].toUpperCase()}${view.words.slice(1)}`),
      list,
    );
  }

  _countdown() {
    const { view } = this.model;
    if (!view) return;
    const left = (view.start || 0) - Date.now();
    const rest = view.pause_ends - Date.now();
    let words = "";
    if (view.pause)
      words = rest > 0 ? `Break: play goes on in ${leftWords(rest)}` : "Break: play goes on when the director says so";
    else if (view.start)
      words =
        left > 0
          ? `Starts ${when(view.start)}, in ${leftWords(left)}`
          : `Was to start ${when(view.start)}: the director begins it`;
    if (this.clock.textContent !== words) this.clock.textContent = words;
  }

  // --- one's own part ---

  _own() {
    const { view } = this.model;
    const { me, signedIn } = this.app.connection;
    const { mine, may } = view;
    const now = JSON.stringify([
      me?.name,
      signedIn,
      mine,
      may.filter((one) => OWN.includes(one)),
      view.phase,
      view.fee,
      view.standings.find((one) => one.player === me?.name),
      (me?.wallet ?? 0) < view.fee,
    ]);
    if (now === this.ownShown) return;
    this.ownShown = now;
    if (!me) return this.own.replaceChildren(...(signedIn ? [] : [this._newcomer()]));
    if (!mine) return this.own.replaceChildren(...(may.includes("Enter") ? [this._entering(view, me)] : []));
    const place = ["awarded", "over"].includes(view.phase) && view.standings.find((one) => one.player === me.name);
    const out = make("div", { class: "mine" }, make("h2", {}, "Your part"));
    if (place)
      out.append(
        make("p", { class: "place" }, `${ordinal(place.place)} place`),
        make("p", {}, place.prize ? `You win ${dollars(place.prize)}.` : "No prize this time."),
      );
    else
      out.append(make("p", {}, view.phase === "cancelled" ? "The fee was refunded." : this._standingWords(view, mine)));
    if (mine.table && ["balloted", "session"].includes(view.phase) && mine.status === "in") {
      out.append(
        make(
          "p",
          { class: "seat" },
          "Table ",
          make("b", {}, String(mine.table)),
          ", box ",
          make("b", {}, String(mine.box)),
        ),
      );
      if (view.phase === "session") out.append(make("p", {}, `Your chips: ${dollars(mine.chips)}`));
    }
    const take =
      may.includes("TakeSeat") &&
      mine.table &&
      !mine.seated &&
      button("Take my seat", () => this.give({ type: "TakeSeat", player: me.name }), {
        class: "button primary",
        id: "take-seat",
      });
    const waits =
      view.phase === "balloted" &&
      mine.seated &&
      make("p", {}, "You are seated. The table opens when the session starts.");
    const back =
      may.includes("BuyBack") &&
      mine.status === "eliminated" &&
      button(
        `Buy back${view.buy_back ? ` for ${dollars(view.buy_back)}` : ""}`,
        () => this.give({ type: "BuyBack", player: me.name }),
        { class: "button primary", id: "buy-back" },
      );
    const go =
      mine.room &&
      make(
        "a",
        { href: `/t/${mine.room}`, "data-route": true, class: "button primary", id: "my-table" },
        "Go to my table",
      );
    out.append(...[take, waits, go, back].filter(Boolean));
    this.own.replaceChildren(out);
  }

  _standingWords(view, { status }) {
    const next =
      view.phase === "between" &&
      status === "in" &&
      view.sessions.slice(view.session).find((one) => one.kind === "session");
    return next ? `You go on to ${next.name}.` : (STATUS[status] ?? "");
  }

  _newcomer() {
    const name = make("input", { id: "newcomer", required: true, maxlength: 24, autocomplete: "nickname" });
    const come = async (event) => {
      event.preventDefault();
      await this.app.connection.guest(name.value.trim()).catch((problem) => this.app.notice(problem.words));
    };
    return make(
      "form",
      { class: "mine", onsubmit: come },
      make("h2", {}, "You are watching"),
      field("Your name", name),
      make("button", { class: "button primary" }, "Come in as guest"),
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
        `${view.fee ? `For ${dollars(view.fee)} you` : "You"} receive ${dollars(view.chips)} in tournament chips.`,
      ),
      view.groups && field("Your group, if any", group, view.groups),
      view.agreement &&
        make("p", { class: "agree" }, field("I agree to the rules and to the conditions", agreed), read),
      few,
      make("button", { class: "button primary", id: "enter" }, view.fee ? `Enter for ${dollars(view.fee)}` : "Enter"),
    );
  }

  // --- how it stands ---

  _standings(view) {
    const { standings, history } = view;
    this.standingsSheet.hidden = !standings.length;
    this.graph.hidden = !history.some((one) => one.points.length > 1);
    this.graph.update(history, this.asked);
    const people = new Map(view.players.map((one) => [one.name, one]));
    const points = view.format === "points",
      prizes = standings.some((one) => one.prize);
    const final = ["awarded", "over"].includes(view.phase);
    const several = !final && new Set(standings.map((one) => one.table)).size > 1;
    const came = final && view.results.length > 1; // chips of different sessions do not compare
    const cameTo = (name) =>
      view.results.findLast((result) => result.standings.some((one) => one.player === name))?.name ?? "";
    const heading = [
      "Place",
      "Player",
      ...(prizes ? ["Prize"] : []),
      ...(several ? ["Table"] : []),
      ...(points ? ["Points"] : []),
      "Chips",
      ...(came ? ["Came to"] : []),
    ];
    const row = (one) => {
      const status = OUT[people.get(one.player)?.status];
      const name = make(
        "span",
        {},
        one.player,
        one.player === this.asked && make("span", { class: "tag" }, "you"),
        status && !final && make("span", { class: "tag out" }, status),
      );
      return [
        ordinal(one.place),
        name,
        ...(prizes ? [one.prize ? dollars(one.prize) : ""] : []),
        ...(several ? [String(one.table || "")] : []),
        ...(points ? [one.points] : []),
        dollars(one.chips),
        ...(came ? [cameTo(one.player)] : []),
      ];
    };
    const caption = final
      ? "The final result"
      : view.phase === "session"
        ? `${view.sessions[view.session - 1].name}, as it stands`
        : `Result of ${view.results.at(-1)?.name ?? "the session"}`;
    const top = standings.filter((one, place) => place < SHOWN || one.player === this.asked);
    const rest =
      standings.length > top.length &&
      make(
        "details",
        { id: "all-standings" },
        make("summary", {}, `All ${standings.length}`),
        grid("All players", heading, standings.map(row)),
      );
    this._renewOpen(this.standings, grid(caption, heading, top.map(row)), rest);
  }

  /** As `renew`, with what somebody has unfolded left open. */
  _renewOpen(parent, ...children) {
    const open = [...parent.querySelectorAll("details[open]")].map((one) => one.id);
    renew(parent, ...children);
    for (const id of open) parent.querySelector(`#${CSS.escape(id)}`)?.setAttribute("open", "");
  }

  _players(view) {
    const shown = ["draft", "entries", "closed", "cancelled"].includes(view.phase);
    this.playersSheet.hidden = !shown;
    const names = view.players.map((one) =>
      make(
        "li",
        { class: one.name === this.asked ? "own" : null },
        one.name,
        OUT[one.status] && make("span", { class: "tag" }, OUT[one.status]),
      ),
    );
    const words = `${view.players.length || "Nobody"} on the list so far; it takes place with ${view.least} or more.`;
    renew(this.players, make("p", { class: "muted" }, words), make("ol", { class: "names", role: "list" }, ...names));
  }

  _tables(view) {
    this.tablesSheet.hidden = !view.tables.length && !view.ties.length;
    const seat = (table, one) => {
      const marker =
        one.box === table.marker && make("span", { class: "marker", title: "Starting marker: wagers first" }, "first");
      const gone = view.phase === "session" && !one.seated,
        waits = view.phase === "balloted" && !one.seated;
      const chips = gone ? "out" : waits ? "not seated yet" : view.phase === "session" ? dollars(one.chips) : "seated";
      return make(
        "li",
        { class: [gone && "gone", one.player === this.asked && "own"].filter(Boolean).join(" ") || null },
        make("span", { class: "number" }, make("span", { class: "visually-hidden" }, "Box "), String(one.box)),
        make("span", { class: "who" }, one.player, marker),
        make("span", { class: "held" }, chips),
      );
    };
    const card = (one) => {
      const round = one.ended
        ? "has ended"
        : view.phase === "balloted"
          ? "waits for the start"
          : `round ${one.rounds + 1}${one.length ? ` of ${one.length}` : ""}`;
      const mine = one.seats.some((place) => place.player === this.asked && place.seated);
      const link =
        one.room &&
        make(
          "a",
          {
            href: `/t/${one.room}`,
            "data-route": true,
            class: "button small",
            id: `watch-${one.table}`,
            "aria-label": `${mine ? "Play at" : "Watch"} table ${one.table}`,
          },
          mine ? "Play" : "Watch",
        );
      return make(
        "li",
        {},
        make(
          "div",
          { class: "row between" },
          make("h3", {}, `Table ${one.table}`),
          make("small", { class: "muted" }, round),
          link,
        ),
        make("ul", { class: "seats", role: "list" }, ...one.seats.map((place) => seat(one, place))),
      );
    };
    const watch = (room) => make("a", { href: `/t/${room}`, "data-route": true }, "Watch them");
    const ties = view.ties.map((one) =>
      make(
        "p",
        { class: "tie" },
        `${one.players.join(", ")} are equal: ${one.by === "ballot" ? "a ballot parts them" : "they play extra rounds"}. `,
        ...one.rooms.map(watch),
      ),
    );
    renew(this.tables, ...ties, make("ul", { class: "cards-of-tables", role: "list" }, ...view.tables.map(card)));
  }

  _payments(view) {
    this.paymentsSheet.hidden = !view.payments.length;
    const name = (one) =>
      one.session ? `${view.sessions[one.session - 1].name}: ${ordinal(one.place)}` : ordinal(one.place);
    const rows = view.payments.map((one) => [
      name(one),
      one.player,
      dollars(one.amount),
      one.paid ? "paid" : "to be paid",
    ]);
    renew(
      this.payments,
      grid(
        `The pool of ${dollars(view.pool || view.payments.reduce((sum, one) => sum + one.amount, 0))}`,
        ["For", "Player", "Prize", "State"],
        rows,
      ),
    );
  }

  _sessions(view) {
    this.sessionsSheet.hidden = false;
    const line = (one) => {
      const result = view.results.find((row) => row.session === one.number);
      const now = one.number === view.session && ["balloted", "session"].includes(view.phase);
      const state = result
        ? `over; ${result.advanced.length && one.number < view.sessions.length ? `${result.advanced.length} go on` : "played"}`
        : now
          ? "now"
          : one.starts;
      return make(
        "li",
        { "aria-current": now ? "step" : null, class: result ? "done" : null },
        make("b", {}, one.name),
        one.kind === "repechage" && make("span", { class: "tag" }, "repechage"),
        make("span", { class: "muted" }, ` ${one.length} · ${state}`),
      );
    };
    renew(
      this.sessions,
      make("ol", { class: "steps", role: "list" }, ...view.sessions.map(line)),
      view.pace ? make("p", { class: "muted" }, `${view.pace} seconds for a wager or a decision`) : null,
    );
  }

  _told(view) {
    this.toldSheet.hidden = !view.told.length;
    const line = (one) =>
      make(
        "li",
        {},
        make("time", { datetime: new Date(one.at).toISOString() }, hour(one.at)),
        make("span", {}, one.words, " ", cite(one.clauses, one.words, RULEBOOK)),
      );
    if (this.toldLast === JSON.stringify(view.told.at(-1))) return;
    this.toldLast = JSON.stringify(view.told.at(-1));
    this.told.replaceChildren(
      make(
        "div",
        { class: "news", tabindex: 0, role: "log", "aria-label": "What happened, the latest first" },
        make("ol", { role: "list" }, ...view.told.toReversed().map(line)),
      ),
    );
  }

  // --- the paper and the ballot ---

  _paper() {
    this.paper = make(
      "details",
      { class: "sheet", id: "paper", hidden: true },
      make("summary", {}, make("h2", {}, "The conditions")),
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
          : make("p", {}, one.words, " ", cite([one.clause], one.words, RULEBOOK));
      const section = (one) => [make(one.level > 1 ? "h4" : "h3", {}, one.title), ...one.parts.map(part)];
      const print = make("a", { href: `${path}?as=html`, target: "_blank", rel: "noopener" }, "As a page to print");
      this.paper.append(
        make("p", {}, print),
        make("div", { class: "pages" }, ...paper.sections.map((one) => make("section", {}, ...section(one)))),
        make("small", { class: "muted digest" }, paper.foot),
      );
    } catch (problem) {
      this.paper.append(make("p", {}, problem.words));
    }
  }

  async _ballot(view) {
    this.ballotSheet.hidden = !view.seed_hash;
    const lines = [
      make(
        "p",
        {},
        view.seed
          ? "The seed that every ballot was drawn from is published:"
          : "One seed decides every ballot. Its hash was published before the first entry; the seed follows when the places are awarded.",
      ),
      make("p", { class: "hash" }, view.seed || view.seed_hash),
    ];
    if (view.seed && crypto.subtle) {
      const bytes = new Uint8Array(view.seed.match(/../g).map((pair) => parseInt(pair, 16)));
      const hash = Array.from(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)), (one) =>
        one.toString(16).padStart(2, "0"),
      ).join("");
      lines.push(
        make(
          "p",
          { class: hash === view.seed_hash ? "good" : "bad" },
          hash === view.seed_hash
            ? "Checked here: it is the seed whose hash was published before the first entry."
            : "This is NOT the seed whose hash was published.",
        ),
      );
    }
    renew(this.ballot, ...lines);
  }

  // --- the director ---

  async _desk(view) {
    const { me } = this.app.connection;
    const runs = me?.name === view.director && me?.role === "tournament_director"; // and may say who is in the seat
    const may = view.may.filter((one) => !OWN.includes(one) || (one === "TakeSeat" && runs));
    this.desk.hidden = !may.length;
    if (!may.length) return;
    await import("./panels/director.js");
    if (this.closed) return;
    if (!this.desk.firstChild) this.desk.append(make("pontoon-director"));
    this.desk.firstChild.update(view, { may, give: (command) => this.give(command), me, runs });
  }
}
