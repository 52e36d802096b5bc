// The tables of the floor, and opening a new one: rulebook, cards, limits, side bets, every option of the table.
import { button, cents, dollars, field, make, titled } from "../parts.js";
import { link, signOut } from "./app.js";
import { choice, form, PHASES, rulesName } from "./common.js";
import { HouseRules } from "./house_rules.js";

/** @param {any} app @param {any} main */
export function open(app, main) {
  const page = new Tables(app, main);
  page.load();
  return page;
}

const ADMINISTRATION = ["administrator", "casino_supervisor", "inspector"];
const TOURNAMENTS = ["administrator", "tournament_director"];
const MAKES = ["game_supervisor", "casino_supervisor", "administrator"];

class Tables {
  constructor(app, main) {
    this.app = app;
    this.main = main;
  }

  async load() {
    const makes = MAKES.includes(this.app.role());
    const actions = [
      ADMINISTRATION.includes(this.app.role()) && link("Administration", "/admin"),
      TOURNAMENTS.includes(this.app.role()) && make("a", { class: "btn small", href: "/tables" }, "Tournaments"),
      link("Pit", "/pit"),
      link("Incidents", "/incidents"),
      link("School", "/school"),
    ].filter(Boolean);
    this.app.header("Tables of the floor", [], [...actions, button("Sign out", signOut, { class: "btn small" })]);
    const told = await this.app.connection.get("/api/tables?limit=200").catch((problem) => {
      this.app.notice(problem.words, "alarm");
      return { tables: [] };
    });
    const rows = told.tables.filter((one) => one.mode === "floor").map((one) => this.tile(one));
    this.main.replaceChildren(
      make(
        "div",
        { class: "office" },
        makes && button("Open a new table", () => this.make(), { class: "btn go", id: "new-table" }),
        rows.length
          ? make("div", { class: "tiles" }, ...rows)
          : make(
              "p",
              { class: "quiet" },
              makes ? "No floor table yet." : "No floor table yet. A supervisor opens one.",
            ),
      ),
    );
  }

  tile(one) {
    return make(
      "section",
      { class: "sheet tile", "aria-label": one.name || one.id },
      make("h2", {}, one.name || `Table ${one.id}`),
      make(
        "p",
        {},
        `${rulesName(one.rulebook)}, ${dollars(one.minimum)} to ${one.maximum ? dollars(one.maximum) : "no limit"}`,
      ),
      make("p", { class: "quiet" }, `${PHASES[one.phase]}, ${one.seated} of ${one.boxes} seats taken`),
      make("div", { class: "row" }, link("Console", `/floor/${one.id}`), link("Desk", `/desk/${one.id}`)),
    );
  }

  async make() {
    const { rulebooks } = await this.app.connection.rulebooks();
    const dialog = new NewTable(this.app, rulebooks);
    dialog.show();
  }
}

const DEVICES = {
  manual: "Shoe, shuffled by hand",
  batch: "Batch shuffler",
  continuous: "Continuous shuffler",
  shuffling_shoe: "Shuffling shoe",
};

const FLAGS = { joker: "Joker", sealed: "Sealed cards", face_down: "Cards face down" };

function money(label, value) {
  const input = make("input", { inputmode: "decimal", value });
  return { row: field(label, input), input };
}

function flag(label) {
  const input = make("input", { type: "checkbox" });
  return { row: make("label", { class: "row" }, input, label), input };
}

class NewTable {
  constructor(app, books) {
    this.app = app;
    this.books = books;
    this.rest = make("div", { class: "parts" });
    /** @type {Record<string, any>} */
    this.money = {};
    /** @type {Record<string, any>} */
    this.flags = {};
    /** @type {any} */
    this.house = null;
    this.book = choice(
      "Rulebook",
      books.map((one) => [one.name, rulesName(one.name)]),
      books[0].name,
      () => this.fill(),
    );
    this.fill();
  }

