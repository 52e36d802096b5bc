// Emotes: a small fixed set instead of chat. Each person can be muted; this browser remembers whom.
import { make } from "./parts.js";

const MUTED = "pontoon.muted";
const SHOWN = 4000; // milliseconds
/** The emotes with their words and signs. @type {Record<string, [string, string]>} */
export const EMOTES = {
  well_played: ["Well played", "★"],
  good_luck: ["Good luck", "♣"],
  lucky: ["Lucky!", "◆"],
  ouch: ["Ouch", "!"],
  thanks: ["Thank you", "♥"],
  thinking: ["Let me think", "…"],
};

/** The names that are muted here. @returns {Set<string>} */
export function muted() {
  try {
    return new Set(JSON.parse(localStorage.getItem(MUTED) ?? "[]"));
  } catch {
    return new Set(); // not written by this page
  }
}

/** @param {string} name @param {boolean} quiet */
export function mute(name, quiet) {
  const names = muted();
  if (quiet) names.add(name);
  else names.delete(name);
  localStorage.setItem(MUTED, JSON.stringify([...names]));
}

/** Show an emote for a moment, over the felt. @param {HTMLElement} root @param {EmoteFrame} answer */
export function show(root, { player, emote }) {
  const [words, sign] = EMOTES[emote] ?? [];
  if (!words || muted().has(player)) return;
  const place = root.querySelector(".emotes") ?? make("div", { class: "emotes", role: "status" });
  if (!place.isConnected) root.append(place);
  const icon = make("i", { "aria-hidden": "true" }, sign);
  const bubble = make("p", { class: "emote" }, icon, make("b", {}, player), ` ${words}`);
  place.append(bubble);
  setTimeout(() => bubble.remove(), SHOWN);
}
