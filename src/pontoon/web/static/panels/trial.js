// A ruling before it is made: what is still to be said, the money before and after, then yes or no.
import { button, dollars, field, make, net, spaced } from "../parts.js";
import { cite, grid } from "./part.js";

export const WORDS = {
  VoidRound: "Void the round", VoidBox: "Void the box", VoidHand: "Void the hand", VoidWager: "Void the wagers of", MissCard: "A card was not dealt", PutRight: "Put a missing card right", OfferLate: "Make a forgotten offer now", NoticeSkip: "A passed hand is noticed", SkipHand: "The hand was passed over", SkipDealer: "The dealer was passed over", NoticeNoFirstCard: "The dealer has no first card", BurnCard: "Burn a card", ExposeCard: "A card was seen", VoidEarlier: "Void an earlier round", OrderShuffle: "Order a shuffle", ChangeCards: "Change the cards", Restrict: "Restrict", Exclude: "Exclude", TakeSeat: "Take the seat of", SetLimits: "Change the limits", GiveNotice: "Give notice of closing", Close: "Close the table", Approve: "Approve",
}; // prettier-ignore

export const about = ({ command }) => [command.box && `box ${command.box}`, command.player, command.offer, command.kind, command.number && `${command.type === "VoidEarlier" ? "round" : "ruling"} ${command.number}`].filter(Boolean).join(", ");

/** What is still to be said before a ruling can be tried. */
export function fillIn(desk, { command, what, needs = [] }) {
  if (!needs.length) return tryOut(desk, command);
  const inputs = needs.map((name) => [name, make("input", { value: command[name] ?? "", maxlength: 200 })]);
  const tried = (event) => {
    event.preventDefault();
    const given = inputs.map(([name, input]) => [name, ["number", "minutes"].includes(name) ? Number(input.value) : input.value]);
    tryOut(desk, { ...command, ...Object.fromEntries(given) });
  };
  desk.trial.replaceChildren(make("form", { class: "row", onsubmit: tried }, make("strong", {}, `${WORDS[what] ?? what} ${about({ command })}`), ...inputs.map(([name, input]) => field(spaced(name), input)), make("button", { class: "button" }, "Try")));
  inputs[0][1].focus();
  return undefined;
}

/** What a ruling would do to everybody's money, and the button that makes it. */
export async function tryOut(desk, command) {
  const told = await desk.attempt(() => desk.connection.post(`/api/tables/${desk.model.id}/rulings/preview`, { command }));
  if (!told) return;
  const name = `${WORDS[command.type] ?? spaced(command.type)} ${about({ command })}`;
  const clauses = cite(told.clauses, told.why ?? name, desk.model.view.rulebook);
  if (!told.lawful) return desk.trial.replaceChildren(make("p", { class: "bad" }, `${name}: ${told.why} `, clauses));
  const rows = (told.players ?? []).map((one) => [one.player, `${dollars(one.layout_before)} → ${dollars(one.layout_after)}`, `${net(one.net_before)} → ${net(one.net_after)}`, net(one.wallet)]);
  const make_ = button(told.second ? "Propose it" : command.type === "Approve" ? "Approve it" : "Rule so", () => desk.give(command), { class: "button primary" });
  const money = rows.length ? grid("Money before and after", ["Player", "On the layout", "Net of the round", "To the wallet"], rows) : make("p", {}, "No money moves.");
  desk.trial.replaceChildren(make("p", {}, make("strong", {}, `${name} `), clauses, told.second && " A second person must approve."), money, make("div", { class: "row" }, make_, button("Leave it", () => desk.trial.replaceChildren())));
  make_.focus();
}
