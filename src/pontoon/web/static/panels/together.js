// Together: invite people to this table, show an emote, mute someone.
import { EMOTES, mute, muted } from "../emotes.js";
import { button, field, make, renew } from "../parts.js";
import { Panel } from "./part.js";

class Together extends Panel {
  build() {
    const link = make("input", {
      id: "invite-link",
      readonly: true,
      value: location.href,
      onfocus: () => link.select(),
    });
    const says = make("p", { role: "status" });
    const copy = async () => {
      try {
        await navigator.clipboard.writeText(link.value);
        says.textContent = "Copied.";
      } catch {
        link.select(); // no clipboard here: the link is ready to be copied by hand
      }
    };
    const emote = ([name, [words, sign]]) => {
      const one = button("", () => this._react(name), { id: `emote-${name}` });
      one.append(make("i", { "aria-hidden": "true" }, `${sign} `), words);
      return one;
    };
    this.people = make("ul", { class: "stack", role: "list" });
    this.append(
      make("h2", {}, "Together"),
      field("Invite by link", link, "Anyone with the link can watch, and play without an account."),
      make("div", { class: "row" }, button("Copy link", copy, { id: "copy-invite" }), says),
      make("h3", {}, "Say something"),
      make("div", { class: "row" }, ...Object.entries(EMOTES).map(emote)),
      make("h3", {}, "Players here"),
      this.people,
      make("p", { class: "muted" }, "To bet behind another player, tap their box while bets are open."),
    );
  }

  /** @param {TableModel} model */
  update(model) {
    this.model = model;
    if (this.people) this._draw();
  }

  _draw() {
    const { view, me } = this.model;
    const bettors = (view?.round?.boxes ?? []).flatMap((box) => box.bettors.map((one) => one.player));
    const names = new Set([...(view?.seats ?? []).map((one) => one.player), ...bettors]);
    if (me) names.delete(me.name);
    const quiet = muted();
    const row = (name) => {
      const words = `${quiet.has(name) ? "Unmute" : "Mute"} ${name}`;
      const flip = () => {
        mute(name, !quiet.has(name));
        this._draw();
      };
      return make("li", { class: "row" }, make("b", {}, name), button(words, flip, { class: "button small" }));
    };
    const none = make("li", {}, "Nobody else plays here yet.");
    renew(this.people, ...(names.size ? [...names].map(row) : [none]));
  }

  _react(name) {
    this.connection.react(this.model.id, name);
  }
}
customElements.define("pontoon-together", Together);
