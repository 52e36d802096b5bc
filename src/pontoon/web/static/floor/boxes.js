// The boxes as equal strips, from the dealer's side: number, person, cards, total, state, chips, stake.
import { button, dollars, make, titled } from "../parts.js";
import { chips, hand } from "./common.js";

const SAID = {
  Insure: (one) => `Insure ${dollars(one.amount)}`,
  DeclineInsurance: () => "No",
  Surrender: () => "Surrender",
  DeclineSurrender: () => "No",
  Forfeit: () => "Forfeit",
  Keep: () => "Keep",
  Withdraw: () => "Withdraw",
  Double: () => "Doubles too",
  Split: () => "Covers both",
  Ride: (one) => `Rides hand ${one.on}`,
};
const OFFERS = ["insurance", "surrender", "forfeit", "withdraw", "card"];

/** @param {any} page @param {number} number */
export function boxStrip(page, number) {
  const { round, view } = page;
  const box = round?.boxes?.find((one) => one.number === number);
  const seat = view.seats?.find((one) => one.box === number);
  const betting = page.mode() === "wagers";
  const on = betting ? page.wagers.box === number : inTurn(page, number);
  const players = box ? [...new Set(box.bettors.map((one) => one.player))] : [seat?.player ?? ""];
  const name = players.map((player) => shortName(player, number)).join(", ");
  const head = make(
    "div",
    { class: "hd" },
    make("span", { class: "no" }, String(number)),
    make("span", { class: "nm" }, name || (betting ? `Seat ${number}` : "")),
  );
  const body = betting
    ? page.wagers.strip(number)
    : box
      ? played(page, box)
      : [make("span", { class: "quiet" }, "No wager")];
  const attributes = {
    class: ["box", on && "on", !box && !betting && "empty", box && isDone(box) && "done"].filter(Boolean).join(" "),
    "aria-label": `Box ${number}`,
    "data-box": number,
  };
  if (!betting) return make("section", attributes, head, ...body);
  return make(
    "button",
    {
      ...attributes,
      type: "button",
      id: `box-${number}`,
      "aria-pressed": String(on),
      onclick: () => page.wagers.pick(number),
    },
    head,
    ...body,
  );
}

/** Someone without an account as they are called at their own box: Lin, not Seat 3 Lin. */
export const shortName = (player, box) => player.replace(new RegExp(`^Seat ${box} (?=\\S)`), "");

const inTurn = (page, number) => {
  const to = page.view.waits.card_to ?? page.round?.turn;
  const due = page.settlement.open()[0];
  return (due ? due.box : to?.[0]) === number;
};
const isDone = (box) =>
  box.hands?.length > 0 && box.hands.every((one) => one.stood || one.wagers.every((wager) => wager.result));

function played(page, box) {
  const { round, view } = page;
  const to = view.waits.card_to;
  const several = (box.hands?.length ?? 0) > 1;
  const many = several && (box.hands.length > 2 || offered(page));
  const hands = (box.hands ?? []).map((one, place) => {
    const due = to?.[0] === box.number && to[1] === place + 1;
    const over = one.wagers.every((wager) => wager.result);
    return make(
      "div",
      {
        class: ["held-cards", several && "sub", many && "many", due && "due", over && "over"].filter(Boolean).join(" "),
      },
      hand(one.cards),
      due && make("span", { class: "slot", "aria-hidden": "true" }, page.half || "?"),
      make(
        "span",
        { class: "total" },
        one.total ? String(one.total) : "",
        one.soft && !over && make("small", {}, "soft"),
      ),
    );
  });
  const open = (box.hands ?? []).filter((one) => !several || one.wagers.some((wager) => !wager.result));
  const state = open.map((one) => stateOf(page, box, one)).filter(Boolean);
  const wagers = box.hands?.length ? box.hands.flatMap((one) => one.wagers) : box.bettors;
  const players = [...new Set(wagers.map((wager) => wager.player))];
  const stakes = players.map((player) =>
    line(
      page,
      box.number,
      players.length > 1 ? shortName(player, box.number) : "Stake",
      wagers.filter((wager) => wager.player === player),
    ),
  );
  const side = (round.side ?? [])
    .filter((one) => one.box === box.number)
    .map((one) => line(page, box.number, titled(one.kind), [one], one.kind));
  const total = box.bettors.reduce((sum, one) => sum + one.stake, 0);
  return [
    ...(hands.length
      ? hands
      : [make("div", { class: "held-cards" }, make("span", { class: "quiet" }, "Waits for a card"))]),
    ...state.map(([words, kind]) => make("div", { class: `what ${kind}` }, words)),
    ...answers(page, box),
    make("div", { class: "stakes" }, several || offered(page) ? null : chips(total), ...stakes, ...side),
  ];
}

