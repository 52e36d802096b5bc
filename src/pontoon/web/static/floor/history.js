// Rounds of the floor: found by date, table, player, box, result, amount and incident.
import { button, cents, dateWords, dollars, field, hourWords, make, net } from "../parts.js";
import { save } from "../panels/part.js";
import { link } from "./app.js";
import { hand, rulesName } from "./common.js";

/** @param {any} app @param {any} main */
export const open = (app, main) => new History(app, main);

const select = (name, options) =>
  make("select", { name }, ...options.map(([value, words]) => make("option", { value }, words)));

const LABELS = {
  since: "From",
  until: "To",
  table: "Table",
  player: "Player or seat",
  box: "Box",
  result: "Result",
  at_least: "Amount, at least",
  incident: "Incident",
};
const HEAD = ["Time", "Table", "Round", "Hands", "Staked", "Result", "Incident"];

class History {
  constructor(app, main) {
    this.app = app;
    const asked = new URLSearchParams(location.search);
    this.inputs = {
      since: make("input", { type: "date" }),
      until: make("input", { type: "date" }),
      table: make("input", { value: asked.get("table") ?? "", placeholder: "any" }),
      player: make("input", { placeholder: "Marco, Seat 3" }),
      box: select("box", [["", "any"], ...Array.from({ length: 7 }, (_, place) => [place + 1, String(place + 1)])]),
      result: select("result", [
        ["", "any"],
        ["win", "won"],
        ["loss", "lost"],
        ["push", "stand-off"],
        ["void", "void"],
      ]),
      at_least: make("input", { inputmode: "decimal", placeholder: "$" }),
      incident: select("incident", [
        ["", "with or without"],
        ["with", "with"],
        ["without", "without"],
      ]),
    };
    this.rows = make("tbody", {});
    this.one = make("section", { class: "sheet stack", "aria-label": "Round", "aria-live": "polite" });
    app.header(
      "History",
      ["Rounds, incidents and money of every table"],
      [link("Incidents", "/incidents"), link("Pit", "/pit")],
    );
    main.replaceChildren(make("div", { class: "office" }, this.form(), this.results()));
    this.load();
  }

  form() {
    const { connection } = this.app;
    const csv = () =>
      save(connection, `/api/rounds.csv?${this.query(["table", "player", "since", "until"])}`, "rounds.csv");
    return make(
      "form",
      { class: "row search", role: "search", onsubmit: (event) => (event.preventDefault(), this.load()) },
      ...Object.entries(this.inputs).map(([name, input]) => field(LABELS[name], input)),
      button("Search", () => {}, { type: "submit", class: "btn go" }),
      button("CSV", csv, { class: "btn" }),
      button("Print", () => print(), { class: "btn" }),
    );
  }

  results() {
    const head = make("tr", {}, ...HEAD.map((one) => make("th", { scope: "col" }, one)));
    return make(
      "div",
      { class: "two" },
      make(
        "div",
        { class: "scroll", tabindex: 0, role: "region", "aria-label": "Rounds" },
        make("table", {}, make("thead", {}, head), this.rows),
      ),
      this.one,
    );
  }

  /** @param {string[]} [names] */
  query(names = Object.keys(this.inputs)) {
    const query = new URLSearchParams();
    for (const name of names) {
      const { value } = this.inputs[name];
      if (!value) continue;
      if (name === "since") query.set(name, String(Date.parse(value)));
      else if (name === "until") query.set(name, String(Date.parse(value) + 86_400_000));
      else if (name === "at_least") query.set(name, String(cents(value) || 0));
      else query.set(name, value);
    }
    return query;
  }

  async load() {
    const query = this.query();
    this.asked = query;
    const answer = await this.app.connection.get(`/api/floor/rounds?${query}`).catch((problem) => {
      this.app.notice(problem.words, "alarm");
      return { rounds: [] };
    });
    if (this.asked !== query) return; // a later search is on its way, or was faster
    this.rows.replaceChildren(...answer.rounds.map((one) => this.line(one)));
    if (answer.rounds.length) this.show(answer.rounds[0]);
    else this.one.replaceChildren(make("p", { class: "quiet" }, "No round was found."));
  }

  line(one) {
    const wanted = this.inputs.player.value;
    const players = one.round.players.filter((line) => !wanted || line.player === wanted);
    const sum = (key) => players.reduce((total, line) => total + line[key], 0);
    const hands = one.hands.filter((row) => row.box && (!wanted || row.players.includes(wanted)));
    return make(
      "tr",
      { class: one.round.void ? "void" : "" },
      make("td", {}, hourWords(one.round.at)),
      make("td", {}, one.round.table),
      make(
        "td",
        {},
        button(String(one.round.number), () => this.show(one), { class: "btn small" }),
      ),
      make(
        "td",
        {},
        ...(one.round.void ? [make("span", { class: "tag" }, "Void")] : []),
        ...hands.slice(0, 3).map((row) => hand(row.cards)),
      ),
      make("td", { class: "num" }, dollars(sum("staked"))),
      make("td", { class: "num" }, net(sum("net"))),
      make("td", {}, ...one.incidents.map((number) => incidentLink(one.round.table, number))),
    );
  }

  show(one) {
    const { round } = one;
    this.one.replaceChildren(
      make("h2", {}, `Table ${round.table}, round ${round.number}`),
      make(
        "p",
        { class: "quiet" },
        `${dateWords(round.at)}, ${rulesName(round.rulebook)} rules.`,
        round.void ? " Void: every wager and payment went back." : "",
      ),
      make(
        "table",
        {},
        make(
          "thead",
          {},
          make("tr", {}, ...["Box", "Hand", "Result", "Net"].map((name) => make("th", { scope: "col" }, name))),
        ),
        make("tbody", {}, ...one.hands.map((row) => handLine(one, row))),
      ),
      make("h3", {}, "Discard rack, bottom to top"),
      make("div", { class: "rack" }, ...one.rack.map((card) => hand([card]))),
      make(
        "div",
        { class: "row" },
        make("a", { class: "btn small", href: `/t/${round.table}` }, "Table"),
        button(
          "Transcript",
          () =>
            save(
              this.app.connection,
              `/api/rounds/${round.table}/${round.number}/transcript`,
              `${round.table}-${round.number}.prt`,
            ),
          { class: "btn small" },
        ),
      ),
    );
  }
}

function handLine(one, row) {
  const lines = one.payments.filter((line) => line.box === row.box && (line.hand || 1) === row.hand && row.box);
  const total = one.round.void ? 0 : lines.reduce((sum, line) => sum + line.net, 0);
  const name = row.box ? `${row.box} ${row.players.join(", ")}` : "Dealer";
  return make(
    "tr",
    {},
    make("th", { scope: "row" }, name),
    make("td", {}, hand(row.cards)),
    make("td", {}, [row.words, ...row.results].filter(Boolean).join(", ")),
    make("td", { class: "num" }, row.box ? net(total) : ""),
  );
}

const incidentLink = (table, number) =>
  make("a", { href: `/incidents/${table}/${number}`, "data-route": true }, `${table}-${number}`);
