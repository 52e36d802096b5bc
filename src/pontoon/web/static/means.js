// What the actions and the words of the game mean, in plain sentences: for Help and for "Rules here".
import { ACTIONS, offered } from "./controls.js";
import { momentWords } from "./moment.js";
import { make } from "./parts.js";

const MEANS = {
  Hit: "Take one more card. Over 21 you lose at once; at 21 you win at once.",
  Stand: "Take no more cards. The dealer draws when everyone is done.",
  Double:
    "Double your bet and take one more card. A bad card can be forfeited: the second bet comes back, the first is " +
    "lost.",
  Split: "Make two hands of the pair, with a second bet of the same size.",
  Surrender: "Give the hand up and get half of the bet back.",
  Forfeit: "Take the double back: you lose the first bet only.",
  Keep: "Play on with both bets.",
  Insure: "A side bet that the dealer makes a pontoon.",
  No: "Nothing happens, and the game goes on.",
};
const BETTING =
  "Choose a chip and tap a box; hold or right-click takes one off. Chips on a box count when betting closes, or when " +
  "you press Deal.";
/** Words that a newcomer meets at the table. @type {[string, string][]} */
export const WORDS = [
  ["Box", "a circle on the table to bet on; you may bet on several"],
  ["Soft 17", "a hand with an ace that counts 11; the next card cannot bust it"],
  ["Hard 17", "a hand without an ace, or with one that counts 1"],
  ["Bust", "over 21: the hand has lost"],
  ["Pontoon", "an ace with a jack, queen or king as the first two cards"],
  ["Stand-off (push)", "a tie: the bet comes back"],
  ["Forfeit", "to take back a double after a bad card and lose only the first bet"],
  ["Surrender", "to give up a hand for half of the bet"],
  ["Odds", "what you win on top of your bet: the first number for every unit of the second"],
  ["Side bet", "an extra bet on your first cards, such as on a pair; it has nothing to do with the dealer’s hand"],
  ["Coach", "marks the best choice and says what the others cost, at practice tables"],
  ["Session", "what you have won or lost since you began"],
  ["Shoe", "the box that the cards are dealt from; a pack has 48 cards, without tens"],
];

/** What the user can do now and what happens then. @param {TableModel} model */
export function nowLines(model) {
  const may = ACTIONS.map(([name, kinds]) => offered(model, name, kinds)).filter((one) => one.command);
  if (may.length) return may.map((one) => make("p", {}, make("b", {}, `${one.label}: `), MEANS[one.name]));
  return [make("p", {}, model.room.waits === "wagers" ? BETTING : momentWords(model))];
}
