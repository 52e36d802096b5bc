// What was answered, stored in this browser: accuracy, cost of mistakes, weak squares, the daily streak.

import { pause } from "../parts.js";

/** @typedef {import("../connection.js").Connection} Connection */

const KEPT = "pontoon.progress";
const MOST = 2000; // answers
const RECENT = 300; // latest answers, from which weak squares are found

/** An answer: the day, the rulebook, the square and area, the choice, and what it cost in cents on a $25 bet.
 * @typedef {{day: string, book: string, cell: string, area: string, position: string, chosen: string, best: string,
 *   cost: number}} Answer */

/** Today's date in the browser's time zone. */
export const today = () => new Date().toLocaleDateString("sv");

export class Progress {
  constructor() {
    /** The connection of an account; null for a guest. @type {Connection | null} */
    this.connection = null;
    /** @type {Answer[]} */
    this.answers = read();
  }

  /** Take over what the server has stored of an account; a guest's answers stay here. @param {Connection} connection */
  async load(connection) {
    if (!connection.me || connection.me.guest) return;
    this.connection = connection;
    const { answers } = await connection.get("/api/progress");
    const day = (at) => new Date(at).toLocaleDateString("sv");
    this.answers = answers.map((one) => Object.assign(one, { day: day(one.at) }));
  }

  /** @param {Answer} answer */
  add(answer) {
    this.answers = [...this.answers, answer].slice(-MOST);
    if (this.connection) return void this._send(answer);
    localStorage.setItem(KEPT, JSON.stringify(this.answers));
  }

  /** Put an answer on the account's record; the server works out its cost itself. @param {Answer} answer */
  async _send({ position, chosen }) {
    for (let tries = 0; tries < 20; tries += 1) {
      const reply = await this.connection?.post("/api/progress", { position, chosen }).catch(() => null);
      if (reply?.status !== "preparing") return;
      await pause(500);
    }
  }

  async clear() {
    await this.connection?.delete("/api/progress");
    this.answers = [];
    localStorage.removeItem(KEPT);
    localStorage.removeItem(`${KEPT} days`);
  }

  /** Squares that cost most lately, the worst first. @param {string} book */
  weak(book) {
    const sums = new Map();
    for (const one of this.answers.slice(-RECENT).filter((answer) => answer.book === book))
      sums.set(one.cell, (sums.get(one.cell) ?? 0) * 0.5 + one.cost); // a right answer halves an old mistake
    return [...sums]
      .filter(([, cost]) => cost > 0.5)
      .toSorted((a, b) => b[1] - a[1])
      .slice(0, 8)
      .map(([cell]) => cell);
  }

  /** Right answers and costs by area. @param {Answer[]} [answers] */
  areas(answers = this.answers) {
    const found = new Map();
    for (const { area, cost } of answers) {
      const row = found.get(area) ?? { all: 0, right: 0, cost: 0 };
      found.set(area, { all: row.all + 1, right: row.right + Number(!cost), cost: row.cost + cost });
    }
    return found;
  }

  /** The last days with answers: accuracy, and cost per 100 hands. */
  days() {
    const found = new Map();
    for (const one of this.answers) {
      const row = found.get(one.day) ?? { all: 0, right: 0, cost: 0 };
      found.set(one.day, { all: row.all + 1, right: row.right + Number(!one.cost), cost: row.cost + one.cost });
    }
    return [...found].slice(-14);
  }

  /** Mark the daily set of today as done. */
  finished() {
    const days = new Set([...JSON.parse(localStorage.getItem(`${KEPT} days`) ?? "[]"), today()]);
    localStorage.setItem(`${KEPT} days`, JSON.stringify([...days].slice(-400)));
  }

  /** Days in a row on which the daily set was finished, up to today or yesterday. */
  get streak() {
    const days = new Set(JSON.parse(localStorage.getItem(`${KEPT} days`) ?? "[]"));
    const at = new Date();
    if (!days.has(at.toLocaleDateString("sv"))) at.setDate(at.getDate() - 1);
    let count = 0;
    while (days.has(at.toLocaleDateString("sv"))) {
      count += 1;
      at.setDate(at.getDate() - 1);
    }
    return count;
  }
}

/** @returns {Answer[]} */
function read() {
  try {
    return JSON.parse(localStorage.getItem(KEPT) ?? "[]");
  } catch {
    return []; // not written by this page
  }
}
