// The page: the router, the header, notices and panels.
import { Connection } from "./connection.js";
import { Session, Settings } from "./settings.js";
import { button, dollars, make, net, on } from "./parts.js";

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
  showUser,
  updatePanel: (model) => panel?.element.update?.(model),
  panelName: () => panel?.name ?? "",
  boxes: () => page?.model?.view?.cloth?.boxes ?? 0,
};

// --- the router ---

/** The module of each kind of page, by the first part of its address; without one it is the lobby. */
const PAGES = { t: "./place.js", tournament: "./tournament.js", lab: "./lab/page.js" };

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
  const name = PAGES[kind] ?? "./lobby.js";
  const shown = location.pathname;
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

// --- notices and the connection ---

/** Show one line, with its clauses where there are any. @param {string} words @param {string[]} [clauses] */
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
  if (connection.me) session.walletIs(connection.me.name, connection.me.wallet);
  showUser();
  page?.update();
});
on(document, "problem", (detail) => {
  notice(detail.words ?? "Something went wrong", detail.clauses);
});

// --- the session ---

/** Name and chips in the header; at a tournament table the tournament chips. */
function showUser() {
  const { me } = connection;
  at("who").hidden = at("purse").hidden = !me;
  at("name").textContent = me?.name ?? "";
  at("wallet").textContent = dollars(page?.chips ?? me?.wallet ?? 0);
  at("purse").firstChild.textContent = page?.chips === undefined ? "Chips" : "Chips here";
}

/** Ask for new play chips; they do not count as a win. */
async function newChips() {
  const had = connection.me?.wallet ?? 0;
  try {
    const told = await connection.post("/api/me/chips");
    session.chipsGiven(told.wallet - had);
    if (connection.me) connection.me.wallet = told.wallet;
    connection.dispatchEvent(new CustomEvent("wallet", { detail: told }));
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
settings.addEventListener("change", () => page?.update());
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
      button("Close", () => closePanel(), { id: "panel-close" }),
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
if (connection.signedIn) connection.open();
else connection._set("signed_out");
route();
