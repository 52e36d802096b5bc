// One readable page for each rulebook: how to play here, what differs elsewhere, payouts in pictures, and clauses on
// request.
import { cardPicture } from "../card.js";
import { counted, dollars, make, routed } from "../parts.js";

/** Hands that are paid, as pictures; the odds come with the rulebook. @type {[string, string, string][]} */
const PICTURES = [
  ["pontoon", "Pontoon: an ace with a picture", "As Kh"],
  ["five_cards", "21 with five cards", "2h 3c 4d 5s 7h"],
  ["six_cards", "21 with six cards", "2h 2c 3d 4s 4h 6c"],
  ["seven_cards", "21 with seven cards or more", "2h 2c 2d 3s 3h 4c 5d"],
  ["six_seven_eight_mixed", "6-7-8 of mixed suits", "6h 7c 8d"],
  ["six_seven_eight_suited", "6-7-8 of one suit", "6h 7h 8h"],
  ["six_seven_eight_spades", "6-7-8 of spades", "6s 7s 8s"],
  ["sevens_mixed", "7-7-7 of mixed suits", "7h 7c 7d"],
  ["sevens_suited", "7-7-7 of one suit", "7h 7h 7h"],
  ["sevens_spades", "7-7-7 of spades", "7s 7s 7s"],
  ["other", "Any other winning hand", "Kc 9d"],
];
/** Pairs that side bets pay on, as pictures, by the row of their pay table. */
const PAIRS = { perfect: "8h 8h", coloured: "8h 8d", mixed: "8h 8s", pair: "8h 8s" };
/** The chapters of a first reading, in the order of play. */
const FIRST = [
  "boxes",
  "wagers",
  "draw",
  "double",
  "split",
  "dealer",
  "insurance",
  "surrender",
  "settle",
  "super_bonus",
];
/** Side bets have many small rules: they are folded, but a difference in them counts. */
const COMPARED = [...FIRST, "side", "payout"];

/** @param {App} app @param {HTMLElement} main @param {string} name */
export function open(app, main, name) {
  const page = make("div", { class: "reading rules-page" }, make("p", { role: "status" }, "Loading…"));
  main.replaceChildren(page);
  draw(app, page, name).catch((problem) => page.replaceChildren(make("p", {}, problem.words ?? String(problem))));
  return { update() {}, close() {} };
}

/** @param {App} app @param {HTMLElement} page @param {string} asked the rulebook's name; without one the usual one */
async function draw(app, page, asked) {
  const { rulebooks, usual } = await app.connection.rulebooks();
  const name = asked || usual;
  const { rulebook, chapters } = await app.connection.get(`/api/rulebooks/${encodeURIComponent(name)}`);
  document.title = `${spacedName(name)} rules · Pontoon`;
  const tabs = rulebooks.map((one) =>
    routed(`/rules/${one.name}`, spacedName(one.name), {
      class: "button",
      "aria-current": one.name === name ? "page" : null,
    }),
  );
  const differs = make(
    "section",
    { class: "sheet", "aria-labelledby": "differs" },
    make("h2", { id: "differs" }, "What differs elsewhere"),
  );
  const clauses = make("input", { type: "checkbox", id: "show-clauses" });
  clauses.addEventListener("change", () => page.classList.toggle("with-clauses", clauses.checked));
  page.replaceChildren(
    make("nav", { class: "row", "aria-label": "Rulebooks" }, ...tabs),
    make("h1", {}, `Pontoon by the rules of ${spacedName(name)}`),
    make("p", { class: "muted" }, `${rulebook.title}. ${rulebook.place}.`),
    brief(app, name),
    payouts(chapters),
    differs,
    make("label", { class: "row" }, clauses, "Show the clause of the document beside each sentence"),
    ...FIRST.map((section) =>
      chapter(
        chapters.find((one) => one.section === section),
        true,
      ),
    ),
    make(
      "details",
      { class: "sheet" },
      make("summary", {}, "All other rules"),
      ...chapters.filter((one) => !FIRST.includes(one.section)).map((one) => chapter(one, false)),
    ),
  );
  compare(app, differs, name, rulebooks, chapters);
}

/** The game in six sentences. @param {App} app @param {string} name of the rulebook to play by */
function brief(app, name) {
  const lines = [
    "Get closer to 21 than the dealer without going over. Jacks, queens and kings count 10, an ace 1 or 11; there " +
      "are no tens in the pack.",
    "You get two cards, the dealer one. Hit takes a card, Stand stops. Over 21 you lose at once.",
    "Your 21 always wins, and at once. An ace with a picture is a pontoon and pays more.",
    "Double your bet for one more card, where allowed on any number of cards. If the card is bad, Forfeit takes the " +
      "second bet back and gives up the first.",
    "Split two cards of the same value into two hands with a second bet.",
    "When everyone is done the dealer draws. The higher total wins; a tie (a stand-off) returns the bet.",
  ];
  const play = make(
    "button",
    { type: "button", class: "button go", onclick: () => app.playNow({ rulebook: name }) },
    "Play now",
  );
  return make(
    "section",
    { class: "sheet", "aria-labelledby": "brief" },
    make("h2", { id: "brief" }, "How to play"),
    make("ol", { class: "steps" }, ...lines.map((words) => make("li", {}, words))),
    make("div", { class: "row" }, routed("/learn", "Learn it in three minutes"), play),
  );
}

