// The lobby: sign in, tables to join or watch, rulebooks, tournaments.
import { cardPicture } from "./card.js";
import { OWN_TABLE } from "./app.js";
import { Door, formOf } from "./door.js";
import { bookName, button, counted, dateWords, dollars, field, make, renew, routed, titled } from "./parts.js";

/** "4 to 8", or "6 or 8" where a number between is not allowed. @param {number[]} packs */
const packsText = (packs) =>
  (packs.at(-1) ?? 0) - packs[0] === packs.length - 1 ? `${packs[0]} to ${packs.at(-1)}` : packs.join(" or ");

const EVERY = 5000; // milliseconds between requests for the list
const PAGES = 4; // pages of the list; more tables are found by their link
const MANY = 6; // tables: more have a field to find one
/** The pace of a table by the milliseconds between its cards. @type {[number, string][]} */
const PACE = [
  [50, "instant"],
  [250, "fast"],
  [600, "normal"],
  [Infinity, "slow"],
];
const MAKERS = ["tournament_director", "administrator"];
const SHOWN = ["Ah", "Ks", "7s", "7h", "7d"]; // a pontoon, and three sevens
/** Where the rulebooks differ most; what they say comes from the server. */
const TELLING = [
  "double.two_cards_only",
  "split.max_hands",
  "surrender.first_cards",
  "dealer.stands_soft",
  "super_bonus.offered",
];

/** Open the lobby. @param {App} app @param {HTMLElement} main */
export function open(app, main) {
  return new Lobby(app, main);
}

class Lobby {
  /** @param {App} app @param {HTMLElement} main */
  constructor(app, main) {
    this.app = app;
    /** The name of the rulebook that is chosen; known when they are listed. */
    this.book = "";
    this.list = make("ul", { id: "tables", class: "tables" });
    this.cupsPart = this._tournaments();
    this.door = new Door(app, (me) => this._mayMake(me));
    this.says = make("p", { class: "muted", role: "status" }, "Loading tables…");
    /** The open tables as they were listed last. @type {TableRow[]} */
    this.tables = [];
    this.wanted = make("input", { id: "find-table", type: "search", autocomplete: "off", oninput: () => this._show() });
    this.finding = field("Find a table by its name or rules", this.wanted);
    this.finding.hidden = true;
    const own = localStorage.getItem(OWN_TABLE);
    this.back = routed(`/t/${own}`, "Back to your table", { id: "back", class: "button go", hidden: !own });
    const tables = make(
      "section",
      { class: "sheet", "aria-labelledby": "tables-title" },
      make("h2", { id: "tables-title" }, "Tables"),
      this.back,
      this.finding,
      this.says,
      this.list,
      this._link(),
    );
    const halves = make("div", { class: "halves" }, tables, this._books());
    main.replaceChildren(make("div", { id: "lobby" }, this._strip(), this.cupsPart, halves));
    document.title = "Tables · Pontoon";
    this.look();
    this.reading = this._readBooks();
    this.timer = setInterval(() => document.hidden || this.look(), EVERY);
  }

  close() {
    clearInterval(this.timer);
    this.closed = true;
  }

  /** A strip of felt with cards on it, and the sign-in forms. */
  _strip() {
    const cards = make("div", { class: "fan", "aria-hidden": "true" }, ...SHOWN.map((card) => cardPicture(card)));
    const words = make("p", {}, "Join a table, watch one, or make your own and invite friends. Play chips only.");
    const text = make("div", { class: "sayings" }, make("h1", {}, "Play with others"), words, this.door.element);
    return make("header", { class: "felt" }, text, cards);
  }

  update() {
    this.back.hidden = !localStorage.getItem(OWN_TABLE) || !this.app.connection.signedIn;
    this.door.update();
  }

  // --- rulebooks ---

