// The start page: a hand to decide on before any form, one press to a table, one to the lesson.
import { cardPicture, sign } from "./card.js";
import { bookName, button, dollars, make, routed } from "./parts.js";
import { OWN_TABLE } from "./app.js";

/** Hands to try: cards in the order dealt, what may be done, and a sentence about it. */
const TRIES = [
  {
    cards: "2h 6d 4c 5d",
    actions: "hit",
    offers: ["hit", "double"],
    line: "Three cards, and you may still double. Not in blackjack.",
  },
  {
    cards: "Ks 9d 4h 7d",
    actions: "",
    offers: ["hit", "stand"],
    line: "Reach 21 and you are paid at once: the dealer cannot tie it.",
  },
  {
    cards: "7s 9d 6s 8s",
    actions: "",
    offers: ["hit", "stand"],
    line: "6-7-8 pays extra, and most of all in spades.",
  },
];
const SAYS = {
  hit: ["+", "Hit", "One more card"],
  stand: ["−", "Stand", "No more cards"],
  double: ["×", "Double", "One card, bet ×2"],
};

/** @param {App} app @param {HTMLElement} main */
export function open(app, main) {
  return new Home(app, main);
}

class Home {
  /** @param {App} app @param {HTMLElement} main */
  constructor(app, main) {
    this.app = app;
    this.at = 0;
    this.tables = make("ul", { class: "home-tables", role: "list" });
    document.title = "Pontoon: twenty-one without the tens";
    main.replaceChildren(make("div", { id: "start" }, this._hero(), this._cards(), this._foot()));
    this.requests = 0;
    this._try(0);
    this._list();
    this.update();
  }

  update() {
    const own = localStorage.getItem(OWN_TABLE);
    this.back.hidden = !own || !this.app.connection.signedIn;
    if (own) this.back.href = `/t/${own}`;
  }

  close() {
    this.closed = true;
  }

  _hero() {
    const play = button("Play now", () => this.app.playNow(), { id: "play-now", class: "button go big" });
    const learn = routed("/learn", "Learn it in three minutes", { id: "learn", class: "button big ghost" });
    this.back = routed("/", "Back to your table", { id: "back", class: "button big ghost", hidden: true });
    const words = make(
      "div",
      { class: "pitch" },
      make("h1", {}, make("span", {}, "Twenty-one without the tens. "), make("span", {}, "Your 21 always wins.")),
      make(
        "p",
        {},
        "Pontoon is the Australian cousin of blackjack: double on any number of cards, and win extra for 6-7-8 and " +
          "7-7-7. Sit down and play a hand; no account needed.",
      ),
      make("div", { class: "row" }, play, learn, this.back),
    );
    this.tryBox = make("section", { class: "try", "aria-labelledby": "try-title" });
    return make("header", { class: "hero" }, words, this.tryBox);
  }

  // --- a hand to try ---

  /** @param {number} at */
  async _try(at) {
    const one = TRIES[at];
    this.at = at;
    const request = ++this.requests;
    const act = (action) => {
      const [mark, name, says] = SAYS[action];
      const texts = make(
        "span",
        { class: "texts" },
        make("span", { class: "label" }, name),
        make("small", { class: "says" }, says),
      );
      const icon = make("i", { class: `icon ${action}`, "aria-hidden": "true" }, mark);
      return make(
        "button",
        { type: "button", class: "action", id: `try-${action}`, onclick: () => this._act(action) },
        icon,
        texts,
      );
    };
    const choices = make("div", { class: "choices" }, ...one.offers.map(act));
    if (!at) this._draw(null, choices, one.line); // the buttons above do not move when the cards come
    const told = await this._hand(one.cards, one.actions);
    if (told && !this.closed && request === this.requests) this._draw(told, choices, one.line);
  }

  /** @param {string} action */
  async _act(action) {
    const one = TRIES[this.at];
    const request = ++this.requests; // an answer that comes later than this press is not drawn over its result
    const done = [...one.actions.split(",").filter(Boolean), action];
    let told = await this._hand(one.cards, done.join());
    while (told && !told.over) {
      done.push(told.view.round?.offer === "forfeit" ? "keep" : "stand"); // the page plays the rest out
      told = await this._hand(one.cards, done.join());
    }
    if (!told || request !== this.requests) return;
    const next = this.at + 1 < TRIES.length;
    const words =
      told.net > 0
        ? `You win ${dollars(told.net)}.`
        : told.net < 0
          ? `You lose ${dollars(-told.net)}.`
          : "A tie: your bet comes back.";
    const more = next
      ? button("Next hand", () => this._try(this.at + 1), { id: "try-next", class: "button go" })
      : button("Play now", () => this.app.playNow(), { class: "button go" });
    this._draw(told, make("div", { class: "choices done" }, make("b", { role: "status" }, words), more), one.line);
  }

