// A shared hand: replayed step by step, with the coach's verdict, the other casinos, and the proof of the shuffle.
import { withSuits } from "../card.js";
import { checkProof, possible } from "../panels/proof.js";
import { button, dollars, make, net, pause, routed } from "../parts.js";
import "../table.js";

const BEAT = 1400; // milliseconds between two steps
const STATUS = { refused: "Not allowed here", open: "Needs more cards", impossible: "Bets not accepted" };
const PLAIN = { speed: "normal", fourColours: false, sound: false, log: false, guard: false };

export class SharedHandView {
  /**
   * @param {HTMLElement} main
   * @param {string} id of the link
   * @param {(path: string) => Promise<any>} get
   * @param {{framed?: boolean, settings?: any}} options
   */
  constructor(main, id, get, { framed = false, settings = PLAIN } = {}) {
    this.main = main;
    this.path = `/api/hands/${id}`;
    this.id = id;
    this.get = get;
    this.framed = framed;
    this.settings = settings;
    this.at = 0;
    this.running = false;
    /** @type {(Verdict | null)[]} */
    this.verdicts = [];
    this.gone = new AbortController();
  }

  close() {
    this.gone.abort();
    this.running = false;
  }

  async open() {
    try {
      this.hand = await this.get(this.path);
    } catch (problem) {
      return this._missing(problem.words ?? "This hand could not be loaded.");
    }
    if (this.gone.signal.aborted) return;
    this._build();
    this._to(0);
    document.addEventListener("keydown", (event) => this._key(event), { signal: this.gone.signal });
    await Promise.allSettled([this._judge(), this._elsewhere(), this._prove()]);
  }

  /** @param {string} words */
  _missing(words) {
    document.title = "Pontoon";
    this.main.replaceChildren(
      make(
        "div",
        { class: "reading" },
        make("h1", {}, "No hand here"),
        make(
          "p",
          {},
          words.replace(/^./, (letter) => letter.toUpperCase()),
          ".",
        ),
        !this.framed && routed("/", "Play"),
      ),
    );
  }

  _build() {
    const { hand } = this;
    document.title = `${hand.title} · Pontoon`;
    this.table = make("pontoon-table", { class: "staged lesson", "data-label": "Replayed table" });
    for (const name of ["box-tap", "bettor-tap"]) this.table.addEventListener(name, (event) => event.stopPropagation());
    this.words = make("p", { class: "hand-words", role: "status" });
    const step = (one, at) =>
      make(
        "li",
        {},
        make(
          "button",
          { type: "button", class: "hand-step", onclick: () => this._to(at) },
          make("b", {}, one.label),
          make("small", {}, one.player || (one.label === "Result" ? net(hand.net) : "Dealer")),
        ),
      );
    this.steps = make("ol", { class: "hand-steps", "aria-label": "Steps" }, ...hand.steps.map(step));
    this.play = button("▷ Play", () => this._run(), { id: "hand-play" });
    const bar = make(
      "div",
      { class: "row hand-bar" },
      button("‹", () => this._to(this.at - 1), { "aria-label": "Step back", id: "hand-back" }),
      this.play,
      button("›", () => this._to(this.at + 1), { "aria-label": "Step forward", id: "hand-on" }),
    );
    this.verdict = make("section", { class: "hand-card", "aria-live": "polite", "aria-label": "Verdict" });
    this.others = make("section", { class: "hand-card", "aria-label": "Other casinos" });
    this.proof = make("section", { class: "hand-card hand-proof", "aria-label": "Proof of the shuffle" });
    const felt = make(
      "section",
      { class: "hand-felt", "aria-label": "Replay" },
      this.table,
      this.words,
      this.steps,
      bar,
    );
    const side = make("div", { class: "hand-side" }, this.verdict, this.others);
    this.main.replaceChildren(
      make("div", { class: "hand-page" }, this._head(), make("div", { class: "hand-body" }, felt, side), this.proof),
    );
  }

