// The administration: the server at a glance, people, chips, tables, house policy, backups, checks, audit trail.
import { button, counted, dateWords, dialog, dollars, field, make, renew, spaced } from "../parts.js";
import { save } from "../panels/part.js";
import { rulebooks, tables, wallets } from "./admin_books.js";
import { policyForm, policySummary } from "./admin_policy.js";
import { sheet, table } from "./admin_sheets.js";
import { link, signOut } from "./app.js";

const OFTEN = 5000;
const FEW_LINES = 8;
const LINES = 40;
const GIGABYTE = 1e9;
const MANY_FAILURES = 5;
const LINKS = "A password link works once, for 30 minutes.";
const ROLES = [
  "player",
  "dealer",
  "game_supervisor",
  "casino_supervisor",
  "inspector",
  "tournament_director",
  "administrator",
];

/** What an event of the audit trail says. @type {Record<string, (row: any) => string>} */
const SAYS = {
  AccountOpened: (row) => `${row.name}: account opened as ${spaced(row.detail)}`,
  PasswordSet: (row) => `${row.name} has a new password`,
  RoleGiven: (row) => `${row.name} is now ${spaced(row.detail)}`,
  TokenGiven: (row) => `${row.name} signed in`,
  TokensRevoked: (row) => `${row.name}: sessions ended`,
  AccountSuspended: (row) => `${row.name} was suspended${row.detail && `: ${row.detail}`}`,
  AccountRestored: (row) => `${row.name} may sign in again`,
  LinkGiven: (row) => `${row.name}: a link to set a password was made`,
  ChipsGiven: (row) => `${row.name} was given ${row.detail} in chips`,
  PolicySet: (row) => `House policy changed: ${row.detail.replaceAll("_", " ") || "nothing new"}`,
  TableArchived: (row) => `Table ${row.name} is ${row.detail}`,
};
const FILTERS = {
  Everything: "",
  "Sign-ins": "TokenGiven,TokensRevoked",
  Roles: "RoleGiven,AccountOpened",
  Passwords: "PasswordSet,LinkGiven",
  Suspensions: "AccountSuspended,AccountRestored",
  Chips: "ChipsGiven",
  "House policy": "PolicySet",
  Tables: "TableArchived",
};
/** The parts of the page by their address, with what each counts. */
const PARTS = [
  ["", "Overview", ""],
  ["people", "People", "people"],
  ["guests", "Guests", "guests"],
  ["wallets", "Wallets", ""],
  ["tables", "Tables", "tables"],
  ["rulebooks", "Rulebooks", ""],
  ["policy", "House policy", ""],
  ["backups", "Backups", ""],
  ["checks", "Checks", ""],
  ["audit", "Audit trail", ""],
];

/** @param {any} app @param {any} main @param {string} [part] */
export const open = (app, main, part = "") => new AdminPage(app, main, part);

class AdminPage {
  constructor(app, main, part) {
    this.app = app;
    this.web = app.connection;
    this.part = part;
    this.changes = app.role() === "administrator";
    this.glance = make("div", { class: "glance" });
    this.version = make("p", { class: "quiet" });
    /** What the navigation counts. @type {Record<string, HTMLElement>} */
    this.counts = {};
    this.people = make("tbody", {});
    /** @type {any[]} */
    this.known = [];
    this.backups = make("tbody", {});
    this.checks = make("p", { role: "status" });
    this.progress = make("div", { class: "stack" });
    this.trail = make("ol", { class: "trail" });
    this.older = button("Older", () => this.loadTrail(this.next), { class: "btn small", hidden: true });
    this.whose = make("input", { type: "search", placeholder: "Anyone", onchange: () => this.loadTrail() });
    this.next = 0;
    this.find = make("input", { type: "search", placeholder: "Find a person", oninput: () => this.listPeople() });
    this.filter = make("select", { onchange: () => this.loadTrail() });
    this.filter.append(...Object.keys(FILTERS).map((words) => make("option", {}, words)));
    const title = PARTS.find(([path]) => path === part)?.[1] ?? "Overview";
    app.header(
      "Administration",
      [title],
      [
        link("Floor", "/floor"),
        link("Pit", "/pit"),
        link("History", "/search"),
        button("Sign out", signOut, { class: "btn small" }),
      ],
    );
    const sections = make("div", { class: part ? "admin one" : "admin" }, ...this.sections());
    main.replaceChildren(
      make("div", { class: "admin-page" }, this.navigation(), make("div", {}, !part && this.glance, sections)),
    );
    this.load();
    this.timer = setInterval(() => this.look(), OFTEN);
  }

