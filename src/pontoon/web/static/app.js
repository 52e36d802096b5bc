// The page: the router, the header, notices and panels.
import { Connection } from "./connection.js";
import { Session, Settings } from "./settings.js";
import { button, dollars, make, net, on } from "./parts.js";

/** Where the last table of this browser's own is stored. */
export const OWN_TABLE = "pontoon.table";
/** Where the table is stored that deals its first hand without being asked. */
export const FIRST_HAND = "pontoon.first-hand";

const settings = new Settings();
const connection = new Connection();
const session = new Session(settings);
const at = (id) => /** @type {any} */ (document.getElementById(id));

/** The open page. @type {Page | null} */
let page = null;
/** The open panel. @type {{name: string, element: any, from: any} | null} */
let panel = null;
let noticeTimer = 0;

/** @type {App} */
export const app = {
  connection,
  settings,
  session,
  go,
  notice,
  openPanel,
  closePanel,
  showHelp,
  newChips,
  newPracticeChips,
  showUser,
  updatePanel: (model) => panel?.element.update?.(model),
  panelName: () => panel?.name ?? "",
  model: () => page?.model ?? null,
  where,
  tools,
  coachSwitch,
  signInAsGuest,
  playNow,
};

// --- the router ---

/** The module of each kind of page, by the first part of its address; without one it is the start page. */
const PAGES = {
  t: "./place.js",
  tables: "./lobby.js",
  tournament: "./tournament.js",
  screen: "./tournament_screen.js",
  conditions: "./conditions.js",
  lab: "./lab/page.js",
  learn: "./learn/lesson.js",
  rules: "./learn/rules.js",
  train: "./train/page.js",
  hand: "./hand/page.js",
  review: "./review/page.js",
  players: "./players/page.js",
  me: "./me/page.js",
};

/** Go to an address of this page. @param {string} path @param {boolean} [replace] in place of the current one */
export function go(path, replace = false) {
  history[replace ? "replaceState" : "pushState"](null, "", path);
  route();
}

async function route() {
  const [, kind = "", id = ""] = /^\/([a-z]+)(?:\/([^/]+))?$/.exec(location.pathname) ?? [];
  page?.close();
  page = null;
  showUser();
  closePanel();
  notice("");
  const name = PAGES[kind] ?? "./home.js";
  const shown = location.pathname;
  document.body.dataset.page = kind || "home";
  where("", "");
  tools(null);
  coachSwitch(false);
  markNav(kind);
  try {
    const module = await import(name);
    if (shown !== location.pathname) return;
    page = module.open(app, at("main"), id);
  } catch (error) {
    console.error(error);
    notice("The page could not be loaded. Try again in a moment.");
  }
}

