// A shared hand in a frame on another site: it only reads. Storage may be unavailable, and no one is signed in.
import { SharedHandView } from "./view.js";

/** The answer of the server as JSON; a problem is thrown. @param {string} path */
async function get(path) {
  const answer = await fetch(path, { credentials: "omit" });
  const reply = await answer.json();
  if (!answer.ok) throw Object.assign(new Error(reply.detail), { words: reply.detail });
  return reply;
}

const main = /** @type {HTMLElement} */ (document.getElementById("main"));
const id = location.pathname.split("/").at(-1) ?? "";
new SharedHandView(main, id, get, { framed: true }).open();
