// Fairness: the published hashes, a check of every dealt card, and of the whole shuffle once the seed is public.
import { withSuits } from "../card.js";
import { button, counted, make } from "../parts.js";
import { Panel, save } from "./part.js";
import { checkProof, checkShoe, possible } from "./proof.js";

const MARKS = new Map([
  [true, "✓"],
  [false, "✗"],
  [null, "·"],
]);
const CLASSES = new Map([
  [true, "good"],
  [false, "bad"],
  [null, "open"],
]);
const INSECURE = [
  "This page was loaded over plain http, where browsers do not provide hashing.",
  "Load it over https or on the server's own machine, or check the shoe's file with “pontoon verify shoe”.",
].join(" ");
const INTRODUCTION = [
  "Before the first wager the house publishes two hashes that commit it to one order of the cards.",
  "Each card comes with its proof, which this page checks itself.",
].join(" ");

class Fairness extends Panel {
  root = "";
  /**
   * The result for each card of this shoe by index; null while it is being checked.
   * @type {Map<number, boolean | null>}
   */
  checked = new Map();
  /** @type {ShoeRow[]} */
  shoes = [];
  /** The root of the last shoe, whose seed is about to be published. */
  ended = "";

  build() {
    this.state = make("p", { class: "verdict", role: "status" });
    this.over = make("p", { role: "status" });
    this.bound = make("dl", { class: "hashes" });
    this.last = make("ul", { class: "proofs" });
    this.list = make("div", { class: "stack" });
    this.append(
      make("h2", {}, "Shuffle proof"),
      make("p", {}, INTRODUCTION),
      this.state,
      this.over,
      this.bound,
      make("h3", {}, "Latest cards"),
      this.last,
      make("h3", {}, "Shoes of this table"),
      this.list,
    );
    if (!possible()) this.state.textContent = INSECURE;
  }

  update(model) {
    const first = !this.model;
    this.model = model;
    if (!model.view || !this.state) return;
    const { root = "", seed_hash: hash = "" } = model.view.shoe;
    if (first || root !== this.root) {
      this.ended = this.root;
      this._newShoe(root, hash);
    }
    if (root && possible()) this._check(model.proofs ?? []);
  }

  _newShoe(root, hash) {
    this.root = root;
    this.checked = new Map();
    this.last.replaceChildren();
    const rows = root
      ? [
          ["Root of all cards", root],
          ["Hash of the seed", hash],
        ]
      : [["Commitment", "none: cards from a device or a live dealer, or not shuffled yet"]];
    this.bound.replaceChildren(...rows.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]));
    this._say();
    this.attempt(() => this._load());
  }

  /** Load the record of the shoe, for the cards dealt before this panel was opened. */
  async _load() {
    const base = `/api/tables/${this.model.id}/shoes`;
    this.shoes = (await this.connection.get(base)).shoes;
    this._list(base);
    await this._reveal(base);
    if (!this.root || !this.shoes.length || !possible()) return;
    const record = await this.connection.get(`${base}/${this.shoes.length}`);
    if (record.root === this.root) await this._check(record.dealt);
  }

  /** Check a shoe that has just ended from its published seed. @param {string} base */
  async _reveal(base) {
    for (const shoe of possible() && this.ended ? this.shoes.filter((one) => one.revealed).slice(-2) : []) {
      const record = await this.connection.get(`${base}/${shoe.number}`);
      if (record.root !== this.ended) continue;
      const failed = (await checkShoe(record)).filter((one) => one.ok === false);
      const words = failed.length
        ? `✗ Shoe ${shoe.number} FAILED: ${failed.map((one) => one.words).join("; ")}.`
        : `✓ Shoe ${shoe.number} is over; its published seed gives every card that was dealt.`;
      this.over.className = `verdict ${failed.length ? "bad" : "good"}`;
      this.over.textContent = words;
      this.ended = "";
    }
  }

  async _check(proofs) {
    const { root } = this;
    for (const proof of proofs) {
      if (this.checked.has(proof.index)) continue;
      this.checked.set(proof.index, null);
      const ok = await checkProof(root, proof);
      if (root !== this.root) return;
      this.checked.set(proof.index, ok);
      const words = `${MARKS.get(ok)} ${withSuits(proof.card)}, card ${proof.index + 1} of ${proof.size}`;
      this.last.prepend(make("li", { class: CLASSES.get(ok) }, words));
      while (this.last.children.length > 12) this.last.lastElementChild.remove();
    }
    this._say();
  }

  _say() {
    if (!possible()) return;
    const all = [...this.checked.values()].filter((one) => one !== null);
    const bad = all.filter((one) => !one).length;
    const good = all.length - bad;
    this.state.className = `verdict ${bad ? "bad" : all.length ? "good" : "open"}`;
    const none = this.root ? "No card of this shoe has been checked yet." : "Nothing to check now.";
    const failed = `✗ ${bad} of ${all.length} cards are NOT those the house committed to.`;
    const passed = `✓ ${counted(good, "card")} of this shoe checked: the house committed to each of them.`;
    const words = all.length ? passed : none;
    this.state.textContent = bad ? `${failed} Keep this page and ask for the shoe's file.` : words;
  }

  _list(base) {
    const rows = this.shoes.map((shoe) => {
      const result = make("div", { role: "status" });
      const path = `${base}/${shoe.number}`;
      const small = { class: "button small" };
      const whole = () => this.attempt(() => this._whole(path, result));
      const check = button("Check", whole, { ...small, disabled: !possible() });
      const name = `${this.model.id}-${shoe.number}.shoe.json`;
      const file = button("Save file", () => this.attempt(() => save(this.connection, path, name)), small);
      const over = `${counted(shoe.dealt, "card")} dealt, finished, seed published`;
      const words = `Shoe ${shoe.number}: ${shoe.revealed ? over : "in play"}`;
      return make("section", {}, make("h4", {}, words), make("div", { class: "row" }, check, file), result);
    });
    this.list.replaceChildren(
      ...(rows.length ? rows.toReversed() : [make("p", {}, "No verifiable shoe at this table yet.")]),
    );
  }

  /**
   * Run every check on a shoe; the whole shuffle only if the shoe is over.
   * @param {string} path
   * @param {HTMLElement} result
   */
  async _whole(path, result) {
    result.replaceChildren("Checking…");
    const checks = await checkShoe(await this.connection.get(path));
    const lines = checks.map((one) =>
      make("li", { class: CLASSES.get(one.ok) }, `${MARKS.get(one.ok)} ${one.name}: ${one.words}`),
    );
    result.replaceChildren(make("ul", { class: "checks" }, ...lines));
  }
}
customElements.define("pontoon-fairness", Fairness);