/** Everything that is paid, with a picture of the hand. @param {Chapter[]} chapters */
function payouts(chapters) {
  const said = new Map(chapters.flatMap((one) => one.sentences).map((one) => [one.key, one]));
  const hands = PICTURES.map(([key, words, cards]) => payout(said.get(`payout.${key}`), words, cards));
  const sides = [...said.values()].filter((one) => one.applies && /^side\.\w+\.pays\./.test(one.key));
  const bets = sides.map((one) => payout(one, one.text.split(" pays ")[0], PAIRS[one.key.split(".").at(-1) ?? ""]));
  const table = (rows) => make("table", { class: "payouts" }, make("tbody", {}, ...rows.filter(Boolean)));
  return make(
    "section",
    { class: "sheet", "aria-labelledby": "payouts" },
    make("h2", { id: "payouts" }, "What a win pays"),
    make(
      "p",
      { class: "muted" },
      `On top of your bet, which comes back. ${example(said.get("payout.pontoon")?.value)}`,
    ),
    table([...hands, superBonus(said), payout(said.get("insurance.odds"), "Insurance: a dealer’s pontoon", "Ah Ks")]),
    bets.length && make("h3", {}, "Side bets on your first two cards"),
    bets.length && table(bets),
  );
}

/** What odds mean, by the example of one payout: "At 3 to 2 …". @param {string} [odds] */
function example(odds = "") {
  const [win, per] = odds.split(":").map(Number);
  return per ? `At ${win} to ${per} a bet of ${dollars(1000)} wins ${dollars((1000 * win) / per)}.` : "";
}

/** @param {Sentence | undefined} sentence @param {string} words @param {string} [cards] @param {string} [pays] */
function payout(sentence, words, cards = "", pays = String(sentence?.value).replace(":", " to ")) {
  if (!sentence?.applies) return null;
  const pictures = cards
    .split(" ")
    .filter(Boolean)
    .map((card) => cardPicture(card));
  return make(
    "tr",
    {},
    make("td", {}, make("span", { class: "fanned small", "aria-hidden": "true" }, ...pictures)),
    make("th", { scope: "row" }, words),
    make("td", { class: "pays" }, pays),
    make("td", { class: "clause" }, sentence.clauses.join(", ")),
  );
}

/** The Super Bonus has two prizes. @param {Map<string, Sentence>} said */
function superBonus(said) {
  const amount = (key) => dollars(Number(said.get(`super_bonus.${key}`)?.value) * 100);
  const pays = `${amount("lower")}; ${amount("upper")} from a ${amount("upper_from")} bet`;
  const offered = said.get("super_bonus.offered");
  return offered?.value && payout(offered, "Super Bonus: 7-7-7 of one suit against a dealer’s 7", "7h 7h 7h", pays);
}

/** @param {Chapter | undefined} found @param {boolean} first */
function chapter(found, first) {
  const said = (found?.sentences ?? []).filter((one) => one.applies);
  if (!found || !said.length) return null;
  const id = `chapter-${found.section}`;
  const line = (one) => make("li", {}, one.text, " ", make("span", { class: "clause" }, one.clauses.join(", ")));
  return make(
    "section",
    { class: first ? "sheet" : "", "aria-labelledby": id },
    make(first ? "h2" : "h3", { id }, found.heading),
    make("ul", { class: "says-list" }, ...said.map(line)),
  );
}

/** Where another casino says something else in the chapters of play. */
async function compare(app, place, name, rulebooks, chapters) {
  const own = new Map(chapters.flatMap((one) => one.sentences).map((one) => [one.key, one]));
  for (const other of rulebooks.filter((one) => one.name !== name)) {
    const answer = await app.connection.get(`/api/rulebooks/${other.name}`).catch(() => null);
    if (!answer || !place.isConnected) return;
    const said = answer.chapters.filter((one) => COMPARED.includes(one.section)).flatMap((one) => one.sentences);
    const unlike = said.filter(
      (one) => one.applies && own.has(one.key) && JSON.stringify(own.get(one.key)?.value) !== JSON.stringify(one.value),
    );
    const list = unlike.map((one) => make("li", {}, one.text));
    place.append(
      make(
        "details",
        {},
        make("summary", {}, `${spacedName(other.name)}: ${counted(unlike.length, "other rule")}`),
        make("ul", { class: "says-list" }, ...list),
      ),
    );
  }
}

/** "division-15" is "Division 15". @param {string} name */
const spacedName = (name) => name.replaceAll("-", " ").replace(/^./, (letter) => letter.toUpperCase());
