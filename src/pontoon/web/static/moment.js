// Reading a table's view: what it is waiting for and how wagers were settled, in words.
import { dollars, listed, net, pausedWords, titled } from "./parts.js";

/** The user's own choices in this round. @param {DrawnTable} model */
export const ownChoices = ({ view, me }) => (view.round?.choices ?? []).filter((one) => one.player === me?.name);

/** The hand in turn, and its box. @param {DrawnTable} model */
export function inTurn({ view }) {
  const [number, hand] = view.round?.turn ?? [0, 0];
  const box = view.round?.boxes?.find((one) => one.number === number);
  return { box, hand: box?.hands?.[hand - 1] };
}

/** Whether wagers are being taken. @param {DrawnTable} model */
export const bettingOpen = ({ room }) => room.waits === "wagers" && !room.paused;

/**
 * The chips a player has to play with: the wallet, or at a tournament table those in front of them.
 * @param {Pick<DrawnTable, "room" | "me">} model
 */
export function chipsOf({ room, me }, name = me?.name) {
  if (!room.heat) return me?.wallet ?? 0;
  return room.heat.chips.find(([player]) => player === name)?.[1] ?? 0;
}

/** The players who still have to answer. @param {Room} room */
const awaited = ({ players = [], passed = [] }) => players.filter((one) => !passed.includes(one));

/** Whether the table waits for this user. @param {DrawnTable} model */
export const isAsked = ({ room, me }) => Boolean(me) && awaited(room).includes(me?.name ?? "");

/** What the table is waiting for. @param {DrawnTable} model */
export function momentWords(model) {
  const { room, view } = model;
  if (room.paused) return pausedWords(room);
  if (room.heat && (!room.waits || room.waits === "wagers") && view.phase !== "round") return heatWords(model);
  if (view.phase === "closed") return "The table is closed";
  const say = MOMENTS[room.waits ?? ""];
  if (say) return say(model, isAsked(model), listed(awaited(room).filter((one) => one !== model.me?.name)));
  return view.seats?.length ? "Dealing" : "Tap a box, or press its number, to sit down";
}

/** By what is waited for: the model, whether the user is asked, and who else is. */
const MOMENTS = {
  wagers: () => "Place your bets",
  decision: (model, asked, others) => decisionWords(model, asked, others),
  offer: (model, asked, others) =>
    asked ? questionWords(model) : `${titled(model.view.round?.offer || "an offer")} offered to ${others}`,
  join: ({ view }, asked, others) =>
    asked ? `Join the ${view.round?.joining}?` : `${others} may join the ${view.round?.joining}`,
  cut: (_, asked, others) => `${asked ? "You" : others} may cut the cards`,
};

/** @param {DrawnTable} model */
function decisionWords(model, asked, others) {
  const { box, hand } = inTurn(model);
  const where = `box ${box?.number}`;
  return asked ? `Your turn: ${where}, ${hand?.words || "face down"}` : `${others}'s turn, ${where}`;
}

/** The open offer as the server asks it, box by box where several are asked. @param {DrawnTable} model */
function questionWords(model) {
  const rows = ownChoices(model).filter((one) => one.question);
  const several = new Set(rows.map((one) => one.box)).size > 1;
  const words = rows.map((one) => (several ? `Box ${one.box}: ${one.question}` : one.question));
  return words.join(" ") || titled(model.view.round?.offer || "an offer");
}

/** At a tournament table wagers are made in order. @param {DrawnTable} model */
function heatWords({ room, view, me }) {
  const { heat } = room;
  if (!heat) return "";
  if (heat.ended) return "This table has finished its session";
  if (!heat.order.length) return room.waits === "wagers" ? "Side wagers are open" : "The next round starts in a moment";
  const names = heat.order.map((box) => view.seats?.find((one) => one.box === box)?.player);
  const place = names.indexOf(me?.name);
  if (me && place === 0) return `Your wager, box ${heat.order[0]}: you have ${dollars(chipsOf({ room, me }))}`;
  const next = place === 1 ? "; you are next" : `; you wager after ${place - 1} more`;
  return `${names[0] ?? "The next player"} to wager, box ${heat.order[0]}${place > 0 ? next : ""}`;
}

// --- results ---

/** @param {SettlementView[]} [settled] */
export const sumOf = (settled = []) => settled.reduce((sum, one) => sum + one.net, 0);
export const howOf = (sum) => (sum > 0 ? "win" : sum < 0 ? "lose" : "even");
export const clausesOf = (settled) => settled.flatMap((one) => one.clauses);

/** The results of one wager in words: "wins 3:2". @param {SettlementView[]} [settled] */
export const settledWords = (settled = []) =>
  [...new Set(settled.map((one) => (one.kind === "super_bonus" ? titled(one.kind) : one.words)))].join(", ");

/** The words that apply to all wagers of a hand; empty where their results differ. @param {WagerView[]} wagers */
export function sharedWords(wagers) {
  const words = new Set(wagers.map((one) => settledWords(one.settled)));
  return words.size === 1 ? [...words][0] : "";
}

/** "20: Ann +$10, Ben −$5"; a player who is alone is named in the heading. @param {BoxView} box */
export function boxResult({ hands = [] }) {
  const sums = new Map();
  for (const one of hands.flatMap((hand) => hand.wagers))
    sums.set(one.player, (sums.get(one.player) ?? 0) + sumOf(one.settled));
  const totals = hands.map((hand) => hand.words?.split(", ")[0]).filter(Boolean);
  const results = [...sums].map(([player, sum]) => (sums.size > 1 ? `${player} ` : "") + net(sum));
  return `${totals.join(" / ")}: ${results.join(", ")}`;
}
