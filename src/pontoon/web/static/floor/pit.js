// The pit: every table at a glance, and what to look at, most urgent first.
import { dollars, hourWords, make, net, renew } from "../parts.js";
import { drawing } from "../card.js";
import { link } from "./app.js";
import { rulesName } from "./common.js";

const OFTEN = 3000;

/** @param {any} app @param {any} main */
export const open = (app, main) => new PitPage(app, main);

const ACTIONS = {
  approval: ["Look and decide", (id) => `/desk/${id}`],
  called: ["Go to the desk", (id) => `/desk/${id}`],
  float: ["Console", (id) => `/floor/${id}`],
  super_bonus: ["Check the cards", (id) => `/desk/${id}`],
  large_win: ["Last rounds", (id) => `/search?table=${id}`],
  long_pause: ["Console", (id) => `/floor/${id}`],
  unusual: ["Last rounds", (id) => `/search?table=${id}`],
};

const TITLES = {
  approval: "approval",
  called: "supervisor called",
  float: "float differs",
  super_bonus: "Super Bonus",
  large_win: "large win",
  long_pause: "long pause",
  unusual: "unusual play",
};

class PitPage {
  constructor(app, main) {
    this.app = app;
    this.sums = make("dl", { class: "sums-row" });
    this.tiles = make("section", { class: "tiles pit-tiles", "aria-label": "Tables" });
    this.alerts = make("aside", { class: "alerts", "aria-label": "Alerts", "aria-live": "polite" });
    main.replaceChildren(this.sums, make("div", { class: "pit" }, this.tiles, this.alerts));
    this.load();
    this.timer = setInterval(() => this.load(), OFTEN);
  }

  close() {
    clearInterval(this.timer);
  }

  async load() {
    const answer = await this.app.connection.get("/api/pit").catch((problem) => {
      this.app.notice(problem.words, "alarm");
      return null;
    });
    if (!answer) return;
    this.app.header(
      "Pit",
      [hourWords(answer.at)],
      [
        link("Tables", "/floor"),
        link("History", "/search"),
        link("Incidents", "/incidents"),
        link("School", "/school"),
      ],
    );
    const open_ = answer.tables.filter((one) => one.phase !== "closed");
    const add = (field) => answer.tables.reduce((sum, one) => sum + field(one), 0);
    const facts = [
      ["tables open", `${open_.length} of ${answer.tables.length}`],
      ["players", String(add((one) => one.players))],
      ["on the layout", dollars(add((one) => one.stakes.reduce((sum, stake) => sum + stake, 0)))],
      ["house tonight", net(add((one) => one.result))],
      ["waiting for approval", String(answer.alerts.filter((one) => one.kind === "approval").length)],
      ["incidents", String(add((one) => one.incidents))],
    ];
    renew(this.sums, ...facts.map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, value))));
    renew(this.tiles, ...answer.tables.map(tile));
    const rows = answer.alerts.map((one) => alertRow(one, answer.tables));
    renew(
      this.alerts,
      make("h2", {}, "Alerts", make("small", { class: "quiet" }, rows.length > 1 ? " most urgent first" : "")),
      ...(rows.length ? rows : [make("p", { class: "quiet" }, "Nothing to look at.")]),
    );
  }
}

function tile(one) {
  const kind = one.alerts[0]?.kind ?? "";
  return make(
    "section",
    { class: "sheet tile", "data-alert": kind, "aria-label": `${one.name || "Table"}, ${one.id}` },
    make(
      "div",
      { class: "tile-head" },
      make("h2", {}, one.name || one.id),
      make("span", { class: "quiet" }, one.dealer ? `Dealer ${one.dealer}` : ""),
      make(
        "span",
        { class: "quiet" },
        `${rulesName(one.rulebook)}, ${dollars(one.minimum)} to ${one.maximum ? dollars(one.maximum) : "any"}`,
      ),
    ),
    make("p", { class: "now" }, one.alerts[0]?.words ?? one.now),
    make(
      "ol",
      { class: "stake-row", "aria-label": "Stakes by box" },
      ...one.stakes.map((stake, place) =>
        make(
          "li",
          { class: [stake && "bet", one.turn === place + 1 && "turn"].filter(Boolean).join(" ") },
          stake ? String(stake / 100) : "",
        ),
      ),
    ),
    line(one.results),
    make(
      "dl",
      { class: "tile-facts" },
      ...[
        ["On the layout", dollars(one.stakes.reduce((sum, stake) => sum + stake, 0))],
        ["House tonight", make("span", { class: one.result < 0 ? "down" : "up" }, net(one.result))],
        ["Round", String(one.round)],
        ["Tray", one.tray === null ? "–" : dollars(one.tray)],
      ].map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, value))),
    ),
    make("div", { class: "tile-foot" }, link("Console", `/floor/${one.id}`), link("Desk", `/desk/${one.id}`)),
  );
}

/** What the house has won over the last rounds. @param {number[]} results */
function line(results) {
  let sum = 0;
  const points = [0, ...results.map((one) => (sum += one))];
  const [low, high] = [Math.min(...points), Math.max(...points)];
  const y = (value) => 38 - (36 * (value - low)) / (high - low || 1);
  const x = (place) => (200 * place) / Math.max(1, points.length - 1);
  const path = points
    .map((value, place) => `${place ? "L" : "M"}${x(place).toFixed(1)} ${y(value).toFixed(1)}`)
    .join("");
  const box = 'viewBox="0 0 200 40" preserveAspectRatio="none" aria-hidden="true"';
  return drawing(`<svg class="spark ${sum < 0 ? "down" : "up"}" ${box}>
    <path class="zero" d="M0 ${y(0).toFixed(1)}H200"/><path d="${path}"/></svg>`);
}

function alertRow(one, tables) {
  const table = tables.find((other) => other.id === one.table);
  const [words, path] = ACTIONS[one.kind];
  return make(
    "article",
    { class: "sheet alert", "data-alert": one.kind },
    make("h3", {}, `${table?.name || one.table}: ${TITLES[one.kind]}`),
    make("p", {}, one.words),
    link(words, path(one.table)),
  );
}
