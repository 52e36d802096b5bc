// The administration's lists of tables, wallets and rulebooks.
import { button, cents, counted, dateWords, dollars, field, make } from "../parts.js";
import { amountField, form, PHASES, rulesName } from "./common.js";
import { table } from "./admin_sheets.js";

const PAGE = 50;

/** "$5 to $500". @param {{minimum: number, maximum: number}} row */
const limits = (row) => `${dollars(row.minimum)} to ${row.maximum ? dollars(row.maximum) : "no maximum"}`;

/** All pages of a list. @param {any} page @param {string} path @param {string} key */
export async function everything(page, path, key) {
  const rows = [];
  let cursor = "";
  do {
    const more = cursor && `&cursor=${encodeURIComponent(cursor)}`;
    const reply = await page.answer(page.web.get(`${path}?limit=100${more}`));
    if (!reply) return rows;
    rows.push(...reply[key]);
    cursor = reply.next ?? "";
  } while (cursor);
  return rows;
}

// --- tables ---

/** @param {any} page */
export function tables(page) {
  const rows = make("tbody", {});
  const load = async () => {
    const known = await everything(page, "/api/admin/tables", "tables");
    rows.replaceChildren(...known.map((one) => tableRow(page, one, load)));
    if (!known.length) rows.append(make("tr", {}, make("td", { colspan: 6 }, "No table yet.")));
  };
  load();
  const add = page.changes && button("Make a table", () => makeTable(page, load), { class: "btn go" });
  return [[add], table("Tables", ["Table", "Rules", "Limits", "State", "Made by", "Change"], rows)];
}

function tableRow(page, one, load) {
  const path = `/api/admin/tables/${one.id}`;
  const act = async (asked) => {
    const reply = await page.answer(asked);
    if (reply?.state === "noticed") page.app.notice("Notice was given. Close again when it has run out.");
    load();
  };
  const marks = ["private", "practice", "tournament", "paused", "archived"].filter((mark) => one[mark]);
  const state = [PHASES[one.phase], ...marks, one.closing && "closing", counted(one.seated, "player")];
  const open = one.phase !== "closed" && !one.tournament;
  const archive = one.archived
    ? button("Show in the lobby", () => act(page.web.delete(`${path}/archive`)), { class: "btn small" })
    : button("Archive", () => act(page.web.put(`${path}/archive`)), { class: "btn small" });
  return make(
    "tr",
    {},
    make("th", { scope: "row" }, make("a", { href: `/t/${one.id}` }, one.name || one.id)),
    make("td", {}, rulesName(one.rulebook)),
    make("td", {}, limits(one)),
    make("td", {}, state.filter(Boolean).join(", ")),
    make("td", {}, one.made_by),
    make(
      "td",
      { class: "row" },
      page.changes && open && button("Limits", () => setLimits(page, one, load), { class: "btn small" }),
      page.changes && open && button("Close", () => act(page.web.put(`${path}/closing`)), { class: "btn small" }),
      page.changes && !one.tournament && archive,
    ),
  );
}

async function makeTable(page, load) {
  const known = await page.answer(page.web.get("/api/admin/rulebooks"));
  if (!known) return;
  const rulebook = make("select", {});
  const offered = known.rulebooks.filter((one) => one.offered);
  rulebook.append(...offered.map((one) => make("option", { value: one.name }, rulesName(one.name))));
  const name = make("input", { maxlength: 60, placeholder: "Main room" });
  const mode = make("select", {});
  mode.append(
    make("option", { value: "automatic" }, "dealt by the program"),
    make("option", { value: "floor" }, "dealt by a person"),
  );
  const minimum = amountField("Minimum", 500);
  const maximum = amountField("Maximum", 50_000);
  const rows = [field("Rules", rulebook), field("Name", name), field("Dealer", mode), minimum.row, maximum.row];
  form("Make a table", rows, "Make the table", async () => {
    await page.web.post("/api/tables", {
      rulebook: rulebook.value,
      name: name.value,
      mode: mode.value,
      minimum: minimum.value(),
      maximum: maximum.value(),
    });
    load();
  });
}

function setLimits(page, one, load) {
  const minimum = amountField("Minimum", one.minimum);
  const maximum = amountField("Maximum", one.maximum);
  const words = "The players get notice of the new limits, then the sign changes.";
  form(`Limits of ${one.name || one.id}`, [make("p", {}, words), minimum.row, maximum.row], "Change", async () => {
    const now = await page.web.get(`/api/tables/${one.id}`);
    const wanted = {
      minimum: minimum.value(),
      maximum: maximum.value(),
      smallest_chip: now.view.limits.smallest_chip,
    };
    const commands = [
      { type: "AnnounceLimits", limits: wanted },
      { type: "SetLimits", limits: wanted, told: true },
    ];
    for (const command of commands) {
      await page.web.post(`/api/tables/${one.id}/commands`, { key: crypto.randomUUID(), command });
    }
    load();
  });
}

