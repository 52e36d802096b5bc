// Payments as a list to tick off, in order. Payments that differed are entered and checked against what was due.
import { button, dollars, make, net } from "../parts.js";
import { sentence, shortName } from "./boxes.js";
import { amountField, chips, choice, cite, form, hand, keyed } from "./common.js";

const VERBS = { pay: "Pay", take: "Take", leave: "Leave", give_back: "Give back", take_back: "Take back" };
const DONE = { pay: "Paid", take: "Taken", leave: "Next", give_back: "Given", take_back: "Taken" };

export class Settlement {
  /** @param {any} page */
  constructor(page) {
    this.page = page;
  }

  get key() {
    return `pontoon.ticks.${this.page.id}`;
  }

  /** Lines that are done, of this round. @returns {Set<string>} */
  done() {
    const kept = JSON.parse(sessionStorage.getItem(this.key) ?? "{}");
    return new Set(kept.round === this.page.view.number ? kept.lines : []);
  }

  /** @param {Set<string>} lines */
  keep(lines) {
    sessionStorage.setItem(this.key, JSON.stringify({ round: this.page.view.number, lines: [...lines] }));
  }

  shown() {
    return this.page.mode() === "settle";
  }

  /** Every line with its name; while cards are dealt only what is due at once. */
  lines() {
    const all = (this.page.told?.payments ?? []).map((one, place) => Object.assign({}, one, { id: `${place}` }));
    return this.shown() ? all : all.filter((one) => one.at_once);
  }

  open() {
    if (!this.page.told || this.page.alarm) return [];
    const done = this.done();
    return this.lines().filter((one) => !done.has(one.id));
  }

  tick() {
    const [first] = this.open();
    if (!first) return;
    this.keep(this.done().add(first.id));
    this.page.draw();
  }

  /** @param {boolean} quiet without drawing */
  tickAll(quiet) {
    const done = this.done();
    for (const one of this.open()) done.add(one.id);
    this.keep(done);
    if (!quiet) this.page.draw();
  }

  /** The band for the line that is due. */
  band(due, words) {
    const open = this.open();
    const verb = `${VERBS[due.act]}, ${this.lines().length - open.length + 1} of ${this.lines().length}`;
    const amount = due.act === "leave" ? dollars(due.stake) : dollars(due.amount);
    const to = due.act === "take" || due.act === "take_back" ? "from" : due.act === "leave" ? "with" : "to";
    const name = shortName(due.player, due.box);
    const next = open[1];
    const then =
      next && `${VERBS[next.act]} ${dollars(next.amount)}, ${shortName(next.player, next.box)}, box ${next.box}`;
    return [
      make("div", {}, ...words(verb, `${amount} ${to} ${name}, box ${due.box}`, sentence(due.words))),
      due.amount ? chips(due.amount) : null,
      then ? make("div", { class: "then" }, make("span", { class: "cap" }, "Then"), make("div", {}, then)) : null,
      keyed(DONE[due.act], "Space", () => this.tick(), { class: "btn confirm", id: "confirm" }),
      cite(this.page.app, this.page.id, due.clauses),
    ];
  }

  list() {
    const done = this.done();
    const open = this.open();
    const rows = this.lines().map((one) => {
      const over = done.has(one.id);
      const now = open[0]?.id === one.id;
      return make(
        "li",
        { class: ["pay-line", over && "over", now && "now"].filter(Boolean).join(" "), "data-act": one.act },
        make("span", { class: "no" }, String(one.box)),
        make("span", { class: "nm" }, shortName(one.player, one.box), one.hand > 1 && `, hand ${one.hand}`),
        make("span", { class: "quiet" }, sentence(one.words)),
        one.amount ? chips(one.amount) : make("span", { class: "quiet" }, "chips stay"),
        make("b", { class: one.act }, `${VERBS[one.act]} ${dollars(one.amount || one.stake)}`),
        over
          ? make("span", { class: "go" }, "✓ Done")
          : button(DONE[one.act], () => this.one(one.id), { class: "btn small" }),
      );
    });
    return [make("ol", { class: "pay-list sheet" }, ...rows), this.sums(open)];
  }

  one(id) {
    this.keep(this.done().add(id));
    this.page.draw();
  }

  sums(open) {
    const { round } = this.page;
    const all = this.page.told.payments;
    const sum = (lines, sign) =>
      lines.filter((one) => one.net * sign > 0).reduce((total, one) => total + one.amount, 0);
    const house = -all.reduce((total, one) => total + one.net, 0);
    const rows = [
      ["Still to pay", dollars(sum(open, 1))],
      ["Still to take", dollars(sum(open, -1))],
      ["Paid and taken", dollars(all.reduce((total, one) => total + one.amount, 0) - sum(open, 1) - sum(open, -1))],
      ["Table, this round", net(house)],
    ];
    return make(
      "section",
      { class: "sheet sums", "aria-label": "Dealer and totals" },
      make("span", { class: "cap" }, "Dealer"),
      make(
        "div",
        { class: "row" },
        round?.dealer && hand(round.dealer.cards),
        make("span", { class: "total" }, String(round?.dealer?.total ?? "")),
        make("small", { class: "quiet" }, (round?.dealer?.words ?? "").replace(/^\d+$/, "")),
      ),
      make("dl", {}, ...rows.flatMap(([name, amount]) => [make("dt", {}, name), make("dd", {}, amount)])),
      button("Paid a different amount (E)", () => this.other(), { class: "btn", id: "other-amount" }),
    );
  }

  buttons() {
    const open = this.open();
    if (!open.length) return [];
    const all = keyed("All the rest as due", "Shift Space", () => this.tickAll(false), {
      class: "btn",
      id: "tick-all",
    });
    return [all];
  }

  other() {
    const lines = this.lines();
    const due = this.open()[0] ?? lines.at(-1);
    const which = choice(
      "Which wager",
      lines.map((one) => [one.id, `${one.player}, box ${one.box}: ${VERBS[one.act]} ${dollars(one.amount)}`]),
      due?.id,
    );
    const paid = amountField("Amount paid or taken");
    form("Paid a different amount", [which, paid.row], "Record it", async () => {
      const line = lines.find((one) => one.id === which.value);
      const sign = line.net < 0 ? -1 : 1;
      const { box, player } = line;
      await this.page.give({ type: "NotePayment", box, player, hand: line.hand || 1, paid: sign * paid.value() });
      this.one(line.id);
    });
  }
}