  _head() {
    const { hand } = this;
    const result = hand.net ? `${hand.net > 0 ? "Won" : "Lost"} ${dollars(Math.abs(hand.net))}` : "A tie";
    const words = make(
      "div",
      {},
      make("h1", {}, hand.title),
      make("p", { class: "muted" }, `${hand.line}. ${result}.`),
    );
    if (this.framed)
      return make(
        "header",
        { class: "hand-head" },
        words,
        make("a", { class: "button", href: `/hand/${this.id}`, target: "_blank", rel: "noopener" }, "Open at Pontoon"),
      );
    this.again = routed("/train", "Play this hand yourself", { class: "button go", id: "play-this", hidden: true });
    const copy = button(
      "Copy link",
      () => navigator.clipboard?.writeText(location.href).then(() => (copy.textContent = "Copied")),
      { id: "copy-hand" },
    );
    return make("header", { class: "hand-head" }, words, make("div", { class: "row" }, copy, this.again));
  }

  // --- steps ---

  /** @param {number} at */
  _to(at) {
    const { hand } = this;
    this.at = Math.max(0, Math.min(at, hand.steps.length - 1));
    const step = hand.steps[this.at];
    const over = step.round.stage === "ended";
    const view = { ...hand.view, phase: over ? "collect" : "round", number: 1, round: step.round };
    const room = { id: this.id, name: "", mode: "", waits: "", players: [], practice: true, private: true };
    const me = { name: hand.player, role: "player", guest: true, wallet: 0 };
    const model = { id: `hand ${this.id}`, version: this.at, room, view, events: step.events, log: [], me };
    this.table.update({ ...model, settings: this.settings, pending: {}, proofs: [] });
    this.words.textContent = step.words && `${withSuits(step.words)}.`;
    [...this.steps.children].forEach((item, place) => {
      if (place === this.at) item.firstChild.setAttribute("aria-current", "step");
      else item.firstChild.removeAttribute("aria-current");
    });
    this.steps.children[this.at].scrollIntoView?.({ block: "nearest", inline: "nearest" });
    this._showVerdict();
  }