  fill() {
    if (!this.book) return;
    const book = this.books.find((one) => one.name === this.book.value);
    this.name = make("input", { maxlength: 60, placeholder: "Table 4" });
    this.packs = choice(
      "Packs",
      book.packs.map((one) => [one, String(one)]),
      book.usual_packs,
    );
    this.device = choice(
      "Shoe or shuffler",
      book.devices.map((one) => [one, DEVICES[one] ?? one]),
      book.devices[0],
    );
    this.money = {
      minimum: money("Minimum", "10"),
      maximum: money("Maximum, 0 for none", "500"),
      box_maximum: money("Box maximum, 0 for none", "0"),
      smallest_chip: money("Smallest chip", "2.50"),
    };
    this.boxes = make("input", { type: "number", min: 0, max: book.boxes, value: 0 });
    this.cutting = make("input", { type: "number", min: 1, max: Math.max(1, book.cutting_cards), value: 1 });
    this.side = book.side_wagers.map((name) => ({
      name,
      ...flag(titled(name)),
      least: money(`${titled(name)}, minimum`, ""),
      most: money(`${titled(name)}, maximum`, ""),
    }));
    this.opens = make("input", { type: "time" });
    this.closes = make("input", { type: "time" });
    this.house = new HouseRules(this.app, book.name);
    this.flags = { hold_late: flag("Late players: minimum only") };
    for (const [name, words] of Object.entries(FLAGS)) if (book[name]) this.flags[name] = flag(words);
    this.arrange(book);
  }

  arrange(book) {
    const part = (title, ...rows) => make("section", {}, make("h3", {}, title), ...rows);
    const options = (...rows) => make("div", { class: "options" }, ...rows);
    this.rest.replaceChildren(
      make("section", {}, field("Name", this.name)),
      part("Cards and shoe", this.packs, this.device),
      part("Limits on the sign", options(...Object.values(this.money).map((one) => one.row))),
      part(
        "Seats and house options",
        options(
          field("Boxes a person, 0 for any", this.boxes),
          field("Cutting cards", this.cutting),
          ...Object.values(this.flags).map((one) => one.row),
        ),
      ),
      book.side_wagers.length
        ? part("Side bets", ...this.side.map((one) => options(one.row, one.least.row, one.most.row)))
        : "",
      part("Opening hours, empty for always", options(field("Opens", this.opens), field("Closes", this.closes))),
      this.house.element,
    );
  }

  show() {
    const rows = [make("h3", {}, "Rulebook"), this.book, this.rest];
    const box = form("Open a floor table", rows, "Make the table", async () => {
      const read = (input) => {
        const value = cents(input.value || "0");
        if (!Number.isFinite(value)) throw new Error("The limits are amounts such as 10 or 2.50");
        return value;
      };
      const amount = (key) => read(this.money[key].input);
      const told = await this.app.connection.post("/api/tables", {
        rulebook: this.book.value,
        name: this.name.value,
        mode: "floor",
        packs: this.packs.value,
        device: this.device.value,
        minimum: amount("minimum"),
        maximum: amount("maximum"),
        box_maximum: amount("box_maximum"),
        smallest_chip: amount("smallest_chip"),
        boxes_each: Number(this.boxes.value),
        cutting_cards: Number(this.cutting.value),
        side_bets: this.side.filter((one) => one.input.checked).map((one) => one.name),
        side_limits: this.side
          .filter((one) => one.input.checked && (one.least.input.value || one.most.input.value))
          .map((one) => ({ bet: one.name, minimum: read(one.least.input), maximum: read(one.most.input) })),
        opens: this.opens.value,
        closes: this.closes.value,
        utc_offset: -new Date().getTimezoneOffset(),
        overrides: this.house.values(),
        ...Object.fromEntries(Object.entries(this.flags).map(([name, one]) => [name, one.input.checked])),
      });
      this.app.go(`/floor/${told.id}`);
    });
    box.classList.add("wide");
  }
}