// --- wallets ---

/** @param {any} page */
export function wallets(page) {
  const rows = make("tbody", {});
  const postings = make("div", { class: "stack" });
  const find = make("input", { type: "search", placeholder: "Find a person" });
  const load = async () => {
    const reply = await page.answer(
      page.web.get(`/api/admin/wallets?limit=100&find=${encodeURIComponent(find.value)}`),
    );
    rows.replaceChildren(...(reply?.wallets ?? []).map((one) => walletRow(page, one, postings, load)));
  };
  find.addEventListener("input", load);
  load();
  const head = ["Name", "Wallet", "On tables", "Owed", "Practice", "Change"];
  return [[field("Find", find)], table("Wallets", head, rows, [1, 2, 3, 4]), postings];
}

function walletRow(page, one, postings, load) {
  const amount = (value) => make("td", { class: "num" }, dollars(value));
  const look = () => showPostings(page, one.name, postings, 0);
  return make(
    "tr",
    {},
    make("th", { scope: "row" }, one.name, one.guest && make("small", { class: "quiet" }, " guest")),
    ...[one.wallet, one.on_tables, one.owed, one.practice].map(amount),
    make(
      "td",
      { class: "row" },
      button("Postings", look, { class: "btn small", "aria-label": `Postings of ${one.name}` }),
      page.changes && button("Give chips", () => giveChips(page, one.name, load), { class: "btn small" }),
    ),
  );
}

function giveChips(page, name, load) {
  const input = make("input", { inputmode: "decimal", required: true });
  form(`Chips for ${name}`, [field("Amount", input)], "Give", async () => {
    const amount = cents(input.value);
    if (!(amount > 0)) throw new Error("An amount such as 25 or 37.50 is needed.");
    await page.web.post(`/api/admin/wallets/${encodeURIComponent(name)}/chips`, { amount });
    load();
  });
}

/** The postings of a wallet, newest first, each with the balance after it. */
async function showPostings(page, name, place, skip) {
  const path = `/api/admin/wallets/${encodeURIComponent(name)}?limit=${PAGE}&skip=${skip}`;
  const reply = await page.answer(page.web.get(path));
  if (!reply) return;
  const line = (one) =>
    make(
      "tr",
      {},
      make("th", { scope: "row" }, dateWords(one.at)),
      make("td", {}, streamWords(one.stream)),
      make("td", {}, one.by),
      make("td", { class: "num" }, `${one.amount > 0 ? "+" : ""}${dollars(one.amount)}`),
      make("td", { class: "num" }, dollars(one.balance)),
    );
  const rows = make("tbody", {}, ...reply.postings.map(line));
  const turn = (words, to) =>
    button(words, () => showPostings(page, name, place, to), { class: "btn small", disabled: to === null || to < 0 });
  place.replaceChildren(
    make("h2", {}, `Postings of ${name}`),
    table(`Postings of ${name}`, ["When", "Where", "By", "Amount", "Wallet after"], rows, [3, 4]),
    make("div", { class: "row" }, turn("Newer", skip ? skip - PAGE : null), turn("Older", reply.next)),
  );
  place.scrollIntoView({ block: "nearest" });
}

/** "table k3x9pq", "the house". @param {string} stream */
const streamWords = (stream) => (stream === "people" ? "the house" : stream.replace("/", " "));

// --- rulebooks ---

/** @param {any} page */
export function rulebooks(page) {
  const rows = make("tbody", {});
  const load = async () => {
    const reply = await page.answer(page.web.get("/api/admin/rulebooks"));
    rows.replaceChildren(
      ...(reply?.rulebooks ?? []).map((one) =>
        make(
          "tr",
          {},
          make("th", { scope: "row" }, make("a", { href: `/rules/${one.name}` }, rulesName(one.name))),
          make("td", {}, one.title),
          make("td", {}, one.shipped ? "shipped" : "this server's own"),
          make("td", { class: "num" }, String(one.tables)),
          make("td", {}, one.offered ? "offered" : "not offered"),
          make("td", {}, make("code", {}, one.digest.slice(0, 12))),
        ),
      ),
    );
  };
  load();
  const head = ["Name", "Title", "Origin", "Open tables", "House policy", "Digest"];
  const words =
    "Which rulebooks tables may be made with is in the house policy. A table keeps the rules it was made with.";
  return [[], table("Rulebooks", head, rows, [3]), make("p", { class: "quiet" }, words)];
}
