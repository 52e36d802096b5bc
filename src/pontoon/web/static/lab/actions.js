// Actions on the current rules: reset, copy a link, download a file, open a practice table.
import { newKey } from "../connection.js";
import { button, dialog, field, make } from "../parts.js";
import { casino } from "./words.js";

const KEPT = 10_000; // milliseconds that a browser has for saving a file

export class Actions {
  /** @param {() => Lab.State} state what is chosen now @param {() => void} back to the rules as they are written */
  constructor(app, state, back) {
    this.app = app;
    this.state = state;
    this.says = make("span", { role: "status", class: "muted" });
    this.back = button("Back", back, { id: "lab-back", class: "lab-button ghost", hidden: true });
    this.bar = make(
      "div",
      { class: "lab-actions" },
      this.says,
      button("Download", () => this._download(), { id: "lab-download", class: "lab-button" }),
      button("Share", () => this._share(), { id: "lab-share", class: "lab-button" }),
      button("Play by these rules", () => this._play(), { id: "lab-play", class: "lab-button gold" }),
    );
  }

  /** The buttons, for the head of the page. */
  get elements() {
    return [this.back, this.bar];
  }

  /** @param {Lab.State} state @param {number} count rules that are changed */
  show(state, count) {
    this.back.hidden = !count;
    this.back.textContent = `Back to ${casino(state.rulebook)}`;
    this.says.textContent = "";
  }

  async _share() {
    try {
      await navigator.clipboard.writeText(location.href);
      this.says.textContent = "Link copied";
    } catch {
      const link = make("input", { readonly: true, value: location.href, "aria-label": "Link to these rules" });
      dialog("Link to these rules", make("p", { class: "row" }, link));
      link.select();
    }
  }

  async _download() {
    const { rulebook, overrides } = this.state();
    try {
      const text = await this.app.connection.post("/api/lab/book", { rulebook, overrides });
      const name = Object.keys(overrides).length ? `${rulebook}-changed.toml` : `${rulebook}.toml`;
      const link = make("a", { href: URL.createObjectURL(new Blob([text])), download: name });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), KEPT);
    } catch (problem) {
      this.app.notice(problem.words);
    }
  }

  _play() {
    if (this.app.connection.signedIn) return this._table();
    const name = make("input", { id: "lab-name", required: true, maxlength: 24, autocomplete: "nickname" });
    const says = make("p", { role: "alert" });
    const go = make("button", { class: "button primary" }, "Play as guest");
    const form = make("form", { class: "grid" }, field("Your name", name), go, says);
    const box = dialog("A practice table by these rules", form);
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      try {
        await this.app.connection.guest(name.value.trim());
        box.close();
        await this._table();
      } catch (problem) {
        says.textContent = problem.words;
      }
    });
  }

  /** A private table with a coach. */
  async _table() {
    const { rulebook, overrides, stake } = this.state();
    const changes = Object.keys(overrides).length;
    const name = `${casino(rulebook)} rules${changes ? `, ${changes} changed` : ""}`;
    const least = Math.min(500, stake);
    const wanted = { rulebook, overrides, name, minimum: least, practice: true, private: true, key: newKey() };
    try {
      const made = await this.app.connection.post("/api/tables", wanted);
      this.app.go(made.link);
    } catch (problem) {
      this.app.notice(problem.words);
    }
  }
}
