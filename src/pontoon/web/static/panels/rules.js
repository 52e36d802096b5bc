// Rules here: what can be done now and what happens then, the payouts, and the whole rulebook one link away.
import { nowLines } from "../means.js";
import { make, routed, titled } from "../parts.js";
import { Panel } from "./part.js";

class RulesHere extends Panel {
  build() {
    this.now = make("div", { class: "stack" });
    this.pays = make("dl", { class: "pays-list" });
    this.whole = make("p");
    this.append(
      make("h2", {}, "Rules here"),
      make("h3", {}, "What you can do now"),
      this.now,
      make("h3", {}, "What pays extra"),
      this.pays,
      this.whole,
    );
  }

  /** @param {TableModel} model */
  update(model) {
    if (!this.now || !model.view) return;
    this.now.replaceChildren(...nowLines(model));
    const { inscriptions, bonus = [], title } = model.view.cloth;
    const rows = bonus.flatMap((one) => [make("dt", {}, one.title), make("dd", {}, one.odds)]);
    const printed = inscriptions.map((one) => make("dt", {}, one.text));
    this.pays.replaceChildren(...rows, ...printed);
    this.whole.replaceChildren(routed(`/rules/${model.view.rulebook}`, `All rules of ${titled(title)}`));
  }
}
customElements.define("pontoon-rules", RulesHere);
