// The connection to the server: REST around the game, a WebSocket for the game itself.
// A command keeps its key until it is answered, so that sending it again after a drop has no second effect.

const TOKEN = "pontoon.token";
const RESYNC = 4008,
  SIGNED_OUT = 4001,
  TOO_FAST = 4029;
const FIRST_WAIT = 300,
  LONGEST_WAIT = 8000,
  SLOW_DOWN = 5000;
const QUIET = 15000; // milliseconds without a message, then a ping is sent
const PATIENCE = 6000; // milliseconds to wait for the pong

/** Why a request failed, with the clauses behind it. */
export class Problem extends Error {
  /**
   * @param {{status?: number, code?: string, words?: string, detail?: string, title?: string, clauses?: string[],
   *   faults?: any[]}} reply
   */
  constructor(reply) {
    const words = reply.words || reply.detail || reply.title || "something went wrong";
    super(words);
    this.status = reply.status ?? 0;
    this.code = reply.code ?? "";
    this.words = words;
    this.clauses = reply.clauses ?? [];
    this.faults = reply.faults ?? []; // of conditions, each with its clause
  }
}

/** A new random key; `randomUUID` is not available on plain http away from localhost. */
export function newKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (one) => one.toString(16).padStart(2, "0")).join("");
}

export class Connection extends EventTarget {
  constructor() {
    super();
    /** @type {"connecting"|"open"|"lost"|"signed_out"} */
    this.status = "connecting";
    /** @type {Me | null} */
    this.me = null;
    this._token = localStorage.getItem(TOKEN) ?? "";
    /** @type {WebSocket|null} */
    this._socket = null;
    /** Last version seen of each table that is watched. @type {Map<string, number|null>} */
    this._watched = new Map();
    /** Commands without an answer yet. @type {Map<string, {frame: object, resolve: Function, reject: Function}>} */
    this._pending = new Map();
    this._tries = 0;
    this._timer = 0;
    this._lastMessage = 0;
    this._back = false; // connected before
    this._missed = false;
    /** @type {Promise<RulebookList> | null} */
    this._rulebooks = null;
    addEventListener("online", () => this._again(0));
    addEventListener("offline", () => this._drop());
    document.addEventListener("visibilitychange", () => document.hidden || this.status !== "lost" || this._again(0));
    setInterval(() => this._checkLine(), 1000);
  }

  get signedIn() {
    return this._token !== "";
  }

  // --- REST ---

  /** @param {string} path @returns {Promise<any>} */
  get(path) {
    return this._fetch("GET", path);
  }

  /** The server's rulebooks, asked for once; after a failure again. @returns {Promise<RulebookList>} */
  rulebooks() {
    this._rulebooks ??= this.get("/api/rulebooks").catch((problem) => {
      this._rulebooks = null;
      throw problem;
    });
    return this._rulebooks;
  }

  /** @param {string} path @param {object} [body] @returns {Promise<any>} */
  post(path, body = {}) {
    return this._fetch("POST", path, body);
  }

  /** @param {string} path @param {object} [body] @returns {Promise<any>} */
  put(path, body = {}) {
    return this._fetch("PUT", path, body);
  }

  /** @param {string} path @returns {Promise<any>} */
  delete(path) {
    return this._fetch("DELETE", path);
  }

  /** @param {string} method @param {string} path @param {object} [body] */
  async _fetch(method, path, body) {
    /** @type {Record<string, string>} */
    const headers = { accept: "application/json" };
    if (this._token) headers.authorization = `Bearer ${this._token}`;
    if (body !== undefined) headers["content-type"] = "application/json";
    let answer;
    try {
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      answer = await fetch(path, { method, headers, ...sent });
    } catch {
      throw new Problem({ code: "no_line", words: "The server cannot be reached" });
    }
    const text = await answer.text();
    const reply = (answer.headers.get("content-type") ?? "").includes("json") && text ? JSON.parse(text) : text;
    if (answer.ok) return reply;
    if (answer.status === 401 && this._token && path !== "/api/sessions") this._forget();
    throw new Problem(
      typeof reply === "object" ? reply : { status: answer.status, words: `the server answered ${answer.status}` },
    );
  }

  // --- the account ---

  async guest(name) {
    this._signed(await this.post("/api/guests", { name }));
  }

  async signIn(name, password) {
    this._signed(await this.post("/api/sessions", { name, password }));
  }

  async signUp(name, password) {
    this._signed(await this.post("/api/accounts", { name, password }));
  }

  /** Set a password with a one-time link. @param {string} link @param {string} password */
  async useLink(link, password) {
    this._signed(await this.post("/api/links", { link, password }));
  }

  async signOut() {
    await this._fetch("DELETE", "/api/sessions/current").catch(() => {});
    this._forget();
    this._socket?.close();
  }

  _signed(reply) {
    this._token = reply.token;
    localStorage.setItem(TOKEN, reply.token);
    this.me = { name: reply.name, role: reply.role, guest: reply.guest ?? true, wallet: 0, practice: 0, given: 0 };
    this.chipsAre(reply);
    if (this._socket?.readyState === WebSocket.OPEN) this._send({ type: "hello", token: reply.token });
    else this.open();
  }

  _forget() {
    this._token = "";
    this.me = null;
    localStorage.removeItem(TOKEN);
    this._set("signed_out");
  }

  // --- tables ---

  /** Show an emote to everyone at a table. @param {string} table @param {string} emote */
  react(table, emote) {
    this._send({ type: "react", table, emote });
  }

