// Keys for everything that can be pressed. They can be changed and switched off (WCAG 2.1.4), and never act while
// somebody types or a dialog is open.

/** Action, its usual key, and what it is called; the order is that of the help. */
export const KEYS = [
  ["Hit", "h", "Hit"],
  ["Stand", "s", "Stand"],
  ["Double", "d", "Double"],
  ["Split", "p", "Split"],
  ["Surrender", "u", "Surrender"],
  ["Forfeit", "f", "Forfeit"],
  ["Keep", "k", "Keep"],
  ["Insure", "i", "Insure"],
  ["No", "n", "No"],
  ["Confirm", "Enter", "Place the wagers, then done"],
  ["Repeat", "r", "Repeat the last wagers"],
  ["Undo", "z", "Undo"],
  ["Clear", "c", "Clear the wagers"],
  ["Command", "/", "Go to the command line"],
  ["Help", "?", "Help"],
];

/** The key of an action as it is set now. */
export const keyOf = (settings, action) => settings.keys[action] ?? KEYS.find(([name]) => name === action)?.[1] ?? "";

const TYPING = "input, textarea, select, [contenteditable]";
const PRESSED = "button, a[href], summary, [role=button], [role=radio]";

/**
 * Listen to keys as long as the signal allows.
 * @param {import("./settings.js").Settings} settings
 * @param {(action: string, box?: number) => boolean | void} perform
 * @param {AbortSignal} signal
 */
export function listen(settings, perform, signal) {
  const heard = (/** @type {KeyboardEvent} */ event) => {
    if (!settings.keysOn || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    const target = /** @type {Element} */ (event.target);
    if (document.querySelector("dialog[open]") || target.closest?.(TYPING)) return;
    if ((event.key === "Enter" || event.key === " ") && target.closest?.(PRESSED)) return;
    const action = actionOf(settings, event.key);
    if (!action) return;
    event.preventDefault();
    perform(action, action === "Box" ? Number(event.key) : undefined);
  };
  document.addEventListener("keydown", heard, { signal });
}

/** @returns {string} */
function actionOf(settings, key) {
  if (/^[1-9]$/.test(key)) return "Box";
  const pressed = key.length === 1 ? key.toLowerCase() : key;
  return KEYS.find(([name]) => keyOf(settings, name) === pressed)?.[0] ?? "";
}
