// The leaderboard of practice, and the profile of a person who shows it. Only the quality of decisions counts, not
// luck.
import { button, counted, dollars, make, routed } from "../parts.js";

/** @param {App} app @param {HTMLElement} main @param {string} name of a person; empty for the leaderboard */
export function open(app, main, name) {
  const place = make("div", { class: "reading stack" }, make("p", { role: "status" }, "Loading…"));
  main.replaceChildren(place);
  (name ? profile(app, place, decodeURIComponent(name)) : board(app, place)).catch((problem) => {
    place.replaceChildren(
      make("h1", {}, "Nothing to see"),
      make("p", {}, `${upper(problem.words ?? "The page could not be loaded")}.`),
      routed("/players", "Leaderboard"),
    );
  });
  return { update() {}, close() {} };
}

/** @param {App} app @param {HTMLElement} place */
async function board(app, place) {
  document.title = "Leaderboard · Pontoon";
  const { places, fewest } = await app.connection.get("/api/leaderboard");
  const row = (one, at) => [
    String(at + 1),
    make("a", { href: `/players/${encodeURIComponent(one.name)}`, "data-route": true }, one.name),
    String(one.decisions),
    percent(one),
    cents(one.cost),
  ];
  const words =
    "What mistakes cost in 100 decisions of the trainer, on $25 bets, in the last 30 days. The lowest cost leads; " +
    `luck has no part in it. A place needs ${fewest} decisions and statistics that their owner shows.`;
  place.replaceChildren(
    make("h1", {}, "Leaderboard"),
    make("p", {}, words),
    places.length
      ? grid(["Place", "Name", "Decisions", "Right", "Cost in 100"], places.map(row))
      : make("p", {}, "No one is ranked yet. Be the first."),
    make("div", { class: "row" }, routed("/train", "Train", { class: "button go" }), routed("/me", "My statistics")),
  );
}

/** @param {App} app @param {HTMLElement} place @param {string} name */
async function profile(app, place, name) {
  document.title = `${name} · Pontoon`;
  const answer = await app.connection.get(`/api/profiles/${encodeURIComponent(name)}`);
  const row = (one) => [upper(one.area), String(one.decisions), percent(one), cents(one.cost)];
  const { total } = answer;
  const own = app.connection.me?.name === answer.name;
  place.replaceChildren(
    make("h1", {}, answer.name),
    total.decisions
      ? make(
          "p",
          {},
          `${counted(total.decisions, "decision")} in the trainer, ${percent(total)} of them best play. `,
          `Mistakes cost ${cents(total.cost)} in 100 decisions on $25 bets.`,
        )
      : make("p", {}, "No decisions yet."),
    ...(answer.areas.length ? [grid(["Area", "Decisions", "Right", "Cost in 100"], answer.areas.map(row))] : []),
    ...(own ? [shown(app, answer)] : []),
    make("div", { class: "row" }, routed("/players", "Leaderboard")),
  );
}

/** The owner's switch. @param {App} app @param {Profile} answer */
function shown(app, answer) {
  let { public: isPublic } = answer;
  const says = make("p", { role: "status" });
  const show = () => {
    says.textContent = isPublic ? "Everyone can see this page." : "Only you can see this page.";
    flip.textContent = isPublic ? "Make it private" : "Show it to everyone";
  };
  const flip = button(
    "",
    async () => {
      try {
        await app.connection.post("/api/me/profile", { public: !isPublic });
        isPublic = !isPublic;
        show();
      } catch (problem) {
        app.notice(problem.words);
      }
    },
    { id: "show-profile" },
  );
  show();
  return make("div", { class: "row" }, flip, says);
}

/** @param {string[]} heads @param {any[][]} rows */
function grid(heads, rows) {
  const cell = (value) => make("td", {}, value);
  const head = make("tr", {}, ...heads.map((words) => make("th", { scope: "col" }, words)));
  const body = rows.map((row) => make("tr", {}, ...row.map(cell)));
  return make("table", {}, make("thead", {}, head), make("tbody", {}, ...body));
}

const percent = ({ right, decisions }) => `${Math.round((right / decisions) * 100)}%`;
const upper = (words) => words.replace(/^./, (letter) => letter.toUpperCase());

/** "$0.61", from cents with fractions. @param {number} amount */
const cents = (amount) => dollars(Math.round(amount));
