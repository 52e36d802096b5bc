// Who must do what next in a tournament: one card for each, with its clause, its deadline and its button.
import { button, listed, make, timeWords } from "../parts.js";
import { cite } from "./part.js";

const DAY = 86_400_000;
const ROLES = { operator: "Operator", shift_manager: "Shift manager", director: "Director", players: "Players" };
/** The account roles that act in a role of the tournament. */
const ACTS = { operator: ["administrator"], shift_manager: ["administrator", "casino_supervisor"] };

/** Commands without a form: the button, a note, and the facts. @type {Record<string, [string, string, object?]>} */
const STEPS = {
  CommitBallot: ["Fix the ballot seed", "The server draws it and publishes its hash.", { seed_hash: "" }],
  CloseEntries: ["Close entries", "The ballot is next."],
  DrawBallot: ["Draw the ballot", "Assigns tables and seats for the next session.", { seed: "" }],
  StartSession: ["Start the session", "Players who are not seated lose their seats."],
  EndSession: ["End the session", "Settles places and points, and who advances."],
  AwardPlaces: ["Award the places", "Settles the final places and the prizes."],
  RevealBallot: ["Publish the seed", "Anyone can then check every ballot.", { seed: "" }],
  EndBreak: ["End the break", "Play resumes."],
};
/** Readers of the conditions. */
const READERS = {
  patrons: "For anyone who may want to enter.",
  commission: "Notifies the commission and gives it a copy.",
};
/** Duties that are carried out with a form, and the words on the button. */
const FORMS = {
  Enter: "Enter a player",
  DecideAppeal: "Look at the appeal",
  Reinstate: "Let the player back in",
  NominateDirector: "Choose the director",
  RecordPoints: "Enter the points",
};

/** @param {any} desk */
export function dutyCards(desk) {
  const { duties } = desk.view;
  const cards = duties.map((one, place) => card(desk, one, actions(desk, one), place));
  const named = new Set(duties.map((one) => one.what));
  const other = Object.keys(STEPS).filter((name) => desk.may(name) && !named.has(name));
  const also = other.map((name) => card(desk, { role: "director", words: STEPS[name][0] }, [step(desk, name)]));
  const all = [...cards, ...also];
  return all.length
    ? make("div", { class: "duty-cards", role: "group", "aria-label": "Who must do what next" }, ...all)
    : null;
}

/** Whether the person at this desk is meant. */
function mine(desk, role) {
  return role === "director" ? desk.desk.runs : (ACTS[role] ?? []).includes(desk.desk.me?.role);
}

function card(desk, one, inside, place = 1) {
  const own = mine(desk, one.role);
  const by = one.at > Date.now() ? make("span", { class: "tag" }, `by ${timeWords(one.at)}`) : null;
  return make(
    "section",
    { class: ["duty", own && "own", own && !place && "first"].filter(Boolean).join(" ") },
    make(
      "p",
      { class: "row between" },
      make("b", {}, own ? `You, ${ROLES[one.role].toLowerCase()}` : ROLES[one.role]),
      by,
    ),
    make("h3", {}, one.words, " ", one.clause && cite([one.clause], one.words, desk.view.rulebook)),
    ...inside.filter(Boolean),
  );
}

/** The buttons of a duty. @param {any} desk @param {any} one */
function actions(desk, one) {
  const { what } = one;
  if (what === "StartSession" && desk.early) return [notYet(desk)];
  if (STEPS[what]) return desk.may(what) ? [step(desk, what)] : [];
  if (what.startsWith("publish_")) return desk.may("PublishConditions") ? [publication(desk, what.slice(8))] : [];
  if (what === "late") return [call(desk)];
  if (what === "DrawLots") return desk.may(what) ? lots(desk, one) : [];
  return FORMS[what] && desk.may(what) ? [button(FORMS[what], () => desk.unfold(what), { class: "button" })] : [];
}

function act(desk, name, label, words, facts = {}, id = name) {
  return make(
    "div",
    { class: "step" },
    button(label, () => desk._press(name, facts), { class: "button primary", id: `step-${id}` }),
    make("small", { class: "muted" }, words),
  );
}

const step = (desk, name) => act(desk, name, ...STEPS[name]);

const publication = (desk, to) => act(desk, "PublishConditions", `Publish to the ${to}`, READERS[to], { to }, to);

/** Call those who are not seated, or give them more time. */
function call(desk) {
  const names = desk.late.map((one) => one.name);
  const words = `${listed(names)}: please take your ${names.length === 1 ? "seat" : "seats"}.`;
  const one = names.length === 1 ? names[0] : "";
  return make(
    "div",
    { class: "row" },
    desk.may("Direct") &&
      button("Call them", () => desk.give("Direct", { words, clause: "20.9", player: one }), {
        class: "button primary",
        id: "call-late",
      }),
    desk.may("MoveStart") && button("Give them more time", () => desk.unfold("MoveStart"), { class: "button" }),
  );
}

/** A ballot for each tie that the conditions break in this way. */
function lots(desk, duty) {
  return desk.view.ties
    .map((one, place) => [one, place])
    .filter(([one]) => one.by === "ballot" && one.players.every((name) => duty.words.includes(name)))
    .map(([one, place]) =>
      act(
        desk,
        "DrawLots",
        "Draw lots",
        "The conditions break this tie by ballot.",
        { players: one.players, seed: "" },
        `lots-${place}`,
      ),
    );
}

/** In place of the button that starts the session, before its time. */
function notYet(desk) {
  const at = timeWords(desk.view.start);
  clearTimeout(desk.opening);
  const left = desk.view.start - Date.now();
  if (left < DAY) desk.opening = setTimeout(() => desk.update(desk.view, desk.desk), left + 500);
  return make(
    "div",
    { class: "step" },
    make("p", { class: "not-yet", id: "step-not-yet" }, `Start the session: possible from ${at}`),
    make("small", { class: "muted" }, "To start at another time, move the start; the players need 15 minutes' notice."),
  );
}