/** The stakes of one player on a box; once a wager is settled, what is to be paid or taken, or was. */
function line(page, box, name, wagers, kind = "main") {
  const settled = wagers.filter((one) => one.settled?.length);
  const stakes = wagers.filter((one) => !one.settled?.length).map((one) => dollars(one.stake + (one.double ?? 0)));
  const total = settled.flatMap((one) => one.settled).reduce((sum, one) => sum + one.net, 0);
  const due = page.settlement.open().some((one) => one.box === box && one.kind === kind);
  const [verb, look] =
    total > 0 ? [due ? "pay" : "paid", "pay"] : total < 0 ? [due ? "take" : "taken", "take"] : ["", ""];
  const same = settled.some((one) => one.result === "void") ? "void, back" : "stays";
  const words = verb ? `${verb} ${dollars(Math.abs(total))}` : same;
  return make(
    "span",
    { class: "l" },
    make("span", {}, name),
    settled.length > 0 && make("b", { class: look }, words),
    stakes.length > 0 && make("b", {}, stakes.join(" + ")),
  );
}

/** @param {string} words */
export const sentence = (words) => words.replace(/^./, (first) => first.toUpperCase());

/** What a hand waits for or came to, and whether it was won or lost. @returns {[string, string] | null} */
function stateOf(page, box, one) {
  const results = one.wagers.map((wager) => wager.result).filter(Boolean);
  if (results.includes("void")) return ["Void", ""];
  if (results.length) {
    const net = one.wagers.flatMap((wager) => wager.settled ?? []).reduce((sum, settled) => sum + settled.net, 0);
    return [sentence(one.words || results[0]), net > 0 ? "pay" : net < 0 ? "take" : ""];
  }
  if (one.wagers.some((wager) => wager.surrendered)) return ["Surrendered", "attend"];
  if (one.doubled) return ["Doubled", ""];
  if (one.absent) return ["Absent", "attend"];
  if (one.stood) return ["Stands", ""];
  if (offered(page)) return null;
  return waiting(page, box, one);
}

/** A card, a decision, or its turn. @returns {[string, string]} */
function waiting(page, box, one) {
  const to = page.view.waits.card_to;
  const place = box.hands.indexOf(one) + 1;
  const [turn, hand_] = to ?? page.round.turn ?? [];
  if (turn !== box.number || hand_ !== place) return ["Waiting", "quiet"];
  return [to ? "Waits for a card" : "Decides", "go"];
}

/** Whether an offer is open, so that room is needed for its answers. */
const offered = (page) => OFFERS.includes(page.round.stage) && page.round.stage !== "card";

/** Answers to an open offer, and what co-bettors may join. */
function answers(page, box) {
  if (!OFFERS.includes(page.round.stage) || page.settlement.open().length) return []; // payments come first
  const rows = (page.round.choices ?? []).filter((one) => one.box === box.number);
  const one = (row, command) =>
    button((SAID[command.type] ?? (() => command.type))(command), () => page.queue(() => page.give(command)), {
      class: "btn small",
      id: `answer-${box.number}-${row.player}-${command.type}${command.on ?? ""}`,
    });
  return rows
    .filter((row) => row.allowed?.length)
    .map((row) =>
      make(
        "div",
        { class: "answers", role: "group", "aria-label": `${row.player}, box ${box.number}` },
        box.bettors.length > 1 && make("small", {}, shortName(row.player, box.number)),
        ...row.allowed.map((command) => one(row, command)),
      ),
    );
}

/** When the dealer draws and stands, as it is written on the cloth. @param {any} view */
export const dealerRule = (view) => view.cloth.inscriptions.find((one) => one.name === "dealer")?.text ?? "";
