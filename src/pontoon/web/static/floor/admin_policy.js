// The house policy: what is in force, and a form for every key.
import { button, cents, dateWords, dollars, field, listed, make, spaced } from "../parts.js";
import { rulesName } from "./common.js";

const MAKERS = [
  "guest",
  "player",
  "dealer",
  "game_supervisor",
  "casino_supervisor",
  "inspector",
  "tournament_director",
  "administrator",
];
const GUESTS = { play: "may play", watch: "may watch and practise", closed: "none" };
const WATCH = { anyone: "anyone may watch", people: "only people who are signed in" };

/** What is said below the keys that are a row of boxes. */
const BOXES = { makers: "Administrators always may.", rulebooks: "Tables may be made with these." };

/** The policy in a few words. @type {[string, (policy: any) => string][]} */
const SUMMARY = [
  ["Who may make tables", (policy) => (policy.makers.length > 7 ? "everyone" : listed(policy.makers.map(spaced)))],
  ["Limits allowed", (policy) => limits(policy)],
  ["Guests", (policy) => GUESTS[policy.guests]],
  ["Bots", (policy) => (policy.bots ? "allowed" : "none")],
  ["Spectators", (policy) => spectators(policy)],
  ["Rulebooks", (policy) => (policy.rulebooks.length ? listed(policy.rulebooks.map(rulesName)) : "all")],
  ["Hours", (policy) => (policy.opens ? `${policy.opens} to ${policy.closes}` : "always open")],
  ["Starting chips", (policy) => `${dollars(policy.first_chips)}, ${topUps(policy)}`],
  ["Unused tables leave the lobby", (policy) => days(policy.archive_days, "after")],
  ["Backups kept", (policy) => (policy.backup_days ? days(policy.backup_days, "for") : "for ever")],
];

const days = (count, word) => `${word} ${count} ${count === 1 ? "day" : "days"}`;
const topUps = (policy) =>
  policy.top_ups ? `top-up ${policy.top_up_hours ? `every ${policy.top_up_hours} h` : "any time"}` : "no top-up";
const spectators = (policy) =>
  WATCH[policy.spectators] + (policy.spectator_delay ? `, ${policy.spectator_delay} s behind` : "");

function limits(policy) {
  if (!policy.minimum && !policy.maximum) return "any";
  return policy.maximum
    ? `${dollars(policy.minimum)} to ${dollars(policy.maximum)}`
    : `from ${dollars(policy.minimum)}, no maximum`;
}

const changedWords = (reply) =>
  reply.at
    ? `Last changed by ${reply.by}, ${dateWords(reply.at)}.`
    : "This is how a server starts; nothing was changed.";

/** What is in force. @param {any} page */
export function policySummary(page) {
  const rows = make("dl", { class: "policy" });
  const changed = make("p", { class: "quiet" });
  const load = async () => {
    const reply = await page.answer(page.web.get("/api/policy"));
    if (!reply) return;
    const row = ([name, words]) => make("div", {}, make("dt", {}, name), make("dd", {}, words(reply.policy)));
    rows.replaceChildren(...SUMMARY.map(row));
    changed.textContent = changedWords(reply);
  };
  load();
  return [rows, changed];
}

/** The form. @param {any} page */
export function policyForm(page) {
  const place = make("form", { class: "stack policy-form" });
  const load = async () => {
    const reply = await page.answer(Promise.all([page.web.get("/api/policy"), page.web.get("/api/rulebooks")]));
    if (reply) fill(page, place, reply[0], reply[1].rulebooks);
  };
  load();
  return [place];
}

function fill(page, place, reply, books) {
  const fields = fieldsOf(reply.policy, books);
  const changed = make("p", { class: "quiet" }, changedWords(reply));
  const wrong = make("ul", { class: "bad", role: "alert" });
  const row = ([key, label, input]) =>
    BOXES[key] ? group(label, input.at, BOXES[key]) : field(label, input.at, reply.says[key]);
  const send = async (event) => {
    event.preventDefault();
    try {
      const values = Object.fromEntries(fields.map(([key, , input]) => [key, input.value()]));
      fill(page, place, await page.web.put("/api/admin/policy", { values }), books);
      page.app.notice("The policy is in force.");
    } catch (problem) {
      const faults = problem.facts?.faults ?? [problem.words ?? problem.message];
      wrong.replaceChildren(...faults.map((words) => make("li", {}, words)));
    }
  };
  place.onsubmit = send;
  const file = () => {
    const link = make("a", { download: "policy.toml", href: URL.createObjectURL(new Blob([reply.text])) });
    link.click();
    URL.revokeObjectURL(link.href);
  };
  place.replaceChildren(
    changed,
    make("fieldset", { class: "policy-fields", disabled: !page.changes }, ...fields.map(row)),
    wrong,
    make(
      "div",
      { class: "row" },
      page.changes && button("Put in force", () => {}, { type: "submit", class: "btn go" }),
      button("Save as a file", file, { class: "btn" }),
      page.changes && fromFile(page, place, books),
    ),
  );
}

