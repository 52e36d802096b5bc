// A ruling before it is made: the missing details, the money before and after, then confirm or cancel.
import { button, commandWords, dollars, field, make, net, spaced } from "../parts.js";
import { cite, grid } from "./part.js";

/** Rulings in words, by command. */
export const WORDS = {
  VoidRound: "Void the round",
  VoidBox: "Void the box",
  VoidHand: "Void the hand",
  VoidWager: "Void the wagers of",
  MissCard: "A card was not dealt",
  PutRight: "Correct a missing card",
  OfferLate: "Make a missed offer now",
  NoticeSkip: "Report a skipped hand",
  SkipHand: "Hand was skipped",
  SkipDealer: "Dealer was skipped",
  NoticeNoFirstCard: "Dealer has no upcard",
  BurnCard: "Burn a card",
  ExposeCard: "Card exposed",
  VoidEarlier: "Void an earlier round",
  OrderShuffle: "Order a shuffle",
  ChangeCards: "Change the cards",
  Restrict: "Restrict",
  Exclude: "Exclude",
  TakeSeat: "Take the seat of",
  SetLimits: "Change the limits",
  GiveNotice: "Give notice of closing",
  Close: "Close the table",
  Approve: "Approve",
};

/** A ruling in words. @param {string} type */
export const rulingWords = (type) => WORDS[type] ?? commandWords(type);

/** The subject of a ruling: "box 2, Ann". @param {{command: Command}} ruling */
export const about = ({ command }) =>
  [
    command.box && `box ${command.box}`,
    command.player,
    command.offer,
    command.kind,
    command.number && `${command.type === "VoidEarlier" ? "round" : "ruling"} ${command.number}`,
  ]
    .filter(Boolean)
    .join(", ");

/** Ask for the missing details of a ruling, then preview it. @param {any} desk @param {RulingRow} ruling */
export function fillIn(desk, { command, what, needs = [] }) {
  if (!needs.length) {
    tryOut(desk, command);
    return;
  }
  const inputs = needs.map((name) => [name, make("input", { value: command[name] ?? "", maxlength: 200 })]);
  const read = (name, input) => (["number", "minutes"].includes(name) ? Number(input.value) : input.value);
  const onsubmit = (event) => {
    event.preventDefault();
    tryOut(desk, { ...command, ...Object.fromEntries(inputs.map(([name, input]) => [name, read(name, input)])) });
  };
  desk.trial.replaceChildren(
    make(
      "form",
      { class: "row", onsubmit },
      make("strong", {}, `${rulingWords(what)} ${about({ command })}`),
      ...inputs.map(([name, input]) => field(spaced(name), input)),
      make("button", { class: "button" }, "Preview"),
    ),
  );
  inputs[0][1].focus();
}

/**
 * Preview a ruling: everyone's money before and after, and the button that confirms it.
 * @param {any} desk
 * @param {Command} command
 */
export async function tryOut(desk, command) {
  const answer = await desk.attempt(() =>
    desk.connection.post(`/api/tables/${desk.model.id}/rulings/preview`, { command }),
  );
  if (!answer) return;
  const name = `${rulingWords(command.type)} ${about({ command })}`;
  const clauses = cite(answer.clauses, answer.why ?? name, desk.model.view.rulebook);
  if (!answer.lawful)
    return desk.trial.replaceChildren(make("p", { class: "bad" }, `${name}: ${answer.why} `, clauses));
  const rows = (answer.players ?? []).map((one) => [
    one.player,
    `${dollars(one.layout_before)} → ${dollars(one.layout_after)}`,
    `${net(one.net_before)} → ${net(one.net_after)}`,
    net(one.wallet),
  ]);
  const label = answer.second ? "Propose ruling" : command.type === "Approve" ? "Confirm approval" : "Confirm ruling";
  const confirm = button(label, () => desk.give(command, answer.second), { class: "button primary" });
  const money = rows.length
    ? grid("Money before and after", ["Player", "On the layout", "Net result", "To the wallet"], rows)
    : make("p", {}, "No change in money.");
  desk.trial.replaceChildren(
    make("p", {}, make("strong", {}, `${name} `), clauses, answer.second && " A second person must approve."),
    money,
    make(
      "div",
      { class: "row" },
      confirm,
      button("Cancel", () => desk.trial.replaceChildren()),
    ),
  );
  confirm.focus();
}
