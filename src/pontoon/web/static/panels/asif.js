// Other casinos: the same cards and the same decisions under every rulebook, side by side.
import { withSuits } from "../card.js";
import { bookName, button, field, make, net, spaced } from "../parts.js";
import { Panel, cite, grid } from "./part.js";

const STATUS = {
  settled: "played to the end",
  refused: "not allowed here",
  open: "needs more cards",
  impossible: "wagers not accepted",
};
const RECENT = 20;

export class OtherCasinos extends Panel {
  build() {
    this.choice = make("select", { id: "asif-round", onchange: () => this._round(Number(this.choice.value)) });
    this.body = make("div", { class: "stack", role: "status" });
    this.pick = make(
      "div",
      { class: "row" },
      field("Round", this.choice),
      button("Latest", () => this._rounds(), { class: "button small" }),
    );
    this.append(
      make("h2", {}, "Other casinos"),
      make("p", {}, "The same cards and the same decisions, played by the rules of other casinos."),
      this.pick,
      this.body,
    );
  }

  /** @param {TableModel} model */
  update(model) {
    const first = !this.model;
    this.model = model;
    if (first && model.id && !this.shown) this._rounds();
  }

  /** Show one round of one table. @param {{table: string, number: number}} round */
  show({ table, number }) {
    this.shown = table;
    this.pick.hidden = true;
    return this._round(number, table);
  }

  async _rounds() {
    const told = await this.attempt(() => this.connection.get(`/api/tables/${this.model.id}/rounds?limit=${RECENT}`));
    if (!told) return;
    this.choice.replaceChildren(...told.rounds.map((one) => make("option", { value: one.number }, `${one.number}`)));
    if (told.rounds.length) await this._round(told.rounds[0].number);
    else this.body.replaceChildren(make("p", {}, "No finished rounds yet."));
  }

  async _round(number, table = this.model.id) {
    this.body.replaceChildren(make("p", {}, "Replaying…"));
    const told = await this.attempt(() => this.connection.get(`/api/rounds/${table}/${number}/as-if`));
    if (told) this.body.replaceChildren(...this._drawn(number, told));
    else this.body.replaceChildren(make("p", {}, "This round cannot be replayed."));
  }

  /** @param {number} number @param {AsIfAll} told */
  _drawn(number, { played, rulebooks }) {
    const players = Object.keys(played.players);
    const amount = (one, player) => {
      if (one.status === "impossible") return "–";
      const so = one.status === "settled" ? "" : " so far";
      const more = one.differences?.[player] ?? 0;
      return make(
        "span",
        { class: more > 0 ? "good" : more < 0 ? "bad" : "" },
        net(one.players[player]) + so,
        more ? make("small", {}, ` (${net(more)})`) : "",
      );
    };
    const dealer = (one) => (one.dealer?.length ? `${withSuits(one.dealer.join(" "))}, ${one.dealer_words}` : "–");
    const rows = rulebooks.map((one) => [
      bookName(one.rulebook),
      STATUS[one.status],
      dealer(one),
      ...players.map((player) => amount(one, player)),
    ]);
    const overview = grid(
      `Round ${number}, played by the rules of ${bookName(played.rulebook)}; difference in brackets`,
      ["Rulebook", "Outcome", "Dealer", ...players],
      rows,
    );
    return [overview, ...rulebooks.map((one) => this._details(one, one.rulebook === played.rulebook))];
  }

  /** @param {AsIf} one @param {boolean} own whether it is the rulebook that was played */
  _details(one, own) {
    const stop =
      one.status !== "settled" &&
      make(
        "p",
        { class: "bad" },
        one.line ? `“${one.line}”: ` : "",
        one.why,
        " ",
        cite(one.clauses, one.why, one.rulebook),
      );
    const notes = (one.notes ?? []).map((note) => make("p", { class: "muted" }, note));
    const rows = one.wagers.map((wager) => [
      wager.player,
      `box ${wager.box}${wager.hand > 1 ? `, hand ${wager.hand}` : ""}`,
      wager.kind === "main" ? "wager" : spaced(wager.kind),
      wager.words,
      net(wager.net),
      cite(wager.clauses, wager.words, one.rulebook),
    ]);
    const list = rows.length
      ? grid(
          `Wagers by the rules of ${bookName(one.rulebook)}`,
          ["Player", "Box", "Kind", "Result", "Net", "Clause"],
          rows,
        )
      : null;
    return make(
      "details",
      { open: Boolean(stop) },
      make("summary", {}, `${bookName(one.rulebook)}${own ? " (as published)" : ""}: ${STATUS[one.status]}`),
      stop,
      ...notes,
      list,
    );
  }
}
customElements.define("pontoon-asif", OtherCasinos);
