// The dialog that makes a table; loaded when it is opened.
import { Problem, newKey } from "./connection.js";
import { button, cents, dialog, dollars, field, make, spaced } from "./parts.js";

const PACES = {
  relaxed: { card: 900, wagers: 30_000, decision: 60_000, offer: 20_000 },
  normal: { card: 400, wagers: 15_000, decision: 30_000, offer: 10_000 },
  quick: { card: 150, wagers: 10_000, decision: 15_000, offer: 6000 },
  "at once": { card: 30, wagers: 10_000, decision: 15_000, offer: 5000 },
};

/** @param {App} app @param {RulebookRow[]} rulebooks @param {string} chosen the name of the one selected first */
export function makeTable(app, rulebooks, chosen) {
  const ask = new Form(rulebooks, chosen);
  const box = dialog("Make a table", ask.form);
  const says = make("p", { role: "alert" });
  ask.form.append(
    make(
      "div",
      { class: "row" },
      make("button", { class: "button primary" }, "Make the table"),
      button("Cancel", () => box.close()),
    ),
    says,
  );
  const key = newKey();
  ask.form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      const made = await app.connection.post("/api/tables", { ...ask.settings(), key });
      await seatBots(app, made.id, ask.bots(), key);
      if (ask.isPrivate.checked) showLink(app, box, made);
      else {
        box.close();
        app.go(made.link);
      }
    } catch (problem) {
      says.textContent = problem.words ?? String(problem);
    }
  });
}

class Form {
  constructor(rulebooks, chosen) {
    this.rulebooks = rulebooks;
    this.name = make("input", { id: "new-name", maxlength: 60, autocomplete: "off" });
    this.rulebook = make(
      "select",
      { id: "new-rulebook" },
      ...rulebooks.map((one) =>
        make("option", { value: one.name, selected: one.name === chosen }, `${one.title} (${one.place})`),
      ),
    );
    this.packs = make("select", { id: "new-packs" });
    this.device = make("select", { id: "new-device" });
    this.minimum = make("input", { id: "new-minimum", inputmode: "decimal", value: "5", required: true });
    this.maximum = make("input", { id: "new-maximum", inputmode: "decimal", value: "500" });
    this.pace = choice("new-pace", Object.keys(PACES), "normal");
    this.fill = make("select", { id: "new-bots" });
    this.isPrivate = make("input", { type: "checkbox", id: "new-private" });
    this.practice = make("input", { type: "checkbox", id: "new-practice", checked: true });
    this.cards = make("input", { id: "new-cards", maxlength: 400, autocomplete: "off", placeholder: "7s 9d 7s 7h" });
    this.practice.addEventListener("change", () => (this.cards.disabled = !this.practice.checked));
    this.rulebook.addEventListener("change", () => this._chosen());
    this._chosen();
    this.form = make(
      "form",
      { class: "grid" },
      field("Name", this.name),
      field("Rulebook", this.rulebook),
      field("Packs", this.packs),
      field("Cards from", this.device),
      field("Minimum", this.minimum),
      field("Maximum", this.maximum, "leave empty for no limit"),
      field("Pace", this.pace),
      field("Bots at the table", this.fill),
      field("Private (by link only)", this.isPrivate),
      field("Practice table with coach", this.practice),
      field("Set up the cards", this.cards, "practice only; leave empty for a verifiable shuffle"),
    );
  }

  _chosen() {
    const one = this.rulebooks.find((book) => book.name === this.rulebook.value);
    const option = (value, words) => make("option", { value }, words);
    this.packs.replaceChildren(...one.packs.map((packs) => option(packs, String(packs))));
    this.packs.value = String(one.usual_packs);
    this.device.replaceChildren(
      ...one.devices.map((device) => option(device, device === "manual" ? "a hand-shuffled shoe" : spaced(device))),
    );
    this.fill.replaceChildren(
      ...Array.from({ length: one.boxes }, (_, count) => option(count, count ? String(count) : "none")),
    );
    this.boxes = one.boxes;
  }

  settings() {
    const most = this.maximum.value.trim();
    return {
      rulebook: this.rulebook.value,
      name: this.name.value.trim(),
      packs: Number(this.packs.value),
      device: this.device.value,
      minimum: amount(this.minimum.value),
      maximum: most ? amount(most) : 0,
      clocks: PACES[this.pace.value],
      private: this.isPrivate.checked,
      practice: this.practice.checked,
      first_cards: this.practice.checked ? this.cards.value.trim() : "",
    };
  }

  /** The last boxes, so that the first are free for players. */
  bots() {
    return Array.from({ length: Number(this.fill.value) }, (_, place) => this.boxes - place);
  }
}

/** @param {string} text */
function amount(text) {
  const read = cents(text);
  if (Number.isNaN(read)) throw new Problem({ words: `${text} is not an amount; enter one such as ${dollars(1250)}` });
  return read;
}

function choice(id, names, chosen) {
  return make("select", { id }, ...names.map((name) => make("option", { selected: name === chosen }, name)));
}

/** Seat bots one after the other; a table opens by itself a moment after it was made. */
async function seatBots(app, table, boxes, key) {
  for (const box of boxes)
    await app.connection.post(`/api/tables/${table}/commands`, {
      key: `${key.slice(0, 40)} ${box}`,
      command: { type: "SeatBot", box },
    });
}

function showLink(app, box, made) {
  const link = new URL(made.link, location.href).href;
  const shown = make("input", { id: "made-link", readonly: true, value: link, "aria-label": "Link to the table" });
  const says = make("span", { role: "status" });
  const copy = async () => {
    shown.select();
    await navigator.clipboard?.writeText(link).then(
      () => (says.textContent = "Copied"),
      () => (says.textContent = "Copy the link yourself"),
    );
  };
  const go = () => {
    box.close();
    app.go(made.link);
  };
  box.replaceChildren(
    make("h2", { id: "dialog-title" }, "Your private table"),
    make("p", {}, "Anyone with this link can join:"),
    make("p", { class: "row" }, shown, button("Copy", copy), says),
    button("Go to the table", go, { class: "button primary" }),
  );
}
