// The page: lobby or table, the session in the header, and what comes and goes beside them.
import { Connection } from "./connection.js";
import { Session, Settings } from "./settings.js";
import { button, dollars, make, net } from "./parts.js";

const settings = new Settings();
const connection = new Connection();
const session = new Session(settings);
const at = (id) => /** @type {any} */ (document.getElementById(id));
export const app = { connection, settings, session, go, notice, openPanel, closePanel, showHelp, newChips };

/** The page that is shown: it has `update`, `close`, and perhaps `frame`. @type {any} */
let page = null;
let panel = null;
let noticeTimer = 0;

// --- where one is ---

/** Go to an address of this page. */
export function go(path, replace = false) {
  history[replace ? "replaceState" : "pushState"](null, "", path);
  route();
}

async function route() {
  const [, kind, id] = /^\/(t|tournament)\/([^/]+)$/.exec(location.pathname) ?? [];
  page?.close();
  page = null;
  who();
  closePanel();
  notice("");
  const name = { t: "./place.js", tournament: "./tournament.js" }[kind] ?? "./lobby.js";
  const shown = location.pathname;
  try {
    const module = await import(name);
    if (shown !== location.pathname) return;
    page = module.open(app, at("main"), id);
  } catch (error) {
    console.error(error);
    notice("The page could not be loaded; try again in a moment.");
  }
}

document.addEventListener("click", (event) => {
  const link = /** @type {Element} */ (event.target).closest("a[data-route]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  go(link.getAttribute("href"));
});
addEventListener("popstate", route);

// --- saying things ---

/** One line for the person, with its clauses where there are any. @param {string} words */
export function notice(words, clauses = []) {
  const line = at("notice");
  clearTimeout(noticeTimer);
  line.hidden = !words;
  const why = () => line.dispatchEvent(new CustomEvent("why", { bubbles: true, detail: { clauses, words } }));
  line.replaceChildren(
    words,
    ...(clauses.length ? [" ", button(`Clause ${clauses.join(", ")}`, why, { class: "cite" })] : []),
  );
  if (words) noticeTimer = setTimeout(() => notice(""), 10_000);
}

const LINE = {
  connecting: "Connecting…",
  lost: "Connection lost; trying again…",
  signed_out: "",
  open: "",
};
let seen = 0;
connection.addEventListener("status", ({ detail }) => {
  const line = at("status");
  document.documentElement.dataset.line = detail.status;
  line.textContent = LINE[detail.status];
  if (detail.back) {
    line.textContent = detail.missed ? "Back; the table is shown as it stands" : "Back; nothing was missed";
    clearTimeout(seen);
    seen = setTimeout(() => connection.status === "open" && (line.textContent = ""), 5000);
  }
  if (detail.status === "signed_out") who();
  page?.update();
});
connection.addEventListener("notice", ({ detail }) => notice(detail.words, detail.clauses));
connection.addEventListener("problem", ({ detail }) => {
  if (detail.code === "unknown_token") return;
  if (detail.code === "no_such_table") go("/", true);
  notice(detail.words, detail.clauses);
});
connection.addEventListener("frame", ({ detail }) => page?.frame?.(detail));
connection.addEventListener("wallet", () => {
  if (connection.me) session.walletIs(connection.me.name, connection.me.wallet);
  who();
  page?.update();
});
document.addEventListener("problem", (event) => {
  const { detail } = /** @type {CustomEvent} */ (event);
  notice(detail.words ?? "It did not work", detail.clauses);
});

// --- the session ---

function who() {
  const { me } = connection;
  at("who").hidden = at("purse").hidden = !me;
  at("name").textContent = me?.name ?? "";
  at("wallet").textContent = dollars(page?.chips ?? me?.wallet ?? 0); // at a tournament's table those in front of one
  at("purse").firstChild.textContent = page?.chips === undefined ? "Chips" : "Chips here";
}
app.who = who;

/** New play chips; they are no gain. */
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

function sitting() {
  const { minutes } = session;
  at("time").textContent = minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  at("net").textContent = net(session.net);
}
session.addEventListener("tick", sitting);
session.addEventListener("change", sitting);
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

/** Show a panel beside the table, loading it first. @param {string} name */
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
app.updatePanel = (model) => panel?.element.update?.(model);
app.panelName = () => panel?.name ?? "";
document.addEventListener("why", (event) => {
  const { detail } = /** @type {CustomEvent} */ (event);
  openPanel("why", { rulebook: page?.model?.rulebook ?? page?.model?.view?.rulebook, ...detail });
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !document.querySelector("dialog[open]")) closePanel();
});

who();
sitting();
if (connection.signedIn) connection.open();
else connection._set("signed_out");
route();
