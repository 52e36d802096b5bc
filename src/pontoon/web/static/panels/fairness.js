// Fairness: what the house is bound to, every dealt card checked as it comes, and the whole shuffle once the seed is out.
import { button, make } from "../parts.js";
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
const INSECURE =
  "This page came over plain http, so the browser lends it no hashes. Open it over https or on the server's own machine, or check the shoe's file with “pontoon verify shoe”.";

class Fairness extends Panel {
  root = "";
  /** Indexes of the cards of this shoe that were checked, and those that failed. */
  checked = new Map();
  shoes = [];

  build() {
    this.state = make("p", { class: "verdict", role: "status" });
    this.over = make("p", { role: "status" });
    this.bound = make("dl", { class: "hashes" });
    this.last = make("ul", { class: "proofs" });
    this.list = make("div", { class: "stack" });
    const intro = make(
      "p",
      {},
      "Before the first wager the house publishes two hashes that bind it to one order of the cards. Each card comes with its proof, which this page checks by itself.",
    );
    this.append(
      make("h2", {}, "Fairness"),
      intro,
      this.state,
      this.over,
      this.bound,
      make("h3", {}, "The last cards"),
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
      this.ended = this.root; // its seed is out now, or soon
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
          ["Root over all cards", root],
          ["Hash of the seed", hash],
        ]
      : [["Commitment", "none now: cards from a device, dealt by a person, or not shuffled yet"]];
    this.bound.replaceChildren(...rows.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]));
    this._say();
    this.attempt(() => this._load());
  }

  /** What came before this panel was opened is in the record of the shoe. */
  async _load() {
    const base = `/api/tables/${this.model.id}/shoes`;
    this.shoes = (await this.connection.get(base)).shoes;
    this._list(base);
    await this._reveal(base);
    if (!this.root || !this.shoes.length || !possible()) return;
    const record = await this.connection.get(`${base}/${this.shoes.length}`);
    if (record.root === this.root) await this._check(record.dealt);
  }

  /** A shoe that was followed here and is over now is made again from its seed, unasked. */
  async _reveal(base) {
    for (const shoe of possible() && this.ended ? this.shoes.filter((one) => one.revealed).slice(-2) : []) {
      const record = await this.connection.get(`${base}/${shoe.number}`);
      if (record.root !== this.ended) continue;
      const failed = (await checkShoe(record)).filter((one) => one.ok === false);
      const words = failed.length
        ? `✗ Shoe ${shoe.number} does NOT hold: ${failed.map((one) => one.words).join("; ")}.`
        : `✓ Shoe ${shoe.number} is over; its seed was revealed and gives every card that was dealt.`;
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
      this.last.prepend(
        make(
          "li",
          { class: CLASSES.get(ok) },
          `${MARKS.get(ok)} ${proof.card} at place ${proof.index + 1} of ${proof.size}`,
        ),
      );
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
    const none = this.root ? "No card of this shoe has been checked yet." : "There is nothing to check now.";
    this.state.textContent = bad
      ? `✗ ${bad} of ${all.length} cards are NOT those the house bound itself to. Keep this page and ask for the shoe's file.`
      : all.length
        ? `✓ ${good} ${good === 1 ? "card" : "cards"} of this shoe checked: each is the one the house bound itself to.`
        : none;
  }

  _list(base) {
    const rows = this.shoes.map((shoe) => {
      const result = make("div", { role: "status" });
      const check = button("Check", () => this.attempt(() => this._whole(`${base}/${shoe.number}`, result)), {
        class: "button small",
        disabled: !possible(),
      });
      const file = button(
        "Save file",
        () =>
          this.attempt(() =>
            save(this.connection, `${base}/${shoe.number}`, `${this.model.id}-${shoe.number}.shoe.json`),
          ),
        { class: "button small" },
      );
      const words = `Shoe ${shoe.number}: ${shoe.revealed ? `${shoe.dealt} cards dealt, over, its seed is public` : "in play"}`;
      return make("section", {}, make("h4", {}, words), make("div", { class: "row" }, check, file), result);
    });
    this.list.replaceChildren(
      ...(rows.length ? rows.reverse() : [make("p", {}, "No shoe of this table can be proved yet.")]),
    );
  }

  /** The shoe in play as far as it goes; one that is over from its seed on. */
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
