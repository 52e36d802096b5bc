// Sharing a finished round: its link, a frame for other sites, and how to stop sharing it.
import { button, dialog, field, make } from "../parts.js";

/** @param {import("../connection.js").Connection} connection @param {{table: string, number: number}} round */
export function shareDialog(connection, round) {
  return new Sharing(connection, round).ask();
}

class Sharing {
  constructor(connection, { table, number }) {
    this.connection = connection;
    this.path = `/api/rounds/${table}/${number}/share`;
    this.link = make("input", { id: "share-link", readonly: true, onfocus: () => this.link.select() });
    this.frame = make("textarea", { id: "share-frame", readonly: true, rows: 2, onfocus: () => this.frame.select() });
    this.named = make("input", { type: "checkbox", id: "share-named", onchange: () => this.ask() });
    this.says = make("p", { role: "status" });
    this.open = make("a", { class: "button", target: "_blank", id: "open-link" }, "Open it");
    this.tools = make(
      "div",
      { class: "row" },
      button("Copy link", () => this._copy(), { class: "button go", id: "copy-link" }),
      this.open,
      button("Stop sharing", () => this._stop(), { id: "stop-sharing" }),
    );
    const words = "Anyone with the link sees the cards, the decisions and the result. No names, and not your table.";
    const site = make("details", {}, make("summary", {}, "Show it on another site"), field("Frame", this.frame));
    this.fields = make(
      "div",
      { class: "stack" },
      field("Link", this.link),
      make("label", { class: "row" }, this.named, "Show my name"),
      site,
    );
    const shut = button("Close", () => this.box.close());
    this.box = dialog(`Share round ${number}`, make("p", {}, words), this.fields, this.says, this.tools, shut);
  }

  /** Share the round, or change whether the name is shown. */
  async ask() {
    await this._try(async () => {
      const answer = await this.connection.post(this.path, { named: this.named.checked });
      this.link.value = location.origin + answer.link;
      const size = 'width="720" height="560" title="Pontoon hand"';
      this.frame.value = `<iframe src="${location.origin}${answer.embed}" ${size}></iframe>`;
      this.named.checked = answer.named;
      this.open.href = answer.link;
    });
  }

  async _stop() {
    await this._try(async () => {
      await this.connection.delete(this.path);
      this.says.textContent = "This hand is no longer shared, and the link is dead.";
      this.fields.remove();
      this.tools.remove();
    });
  }

  async _copy() {
    try {
      await navigator.clipboard.writeText(this.link.value);
      this.says.textContent = "Copied.";
    } catch {
      this.link.select(); // no clipboard here: the link is ready to be copied by hand
    }
  }

  async _try(work) {
    try {
      await work();
    } catch (problem) {
      this.says.textContent = problem.words;
    }
  }
}
