// One incident as a report for print.
import { button, dateWords, dollars, make, spaced } from "../parts.js";
import { link } from "./app.js";
import { rulesName } from "./common.js";
import { preview } from "./preview.js";

/** @param {any} app @param {any} main @param {string} table @param {string} number */
export function open(app, main, table, number) {
  app.header(
    `Incident ${table}-${number}`,
    [],
    [button("Print", () => print(), { class: "btn small" }), link("All incidents", "/incidents")],
  );
  load(app, main, table, number);
  return {};
}

const CLOCK = /** @type {const} */ ({ hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });
const clock = (at) => new Date(at).toLocaleTimeString("en-AU", CLOCK);

async function load(app, main, table, number) {
  const answer = await app.connection.get(`/api/incidents/${table}/${number}`).catch((problem) => {
    app.notice(problem.words, "alarm");
    return null;
  });
  if (!answer) return;
  main.replaceChildren(report(answer));
}

function report(answer) {
  const { row } = answer;
  return make(
    "article",
    { class: "report" },
    make("p", { class: "quiet" }, `${dateWords(row.at)}. Confidential.`),
    make("h2", {}, `Incident report ${row.table}-${row.number}`),
    make("p", {}, row.words, " ", make("span", { class: "tag" }, row.state)),
    factSheet(answer),
    ...preview(answer, answer.money),
    ...decision(answer),
    make(
      "div",
      { class: "signatures" },
      ...row.people.map((one) => make("p", {}, one, role(answer, one))),
      !answer.steps.some((one) => one.role === "inspector") && make("p", {}, "Inspector, if present"),
    ),
    make(
      "p",
      { class: "quiet" },
      `Log entries ${answer.steps[0].version} to ${answer.steps.at(-1).version}. `,
      `Hash of the last: ${answer.hash.slice(0, 16)}`,
    ),
  );
}

/** ", dealer" after a name. @param {any} answer @param {string} name */
function role(answer, name) {
  const found = answer.steps.find((one) => one.by === name);
  return found ? `, ${spaced(found.role)}` : "";
}

const RULES = ["game_supervisor", "casino_supervisor"];
const NO_RULING = ["Approve", "Reject", "Pause", "Resume"];

function factSheet(answer) {
  const { row } = answer;
  const doer = (is) => answer.steps.find(is)?.by ?? "–";
  const facts = [
    ["Table", `${answer.name || row.table}, ${rulesName(answer.rulebook)} rules`],
    ["Round, shoe", `${row.round}, ${answer.shoe}`],
    ["Noticed", clock(row.at)],
    ["Play went on", row.state === "open" ? "still held" : clock(answer.until)],
    ["Reported by", answer.steps[0].by],
    ["Ruled by", doer((one) => RULES.includes(one.role) && !NO_RULING.includes(one.did))],
    ["Approved by", doer((one) => one.did === "Approve")],
    ["Moved in all", dollars(row.moved)],
  ];
  return make(
    "dl",
    { class: "facts" },
    ...facts.map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, value))),
  );
}

function decision(answer) {
  const ruled = answer.decisions.length ? answer.decisions.join("; ") : "No ruling was made";
  const cited = answer.row.clauses.length ? `. Clauses ${answer.row.clauses.join(", ")}` : "";
  const line = (one) =>
    make(
      "tr",
      {},
      make("th", { scope: "row" }, clock(one.at)),
      make("td", {}, `${one.by}, ${spaced(one.role)}`),
      make("td", {}, one.words),
    );
  return [
    make("h3", {}, "Decision"),
    make("p", {}, `${ruled}${cited}.`),
    make("h3", {}, "Times"),
    make("table", {}, make("tbody", {}, ...answer.steps.map(line))),
  ];
}
