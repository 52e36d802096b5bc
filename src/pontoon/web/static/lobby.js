// The lobby: a name is enough to play; tables to join or watch; making one by a rulebook of choice; coming by a link.
import { cardPicture } from "./card.js";
import { button, dollars, field, make, renew, spaced } from "./parts.js";

/** "4 to 8", or "6 or 8" where one between is not allowed. @param {number[]} packs */
const packsText = (packs) =>
  packs.at(-1) - packs[0] === packs.length - 1 ? `${packs[0]} to ${packs.at(-1)}` : packs.join(" or ");

const EVERY = 5000; // milliseconds between looks at the list
const FEW = 1000; // cents below which chips are given out; the server decides
const PACE = [
  [50, "instant"],
  [250, "fast"],
  [600, "normal"],
  [Infinity, "slow"],
];
const MAKERS = ["tournament_director", "administrator"];
const SHOWN = ["Ah", "Ks", "7s", "7h", "7d"]; // a pontoon, and three sevens
// Where the documents differ most; what they say comes from the server.
const TELLING = ["split.max_hands", "dealer.pontoon_collects", "surrender.mode", "super_bonus.offered"];

/** Open the lobby in `main`. */
export function open(app, main) {
  return new Lobby(app, main);
}

class Lobby {
  constructor(app, main) {
    this.app = app;
    this.door = make("section", { id: "door", "aria-label": "Who you are" });
    this.list = make("ul", { id: "tables", class: "tables" });
    this.says = make("p", { class: "muted", role: "status" }, "Looking for tables…");
    const tables = make(
      "section",
      { class: "sheet", "aria-labelledby": "tables-title" },
      make("h2", { id: "tables-title" }, "Tables"),
      this.says,
      this.list,
      this._link(),
    );
    main.replaceChildren(
      make(
        "div",
        { id: "lobby" },
        this._strip(),
        this._tournaments(),
        make("div", { class: "halves" }, tables, this._books()),
      ),
    );
    document.title = "Pontoon";
    this.update();
    this.look();
    this.reading = this._readBooks();
    this.timer = setInterval(() => document.hidden || this.look(), EVERY);
  }

  close() {
    clearInterval(this.timer);
    this.closed = true;
  }

  /** A piece of cloth with cards on it, and the door. */
  _strip() {
    const cards = make("div", { class: "fan", "aria-hidden": "true" }, ...SHOWN.map((card) => cardPicture(card)));
    const words = make(
      "p",
      {},
      "Twenty-one with the tens left out, under five casino rulebooks. Every yes and every no comes with its clause. Play chips only.",
    );
    return make(
      "header",
      { class: "felt" },
      make("div", { class: "sayings" }, make("h1", {}, "Pontoon, by the book"), words, this.door),
      cards,
    );
  }

  // --- who one is ---

  update() {
    const { me, signedIn } = this.app.connection;
    const now = me ? `${me.name} ${me.guest} ${me.wallet < FEW}` : String(signedIn);
    if (now === this.shown) return;
    this.shown = now;
    this._mayMake(me);
    const here = this.door.contains(document.activeElement);
    this.door.replaceChildren(...(me ? this._here(me) : [this._guest(), this._account()]));
    if (here) document.getElementById(me ? "make-table" : "guest-name")?.focus();
  }

  _here(me) {
    const out = button("Sign out", () => this.app.connection.signOut(), { id: "sign-out" });
    const chips = button("New play chips", () => this.app.newChips(), { id: "chips" });
    const words = me.guest ? `You play as ${me.name}, a guest.` : `You play as ${me.name}.`;
    return [make("p", { class: "row" }, words, me.wallet < FEW && chips, out), me.guest && this._keepName()].filter(
      Boolean,
    );
  }

  _guest() {
    const name = make("input", { id: "guest-name", required: true, maxlength: 24, autocomplete: "nickname" });
    return this._form("Play as guest", [field("Your name", name)], () => this.app.connection.guest(name.value.trim()));
  }