  _books() {
    this.books = make("div", { id: "books", role: "radiogroup", "aria-labelledby": "books-title" });
    this.telling = make("ul", { id: "telling", "aria-live": "polite" });
    this.lab = make(
      "a",
      { id: "to-lab", href: "/lab", "data-route": true },
      "Rules lab: change a rule, see what it is worth",
    );
    const anew = button("Make a table", () => this._makeTable(), { class: "button primary", id: "make-table" });
    return make(
      "section",
      { class: "sheet", "aria-labelledby": "books-title" },
      make("div", { class: "row between" }, make("h2", { id: "books-title" }, "Rulebooks"), anew),
      this.books,
      this.telling,
      this.lab,
    );
  }

  async _readBooks() {
    try {
      const { rulebooks, usual } = await this.app.connection.rulebooks();
      this.rulebooks = rulebooks;
      this.book = usual;
    } catch (problem) {
      return void (this.telling.textContent = problem.words);
    }
    const book = (one) => {
      const id = { id: `book-${one.name}`, value: one.name, checked: one.name === this.book };
      const pick = make("input", { type: "radio", name: "book", ...id, onchange: () => this._tell(one.name) });
      const facts = [`${packsText(one.packs)} packs`, one.side_wagers.map(titled).join(", ") || "no side bets"];
      const place = make("small", { class: "muted" }, one.place);
      const title = make("span", {}, make("b", {}, bookName(one.name)), place);
      return make("label", { class: "book" }, pick, title, make("small", { class: "muted facts" }, facts.join(" · ")));
    };
    this.books.replaceChildren(...this.rulebooks.map(book));
    this._tell(this.book);
  }

  /** Show what a rulebook says where they differ most. @param {string} name */
  async _tell(name) {
    this.book = name;
    this.lab.href = `/lab?rules=${name}`;
    try {
      const { chapters } = await this.app.connection.get(`/api/rulebooks/${name}`);
      if (this.book !== name) return;
      const sentences = chapters.flatMap((chapter) => chapter.sentences);
      const told = TELLING.map((key) => sentences.find((one) => one.key === key)).filter(Boolean);
      this.telling.replaceChildren(...told.map((one) => make("li", {}, one.text)));
    } catch (problem) {
      this.telling.replaceChildren(make("li", {}, problem.words));
    }
  }

  // --- tournaments ---

  _tournaments() {
    this.cups = make("ul", { id: "tournaments", class: "tables" });
    this.past = make("ul", { class: "tables" });
    this.pastFold = make("details", { hidden: true }, make("summary", {}, "Past tournaments"), this.past);
    this.newCup = button("Make a tournament", () => this.app.go("/conditions"), {
      id: "make-tournament",
      hidden: true,
    });
    this.cupSheet = make(
      "section",
      { class: "sheet", "aria-labelledby": "tournaments-title", hidden: true },
      make("div", { class: "row between" }, make("h2", { id: "tournaments-title" }, "Tournaments"), this.newCup),
      this.cups,
      this.pastFold,
    );
    return this.cupSheet;
  }

  _mayMake(me) {
    this.newCup.hidden = !MAKERS.includes(me?.role);
    this.cupSheet.hidden = this.newCup.hidden && this.pastFold.hidden && !this.cups.children.length;
  }

  async _lookForTournaments() {
    const told = await this.app.connection.get("/api/tournaments?limit=20").catch(() => null);
    if (!told || this.closed) return;
    const isPast = (one) => ["over", "cancelled"].includes(one.phase);
    renew(this.cups, ...told.tournaments.filter((one) => !isPast(one)).map((one) => this._cup(one)));
    renew(this.past, ...told.tournaments.filter(isPast).map((one) => this._cup(one)));
    this.pastFold.hidden = !this.past.children.length;
    this.cupSheet.hidden = this.newCup.hidden && !told.tournaments.length;
  }

  _cup(one) {
    const start = one.start && dateWords(one.start);
    const facts = [
      start && `starts ${start}`,
      one.fee ? `entry ${dollars(one.fee)}` : "free entry",
      `${one.players} of ${one.most} players`,
      one.pool && `prize pool ${dollars(one.pool)}`,
    ].filter(Boolean);
    const label = { id: `tournament-${one.id}`, "aria-label": `Go to ${one.name}` };
    const go = routed(`/tournament/${one.id}`, "Go to tournament", label);
    return make(
      "li",
      {},
      make("p", { class: "row" }, make("b", {}, one.name), make("span", { class: "ribbon plain" }, one.words)),
      make("p", { class: "muted" }, facts.join(" · ")),
      go,
    );
  }

