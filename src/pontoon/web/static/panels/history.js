// History: finished rounds, replayed step by step on a small table, or saved as files.
import { withSuits } from "../card.js";
import { bookName, button, make, net, withBots } from "../parts.js";
import { Panel, save } from "./part.js";
import "../table.js";

const PAGE = 20; // rounds
const STEPS = 200;

/** "8♠ 7♣ 15", the dealer's by name. @param {HandPicture} hand */
const handWords = ({ box, cards, words }) => `${box ? "" : "Dealer "}${cards.map(withSuits).join(" ")}: ${words}`;

class History extends Panel {
  /** Whether the user's own rounds are listed, or all of this table. */
  mine = true;
  /** @type {PastStep[]} */
  steps = [];
  /** The two buttons above the list. @type {HTMLElement[]} */
  which = [];
  at = 0;
  /** The number of the page that was asked for last. */
  page = 0;

  build() {
    this.list = make("div", { class: "stack" });
    this.player = make("section", { class: "stack", hidden: true, "aria-label": "Replay of a round" });
    const own = button("My rounds", () => this._choose(true), { "aria-pressed": "true" });
    const all = button("This table", () => this._choose(false), { "aria-pressed": "false" });
    this.which = [own, all];
    this.append(make("h2", {}, "History"), make("div", { class: "row" }, own, all), this.player, this.list);
    this.addEventListener("keydown", (event) => this._key(event));
    for (const name of ["box-tap", "bettor-tap"])
      this.player.addEventListener(name, (event) => event.stopPropagation()); // no betting in a replay
  }

  update(model) {
    const before = this.model && this.done;
    this.model = model;
    const { phase, number } = model.view ?? {};
    this.done = phase === "round" ? this.done : `${phase} ${number}`; // a round is listed when its cards are collected
    if (this.list && before !== this.done && this.player.hidden) this._page();
  }

  /** Replay the user's last round at once. */
  async show() {
    this._choose(true);
    const told = await this.attempt(() => this.connection.get(`/api/rounds?${this._base}&limit=1`));
    if (told?.rounds.length) await this._open(told.rounds[0]);
  }

  _choose(mine) {
    this.mine = mine;
    this.which[0].setAttribute("aria-pressed", String(mine));
    this.which[1].setAttribute("aria-pressed", String(!mine));
    this._page();
  }

  // --- the list ---

  get _base() {
    return this.mine && this.connection.me
      ? `player=${encodeURIComponent(this.connection.me.name)}`
      : `table=${this.model.id}`;
  }

