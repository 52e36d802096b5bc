// Reading a table's view: what it is waiting for and how wagers were settled, in words.
import { dollars, listed, net, pausedWords, titled, withBots } from "./parts.js";

/** The user's own choices in this round. @param {DrawnTable} model */
export const ownChoices = ({ view, me }) => (view.round?.choices ?? []).filter((one) => one.player === me?.name);

/** The current hand, and its box. @param {DrawnTable} model */
export function inTurn({ view }) {
  const [number, hand] = view.round?.turn ?? [0, 0];
  const box = view.round?.boxes?.find((one) => one.number === number);
  return { box, hand: box?.hands?.[hand - 1] };
}

/** Whether wagers are being taken. @param {DrawnTable} model */
export const bettingOpen = ({ room }) => room.waits === "wagers" && !room.paused;

/**
 * The chips a player has to play with: the wallet, practice chips, or at a tournament those in front of them.
 * @param {Pick<DrawnTable, "room" | "me">} model
 */
export function chipsOf({ room, me }, name = me?.name) {
  if (!room.heat) return (room.own_chips ? me?.practice : me?.wallet) ?? 0;
  return room.heat.chips.find(([player]) => player === name)?.[1] ?? 0;
}

/** The players who still have to answer. @param {Room} room */
const awaited = ({ players = [], passed = [] }) => players.filter((one) => !passed.includes(one));

/** Whether the table waits for this user. @param {DrawnTable} model */
export const isAsked = ({ room, me }) => Boolean(me) && awaited(room).includes(me?.name ?? "");

/** What the table is waiting for, in one sentence. @param {DrawnTable} model */
export const momentWords = (model) => moment(model).filter(Boolean).join(": ").replaceAll("?: ", "? ");

/**
 * What the table is waiting for: a title, and a line below it.
 * @param {DrawnTable} model
 * @returns {[string, string]}
 */
export function moment(model) {
  const { room, view } = model;
  if (room.paused) return [pausedWords(room), ""];
  if (room.heat && (!room.waits || room.waits === "wagers") && view.phase !== "round") return [heatWords(model), ""];
  if (view.phase === "closed") return ["The table is closed", ""];
  const say = MOMENTS[room.waits ?? ""];
  const others = awaited(room).filter((one) => one !== model.me?.name);
  if (say) return say(model, isAsked(model), withBots(listed(others)));
  if (view.round?.stage === "ended") return [endedWords(view.round, model.me?.name), ""];
  return view.seats?.length ? ["Dealing", ""] : ["Tap a box to sit down", "or press its number"];
}

/** By what is waited for: the model, whether the user is asked, and who else is. */
const MOMENTS = {
  wagers: () => ["Place your bets", ""],
  decision: (model, asked, others) => decisionWords(model, asked, others),
  offer: (model, asked, others) =>
    asked
      ? [questionWords(model), offerLine(model)]
      : [`${titled(model.view.round?.offer || "an offer")} offered to ${others}`, ""],
  join: ({ view }, asked, others) =>
    asked ? [`Join the ${view.round?.joining}?`, ""] : [`${others} may join the ${view.round?.joining}`, ""],
  cut: (_, asked, others) => [`${asked ? "You" : others} may cut the cards`, ""],
};

/** @param {DrawnTable} model @returns {[string, string]} */
function decisionWords(model, asked, others) {
  const { box, hand } = inTurn(model);
  const up = model.view.round?.dealer?.cards[0];
  const against = up ? ` against ${withArticle(up)}` : "";
  const where = `box ${box?.number}`;
  if (!asked) return [`${others}'s turn`, model.me && !plays(model) ? "You can bet when this round is over" : where];
  return ["Your turn", `${where}, ${hand?.words || "face down"}${against}`];
}

/** Whether the user sits here or has chips on the layout. @param {DrawnTable} model */
export function plays({ view, me }) {
  if (!me) return false;
  const bets = (view.round?.boxes ?? []).some((box) => box.bettors.some((one) => one.player === me.name));
  return bets || (view.seats ?? []).some((one) => one.player === me.name);
}

const NAMES = { A: "an ace", J: "a jack", Q: "a queen", K: "a king", 8: "an 8" };

/** A card by its rank, with the article. @param {string} card */
const withArticle = (card) => NAMES[card[0]] ?? `a ${card[0]}`;