  // --- tables ---

  async look() {
    this._lookForTournaments();
    try {
      const tables = await this._all();
      if (this.closed) return;
      this.tables = tables;
      this._show();
    } catch (problem) {
      this.says.textContent = problem.words;
    }
  }

  /** Every open table: those with company and a free seat first. @returns {Promise<TableRow[]>} */
  async _all() {
    const tables = [];
    let cursor = "";
    for (let page = 0; page < PAGES && (cursor || !page); page += 1) {
      const told = await this.app.connection.get(`/api/tables?limit=50${cursor && `&cursor=${cursor}`}`);
      tables.push(...told.tables);
      cursor = told.next ?? "";
    }
    const rank = ({ seated, boxes }) => (seated >= boxes ? 2 : seated ? 0 : 1);
    return tables.toSorted((a, b) => rank(a) - rank(b));
  }

  /** The tables that are looked for; the focus stays where it is. */
  _show() {
    const { tables } = this;
    const words = this.wanted.value.trim().toLowerCase();
    const found = tables.filter((one) => `${one.name} ${bookName(one.rulebook)}`.toLowerCase().includes(words));
    this.finding.hidden = tables.length < MANY && !words;
    const some = words || tables.length >= MANY ? `${found.length} of ${counted(tables.length, "table")}` : "";
    this.says.textContent = tables.length ? some : "No open tables. Make one, and others can join.";
    renew(this.list, ...found.map((one) => this._table(one)));
  }

  _table(one) {
    const name = one.name || `Table ${one.id}`;
    const limits = `${dollars(one.minimum)} to ${one.maximum ? dollars(one.maximum) : "no limit"}`;
    const pace = PACE.find(([most]) => one.card <= most)?.[1];
    const facts = [counted(one.packs, "pack"), limits, `${pace} pace`];
    const marks = {
      practice: one.practice,
      paused: one.paused,
      closing: one.closing,
      "live dealer": one.mode === "floor",
    };
    facts.push(...Object.keys(marks).filter((word) => marks[word]));
    const join = routed(`/t/${one.id}`, "Go to table", { id: `table-${one.id}`, "aria-label": `Go to ${name}` });
    const book = make("span", { class: "ribbon" }, bookName(one.rulebook));
    return make(
      "li",
      {},
      make("div", { class: "row" }, make("h3", {}, name), book),
      this._seats(one),
      make("p", { class: "muted" }, facts.join(" · ")),
      join,
    );
  }

  /** One mark for each seat, filled where it is taken. @param {TableRow} table */
  _seats({ seated, boxes }) {
    const places = Array.from({ length: boxes }, (_, place) => make("i", { class: place < seated ? "taken" : "" }));
    return make("p", { class: "places" }, ...places, make("small", {}, `${seated} of ${boxes} seats`));
  }

  async _makeTable() {
    if (!(await this.app.signInAsGuest())) return;
    await this.reading; // the button may be pressed before the rulebooks are loaded
    if (this.rulebooks) (await import("./make_table.js")).makeTable(this.app, this.rulebooks, this.book);
  }

  /** "https://…/t/abc", "/t/abc" or "abc". */
  _link() {
    const link = make("input", { id: "link", required: true, autocomplete: "off" });
    const act = async () => {
      const id = link.value.trim().split("/").at(-1) ?? "";
      await this.app.connection.get(`/api/tables/${encodeURIComponent(id)}`);
      this.app.go(`/t/${encodeURIComponent(id)}`);
    };
    return make(
      "details",
      { id: "by-link" },
      make("summary", {}, "I have a link to a private table"),
      formOf("Join", [field("Link", link)], act),
    );
  }
}