  async _page(cursor = "") {
    const page = (this.page += 1);
    if (!this.connection.me) {
      this.list.replaceChildren(make("p", {}, "Sign in to see your rounds."));
      return;
    }
    const more = cursor ? `&cursor=${encodeURIComponent(cursor)}` : "";
    const told = await this.attempt(() => this.connection.get(`/api/rounds?${this._base}&limit=${PAGE}${more}`));
    if (!told || page !== this.page) return; // a newer page was asked for since
    const rows = told.rounds.map((one) => this._row(one));
    this._fillHands(told.rounds, rows, page);
    const heading = ["Round", "Hands", "Result", "Replay"].map((one) => make("th", { scope: "col" }, one));
    const caption = this.mine ? "My rounds, latest first" : "Rounds of this table, latest first";
    const table = make(
      "table",
      {},
      make("caption", {}, caption),
      make("thead", {}, make("tr", {}, ...heading)),
      make("tbody", {}, ...rows),
    );
    const older = told.next && button("Older rounds", () => this._page(told.next), { class: "button small" });
    const files = ["csv", "json"].map((kind) =>
      button(
        `Save as ${kind.toUpperCase()}`,
        () => this.attempt(() => save(this.connection, `/api/rounds.${kind}?${this._base}`, `rounds.${kind}`)),
        { class: "button small" },
      ),
    );
    this.list.replaceChildren(
      rows.length
        ? make("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Rounds" }, table)
        : make("p", {}, "No rounds yet."),
      make("div", { class: "row" }, ...[older, ...(rows.length ? files : [])].filter(Boolean)),
    );
  }

  _row(round) {
    const me = this.connection.me?.name;
    const lines = round.players.filter((one) => !this.mine || one.player === me);
    const result = lines
      .map((one) => (this.mine ? net(one.net) : `${withBots(one.player)} ${net(one.net)}`))
      .join(", ");
    const official = this.connection.me?.role !== "player";
    const own = official || round.players.some((one) => one.player === me);
    const open = own
      ? button("Replay", () => this._open(round), {
          class: "button small",
          "aria-label": `Replay round ${round.number}`,
        })
      : make("small", { class: "muted" }, "by link from a player");
    const when = new Date(round.at).toLocaleString(undefined, { dateStyle: "short", timeStyle: "short" });
    return make(
      "tr",
      {},
      make(
        "th",
        { scope: "row" },
        String(round.number),
        make("small", { class: "muted" }, ` ${bookName(round.rulebook)} ${when}`),
      ),
      make("td", { class: "lay" }),
      make("td", {}, round.void ? `${result} (void)` : result),
      make("td", {}, open),
    );
  }

  /** The cards of each round that the user may see, one request after another. */
  async _fillHands(rounds, rows, page) {
    const me = this.connection.me;
    for (const [place, round] of rounds.entries()) {
      if (me?.role === "player" && !round.players.some((one) => one.player === me?.name)) continue;
      const told = await this.connection.get(`/api/rounds/${round.table}/${round.number}/hands`).catch(() => null);
      if (page !== this.page) return;
      const shown = (told?.hands ?? []).filter((one) => !one.box || !this.mine || one.players.includes(me?.name));
      rows[place].querySelector(".lay").replaceChildren(...shown.map((one) => make("div", {}, handWords(one))));
    }
  }

  // --- one round ---

  async _open(round) {
    const path = `/api/rounds/${round.table}/${round.number}`;
    const told = await this.attempt(() => this.connection.get(`${path}/steps?limit=${STEPS}`));
    if (!told?.steps.length) return;
    this.round = round;
    this.steps = told.steps;
    this.words = make("p", { role: "status" });
    const range = { type: "range", min: 0, max: this.steps.length - 1, "aria-label": "Step of the round" };
    this.place = make("input", { ...range, oninput: () => this._to(Number(this.place.value)) });
    this.table = make("pontoon-table", { class: "small", "data-label": "Replayed table" });
    const elsewhere = make("div");
    const save_ = () =>
      this.attempt(() => save(this.connection, `${path}/transcript`, `${round.table}-${round.number}.prt`));
    const bar = make(
      "div",
      { class: "row" },
      button("← Back", () => this._to(this.at - 1)),
      button("Forward →", () => this._to(this.at + 1)),
      this.place,
    );
    const small = { class: "button small" };
    const tools = make(
      "div",
      { class: "row" },
      button("Save transcript", save_, small),
      button("Share this hand", () => this._share(round), { ...small, id: "share-hand" }),
      button("Other casinos", () => this._elsewhere(elsewhere), small),
      button("Back to the list", () => this._shut(), small),
    );
    this.player.replaceChildren(
      make("h3", { tabindex: -1 }, `Round ${round.number}, ${bookName(round.rulebook)}`),
      bar,
      this.words,
      this.table,
      make("p", { class: "muted" }, "Use the arrow keys to step back and forward."),
      tools,
      elsewhere,
    );
    this.player.hidden = false;
    this.list.hidden = true;
    this._to(0);
    this.player.querySelector("h3").focus();
  }

  _to(at) {
    this.at = Math.max(0, Math.min(at, this.steps.length - 1));
    const step = this.steps[this.at];
    this.place.value = String(this.at);
    const said = step.events
      .map((one) => one.words)
      .filter(Boolean)
      .join(". ");
    this.words.textContent = `${this.at + 1} of ${this.steps.length}: ${said || "…"}`;
    const { me, settings } = this.model;
    // The last step collects the cards: show the results instead.
    const settled = this.steps.slice(0, this.at + 1).findLast((one) => one.view.round?.stage === "ended");
    const view = settled ? { ...step.view, round: settled.view.round } : step.view;
    const { version, room, events } = step;
    this.table.update({ id: this.round.table, version, room, view, events, log: [], me, settings });
  }

  _key(event) {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by || this.player.hidden || event.target === this.place) return;
    event.preventDefault();
    event.stopPropagation();
    this._to(this.at + by);
  }

  async _share(round) {
    (await import("../hand/share.js")).shareDialog(this.connection, round);
  }

  async _elsewhere(place) {
    await import("./asif.js");
    const panel = make("pontoon-asif");
    panel.connection = this.connection;
    place.replaceChildren(panel);
    panel.show({ table: this.round.table, number: this.round.number });
  }

  _shut() {
    this.player.hidden = true;
    this.list.hidden = false;
    this._page();
    this.which[this.mine ? 0 : 1].focus();
  }
}
customElements.define("pontoon-history", History);
