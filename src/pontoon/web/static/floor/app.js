// The page of the floor: signing in, the router, the header, notices. Each address has a module of its own.
import { Connection } from "../connection.js";
import { button, field, make, on, spaced } from "../parts.js";

const connection = new Connection();
const at = (id) => /** @type {any} */ (document.getElementById(id));

/** The module of each address. */
const PAGES = {
  floor: (rest) => (rest.length ? "./console.js" : "./tables.js"),
  desk: () => "./desk.js",
  pit: () => "./pit.js",
  incidents: (rest) => (rest.length ? "./incident.js" : "./incidents.js"),
  search: () => "./history.js",
  school: (rest) => (rest[0] === "class" ? "./school_class.js" : "./school.js"),
  admin: () => "./admin.js",
};
/** Where a person with a role starts, if it is not the floor. */
const STARTS = { administrator: "/admin", tournament_director: "/tables" };
const LIGHT = ["incidents", "search", "admin", "school/class"];

/** The open page. @type {any} */
let page = null;
let timer = 0;

/** What the pages share. */
export const app = { connection, go, notice, header, show: () => page, role: () => connection.me?.role ?? "player" };

/** Go to an address of this page. @param {string} path */
export function go(path) {
  history.pushState(null, "", path);
  route();
}

/** Show one line. @param {string} words @param {string} [kind] */
export function notice(words, kind = "") {
  const line = at("notice");
  clearTimeout(timer);
  line.hidden = !words;
  line.dataset.kind = kind;
  line.textContent = words;
  if (words) timer = setTimeout(() => notice(""), 8000);
}

/** Fill the header. @param {string} title @param {any[]} facts @param {any[]} [actions] */
export function header(title, facts, actions = []) {
  const who = connection.me
    ? [make("span", { class: "who" }, connection.me.name, ", ", spaced(connection.me.role))]
    : [];
  document.title = `${title}, Pontoon floor`;
  at("top").replaceChildren(
    make("h1", { class: "brand" }, title),
    ...facts.map((one) => (typeof one === "string" ? make("span", {}, one) : one)),
    make("span", { class: "space" }),
    ...who,
    ...actions,
    themeButton(),
  );
}

/** A link to another part of the floor. @param {string} words @param {string} path */
export const link = (words, path) => make("a", { class: "btn small", href: path, "data-route": true }, words);

async function route() {
  const [kind = "floor", ...rest] = location.pathname.split("/").filter(Boolean);
  page?.close?.();
  page = null;
  notice("");
  document.documentElement.dataset.theme = theme();
  document.body.dataset.page = kind;
  const [, secret = ""] = /^#link=(.+)$/.exec(location.hash) ?? [];
  if (secret) return choosePassword(secret);
  if (!connection.signedIn) return signIn();
  if (!connection.me) return header("Pontoon floor", ["Connecting…"]);
  const shown = location.pathname;
  try {
    const module = await import(PAGES[kind]?.(rest) ?? "./tables.js");
    if (shown !== location.pathname) return;
    page = module.open(app, at("main"), ...rest.map(decodeURIComponent));
  } catch (error) {
    console.error(error);
    notice("The page could not be loaded. Try again in a moment.");
  }
}

/** Whether an address is of the office, where pages are light unless somebody chose otherwise. @param {string} path */
const isOffice = (path) => LIGHT.some((one) => path === `/${one}` || path.startsWith(`/${one}/`));
const themeKey = () => (isOffice(location.pathname) ? "pontoon.office.theme" : "pontoon.floor.theme");

/** The colours of this page: dark at the table, light in the office, or what was chosen. */
function theme() {
  return localStorage.getItem(themeKey()) ?? (isOffice(location.pathname) ? "light" : "dark");
}

/** Light instead of dark, or the other way round. */
export function otherTheme() {
  const { dataset } = document.documentElement;
  dataset.theme = dataset.theme === "dark" ? "light" : "dark";
  localStorage.setItem(themeKey(), dataset.theme);
}

/** The button for it. */
const themeButton = () =>
  make(
    "button",
    {
      type: "button",
      class: "btn small theme",
      "aria-label": "Light or dark colours",
      title: "Light or dark colours",
      onclick: otherTheme,
    },
    "◐",
  );

/** Somebody came with a one-time link. @param {string} secret */
function choosePassword(secret) {
  const password = make("input", { type: "password", autocomplete: "new-password", minlength: 8, required: true });
  const words = "At least 8 characters. This link works once, and nobody else learns your password.";
  signingForm("Choose your password", words, { Password: password }, "Save and sign in", async () => {
    await connection.useLink(secret, password.value);
    history.replaceState(null, "", location.pathname);
    const start = STARTS[connection.me?.role];
    if (start) location.assign(start);
  });
}

function signIn() {
  const name = make("input", { name: "name", autocomplete: "username", required: true });
  const password = make("input", {
    name: "password",
    type: "password",
    autocomplete: "current-password",
    required: true,
  });
  const words = "With the account the house gave you as dealer, supervisor, inspector or trainer.";
  const fields = { Name: name, Password: password };
  signingForm("Sign in", words, fields, "Sign in", () => connection.signIn(name.value, password.value));
}

/**
 * A form that ends with somebody signed in.
 * @param {string} title
 * @param {string} words
 * @param {Record<string, any>} fields
 * @param {string} label
 * @param {() => Promise<void>} sign
 */
function signingForm(title, words, fields, label, sign) {
  header("Pontoon floor", []);
  const act = async (event) => {
    event.preventDefault();
    try {
      await sign();
      route();
    } catch (problem) {
      notice(problem.words, "alarm");
    }
  };
  at("main").replaceChildren(
    make(
      "form",
      { class: "sheet sign-in", onsubmit: act },
      make("h2", {}, title),
      make("p", { class: "quiet" }, words),
      ...Object.entries(fields).map(([name, input]) => field(name, input)),
      button(label, () => {}, { type: "submit", class: "btn go" }),
    ),
  );
  Object.values(fields)[0].focus();
}

/** Sign out; the next person signs in on the same tablet. */
export async function signOut() {
  await connection.signOut();
  route();
}

document.addEventListener("click", (event) => {
  const found = /** @type {Element} */ (event.target).closest("a[data-route]");
  if (!found || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  go(found.getAttribute("href") ?? "/floor");
});
addEventListener("popstate", route);
on(connection, "frame", (frame) => page?.frame?.(frame));
on(connection, "status", (detail) => {
  document.documentElement.dataset.line = detail.status;
  if (detail.status === "signed_out") route();
  else page?.line?.(detail.status);
});
on(connection, "problem", (problem) => notice(problem.words, "alarm"));
on(connection, "notice", (detail) => notice(detail.words));
connection.addEventListener("wallet", () => page || (connection.me && route()));

if (connection.signedIn) connection.open();
route();