  _account() {
    const name = make("input", { id: "account-name", required: true, maxlength: 24, autocomplete: "username" });
    const password = make("input", {
      id: "password",
      type: "password",
      required: true,
      minlength: 8,
      maxlength: 128,
      autocomplete: "current-password",
    });
    const fields = [field("Name", name), field("Password", password, "at least 8 characters")];
    const { connection } = this.app;
    const anew = button(
      "Open an account",
      () =>
        name.form.reportValidity() && this._try(name.form, () => connection.signUp(name.value.trim(), password.value)),
    );
    const form = this._form("Sign in", fields, () => connection.signIn(name.value.trim(), password.value), anew);
    return make("details", {}, make("summary", {}, "I have an account, or want one"), form);
  }

  /** A guest who sets a password has an account. */
  _keepName() {
    const password = make("input", {
      id: "new-password",
      type: "password",
      required: true,
      minlength: 8,
      maxlength: 128,
      autocomplete: "new-password",
    });
    const form = this._form("Keep this name", [field("Password", password, "at least 8 characters")], async () => {
      await this.app.connection.post("/api/me/password", { new: password.value });
      if (this.app.connection.me) this.app.connection.me.guest = false;
      this.update();
    });
    return make("details", {}, make("summary", {}, "Keep this name with a password"), form);
  }

  _form(label, fields, act, ...more) {
    const says = make("p", { role: "alert" });
    const onsubmit = (event) => {
      event.preventDefault();
      this._try(form, act);
    };
    const form = make(
      "form",
      { class: "row", onsubmit },
      ...fields,
      make("button", { class: "button primary" }, label),
      ...more,
      says,
    );
    return form;
  }

  async _try(form, act) {
    const says = form.querySelector("[role=alert]");
    says.textContent = "";
    try {
      await act();
    } catch (problem) {
      says.textContent = problem.words ?? "it did not work";
    }
  }

  // --- rulebooks ---

  _books() {
    this.books = make("div", { id: "books", role: "radiogroup", "aria-labelledby": "books-title" });
    this.telling = make("ul", { id: "telling", "aria-live": "polite" });
    const anew = button("Make a table", () => this._makeTable(), { class: "button primary", id: "make-table" });
    return make(
      "section",
      { class: "sheet", "aria-labelledby": "books-title" },
      make("div", { class: "row between" }, make("h2", { id: "books-title" }, "Five rulebooks"), anew),
      this.books,
      this.telling,
    );
  }

  async _readBooks() {
    try {
      this.rulebooks = (await this.app.connection.get("/api/rulebooks")).rulebooks;
    } catch (problem) {
      return void (this.telling.textContent = problem.words);
    }
    this.book = this.rulebooks.at(0).name;
    const book = (one) => {
      const onchange = () => this._tell(one.name);
      const pick = make("input", {
        type: "radio",
        name: "book",
        id: `book-${one.name}`,
        value: one.name,
        checked: one.name === this.book,
        onchange,
      });
      const facts = [`${packsText(one.packs)} packs`, one.side_wagers.map(spaced).join(", ") || "no side wagers"].join(
        " · ",
      );
      return make(
        "label",
        { class: "book" },
        pick,
        make(
          "span",
          {},
          make("b", {}, spaced(one.name.replaceAll("-", "_"))),
          make("small", { class: "muted" }, one.place),
        ),
        make("small", { class: "muted facts" }, facts),
      );
    };
    this.books.replaceChildren(...this.rulebooks.map(book));
  }

  /** What this document says where they differ, in the rulebook's own sentences. */
  async _tell(name) {
    this.book = name;
    try {
      const { chapters } = await this.app.connection.get(`/api/rulebooks/${name}`);
      if (this.book !== name) return;
      const sentences = chapters.flatMap((chapter) => chapter.sentences);
      const told = TELLING.map((key) => sentences.find((one) => one.key === key)).filter(Boolean);
      const line = (one) =>
        make("li", {}, one.text, " ", make("small", { class: "muted" }, `clause ${one.clauses[0]}`));
      this.telling.replaceChildren(...told.map(line));
    } catch (problem) {
      this.telling.replaceChildren(make("li", {}, problem.words));
    }
  }

  // --- tournaments ---

