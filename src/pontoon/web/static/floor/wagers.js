// Wagers in chips: tap a box, then chips. They lie here until the call places them all.
import { button, dollars, make, titled } from "../parts.js";
import { chip, chips, form } from "./common.js";

/** @typedef {{box: number, player: string, kind: string, stake: number}} Stake */

const WORTHS = [50, 100, 250, 500, 2_500, 10_000, 50_000, 100_000];

export class Wagers {
  /** @param {any} page */
  constructor(page) {
    this.page = page;
    this.box = 1;
    this.kind = "main";
    /** Who bets on each box, front first. @type {Map<number, string>} */
    this.who = new Map();
    /** Stakes by box, player and kind. @type {Map<string, Stake>} */
    this.pending = new Map();
    /** @type {Stake[]} */
    this.before = [];
  }

  /** The player whose chips continue a box. @param {number} box */
  player(box) {
    const seat = this.page.view.seats?.find((one) => one.box === box);
    return this.who.get(box) ?? seat?.player ?? `Seat ${box}`;
  }

  /** @param {number} box */
  pick(box) {
    this.box = box;
    this.kind = "main";
    this.page.draw();
  }

  /** @param {number} worth */
  add(worth) {
    const { box, kind } = this;
    const player = this.player(box);
    const key = `${box}|${player}|${kind}`;
    const stake = (this.pending.get(key)?.stake ?? 0) + worth;
    this.pending.set(key, { box, player, kind, stake });
    this.page.draw();
  }

  clear() {
    for (const [key, one] of this.pending) if (one.box === this.box) this.pending.delete(key);
    const placed = this.page.round?.boxes?.find((one) => one.number === this.box);
    for (const wager of placed?.bettors ?? [])
      this.page.queue(() => this.page.give({ type: "TakeBack", box: this.box, player: wager.player }));
    this.page.draw();
  }

  again() {
    for (const one of this.before) this.pending.set(`${one.box}|${one.player}|${one.kind}`, { ...one });
    this.page.draw();
  }

  /** Place everything and call no more bets. */
  async place() {
    const { page } = this;
    const wanted = [...this.pending.values()].toSorted(
      (one, two) => one.box - two.box || Number(one.kind !== "main") - Number(two.kind !== "main"),
    );
    for (const one of wanted) {
      await this.seat(one);
      const side = one.kind === "main" ? {} : { kind: one.kind };
      const type = one.kind === "main" ? "PlaceWager" : "PlaceSideWager";
      await page.give({ type, box: one.box, player: one.player, stake: one.stake, ...side });
      this.pending.delete(`${one.box}|${one.player}|${one.kind}`);
    }
    this.before = wanted;
    await page.give({ type: "CallNoMoreBets" });
  }

  /** A walk-up at an empty seat sits down with the first wager. */
  async seat(one) {
    const seats = this.page.view.seats ?? [];
    const taken = seats.some((seat) => seat.box === one.box || seat.player === one.player);
    if (!taken) await this.page.give({ type: "Sit", player: one.player, box: one.box }).catch(() => {});
  }

  // --- drawing ---

  /** The wagers on a box. @param {number} box */
  strip(box) {
    const placed = this.page.round?.boxes?.find((one) => one.number === box)?.bettors ?? [];
    const rows = [
      ...placed.map((one) => Object.assign({}, one, { kind: "main" })),
      ...[...this.pending.values()].filter((one) => one.box === box),
    ];
    const total = rows.reduce((sum, one) => sum + one.stake, 0);
    return [
      make("div", { class: "held-cards" }, total ? chips(total) : make("span", { class: "quiet" }, "No wager")),
      make(
        "div",
        { class: "stakes" },
        ...rows.map((one) =>
          make(
            "span",
            { class: "l" },
            make("span", {}, one.kind === "main" ? one.player : titled(one.kind)),
            make("b", {}, dollars(one.stake)),
          ),
        ),
      ),
    ];
  }

  panel() {
    const { view } = this.page;
    const { smallest_chip: smallest = 50, maximum = 0 } = view.limits;
    const worths = WORTHS.filter((one) => one >= smallest && (!maximum || one <= maximum));
    const kinds = ["main", ...(view.side_wagers ?? [])];
    const button_ = (worth) =>
      make(
        "button",
        {
          type: "button",
          class: "chip-key",
          id: `chip-${worth}`,
          "aria-label": `Add ${dollars(worth)} to box ${this.box}`,
          onclick: () => this.add(worth),
        },
        chip(worth),
        make("span", {}, dollars(worth)),
      );
    return [
      make(
        "section",
        { class: "sheet chips-panel", "aria-label": `Chips for box ${this.box}` },
        make("h2", {}, `Box ${this.box}: ${this.player(this.box)}`),
        make("div", { class: "choice" }, ...kinds.map((kind) => this.kindButton(kind))),
        make("div", { class: "chip-keys" }, ...worths.map(button_)),
      ),
      make(
        "section",
        { class: "decisions", "aria-label": "Wagers" },
        this.before.length > 0 && button("Same bets again", () => this.again(), { class: "btn go", id: "again-bets" }),
        button("Clear this box", () => this.clear(), { class: "btn", id: "clear-box" }),
        button("Another player", () => this.name(), { class: "btn", id: "another" }),
        button("Player leaves", () => this.leave(), { class: "btn", id: "leaves" }),
      ),
    ];
  }

  kindButton(kind) {
    return button(
      kind === "main" ? "Main wager" : titled(kind),
      () => {
        this.kind = kind;
        this.page.draw();
      },
      { class: "btn", id: `kind-${kind}`, "aria-pressed": String(this.kind === kind) },
    );
  }

  /** Another player bets on this box, or a named patron sits down. */
  name() {
    const input = make("input", { maxlength: 30, required: true, placeholder: "Lin, or the name of an account" });
    const walk = make("input", { type: "checkbox", checked: true });
    form(
      `Who bets on box ${this.box}?`,
      [
        make("label", { class: "field" }, make("span", {}, "Name"), input),
        make("label", { class: "row" }, walk, "Walk-up without an account"),
      ],
      "Bets here",
      () => {
        const name = input.value.trim();
        this.who.set(this.box, walk.checked ? `Seat ${this.box} ${name}` : name);
        this.page.draw();
        return Promise.resolve();
      },
    );
  }

  leave() {
    const seat = this.page.view.seats?.find((one) => one.box === this.box);
    if (seat) this.page.queue(() => this.page.give({ type: "Leave", player: seat.player }));
    this.who.delete(this.box);
  }

  /** While the cards are prepared, players may already sit down. */
  seating() {
    const taken = new Set((this.page.view.seats ?? []).map((one) => one.box));
    const free = Array.from({ length: this.page.view.cloth.boxes }, (_, place) => place + 1).filter(
      (one) => !taken.has(one),
    );
    if (!free.length || this.page.view.phase === "closed") return null;
    return make(
      "div",
      { class: "choice", role: "group", "aria-label": "Seat a walk-up" },
      ...free.map((box) =>
        button(
          `Seat ${box}`,
          () => this.page.queue(() => this.page.give({ type: "Sit", player: `Seat ${box}`, box })),
          {
            class: "btn small",
            "aria-label": `Seat a walk-up at box ${box}`,
          },
        ),
      ),
    );
  }
}