  navigation() {
    const links = PARTS.map(([path, words, count]) => {
      const shown = make("span", { class: "count" });
      if (count) this.counts[count] = shown;
      const current = path === this.part ? "page" : false;
      const href = path ? `/admin/${path}` : "/admin";
      return make("li", {}, make("a", { href, "data-route": true, "aria-current": current }, words, count && shown));
    });
    return make("nav", { class: "admin-nav", "aria-label": "Administration" }, make("ul", {}, ...links), this.version);
  }

  /** The sheets of this part. */
  sections() {
    const made = {
      "": () => [
        this.peopleSheet("People"),
        this.policySheet(),
        this.trailSheet(link("All of it", "/admin/audit")),
        make("div", { class: "stack" }, this.backupSheet(), this.checkSheet()),
      ],
      people: () => [this.peopleSheet("People")],
      guests: () => [this.peopleSheet("Guests")],
      wallets: () => [sheetOf("Wallets", wallets(this))],
      tables: () => [sheetOf("Tables", tables(this))],
      rulebooks: () => [sheetOf("Rulebooks", rulebooks(this))],
      policy: () => [sheet("House policy", [], ...policyForm(this))],
      backups: () => [this.backupSheet()],
      checks: () => [this.checkSheet()],
      audit: () => [this.trailSheet()],
    };
    return (made[this.part] ?? made[""])();
  }

  peopleSheet(title) {
    const add = this.changes && button("Add a person", () => this.add(), { class: "btn go" });
    const words =
      title === "Guests"
        ? "Guests have no password: only their browser lets them come back. The house policy says what they may do."
        : `${LINKS} The last administrator keeps the role until another person has it.`;
    return sheet(
      title,
      [field("Find", this.find), title === "People" && add],
      table(title, ["Name", "Role", "Last seen", "State", "Change"], this.people),
      make("p", { class: "quiet" }, words),
    );
  }

  policySheet() {
    const words = this.changes ? "Change" : "All of it";
    return sheet("House policy", [link(words, "/admin/policy")], ...policySummary(this));
  }

  backupSheet() {
    const backUp = this.changes && button("Back up now", () => this.backUp(), { class: "btn go" });
    return sheet("Backups", [backUp], table("Backups", ["When", "Size", "File"], this.backups, [1]));
  }

  checkSheet() {
    return sheet(
      "Checks",
      [],
      make(
        "div",
        { class: "row" },
        button("Verify the log", () => this.verify(), { class: "btn" }),
        button("Trial balance", () => this.balance(), { class: "btn" }),
      ),
      this.checks,
      this.progress,
    );
  }

  trailSheet(more = this.older) {
    return sheet("Audit trail", [field("Person", this.whose), field("Show", this.filter)], this.trail, more);
  }

  close() {
    clearInterval(this.timer);
  }

  /** Ask the server; a refusal is shown. @param {Promise<any>} asked */
  async answer(asked) {
    try {
      return await asked;
    } catch (problem) {
      this.app.notice(problem.words ?? "The server does not answer.", "alarm");
      return null;
    }
  }

  async load() {
    await Promise.all([this.look(), this.loadPeople(), this.loadBackups(), this.loadTrail()]);
  }

  async look() {
    const reply = await this.answer(this.web.get("/api/admin/overview"));
    if (!reply) return;
    for (const [name, shown] of Object.entries(this.counts)) shown.textContent = String(reply[name]);
    const processes = reply.processes === 1 ? "one process" : `${reply.processes} processes`;
    this.version.textContent = `Version ${reply.version}, ${processes}`;
    renew(this.progress, ...verification(reply));
    renew(this.glance, ...tiles(reply));
  }

  // --- people ---