  _tournaments() {
    this.cups = make("ul", { id: "tournaments", class: "tables" });
    this.past = make("ul", { class: "tables" });
    this.pastFold = make("details", { hidden: true }, make("summary", {}, "Past tournaments"), this.past);
    this.newCup = button(
      "Make a tournament",
      async () => (await import("./make_tournament.js")).makeTournament(this.app),
      { id: "make-tournament", hidden: true },
    );
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
    const start =
      one.start &&
      new Date(one.start).toLocaleString("en-AU", {
        weekday: "short",
        day: "numeric",
        month: "short",
        hour: "2-digit",
        minute: "2-digit",
        hourCycle: "h23",
      });
    const facts = [
      start && `starts ${start}`,
      one.fee ? `entry ${dollars(one.fee)}` : "free entry",
      `${one.players} of ${one.most} players`,
      one.pool && `prize pool ${dollars(one.pool)}`,
    ].filter(Boolean);
    const go = make(
      "a",
      {
        href: `/tournament/${one.id}`,
        "data-route": true,
        id: `tournament-${one.id}`,
        class: "button",
        "aria-label": `Go to ${one.name}`,
      },
      "Go to tournament",
    );
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
      const { tables } = await this.app.connection.get("/api/tables?limit=50");
      if (this.closed) return;
      this.says.textContent = tables.length ? "" : "No table is open. Make one, and others can join.";
      this._show(tables);
    } catch (problem) {
      this.says.textContent = problem.words;
    }
  }

  /** Redrawn only where something changed, so that nobody's focus is lost. */
  _show(tables) {
    const now = JSON.stringify(tables);
    if (now === this.tables) return;
    this.tables = now;
    const focused = document.activeElement?.id;
    this.list.replaceChildren(...tables.map((one) => this._table(one)));
    if (focused) this.list.querySelector(`#${CSS.escape(focused)}`)?.focus();
  }

  _table(one) {
    const name = one.name || `Table ${one.id}`;
    const limits = `${dollars(one.minimum)} to ${one.maximum ? dollars(one.maximum) : "no limit"}`;
    const pace = PACE.find(([most]) => one.card <= most)[1];
    const facts = [`${one.packs} packs`, limits, `${pace} pace`];
    const marks = {
      practice: one.practice,
      held: one.paused,
      closing: one.closing,
      "a person deals": one.mode === "floor",
    };
    facts.push(...Object.keys(marks).filter((word) => marks[word]));
    const join = make(
      "a",
      {
        href: `/t/${one.id}`,
        "data-route": true,
        id: `table-${one.id}`,
        class: "button",
        "aria-label": `Go to ${name}`,
      },
      "Go to table",
    );
    const book = make("span", { class: "ribbon" }, spaced(one.rulebook.replaceAll("-", "_")));
    return make(
      "li",
      {},
      make("p", { class: "row" }, make("b", {}, name), book),
      this._seats(one),
      make("p", { class: "muted" }, facts.join(" · ")),
      join,
    );
  }

  /** Seven places, those that are taken filled. */
  _seats({ seated, boxes }) {
    const places = Array.from({ length: boxes }, (_, place) => make("i", { class: place < seated ? "taken" : "" }));
    return make("p", { class: "places" }, ...places, make("small", {}, `${seated} of ${boxes} seats`));
  }

  async _makeTable() {
    if (!this.app.connection.signedIn) {
      this.app.notice("Say who you are first: a name is enough.");
      return document.getElementById("guest-name")?.focus();
    }
    await this.reading; // whoever is quick is not lost
    if (this.rulebooks) (await import("./make_table.js")).makeTable(this.app, this.rulebooks, this.book);
  }

  /** "https://…/t/abc", "/t/abc" or "abc". */
  _link() {
    const link = make("input", { id: "link", required: true, autocomplete: "off" });
    const act = async () => {
      const id = link.value.trim().split("/").at(-1);
      await this.app.connection.get(`/api/tables/${encodeURIComponent(id)}`);
      this.app.go(`/t/${encodeURIComponent(id)}`);
    };
    return make(
      "details",
      { id: "by-link" },
      make("summary", {}, "I have a link to a private table"),
      this._form("Join", [field("Link", link)], act),
    );
  }
}