document.addEventListener("click", (event) => {
  const link = /** @type {Element} */ (event.target).closest("a[data-route]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  go(link.getAttribute("href") ?? "/");
});
addEventListener("popstate", route);

/** Mark the page in the navigation. @param {string} kind */
function markNav(kind) {
  for (const link of document.querySelectorAll("#nav a"))
    if (link.getAttribute("href") === `/${kind}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
}

// --- the header ---

/**
 * Name and rules of the table that is open, in place of the navigation.
 * @param {string} name
 * @param {string} line
 * @param {string} [more] of the line, where there is room
 */
function where(name, line, more = "") {
  at("where").hidden = !name;
  at("where").replaceChildren(make("b", {}, name), make("small", {}, line, make("span", { class: "further" }, more)));
}

/** The tools of the open page. @param {HTMLElement | null} element */
function tools(element) {
  at("page-tools").replaceChildren(...(element ? [element] : []));
}

/** Show the coach's switch where the coach is available. @param {boolean} shown */
function coachSwitch(shown) {
  const here = at("coach");
  here.hidden = !shown;
  here.setAttribute("aria-pressed", String(settings.coach));
}
at("coach").addEventListener("click", () => settings.set("coach", !settings.coach));
at("menu").addEventListener("click", () => openMenu(!document.body.dataset.menu));

/** On a small screen the tools are in a menu. @param {boolean} open */
function openMenu(open) {
  at("menu").setAttribute("aria-expanded", String(open));
  if (open) document.body.dataset.menu = "open";
  else delete document.body.dataset.menu;
}
document.addEventListener("click", (event) => {
  const { target } = event;
  if (!(target instanceof Element) || !target.closest("#menu")) openMenu(false);
});

function showSound() {
  at("sound").setAttribute("aria-pressed", String(settings.sound));
}
at("sound").addEventListener("click", () => settings.set("sound", !settings.sound));
document.addEventListener("pointerdown", async () => settings.sound && (await import("./sound.js")).wake(), {
  once: true,
});

// --- playing without a form ---

const NAMES = [
  "Magpie",
  "Wattle",
  "Banksia",
  "Rosella",
  "Kookaburra",
  "Currawong",
  "Waratah",
  "Galah",
  "Bilby",
  "Quokka",
];

/** Sign in as a guest with a name from a list; the server adds a number where it is taken. */
async function signInAsGuest() {
  if (connection.signedIn) return true;
  try {
    await connection.guest(NAMES[Math.floor(Math.random() * NAMES.length)]);
    return true;
  } catch (problem) {
    notice(problem.words);
    return false;
  }
}

/** Open a private practice table without a clock, and deal a hand there. @param {Record<string, any>} [more] */
async function playNow(more = {}) {
  if (!(await signInAsGuest())) return;
  try {
    const clocks = { card: 350, wagers: 600_000, decision: 600_000, offer: 600_000 };
    const { usual } = await connection.rulebooks();
    const own = { rulebook: usual, name: "Your table", private: true, practice: true, clocks };
    const made = await connection.post("/api/tables", { ...own, ...more });
    localStorage.setItem(OWN_TABLE, made.id);
    sessionStorage.setItem(FIRST_HAND, made.id);
    go(made.link);
  } catch (problem) {
    notice(problem.words);
  }
}

// --- notices and the connection ---

/** Show one line, with its clauses if there are any. @param {string} words @param {string[]} [clauses] */
export function notice(words, clauses = []) {
  const line = at("notice");
  clearTimeout(noticeTimer);
  line.hidden = !words;
  const why = () => line.dispatchEvent(new CustomEvent("why", { bubbles: true, detail: { clauses, words } }));
  const cite = clauses.length ? [" ", button(`Clause ${clauses.join(", ")}`, why, { class: "cite" })] : [];
  line.replaceChildren(words, ...cite);
  if (words) noticeTimer = setTimeout(() => notice(""), 10_000);
}

const LINE = {
  connecting: "Connecting…",
  lost: "Connection lost; reconnecting…",
  signed_out: "",
  open: "",
};
let seen = 0;
on(connection, "status", (detail) => {
  const line = at("status");
  document.documentElement.dataset.line = detail.status;
  line.textContent = LINE[detail.status];
  if (detail.back) {
    line.textContent = detail.missed ? "Reconnected; the table is up to date" : "Reconnected; nothing was missed";
    clearTimeout(seen);
    seen = setTimeout(() => connection.status === "open" && (line.textContent = ""), 5000);
  }
  if (detail.status === "signed_out") showUser();
  page?.update();
});
on(connection, "notice", (detail) => notice(detail.words, detail.clauses));
on(connection, "problem", (detail) => {
  if (detail.code === "unknown_token") return;
  if (detail.code === "no_such_table") go("/", true);
  notice(detail.words, detail.clauses);
});
on(connection, "frame", (detail) => page?.frame?.(detail));
connection.addEventListener("wallet", () => {
  const { me } = connection;
  if (me) session.walletIs(me.name, me.wallet + (me.practice ?? 0) - (me.given ?? 0));
  showUser();
  page?.update();
});
on(document, "problem", (detail) => {
  notice(detail.words ?? "Something went wrong", detail.clauses);
});

// --- the session ---

/** Name and chips in the header; the practice chips at a practice table, at a tournament those of the tournament. */
function showUser() {
  const { me } = connection;
  at("purse").hidden = !me;
  at("sitting").hidden = !me;
  at("name").textContent = me?.name ?? "Sign in";
  at("initial").textContent = me?.name[0] ?? "";
  at("initial").hidden = !me;
  at("who").title = me ? `You are ${me.name}${me.guest ? ", a guest" : ""}` : "";
  at("wallet").textContent = dollars(page?.chips ?? me?.wallet ?? 0);
  at("purse").firstChild.textContent = (page?.chips === undefined ? "" : page?.chipsName) || "Chips";
}

/** Ask for new play chips; they do not count as a win. */
async function newChips() {
  const had = connection.me?.wallet ?? 0;
  try {
    const told = await connection.post("/api/me/chips");
    session.chipsGiven(told.wallet - had);
    connection.chipsAre(told);
  } catch (problem) {
    notice(problem.words);
  }
}

/** Fill up the practice chips, which cost nothing and count for nothing. */
async function newPracticeChips() {
  try {
    connection.chipsAre(await connection.post("/api/me/chips?practice=true"));
    notice(`You have new practice chips: ${dollars(connection.me?.practice ?? 0)}`);
  } catch (problem) {
    notice(problem.words);
  }
}

function showSession() {
  const { minutes } = session;
  at("time").textContent = minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  at("net").textContent = net(session.net);
}
session.addEventListener("tick", showSession);
session.addEventListener("change", showSession);
session.addEventListener("reality", async () => (await import("./dialogs.js")).realityCheck(app));
session.addEventListener("stop", async () => {
  page?.update();
  (await import("./dialogs.js")).stopped(app, () => page?.update());
});
settings.addEventListener("change", () => {
  showSound();
  page?.update();
});
at("settings").addEventListener("click", async () => (await import("./dialogs.js")).settingsDialog(app));
at("help").addEventListener("click", showHelp);
async function showHelp() {
  (await import("./dialogs.js")).helpDialog(app);
}

// --- panels ---

/** Show a panel beside the table, loading it first. @param {string} name @param {any} [detail] */
export async function openPanel(name, detail) {
  const place = at("panel");
  if (panel?.name !== name) {
    try {
      await import(`./panels/${name}.js`);
    } catch {
      return notice(detail?.words ?? "This panel could not be loaded", []);
    }
    const element = make(`pontoon-${name}`);
    element.connection = connection;
    panel = { name, element, from: panel?.from ?? document.activeElement };
    place.replaceChildren(
      button("×", () => closePanel(), { id: "panel-close", "aria-label": "Close" }),
      element,
    );
    place.hidden = false;
    document.body.dataset.panel = name;
  }
  if (page?.model) panel.element.update?.(page.model);
  if (detail) panel.element.show?.(detail);
  page?.panelShown?.(name);
}

export function closePanel() {
  if (!panel) return;
  const { from } = panel;
  panel = null;
  at("panel").replaceChildren();
  at("panel").hidden = true;
  delete document.body.dataset.panel;
  page?.panelShown?.("");
  from?.focus?.();
}
on(document, "why", (detail) => {
  openPanel("why", { rulebook: page?.model?.rulebook ?? page?.model?.view?.rulebook, ...detail });
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !document.querySelector("dialog[open]")) closePanel();
});

showUser();
showSession();
showSound();
addEventListener("load", async () => {
  try {
    await navigator.serviceWorker?.register("/sw.js");
  } catch {
    // private windows and plain http have none; the page works without
  }
});
if (connection.signedIn) connection.open();
else connection._set("signed_out");
route();
