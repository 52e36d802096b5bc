// The door: play as a guest, sign in, create an account, keep a guest's name with a password.
import { FEW_CHIPS, button, field, make, spaced } from "./parts.js";

export class Door {
  /** @param {App} app @param {(me: Me | null) => void} [changed] called when someone has signed in or out */
  constructor(app, changed = () => {}) {
    this.app = app;
    this.changed = changed;
    this.element = make("section", { id: "door", "aria-label": "Your account" });
    this.update();
  }

  update() {
    const { me, signedIn } = this.app.connection;
    const now = me ? `${me.name} ${me.guest} ${me.wallet < FEW_CHIPS}` : String(signedIn);
    if (now === this.shown) return;
    this.shown = now;
    this.changed(me);
    const here = this.element.contains(document.activeElement);
    this.element.replaceChildren(...(me ? this._here(me) : [this._guest(), this._account()]));
    if (here) document.getElementById(me ? "make-table" : "guest-name")?.focus();
  }

  _here(me) {
    const out = button("Sign out", () => this.app.connection.signOut(), { id: "sign-out" });
    const chips = button("New play chips", () => this.app.newChips(), { id: "chips" });
    const words = `Signed in as ${me.name}, ${me.guest ? "guest" : spaced(me.role)}`;
    const line = make("p", { class: "row" }, words, me.wallet < FEW_CHIPS && chips, out);
    return me.guest ? [line, this._keepName()] : [line];
  }

  _guest() {
    const name = make("input", { id: "guest-name", required: true, maxlength: 24, autocomplete: "nickname" });
    return formOf("Play as guest", [field("Your name", name)], () => this.app.connection.guest(name.value.trim()));
  }

  _account() {
    const name = make("input", { id: "account-name", required: true, maxlength: 24, autocomplete: "username" });
    const password = passwordInput("password", "current-password");
    const fields = [field("Name", name), field("Password", password, "at least 8 characters")];
    const { connection } = this.app;
    const signUp = () => attempt(name.form, () => connection.signUp(name.value.trim(), password.value));
    const anew = button("Create an account", () => name.form.reportValidity() && signUp());
    const form = formOf("Sign in", fields, () => connection.signIn(name.value.trim(), password.value), anew);
    return make("details", {}, make("summary", {}, "Sign in or create an account"), form);
  }

  /** A guest who sets a password has an account. */
  _keepName() {
    const password = passwordInput("new-password", "new-password");
    const form = formOf("Keep this name", [field("Password", password, "at least 8 characters")], async () => {
      await this.app.connection.post("/api/me/password", { new: password.value });
      if (this.app.connection.me) this.app.connection.me.guest = false;
      this.update();
    });
    return make("details", {}, make("summary", {}, "Keep this name with a password"), form);
  }
}

/**
 * A form with a button, and a line for what went wrong.
 * @param {string} label
 * @param {HTMLElement[]} fields
 * @param {() => Promise<any>} act
 * @param {...any} more
 */
export function formOf(label, fields, act, ...more) {
  const says = make("p", { role: "alert" });
  const onsubmit = (event) => {
    event.preventDefault();
    attempt(form, act);
  };
  const form = make(
    "form",
    { class: "row", onsubmit },
    ...fields,
    make("button", { class: "button primary" }, label),
    ...more,
    says,
  );
  return form;
}

/** @param {HTMLFormElement} form @param {() => Promise<any>} act */
async function attempt(form, act) {
  const says = /** @type {HTMLElement} */ (form.querySelector("[role=alert]"));
  says.textContent = "";
  try {
    await act();
  } catch (problem) {
    says.textContent = problem.words ?? "Something went wrong";
  }
}

/** @param {string} id @param {string} kind what password managers fill in */
const passwordInput = (id, kind) =>
  make("input", { id, type: "password", required: true, minlength: 8, maxlength: 128, autocomplete: kind });
