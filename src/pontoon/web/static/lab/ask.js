// Asking the server: the answer comes in parts, a line of JSON each; a new request cancels the previous one.
import { Problem } from "../connection.js";

const PATIENCE = 1000; // milliseconds before asking again where the server says no time

/** A question, and what happens to the parts of its answer. */
export class Asking {
  /** @param {(part: any) => void} on called with every part @param {(problem: Problem) => void} failed */
  constructor(on, failed) {
    this.on = on;
    this.failed = failed;
    /** @type {AbortController | null} */
    this.controller = null;
    this.timer = 0;
  }

  stop() {
    clearTimeout(this.timer);
    this.controller?.abort();
    this.controller = null;
  }

  /** @param {object} question */
  async ask(question) {
    this.stop();
    const controller = (this.controller = new AbortController());
    try {
      const again = await this._read(question, controller.signal);
      if (again && controller === this.controller) this.timer = setTimeout(() => this.ask(question), again);
    } catch (error) {
      if (controller !== this.controller) return; // somebody has changed another rule since
      const problem = error instanceof Problem ? error : new Problem({ words: "the server cannot be reached" });
      this.failed(problem);
      if (problem.status === 503 || problem.status === 429) this.timer = setTimeout(() => this.ask(question), PATIENCE);
    }
  }

  /** @returns {Promise<number>} milliseconds after which to ask again; 0 for all is said */
  async _read(question, signal) {
    const headers = { "content-type": "application/json" };
    const answer = await fetch("/api/lab/evaluation", {
      method: "POST",
      headers,
      body: JSON.stringify(question),
      signal,
    });
    if (!answer.ok || !answer.body) throw new Problem(await answer.json());
    let busy = false;
    for await (const line of lines(answer.body)) {
      if (signal.aborted) return 0;
      const part = JSON.parse(line);
      busy ||= part.part === "busy";
      this.on(part);
    }
    return busy ? PATIENCE : 0;
  }
}

/** The lines of a stream as they come. @param {ReadableStream<Uint8Array>} stream */
async function* lines(stream) {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    rest += decoder.decode(value, { stream: !done });
    const whole = rest.split("\n");
    rest = whole.pop() ?? "";
    yield* whole.filter(Boolean);
    if (done) return;
  }
}
