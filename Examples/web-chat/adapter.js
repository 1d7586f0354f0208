// The carrier of Squall's adapter protocol for a web page. Copy this file into your own app.
//
//     const squall = new Squall(url, async (command) => ({ type: "ok" }));
//     squall.report({ event: "state", value: "online" });
//
// It polls the control port for commands, passes each to the handler, and posts the handler's answers and what is
// reported. Messages have numbers in both directions, so that a request that fails is simply repeated.

const RETRY_DELAY = 500;
// A request's time limit is longer than the 20 seconds for which Squall holds a poll.
const REQUEST_LIMIT = 40_000;
const BATCH = 100;

export class Squall {
  #url;
  #handle;
  /** The identifier of this launch of the app; a reloaded page gets a new one. */
  #app = Array.from(crypto.getRandomValues(new Uint32Array(4)), (word) => word.toString(16)).join("-");
  /** The number of the last command received. */
  #received = 0;
  /** The messages that Squall has not accepted yet; the first one has the number `first`. */
  #outbox = [];
  #first = 1;
  #isPosting = false;
  #isOver = false;

  /**
   * Begins to poll `url`, which `squall run --client http` prints. `handle` is called with one command after another
   * and returns the command's answer, an object with `type`, or null if the command has no answer.
   */
  constructor(url, handle) {
    this.#url = url.endsWith("/") ? url : `${url}/`;
    this.#handle = handle;
    this.#poll();
  }

  /** Sends an event after all messages that were sent before. */
  report(event) {
    this.#outbox.push(event);
    if (!this.#isPosting) this.#post();
  }

  async #poll() {
    while (!this.#isOver) {
      const answer = await this.#request(`next?app=${this.#app}&after=${this.#received}`);
      for (const [place, command] of answer?.messages?.entries() ?? []) {
        const number = answer.first + place;
        if (number <= this.#received) continue;
        this.#received = number;
        await this.#perform(command);
      }
    }
  }

  async #perform(command) {
    let answer;
    try {
      // Earlier reports are already in the outbox, so they are posted before this answer.
      answer = command.type === "sync" ? { type: "ok" } : await this.#handle(command);
      // The app's reports may reach Squall later than its frames reach the server, so Squall needs `sync` to wait for
      // them.
      if (answer?.type === "init_ok") answer = { ...answer, takes: [...answer.takes ?? [], "sync"] };
    } catch (error) {
      answer = { type: "error", definite: false, text: String(error) };
    }
    if (answer) this.report({ in_reply_to: command.id, ...answer });
  }

  async #post() {
    this.#isPosting = true;
    while (this.#outbox.length > 0 && !this.#isOver) {
      const body = { first: this.#first, messages: this.#outbox.slice(0, BATCH) };
      const answer = await this.#request(`messages?app=${this.#app}`, body);
      if (answer?.taken === undefined) continue;
      this.#outbox.splice(0, answer.taken + 1 - this.#first);
      this.#first = answer.taken + 1;
    }
    this.#isPosting = false;
  }

  /** Sends a request and returns the response; if there is none, waits a moment and returns null. */
  async #request(path, body) {
    try {
      const response = await fetch(this.#url + path, {
        signal: AbortSignal.timeout(REQUEST_LIMIT),
        ...(body && { method: "POST", body: JSON.stringify(body) }),
      });
      const answer = await response.json();
      if (response.ok || answer.taken !== undefined) return answer;
      console.warn(`Squall: ${answer.error}`);
      // Another launch of the app has replaced this one, Squall has ended, or the URL is wrong: no later request will
      // succeed.
      if (response.status === 410 || response.status === 401) this.#isOver = true;
    } catch (error) {
      console.debug(`Squall: ${error}`);
    }
    await new Promise((done) => setTimeout(done, RETRY_DELAY));
    return null;
  }
}