  /** Be told whenever a tournament moves on; "" ends it. @param {string} tournament */
  follow(tournament) {
    this._followed = tournament;
    if (this._socket?.readyState === WebSocket.OPEN) this._send({ type: "follow", tournament });
    else if (tournament) this.open();
  }

  /** @param {string} table */
  watch(table) {
    this._watched.set(table, null);
    if (this._socket?.readyState === WebSocket.OPEN) this._send({ type: "watch", table });
    else this.open();
  }

  /** @param {string} table */
  unwatch(table) {
    this._watched.delete(table);
    if (this._socket?.readyState === WebSocket.OPEN) this._send({ type: "unwatch", table });
  }

  /** Send a command. @param {string} table @param {Command} command @returns {Promise<{version: number}>} */
  do(table, command, { as = "player" } = {}) {
    const version = this._watched.get(table) ?? null;
    const frame = { type: "do", table, key: newKey(), version, command, as };
    return new Promise((resolve, reject) => {
      this._pending.set(frame.key, { frame, resolve, reject });
      if (this._socket?.readyState === WebSocket.OPEN) this._send(frame);
      else this.open();
    });
  }

  // --- the socket ---

  open() {
    if (this._socket || this._timer) return;
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/play`);
    this._socket = socket;
    socket.onopen = () => this._opened();
    socket.onmessage = (message) => this._received(JSON.parse(message.data));
    socket.onclose = (event) => socket === this._socket && this._closed(event.code);
  }

  _opened() {
    this._lastMessage = Date.now();
    if (this._token) this._send({ type: "hello", token: this._token });
    for (const [table, after] of this._watched)
      this._send({ type: "watch", table, ...(after === null ? {} : { after }) });
    if (this._followed) {
      this._send({ type: "follow", tournament: this._followed });
      this._publish("tournament", { tournament: this._followed }); // it may have moved on meanwhile
    }
    for (const { frame } of this._pending.values()) this._send(frame);
    this._missed = false;
    this._send({ type: "ping", at: 1 }); // its answer comes after everything that was missed
  }

  _send(frame) {
    this._socket?.send(JSON.stringify(frame));
  }

  /** Ping a quiet connection; give up one that does not answer. */
  _checkLine() {
    if (this._socket?.readyState !== WebSocket.OPEN) return;
    const quiet = Date.now() - this._lastMessage;
    if (quiet > QUIET + PATIENCE) this._drop();
    else if (quiet > QUIET && quiet <= QUIET + 1000) this._send({ type: "ping", at: 0 });
  }

  _drop() {
    const socket = this._socket;
    if (!socket) return;
    this._closed(0);
    socket.close();
  }

  _closed(code) {
    this._socket = null;
    this._set(code === SIGNED_OUT ? "signed_out" : "lost");
    if (code === SIGNED_OUT) this._forget();
    const doubled = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this._tries++);
    const wait = code === RESYNC ? 0 : code === TOO_FAST ? SLOW_DOWN : doubled * (0.5 + Math.random() / 2);
    this._again(wait);
  }

  _again(wait) {
    if (this._socket) return;
    clearTimeout(this._timer);
    this._timer = setTimeout(() => ((this._timer = 0), this.open()), wait);
  }

  /** The user's chips, as the server says. @param {{wallet: number, practice?: number, given?: number}} told */
  chipsAre({ wallet, practice = 0, given = 0 }) {
    if (this.me) Object.assign(this.me, { wallet, practice, given });
    this._publish("wallet", { wallet });
  }

  _received(frame) {
    this._lastMessage = Date.now();
    switch (frame.type) {
      case "welcome":
        this.me = { name: frame.name, role: frame.role, guest: frame.guest, wallet: 0, practice: 0, given: 0 };
        this.chipsAre(frame);
        if (this.status === "signed_out") this._set("open");
        break;
      case "wallet":
        this.chipsAre(frame);
        break;
      case "snapshot":
      case "step":
        this._apply(frame);
        break;
      case "done":
      case "problem":
        this._answered(frame);
        break;
      case "pong":
        if (frame.at === 1) this._synced();
        break;
      default:
        this._publish(frame.type, frame);
    }
  }

  /** A new state of a table; one that is older than the last is dropped. @param {StepFrame | SnapshotFrame} frame */
  _apply(frame) {
    if (!this._watched.has(frame.table)) return;
    const last = this._watched.get(frame.table) ?? null;
    if (frame.type === "step" && last !== null) {
      if (frame.version <= last) return;
      if (frame.first > last + 1) {
        this._send({ type: "watch", table: frame.table }); // a step is missing: ask for the whole state
        return;
      }
    }
    if (frame.type === "snapshot" && last !== null) this._missed = true;
    this._watched.set(frame.table, frame.version);
    const { left } = /** @type {SnapshotFrame} */ (frame);
    if (left) /** @type {Room} */ (frame.room).left = left; // a clock that was running before
    this._publish("frame", frame);
  }

  _answered(frame) {
    const asked = this._pending.get(frame.key);
    this._pending.delete(frame.key);
    if (frame.type === "done") return asked?.resolve({ version: frame.version });
    if (frame.code === "unknown_token") this._forget();
    if (asked) asked.reject(new Problem(frame));
    else this._publish("problem", new Problem(frame));
  }

  /** All missed steps have arrived. */
  _synced() {
    const back = this._back;
    this._back = true;
    this._tries = 0;
    if (this.status !== "signed_out" || this._token) this._set("open", { back, missed: this._missed });
  }

  _set(status, more = {}) {
    if (this.status === status && !more.back) return;
    this.status = status;
    this._publish("status", { status, ...more });
  }

  _publish(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}
