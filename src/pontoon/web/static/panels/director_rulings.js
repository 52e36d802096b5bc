// Forms of the director's and the operator's desk: late entries, corrected chips, appeals, reinstatement.
import { button, field, make } from "../parts.js";

const OUT = ["eliminated", "disqualified", "forfeited"];

/** Cents of an amount typed in dollars. @param {string} text */
const cents = (text) => Math.round(Number(text.replaceAll(/[$,\s]/g, "")) * 100);

/** @param {any} desk @param {string} id */
const why = (desk, id) => desk._text(id, "Reason", { required: true, size: 30 });

/** An amount of tournament chips in dollars. */
function amount(desk, id, label, note) {
  return desk._text(id, label, { required: true, inputmode: "decimal", pattern: "\\$?[0-9,]+(\\.[0-9]{1,2})?" }, note);
}

/** Admit a player after entries have closed. */
export function lateEntry(desk) {
  const [name, one] = desk._text(
    "late",
    "Player",
    { required: true, maxlength: 64 },
    "the fee leaves their wallet; after the ballot they draw one of the free seats",
  );
  const [group, two] = desk._text("late-group", "Group (optional)", { maxlength: 64 });
  const [reason, three] = why(desk, "late-why");
  const agreed = make("input", { type: "checkbox", id: "desk-late-agreed", required: desk.view.agreement });
  const signed = field("Has agreed to the rules and the conditions", agreed);
  const fields = [one, desk.view.groups && two, three, signed].filter(Boolean);
  return desk._form("EnterLate", "Admit", fields, () => ({
    player: name.value.trim(),
    reason: reason.value.trim(),
    group: group.value.trim(),
    agreed: agreed.checked,
  }));
}

/** Correct the chips of a player; what they hold now is filled in. */
export function chipCorrection(desk) {
  const [player, one] = desk._people("chips-of", "Player", desk.in);
  const held = () => desk.in.find((other) => other.name === player.value)?.chips ?? 0;
  const [chips, two] = amount(desk, "chips-now", "Correct amount", "takes effect between rounds");
  const fill = () => (chips.value = (held() / 100).toFixed(2));
  player.addEventListener("change", fill);
  fill();
  const [reason, three] = why(desk, "chips-why");
  return desk._form("CorrectChips", "Correct the chips", [one, two, three], () => ({
    player: player.value,
    chips: cents(chips.value),
    reason: reason.value.trim(),
  }));
}

/** Let a player back in. */
export function reinstatement(desk) {
  const out = desk.view.players.filter((other) => OUT.includes(other.status));
  const [player, one] = desk._people("back", "Player", out);
  const [chips, two] = desk._text(
    "back-chips",
    "Chips",
    { inputmode: "decimal", pattern: "\\$?[0-9,]*(\\.[0-9]{1,2})?" },
    "for a player who returns to a table; otherwise leave it empty",
  );
  const [reason, three] = why(desk, "back-why");
  return desk._form("Reinstate", "Reinstate", [one, two, three], () => ({
    player: player.value,
    chips: chips.value.trim() ? cents(chips.value) : 0,
    reason: reason.value.trim(),
  }));
}

/** Write down the appeal of a player at the desk. */
export function appeal(desk) {
  const waiting = new Set(desk.view.appeals.filter((one) => !one.outcome).map((one) => one.player));
  const people = desk.view.players.filter((one) => !waiting.has(one.name));
  const [player, one] = desk._people("appeal", "Player", people);
  const [reason, two] = desk._text("appeal-why", "What the player disputes", { required: true, size: 40 });
  return desk._form("Appeal", "Record the appeal", [one, two], () => ({
    player: player.value,
    reason: reason.value.trim(),
  }));
}

/** Decide the appeals that wait; the operator's word. */
export function decisions(desk) {
  const open = desk.view.appeals.filter((one) => !one.outcome);
  const row = (one) => {
    const [words, shown] = desk._text(`decision-${one.number}`, "Decision", { size: 40 });
    const give = (upheld) => () => {
      words.required = true;
      if (words.reportValidity())
        desk.give("DecideAppeal", { number: one.number, upheld, decision: words.value.trim() });
    };
    return make(
      "div",
      { class: "stack appeal" },
      make("p", {}, make("b", {}, `${one.player}: `), one.reason),
      shown,
      make(
        "div",
        { class: "row" },
        button("Uphold", give(true), { class: "button primary", id: `uphold-${one.number}` }),
        button("Dismiss", give(false), { class: "button", id: `dismiss-${one.number}` }),
      ),
    );
  };
  return make("div", { class: "stack" }, ...open.map(row));
}