  async _hand(cards, actions) {
    const { connection } = this.app;
    try {
      const { usual } = await connection.rulebooks();
      const query = new URLSearchParams({ rulebook: usual, cards, actions, stake: "1000" });
      return await connection.get(`/api/practice?${query}`);
    } catch (problem) {
      return void this.app.notice(problem.words);
    }
  }

  /** @param {PracticeHand | null} told @param {HTMLElement} below @param {string} line */
  _draw(told, below, line) {
    const { round } = told?.view ?? {};
    const hand = round?.boxes?.[0].hands?.[0];
    const fan = (cards, label) =>
      make(
        "div",
        { class: "fanned", role: "img", "aria-label": `${label}: ${cards.join(" ")}` },
        ...cards.map((card) => cardPicture(card)),
      );
    const side = (name, cards, total, kind) =>
      make(
        "div",
        { class: `side ${kind}` },
        make("small", {}, name),
        fan(cards, name),
        make("b", { class: "pill" }, total),
      );
    const dealer = round?.dealer;
    this.tryBox.replaceChildren(
      make(
        "div",
        { class: "row between" },
        make("h2", { id: "try-title" }, "Try it: what would you do?"),
        make("small", {}, `Hand ${this.at + 1} of ${TRIES.length}`),
      ),
      make(
        "div",
        { class: "sides" },
        side("Dealer", dealer?.cards ?? [], told?.over ? (dealer?.words ?? "") : String(dealer?.total ?? ""), "house"),
        side("You", hand?.cards ?? [], hand?.words?.split(", ")[0] ?? "", "you"),
      ),
      below,
      make("p", {}, line),
    );
  }

  // --- where to go ---

  _cards() {
    const card = (href, title, words, name) =>
      make(
        "a",
        { href, "data-route": true, class: "home-card" },
        sign(name),
        make("h2", {}, title),
        make("p", {}, words),
      );
    const find = make(
      "section",
      { class: "home-card", "aria-labelledby": "find-title" },
      make(
        "div",
        { class: "row between" },
        make("h2", { id: "find-title" }, "Find a table"),
        routed("/tables", "All tables", { class: "button small" }),
      ),
      this.tables,
    );
    return make(
      "div",
      { class: "home-cards" },
      find,
      card(
        "/train",
        "Train",
        "Today’s 20 hands. After each one you see what every choice was worth, and why.",
        "coach",
      ),
      card(
        "/rules",
        "Rules of five casinos",
        "How to play at each of them, what differs, and all payouts in pictures.",
        "rules",
      ),
      card("/lab", "Rules lab", "Change a rule and watch the house edge and the strategy chart move with it.", "lab"),
    );
  }

  async _list() {
    const told = await this.app.connection.get("/api/tables?limit=4").catch(() => null);
    if (!told || this.closed) return;
    const limits = (one) => `${dollars(one.minimum)} to ${one.maximum ? dollars(one.maximum) : "any"}`;
    const row = (one) =>
      make(
        "li",
        {},
        make("a", { href: `/t/${one.id}`, "data-route": true }, make("b", {}, one.name || `Table ${one.id}`)),
        make("span", {}, `${bookName(one.rulebook)} rules, ${limits(one)}`),
        make("span", { class: "muted" }, one.seated ? `${one.seated} of ${one.boxes} boxes` : "empty"),
      );
    const none = make("li", { class: "muted" }, "No public table is open. Play now opens one for you.");
    this.tables.replaceChildren(...(told.tables.length ? told.tables.map(row) : [none]));
  }

  _foot() {
    const says = [
      "Check every shuffle yourself",
      "Rules of five casinos, clause by clause",
      "Play chips only. No money, no prizes.",
    ];
    return make("ul", { class: "home-foot", role: "list" }, ...says.map((words) => make("li", {}, words)));
  }
}