/** The open offer as the server asks it, box by box where several are asked. @param {DrawnTable} model */
function questionWords(model) {
  const rows = ownChoices(model).filter((one) => one.question);
  const several = new Set(rows.map((one) => one.box)).size > 1;
  const words = rows.map((one) => (several ? `Box ${one.box}: ${one.question}` : one.question));
  return words.join(" ") || titled(model.view.round?.offer || "an offer");
}

/**
 * What an offer means, for players who have never seen one; the odds are printed on the table.
 * @param {DrawnTable} model
 */
function offerLine({ view }) {
  const { offer } = view.round ?? {};
  if (offer === "surrender") return "You give up the hand, and half of the bet comes back";
  const odds = view.cloth.inscriptions.find((one) => one.name === offer)?.text;
  return odds ? `${odds} if the dealer makes a pontoon` : "";
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

/**
 * What the dealer said last; the user's own result is addressed to them.
 * @param {EventView} said @param {string} [name]
 */
export function callWords({ type, facts, words = "" }, name = "") {
  if (type === "PlayerSat" && facts?.player === name) return `Box ${facts.box} is yours`;
  const results = type === "RoundKept" ? (facts?.players ?? []) : [];
  const own = results.find(([player]) => player === name)?.at(-1); // name, stake, result
  return own === undefined ? withBots(words) : resultWords(own);
}

/** @param {number} sum in cents */
const resultWords = (sum) =>
  sum ? `You ${sum > 0 ? "win" : "lose"} ${dollars(Math.abs(sum))}` : "A tie: your bet comes back";

/** The user's result of the last round, while the next is bet on; empty without one. @param {DrawnTable} model */
export function lastResult({ log = [], me }) {
  const kept = log.findLast((one) => one.type === "RoundKept");
  return kept?.facts?.players?.some(([player]) => player === me?.name) ? callWords(kept, me?.name) : "";
}

/** A round whose cards are still there. @param {RoundView} round @param {string} [name] of the user */
function endedWords({ boxes = [], side = [], insurance = [], bonuses = [] }, name) {
  const wagers = boxes.flatMap((box) => (box.hands ?? []).flatMap((hand) => hand.wagers));
  const own = [...wagers, ...side, ...insurance, ...bonuses].filter((one) => one.player === name);
  return own.length ? resultWords(own.reduce((sum, one) => sum + sumOf(one.settled), 0)) : "The round is over";
}

/** @param {SettlementView[]} [settled] */
export const sumOf = (settled = []) => settled.reduce((sum, one) => sum + one.net, 0);
export const howOf = (sum) => (sum > 0 ? "win" : sum < 0 ? "lose" : "even");
export const clausesOf = (settled) => settled.flatMap((one) => one.clauses);

/** The results of one wager in words: "wins 3:2". @param {SettlementView[]} [settled] */
export const settledWords = (settled = []) =>
  [...new Set(settled.map((one) => (one.kind === "super_bonus" ? titled(one.kind) : one.words)))].join(", ");

/** The words that apply to all wagers of a hand; empty if their results differ. @param {WagerView[]} wagers */
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

/**
 * Insurance, side wagers and bonuses beside a box.
 * @param {TableView} view
 * @param {number} box
 * @returns {{words: string, stake: number, settled?: SettlementView[], insures?: boolean}[]}
 */
export function besides({ round, cloth }, box) {
  const insured = (round?.insurance ?? []).filter((one) => one.owner_box === box);
  const side = (round?.side ?? []).filter((one) => one.box === box);
  const bonuses = (round?.bonuses ?? []).filter((one) => one.box === box);
  const title = (kind) => cloth.side?.find((one) => one.name === kind)?.title ?? titled(kind);
  const whose = (one) => (one.owner === one.player ? "" : ` ${one.owner}`);
  return [
    ...insured.map((one) => ({
      words: `${one.player} insures${whose(one)}`,
      stake: one.amount,
      settled: one.settled,
      insures: true,
    })),
    ...side.map((one) => ({ words: `${one.player}, ${title(one.kind)}`, stake: one.stake, settled: one.settled })),
    ...bonuses.map((one) => ({ words: `${one.player}, bonus`, stake: 0, settled: one.settled })),
  ];
}