  async loadPeople() {
    this.known = [];
    let cursor = "";
    do {
      const path = `/api/admin/accounts?limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
      const reply = await this.answer(this.web.get(path));
      if (!reply) return;
      this.known.push(...reply.accounts);
      cursor = reply.next ?? "";
    } while (cursor);
    this.listPeople();
  }

  listPeople() {
    const wanted = this.find.value.toLowerCase();
    const fits = (one) => (this.part === "guests" ? one.guest : wanted || !one.guest);
    const shown = this.known.filter((one) => fits(one) && one.name.toLowerCase().includes(wanted));
    this.people.replaceChildren(...shown.slice(0, 200).map((one) => this.person(one)));
  }

  person(one) {
    const signed = one.sessions ? counted(one.sessions, "session") : "signed out";
    const state = one.suspended ? "suspended" : one.locked ? `locked for ${one.locked} s` : signed;
    const path = `/api/admin/accounts/${encodeURIComponent(one.name)}`;
    const small = { class: "btn small" };
    const { changes } = this;
    const role = make("select", { "aria-label": `Role of ${one.name}`, disabled: !changes || one.guest });
    role.append(...ROLES.map((name) => make("option", { value: name, selected: name === one.role }, spaced(name))));
    role.addEventListener("change", async () => {
      await this.answer(this.web.put(`${path}/role`, { role: role.value }));
      this.loadPeople();
      this.loadTrail();
    });
    const suspend = one.suspended
      ? button("Restore", () => this.change(this.web.delete(`${path}/suspension`)), { class: "btn small" })
      : button("Suspend", () => this.suspend(one.name, path), { class: "btn small" });
    const end = button("End sessions", () => this.change(this.web.delete(`${path}/sessions`)), { class: "btn small" });
    const unlock =
      changes && one.locked > 0 && button("Unlock", () => this.change(this.web.delete(`${path}/lock`)), small);
    const history = button("Sign-ins", () => this.showSignIns(one.name), {
      ...small,
      "aria-label": `Sign-ins of ${one.name}`,
    });
    const password = button("Password link", () => this.showLink(this.web.post(`${path}/link`)), {
      class: "btn small",
    });
    const few = [changes && password, unlock, suspend];
    const shown = this.part ? [...few, changes && one.sessions > 0 && end, history] : few;
    return make(
      "tr",
      {},
      make("th", { scope: "row" }, one.name, one.guest && make("small", { class: "quiet" }, " guest")),
      make("td", {}, role),
      make("td", {}, one.seen ? dateWords(one.seen) : "never"),
      make("td", {}, make("span", { class: one.suspended || one.locked ? "bad" : "" }, state)),
      make("td", { class: "row" }, ...shown),
    );
  }

  /** When a person signed in and out. @param {string} name */
  async showSignIns(name) {
    const what = "TokenGiven,TokensRevoked,PasswordSet";
    const reply = await this.answer(
      this.web.get(`/api/admin/audit?limit=50&what=${what}&name=${encodeURIComponent(name)}`),
    );
    if (!reply) return;
    const box = dialog(
      `Sign-ins of ${name}`,
      make("ol", { class: "trail" }, ...(reply.events.length ? reply.events.map(trailLine) : ["None."])),
      button("Close", () => box.close(), { class: "btn" }),
    );
  }

  async change(asked) {
    await this.answer(asked);
    await Promise.all([this.loadPeople(), this.loadTrail()]);
  }

  suspend(name, path) {
    const reason = make("input", { maxlength: 150, required: true });
    const act = async (event) => {
      event.preventDefault();
      box.close();
      await this.change(this.web.put(`${path}/suspension`, { reason: reason.value }));
    };
    const box = dialog(
      `Suspend ${name}`,
      make(
        "form",
        { onsubmit: act },
        make("p", {}, "All sessions end, nobody can sign in to the account, and the tables of this person are paused."),
        field("Reason", reason),
        button("Suspend", () => {}, { type: "submit", class: "btn stop" }),
        button("Cancel", () => box.close(), { class: "btn" }),
      ),
    );
  }

  add() {
    const name = make("input", { maxlength: 20, required: true });
    const role = make("select", {});
    role.append(...ROLES.map((one) => make("option", { value: one, selected: one === "dealer" }, spaced(one))));
    const act = async (event) => {
      event.preventDefault();
      box.close();
      await this.showLink(this.web.post("/api/admin/accounts", { name: name.value, role: role.value }));
    };
    const box = dialog(
      "Add a person",
      make(
        "form",
        { onsubmit: act },
        field("Name", name),
        field("Role", role),
        button("Add", () => {}, { type: "submit", class: "btn go" }),
        button("Cancel", () => box.close(), { class: "btn" }),
      ),
    );
  }

  async showLink(asked) {
    const made = await this.answer(asked);
    if (!made) return;
    const address = `${location.origin}/floor#link=${made.link}`;
    const shown = make("input", { readonly: true, value: address, "aria-label": "Link", class: "link" });
    const box = dialog(
      `For ${made.name}`,
      make("p", {}, `Hand over this link. It sets a password once, until ${dateWords(made.until)}.`),
      shown,
      button("Copy", () => navigator.clipboard?.writeText(address).then(() => this.app.notice("Copied.")), {
        class: "btn go",
      }),
      button("Close", () => box.close(), { class: "btn" }),
    );
    shown.select();
    await Promise.all([this.loadPeople(), this.loadTrail()]);
  }

  // --- backups and checks ---

  async loadBackups() {
    if (!this.changes) return;
    const reply = await this.answer(this.web.get("/api/admin/backups"));
    const rows = (reply?.backups ?? []).map((one) =>
      make(
        "tr",
        {},
        make("th", { scope: "row" }, dateWords(one.at)),
        make("td", { class: "num" }, `${(one.size / 1e6).toFixed(1)} MB`),
        make(
          "td",
          { class: "row" },
          button("Verify", () => this.verifyBackup(one.file), {
            class: "btn small",
            "aria-label": `Verify ${one.file}`,
          }),
          button("Download", () => save(this.web, `/api/admin/backups/${one.file}`, one.file), {
            class: "btn small",
            "aria-label": `Download ${one.file}`,
          }),
        ),
      ),
    );
    renew(this.backups, ...(rows.length ? rows : [make("tr", {}, make("td", { colspan: 3 }, "No backup yet."))]));
  }

  async backUp() {
    this.app.notice("Copying and verifying…");
    const made = await this.answer(this.web.post("/api/admin/backup"));
    if (made) this.app.notice(`${made.file} was written and verified.`);
    await this.loadBackups();
  }

  async verifyBackup(file) {
    this.app.notice("Reading every row of the copy…");
    const reply = await this.answer(this.web.post(`/api/admin/backups/${file}/verification`));
    if (reply) this.app.notice(reply.whole ? `${file} is whole.` : faultWords(reply), reply.whole ? "" : "alarm");
  }

  async verify() {
    this.checks.textContent = "Reading every entry…";
    const reply = await this.answer(this.web.get("/api/admin/verify"));
    const whole = reply?.whole && `The log is as written (${reply.milliseconds} ms).`;
    this.checks.textContent = reply ? whole || faultWords(reply) : "";
  }

  async balance() {
    const reply = await this.answer(this.web.get("/api/admin/balance"));
    const kinds = reply && Object.entries(reply.kinds).map(([kind, sum]) => `${kind} ${dollars(sum)}`);
    this.checks.textContent = reply ? `${reply.zero ? "Balanced" : "NOT balanced"}: ${kinds.join(", ")}.` : "";
  }

  // --- the audit trail ---

  /** @param {number} [before] */
  async loadTrail(before = 0) {
    const query = new URLSearchParams({
      limit: String(this.part ? LINES : FEW_LINES),
      before: String(before),
      what: FILTERS[this.filter.value],
      name: this.whose.value,
    });
    const reply = await this.answer(this.web.get(`/api/admin/audit?${query}`));
    if (!reply) return;
    const lines = reply.events.map(trailLine);
    if (before) this.trail.append(...lines);
    else renew(this.trail, ...(lines.length ? lines : [make("li", {}, "Nothing yet.")]));
    this.next = reply.next ?? 0;
    this.older.hidden = !this.next;
  }
}

/** @param {string} title @param {any[]} made tools and content */
const sheetOf = (title, [tools, ...content]) => sheet(title, tools, ...content);

const faultWords = (reply) => reply.faults.map((one) => `${one.stream} ${one.version}: ${one.words}`).join("; ");

function trailLine(row) {
  const by = row.by === row.name ? "" : ` (by ${row.by})`;
  return make("li", {}, make("time", {}, dateWords(row.at)), ` ${SAYS[row.what]?.(row) ?? row.what}${by}`);
}

/** How far the server has read its log. */
function verification(reply) {
  if (reply.whole || reply.fault) return [];
  const words = `Verifying the log: ${reply.verified} of ${reply.entries} entries`;
  return [make("label", {}, words, make("progress", { value: reply.verified, max: Math.max(reply.entries, 1) }))];
}

const logWords = (reply) =>
  reply.whole ? `${reply.entries} entries; checked at the start` : `${reply.verified} of ${reply.entries} entries`;

/** The server at a glance. */
function tiles(reply) {
  const disk = reply.free_bytes < 0 ? "free space unknown" : `${(reply.free_bytes / GIGABYTE).toFixed(1)} GB free`;
  const log = reply.whole ? "Verified" : reply.fault ? "Damaged" : "Verifying";
  const failed = reply.failed_sign_ins;
  const most = failed ? `most for ${reply.most_failed}, last hour` : "in the last hour";
  return [
    tile(true, "Server", "Healthy", `since ${dateWords(reply.started)}, ${counted(reply.sockets, "connection")}`),
    tile(true, "Commands", `${reply.commands} per s`, "since the start"),
    tile(
      reply.free_bytes < 0 || reply.free_bytes > GIGABYTE,
      "Store",
      `${reply.commit_milliseconds} ms`,
      `a commit; ${disk}`,
    ),
    tile(!reply.fault, "Log", log, reply.fault || logWords(reply)),
    tile(true, "Tables", String(reply.tables), `${counted(reply.guests, "guest")}, ${reply.suspended} suspended`),
    tile(failed < MANY_FAILURES, "Sign-ins", `${failed} failed`, most),
  ];
}

function tile(good, name, value, words) {
  return make(
    "section",
    { class: good ? "glance-tile" : "glance-tile alert-tile" },
    make("h2", { class: "cap" }, make("span", { "aria-hidden": "true" }, good ? "✓ " : "! "), name),
    make("p", { class: "value" }, value),
    make("p", { class: "quiet" }, words),
  );
}