/** Several boxes under one heading. */
function group(label, boxes, words) {
  boxes.setAttribute("aria-label", label);
  return make("div", { class: "field" }, make("span", {}, label), boxes, make("small", { class: "muted" }, words));
}

/** Read a policy file; the server checks it. */
function fromFile(page, place, books) {
  const input = make("input", { type: "file", accept: ".toml", "aria-label": "Read a policy file", hidden: true });
  input.addEventListener("change", async () => {
    const text = await input.files[0].text();
    const reply = await page.answer(page.web.put("/api/admin/policy", { text }));
    if (reply) fill(page, place, reply, books);
  });
  return make(
    "span",
    {},
    button("Read a file", () => input.click(), { class: "btn" }),
    input,
  );
}

/** Every key with its label and input. @returns {[string, string, {at: any, value: () => any}][]} */
function fieldsOf(policy, books) {
  return [
    ["makers", "Who may make tables", several(MAKERS, policy.makers, spaced)],
    ["minimum", "Lowest minimum", amount(policy.minimum)],
    ["maximum", "Highest maximum", amount(policy.maximum)],
    [
      "rulebooks",
      "Rulebooks",
      several(
        books.map((one) => one.name),
        policy.rulebooks,
        rulesName,
        true,
      ),
    ],
    ["bots", "Bots", tick(policy.bots)],
    ["guests", "Guests", choose(GUESTS, policy.guests)],
    ["first_chips", "Starting chips", amount(policy.first_chips)],
    ["top_ups", "Top-ups", tick(policy.top_ups)],
    ["top_up_hours", "Hours between top-ups", whole(policy.top_up_hours)],
    ["spectators", "Spectators", choose(WATCH, policy.spectators)],
    ["spectator_delay", "Delay for spectators, seconds", whole(policy.spectator_delay)],
    ["opens", "Opens", time(policy.opens)],
    ["closes", "Closes", time(policy.closes)],
    ["utc_offset", `Minutes from UTC (this browser: ${-new Date().getTimezoneOffset()})`, whole(policy.utc_offset)],
    ["archive_days", "Days until an unused table leaves the lobby", whole(policy.archive_days)],
    ["backup_days", "Days that backups are kept", whole(policy.backup_days)],
  ];
}

function amount(value) {
  const at = make("input", { inputmode: "decimal", value: (value / 100).toFixed(2) });
  return {
    at,
    value() {
      const read = cents(at.value);
      if (!Number.isFinite(read)) throw new Error(`"${at.value}": an amount such as 25 or 37.50 is needed.`);
      return read;
    },
  };
}

function whole(value) {
  const at = make("input", { type: "number", step: 1, value });
  return { at, value: () => Math.round(Number(at.value)) };
}

function time(value) {
  const at = make("input", { placeholder: "hh:mm", value, pattern: "([01][0-9]|2[0-3]):[0-5][0-9]" });
  return { at, value: () => at.value.trim() };
}

function tick(value) {
  const at = make("input", { type: "checkbox", checked: value });
  return { at, value: () => at.checked };
}

function choose(words, value) {
  const at = make("select", {});
  at.append(
    ...Object.entries(words).map(([key, said]) => make("option", { value: key, selected: key === value }, said)),
  );
  return { at, value: () => at.value };
}

/** Several of some names; with `all` none chosen means all of them. */
function several(names, chosen, words, all = false) {
  const ticked = (name) => chosen.includes(name) || (all && !chosen.length);
  const boxes = names.map((name) => make("input", { type: "checkbox", value: name, checked: ticked(name) }));
  const at = make(
    "div",
    { class: "several", role: "group" },
    ...boxes.map((box) => make("label", {}, box, words(box.value))),
  );
  const value = () => boxes.filter((box) => box.checked).map((box) => box.value);
  return { at, value: () => (all && value().length === names.length ? [] : value()) };
}
