// The page of a shared hand: anyone with the link can open it.
import { SharedHandView } from "./view.js";
import { make } from "../parts.js";

const SHEETS = ["/static/train/train.css", "/static/hand/hand.css"];

/** @param {App} app @param {HTMLElement} main @param {string} id */
export function open(app, main, id) {
  for (const href of SHEETS)
    if (!document.querySelector(`link[href="${href}"]`))
      document.head.append(make("link", { rel: "stylesheet", href }));
  const view = new SharedHandView(main, id, (path) => app.connection.get(path), { settings: app.settings });
  view.open();
  return { update() {}, close: () => view.close() };
}
