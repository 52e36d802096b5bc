// Settings, help, reality check and limits; loaded when one of them is opened.
import { button, cents, counted, dialog, dollars, field, make, net, routed } from "./parts.js";
import { WORDS, nowLines } from "./means.js";
import { KEYS, keyOf } from "./settings.js";

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

/** @param {App} app */
export function settingsDialog({ settings }) {
  const box = dialog("Settings");
  const pick = (name, label, numeric = false) => {
    const options = CHOICES[name].map(([value, words]) =>
      make("option", { value, selected: String(settings[name]) === String(value) }, words),
    );
    const onchange = (event) => settings.set(name, numeric ? Number(event.target.value) : event.target.value);
    return field(label, make("select", { id: `set-${name}`, onchange }, ...options));
  };
  const tick = (name, label) => {
    const onchange = (event) => settings.set(name, event.target.checked);
    return field(label, make("input", { type: "checkbox", id: `set-${name}`, checked: settings[name], onchange }));
  };
  const limit = settings.lossLimit ? settings.lossLimit / 100 : "";
  const loss = make("input", { id: "set-lossLimit", inputmode: "decimal", size: 8, value: limit });
  loss.addEventListener("change", () => settings.set("lossLimit", cents(loss.value) || 0));
  box.append(
    group("Look", pick("theme", "Theme"), tick("fourColours", "Four-colour deck"), pick("speed", "Dealing speed")),
    group(
      "Play",
      tick("guard", "Confirm unusual plays"),
      tick("coach", "Coach at practice tables"),
      tick("cut", "Ask me to cut the cards"),
      tick("insurance", "Ask me for insurance"),
      tick("sound", "Sound"),
    ),
    group(
      "Your limits",
      pick("realityCheck", "Reality check", true),
      pick("timeLimit", "Stop after", true),
      field("Stop at a loss of", loss, "leave empty for no limit"),
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

/** @param {import("./settings.js").Settings} settings @param {(name: string, label: string) => HTMLElement} tick */
function keysGroup(settings, tick) {
  const says = make("p", { role: "status", class: "muted" }, "Digits always select boxes.");
  const rows = KEYS.map(([name, , words]) => {
    const input = make("input", { size: 5, id: `key-${name}`, value: keyOf(settings, name), autocomplete: "off" });
    input.addEventListener("keydown", (event) => {
      if (event.key === "Tab" || event.key === "Escape" || event.key === "Shift") return;
      event.preventDefault();
      const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
      const taken = KEYS.find(([other]) => other !== name && keyOf(settings, other) === key);
      if (taken || /^[0-9 ]$/.test(key)) {
        says.textContent = `${key} is taken${taken ? ` by ${taken[2]}` : ""}`;
        return;
      }
      settings.set("keys", { ...settings.keys, [name]: key });
      input.value = key;
      says.textContent = `${words}: ${key}`;
    });
    return field(words, input);
  });
  const reset = button("Reset keys", () => {
    settings.set("keys", {});
    for (const [name, key] of KEYS) /** @type {any} */ (document.getElementById(`key-${name}`)).value = key;
  });
  return make(
    "details",
    {},
    make("summary", {}, "Keys"),
    tick("keysOn", "Use keys"),
    make("div", { class: "grid" }, ...rows),
    says,
    reset,
  );
}

/** What can be done now and what happens then; words, keys and commands one tap away. @param {App} app */
export function helpDialog({ settings, model }) {
  const now = model();
  const fold = (title, ...inside) => make("details", {}, make("summary", {}, title), ...inside);
  const list = (rows) => make("dl", { class: "keys" }, ...rows.flatMap(([term, words]) => [term, words]));
  const words = WORDS.map(([word, meaning]) => [make("dt", {}, make("b", {}, word)), make("dd", {}, meaning)]);
  const commands =
    "In the round log: hand, dealer, legal, why, ev, bet 10 on 3, ready, hit, stand and the other actions, help.";
  const links = [routed("/learn", "Learn it in three minutes"), routed("/rules", "Rules")];
  const box = dialog(
    "Help",
    ...(now?.view ? [make("h3", {}, "What you can do now"), ...nowLines(now)] : []),
    make("p", {}, "Get closer to 21 than the dealer without going over. Only what you may do is shown."),
    make("p", { class: "row" }, ...links),
    fold("Words", list(words)),
    fold("Keys", settings.keysOn ? keyList(settings, now) : make("p", {}, "Keys are turned off in the settings.")),
    fold("Commands", make("p", {}, commands)),
  );
  for (const link of links) link.addEventListener("click", () => box.close());
  box.append(button("Close", () => box.close(), { class: "button primary" }));
}

/** @param {import("./settings.js").Settings} settings @param {TableModel | null} now */
function keyList(settings, now) {
  const boxes = now?.view?.cloth.boxes;
  const rows = [
    ...KEYS.map(([name, , words]) => [keyOf(settings, name), words]),
    [boxes ? `1 to ${boxes}` : "1, 2, 3 …", "Put the chip on that box"],
  ];
  const pair = (row) => [make("dt", {}, make("kbd", {}, row[0])), make("dd", {}, row[1])];
  return make("dl", { class: "keys" }, ...rows.flatMap(pair));
}

/** @param {App} app */
export function realityCheck({ session, go }) {
  if (document.querySelector("dialog[open]")) return;
  const time = `You have played for ${counted(session.minutes, "minute")}.`;
  const words = `${time} Your result is ${net(session.net)} in play chips.`;
  const box = dialog("Reality check", make("p", {}, words), make("p", {}, "Do you want to keep playing?"));
  const leave = () => {
    box.close();
    go("/");
  };
  box.append(
    make(
      "div",
      { class: "row" },
      button("Keep playing", () => box.close(), { class: "button primary" }),
      button("Take a break", leave),
    ),
  );
}

/**
 * A limit is reached: betting is closed, and can be reopened only after a pause.
 * @param {App} app
 * @param {() => void} lifted
 */
export function stopped({ session, settings, go }, lifted) {
  const limit =
    session.stopped === "loss" ? `at a loss of ${dollars(settings.lossLimit)}` : `after ${settings.timeLimit} minutes`;
  const resume = () => {
    session.goOn();
    box.close();
    lifted();
  };
  const leave = () => {
    box.close();
    go("/");
  };
  const on = button("Resume betting", resume, { disabled: true });
  const away = button("Leave the table", leave, { class: "button primary" });
  const words = [`You wanted to stop ${limit}.`, "You can finish the hand in play, but not place new bets."];
  const box = dialog(
    "You have reached your limit",
    ...words.map((one) => make("p", {}, one)),
    make("div", { class: "row" }, away, on),
  );
  box.addEventListener("cancel", (event) => event.preventDefault());
  const timer = setInterval(() => {
    on.disabled = session.pause > 0;
    on.textContent = session.pause > 0 ? `Resume betting (in ${Math.ceil(session.pause / 1000)} s)` : "Resume betting";
    if (!box.isConnected) clearInterval(timer);
  }, 500);
}
