// Plans of wagers: what lies on the table, what is wanted, and the commands that lead from one to the other.
import { bettingOpen } from "./moment.js";
import { dollars, titled } from "./parts.js";

const CHIPS = [50, 100, 250, 500, 2500, 10_000, 50_000, 100_000];
const MOST_CHIPS = 6;
export const MAIN = "main";
const LAST = "pontoon.last";

/** The user's wagers on the table. @param {TableModel} model @returns {Plan} */
export function placed(model) {
  /** @type {Plan} */
  const plan = new Map();
  const name = model.me?.name;
  for (const box of model.view.round?.boxes ?? []) {
    const own = box.bettors.find((one) => one.player === name);
    if (own) plan.set(box.number, { stake: own.stake, side: {} });
  }
  for (const one of model.view.round?.side ?? []) {
    if (one.player !== name) continue;
    const wager = plan.get(one.box) ?? { stake: 0, side: {} };
    wager.side[one.kind] = one.stake;
    plan.set(one.box, wager);
  }
  return plan;
}

/** Chips from the smallest that is useful to the largest that is allowed. @param {TableView} view */
export function chipsFor({ limits, cloth }) {
  const least = Math.max(limits.smallest_chip || CHIPS[0], Math.floor((limits.minimum || 0) / 5));
  const most = limits.maximum || Infinity;
  const fitting = CHIPS.filter((one) => one >= least && one <= most && one % cloth.multiple === 0);
  return fitting.length ? fitting.slice(0, MOST_CHIPS) : [least];
}

/** The side wagers this table takes. @param {TableModel} model */
export const sidesOf = ({ view }) => view.cloth.side ?? [];

/** What a side wager is called. @param {TableModel} model @param {string} name */
export const sideTitle = (model, name) => sidesOf(model).find((one) => one.name === name)?.title ?? titled(name);

/** The box given by the ballot, at a tournament table; 0 for spectators. @param {TableModel} model */
export const heatBox = ({ room, view, me }) =>
  (room.heat && (view.seats ?? []).find((one) => one.player === me?.name)?.box) || 0;

/** Whether the user may bet now: at a tournament table until their wager is made. @param {TableModel} model */
export function mayBet(model) {
  const { heat } = model.room;
  if (!bettingOpen(model) || !model.me) return false;
  if (!heat) return true;
  const own = heatBox(model);
  return Boolean(own) && (heat.order.includes(own) || sidesOf(model).length > 0);
}

/** @param {Plan} plan @returns {Plan} */
export const copy = (plan) => new Map([...plan].map(([box, { stake, side }]) => [box, { stake, side: { ...side } }]));

/** A planned wager as text, to compare two. @param {PlannedWager} [one] */
export function written(one) {
  if (!one) return "";
  const side = Object.entries(one.side).filter(([, stake]) => stake);
  return JSON.stringify([one.stake, side.toSorted()]);
}

/** @param {PlannedWager} one */
export const totalOf = ({ stake, side }) => Object.values(side).reduce((all, more) => all + more, stake);

/** @param {Record<string, number>} side */
export const sumSide = (side) => Object.values(side).reduce((all, more) => all + more, 0);

/** All chips of a plan, in cents. @param {Plan} plan */
export const sumOf = (plan) => [...plan.values()].reduce((all, one) => all + totalOf(one), 0);

/**
 * The commands that turn the wagers on the table into the planned ones; a change takes the old wager back first.
 * @param {string} player
 * @param {Plan} old
 * @param {Plan} wanted
 */
export function commandsFor(player, old, wanted) {
  /** @type {Command[]} */
  const commands = [];
  for (const box of new Set([...old.keys(), ...wanted.keys()])) {
    const [was, is] = [old.get(box), wanted.get(box)];
    if (written(was) === written(is)) continue;
    if (was) commands.push({ type: "TakeBack", box, player });
    if (is?.stake) commands.push({ type: "PlaceWager", box, player, stake: is.stake });
    for (const [kind, stake] of Object.entries(is?.side ?? {}))
      if (stake) commands.push({ type: "PlaceSideWager", box, player, kind, stake });
  }
  return commands;
}

/** Whether nobody else plays here but bots: then the player says when the cards are dealt. @param {TableModel} model */
export function isAlone({ view, room, me }) {
  const bots = new Set((room.bots ?? []).map((one) => one.player));
  const bettors = (view.round?.boxes ?? []).flatMap((box) => box.bettors.map((one) => one.player));
  const people = [...(view.seats ?? []).map((one) => one.player), ...bettors].filter((one) => !bots.has(one));
  return people.every((one) => one === me?.name);
}

/** Boxes without a player. @param {TableModel} model */
export function free({ view }) {
  const taken = new Set((view.seats ?? []).map((one) => one.box));
  return Array.from({ length: view.cloth.boxes }, (_, place) => place + 1).filter((one) => !taken.has(one));
}

/**
 * Odds and limits of a side wager: "perfect pair 25 to 1, mixed pair 5 to 1; up to $50".
 * @param {SideOfferView} side
 */
export function sideWords({ odds = [], minimum = 0, maximum = 0, multiple = 0 }) {
  const limits = [
    minimum && `from ${dollars(minimum)}`,
    maximum && `up to ${dollars(maximum)}`,
    multiple && `in multiples of ${dollars(multiple)}`,
  ];
  const rows = odds.map((one) => `${one.title} ${one.odds}`).join(", ");
  return [rows, limits.filter(Boolean).join(", ")].filter(Boolean).join("; ");
}

/** @param {string} table @param {Plan} plan */
export function keepLast(table, plan) {
  sessionStorage.setItem(`${LAST} ${table}`, JSON.stringify([...plan]));
}

/** The wagers of the last round here. @param {string} table @returns {Plan} */
export function lastOf(table) {
  return new Map(JSON.parse(sessionStorage.getItem(`${LAST} ${table}`) ?? "[]"));
}
