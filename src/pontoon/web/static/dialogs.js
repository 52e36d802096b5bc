// Settings, help, reality check and stops: loaded when one of them is wanted.
import { KEYS, keyOf } from "./keys.js";
import { button, cents, dialog, dollars, field, make, net } from "./parts.js";

const CHOICES = {
  theme: [
    ["auto", "as the system"],
    ["dark", "dark"],
    ["light", "light"],
  ],
  speed: [
    ["slow", "slow"],
    ["normal", "normal"],
    ["fast", "fast"],
    ["instant", "instant"],
  ],
  realityCheck: [
    [0, "never"],
    [15, "every 15 minutes"],
    [30, "every 30 minutes"],
    [60, "every hour"],
  ],
  timeLimit: [
    [0, "none"],
    [30, "30 minutes"],
    [60, "1 hour"],
    [120, "2 hours"],
    [180, "3 hours"],
  ],
};

export function settingsDialog({ settings }) {
  const box = dialog("Settings");
  const pick = (name, label, numeric = false) => {
    const options = CHOICES[name].map(([value, words]) =>
      make("option", { value, selected: String(settings[name]) === String(value) }, words),
    );
    const onchange = (event) => settings.set(name, numeric ? Number(event.target.value) : event.target.value);
    return field(label, make("select", { id: `set-${name}`, onchange }, ...options));
  };
  const tick = (name, label) =>
    field(
      label,
      make("input", {
        type: "checkbox",
        id: `set-${name}`,
        checked: settings[name],
        onchange: (event) => settings.set(name, event.target.checked),
      }),
    );
  const loss = make("input", {
    id: "set-lossLimit",
    inputmode: "decimal",
    size: 8,
    value: settings.lossLimit ? settings.lossLimit / 100 : "",
  });
  loss.addEventListener("change", () => settings.set("lossLimit", cents(loss.value) || 0));
  box.append(
    group(
      "Look",
      pick("theme", "Theme"),
      tick("fourColours", "Four colours of suits"),
      pick("speed", "Speed of the cards"),
    ),
    group(
      "Play",
      tick("guard", "Accident guard: press twice for seldom plays"),
      tick("coach", "Coach at practice tables"),
      tick("sound", "Sound"),
    ),
    group(
      "Limits you set yourself",
      pick("realityCheck", "Reality check", true),
      pick("timeLimit", "Stop after", true),
      field("Stop at a loss of", loss, "empty: no stop"),
    ),
    keysGroup(settings, tick),
    make(
      "p",
      {},
      button("Close", () => box.close(), { class: "button primary" }),
    ),
  );
}

const group = (title, ...fields) => make("fieldset", { class: "grid" }, make("legend", {}, title), ...fields);

function keysGroup(settings, tick) {
  const says = make("p", { role: "status", class: "muted" }, "Digits are always the boxes.");
  const rows = KEYS.map(([name, , words]) => {
    const input = make("input", { size: 5, id: `key-${name}`, value: keyOf(settings, name), autocomplete: "off" });
    input.addEventListener("keydown", (event) => {
      if (event.key === "Tab" || event.key === "Escape" || event.key === "Shift") return;
      event.preventDefault();
      const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
      const taken = KEYS.find(([other]) => other !== name && keyOf(settings, other) === key);
      if (taken || /^[0-9 ]$/.test(key)) return (says.textContent = `${key} is taken${taken ? ` by ${taken[2]}` : ""}`);
      settings.set("keys", { ...settings.keys, [name]: key });
      input.value = key;
      says.textContent = `${words}: ${key}`;
    });
    return field(words, input);
  });
  const reset = button("The usual keys", () => {
    settings.set("keys", {});
    for (const [name, key] of KEYS) document.getElementById(`key-${name}`).value = key;
  });
  return make(
    "details",
    {},
    make("summary", {}, "Keys"),
    tick("keysOn", "Keys act"),
    make("div", { class: "grid" }, ...rows),
    says,
    reset,
  );
}

export function helpDialog({ settings }) {
  const rows = [
    ...KEYS.map(([name, , words]) => [keyOf(settings, name), words]),
    ["1 to 7", "Put the chip on that box"],
  ];
  const keys = make(
    "dl",
    { class: "keys" },
    ...rows.flatMap(([key, words]) => [make("dt", {}, make("kbd", {}, key)), make("dd", {}, words)]),
  );
  const lines = [
    "Choose a chip, tap a box, place. Done tells the dealer that you want nothing more before the deal.",
    "Buttons keep their order. One that cannot be pressed says why, with its clause.",
    "The command line knows: hand, dealer, legal, why, ev, bet 10 on 3, place, done, hit, stand and the other actions, help.",
  ];
  const box = dialog(
    "Help",
    ...lines.map((words) => make("p", {}, words)),
    settings.keysOn ? keys : make("p", {}, "Keys are switched off in the settings."),
  );
  box.append(button("Close", () => box.close(), { class: "button primary" }));
}

export function realityCheck({ session, go }) {
  if (document.querySelector("dialog[open]")) return;
  const words = `You have been here for ${session.minutes} minutes. Your result is ${net(session.net)} in play chips.`;
  const box = dialog("Reality check", make("p", {}, words), make("p", {}, "How does it feel to go on?"));
  box.append(
    make(
      "div",
      { class: "row" },
      button("Go on", () => box.close(), { class: "button primary" }),
      button("Take a break", () => (box.close(), go("/"))),
    ),
  );
}

/** A stop is reached: betting is closed, and can be opened after a pause only. */
export function stopped({ session, settings, go }, lifted) {
  const limit =
    session.stopped === "loss" ? `at a loss of ${dollars(settings.lossLimit)}` : `after ${settings.timeLimit} minutes`;
  const on = button("Bet on", () => (session.goOn(), box.close(), lifted()), { disabled: true });
  const away = button("Leave the table", () => (box.close(), go("/")), { class: "button primary" });
  const words = [`You wanted to stop ${limit}.`, "A hand in play can be finished; no new wager can be made."];
  const box = dialog(
    "Your stop is reached",
    ...words.map((one) => make("p", {}, one)),
    make("div", { class: "row" }, away, on),
  );
  box.addEventListener("cancel", (event) => event.preventDefault());
  const timer = setInterval(() => {
    on.disabled = session.pause > 0;
    on.textContent = session.pause > 0 ? `Bet on (in ${Math.ceil(session.pause / 1000)} s)` : "Bet on";
    if (!box.isConnected) clearInterval(timer);
  }, 500);
}