  _key(event) {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by || event.target.matches?.("input, textarea, select")) return;
    event.preventDefault();
    this._to(this.at + by);
  }

  async _run() {
    this.running = !this.running;
    this.play.textContent = this.running ? "❚❚ Pause" : "▷ Play";
    if (this.running && this.at + 1 === this.hand.steps.length) this._to(0);
    while (this.running && this.at + 1 < this.hand.steps.length) {
      await pause(BEAT);
      if (this.running) this._to(this.at + 1);
    }
    this.running = false;
    this.play.textContent = "▷ Play";
  }

  // --- the coach ---

  async _judge() {
    for (let tries = 0; tries < 60 && !this.gone.signal.aborted; tries += 1) {
      const reply = await this.get(`${this.path}/verdicts`).catch(() => null);
      if (!reply) return void this.verdict.replaceChildren(make("h2", {}, "The coach does not answer"));
      if (reply.status !== "preparing") {
        this.verdicts = reply.verdicts;
        for (const [at, step] of this.hand.steps.entries()) {
          const found = this.verdicts[step.decision ?? -1];
          if (found?.cost) this.steps.children[at].firstChild.classList.add("mistake");
        }
        return this._showVerdict();
      }
      await pause(500);
    }
  }

  _showVerdict() {
    const step = this.hand.steps[this.at];
    const number = step.decision ?? -1;
    const verdict = this.verdicts[number];
    if (this.again) {
      this.again.hidden = !verdict?.position;
      if (verdict?.position) this.again.href = `/train?position=${encodeURIComponent(verdict.position)}`;
    }
    if (verdict) return this.verdict.replaceChildren(...this._verdict(verdict));
    const waits = number >= 0 && !this.verdicts.length;
    const costs = this.verdicts.reduce((sum, one) => sum + (one?.cost ?? 0), 0);
    const whole = costs ? `Mistakes in this hand cost ${cents(costs)}.` : "Every decision was the best play.";
    const words = waits ? "Calculating…" : this.verdicts.length ? whole : "Nobody decided anything in this hand.";
    this.verdict.replaceChildren(
      make("h2", {}, number >= 0 ? "The coach’s verdict" : step.label),
      make("p", {}, words),
    );
  }

  /** @param {Verdict} reply */
  _verdict(reply) {
    const values = reply.choices.map((one) => one.cents);
    const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
    const place = (value) => ((value - low) / (high - low || 1)) * 100;
    const row = (one) => {
      const fill = make("i", {
        class: one.action === reply.best ? "best" : one.action === reply.chosen ? "wrong" : "",
      });
      fill.style.left = `${place(Math.min(0, one.cents))}%`;
      fill.style.width = `${Math.max(1, place(Math.max(0, one.cents)) - place(Math.min(0, one.cents)))}%`;
      const zero = make("u");
      zero.style.left = `${place(0)}%`;
      return make(
        "tr",
        {},
        make("th", { scope: "row" }, spoken(one.action)),
        make("td", {}, make("span", { class: "bar-line" }, fill, zero)),
        make("td", { class: "money" }, net(Math.round(one.cents))),
      );
    };
    const title = reply.cost ? `${spoken(reply.best)} was better` : "Best play";
    return [
      make("h2", { class: reply.cost ? "bad" : "good" }, title),
      make(
        "p",
        {},
        `${reply.player}: ${spoken(reply.chosen).toLowerCase()}.`,
        reply.cost ? ` It costs ${cents(reply.cost)}.` : "",
      ),
      make("table", { class: "worths" }, make("tbody", {}, ...reply.choices.map(row))),
      make("p", {}, reply.why),
      make(
        "p",
        { class: "muted" },
        `Average results, with the cards seen in this hand. Rule ${reply.clauses.join(", ")}`,
      ),
    ];
  }

  // --- other casinos ---

  async _elsewhere() {
    const reply = await this.get(`${this.path}/as-if`).catch((problem) => problem);
    const title = make("h2", {}, "Other casinos");
    if (!reply.rulebooks)
      return void this.others.replaceChildren(title, make("p", { class: "muted" }, reply.words ?? "Not available."));
    const row = (one) => {
      const due = one.players[this.hand.player] ?? 0;
      const note = one.status !== "settled" && make("small", {}, `${STATUS[one.status]}: ${one.why || one.line}`);
      return make(
        "tr",
        {},
        make("th", { scope: "row" }, one.rulebook.replaceAll("-", " "), note),
        make("td", { class: "money" }, one.status === "settled" ? net(due) : "–"),
      );
    };
    const head = make(
      "thead",
      {},
      make("tr", {}, make("th", { scope: "col" }, "Rules"), make("th", { scope: "col", class: "money" }, "Result")),
    );
    this.others.replaceChildren(
      title,
      make("p", { class: "muted" }, "The same cards and decisions under their rules."),
      make("table", { class: "worths" }, head, make("tbody", {}, ...reply.rulebooks.map(row))),
    );
  }

  // --- proof ---

  async _prove() {
    const reply = await this.get(`${this.path}/proof`).catch(() => null);
    if (!reply?.root)
      return void this.proof.replaceChildren(make("p", {}, "This shuffle was not sealed, so there is no proof of it."));
    if (!possible())
      return void this.proof.replaceChildren(make("p", {}, "This browser checks proofs only over https."));
    const checks = await Promise.all(reply.cards.map((one) => checkProof(reply.root, one)));
    const good = checks.every(Boolean);
    const words = good
      ? ` Sealed before the deal, and your browser has checked each of the ${checks.length} cards.`
      : " A card of this hand does not fit the sealed order.";
    const item = (one) => make("li", {}, withSuits(one.card), ` is card ${one.index + 1} of ${one.size}`);
    this.proof.replaceChildren(
      make(
        "p",
        {},
        make("b", { class: good ? "good" : "bad" }, good ? "The shuffle checks out." : "The proof fails."),
        words,
      ),
      make(
        "details",
        {},
        make("summary", {}, "See the proof"),
        make("p", {}, "Root of the sealed order: ", make("code", {}, reply.root)),
        make("p", {}, "Hash of the house’s seed: ", make("code", {}, reply.seed_hash)),
        make(
          "p",
          {},
          reply.revealed ? "The shoe is over; its seed is public at its table." : "The shoe is still in play.",
        ),
        make("ol", {}, ...reply.cards.map(item)),
      ),
    );
  }
}

/** @param {string} action */
const spoken = (action) => action.replaceAll("_", " ").replace(/^./, (letter) => letter.toUpperCase());

/** "$0.61", from cents with fractions. @param {number} amount */
const cents = (amount) => dollars(Math.round(amount));
