// A chat client for a web page: one WebSocket that reconnects with backoff, and an outbox that survives closing the
// page.

const FIRST_DELAY = 1_000;
const LONGEST_DELAY = 30_000;
const PING_INTERVAL = 20_000;
const PONG_LIMIT = 10_000;
const LOGIN_LIMIT = 10_000;
const BUSY_DELAY = 1_000;
const KEPT_MESSAGES = 200;

/**
 * Dispatches three events: "state" when `state` has changed; "messages" when a list of messages or a message's status
 * has changed; and "ignored", with the reason, when a frame was not understood.
 */
export class Chat extends EventTarget {
  state = "idle";
  #url;
  #key;
  #store;
  #socket = null;
  #attempts = 0;
  #timers = {};
  /**
   * The stored state: the messages in display order, the open conversation, the session, and the highest sequence
   * number.
   */
  #kept = { messages: [], conversation: null, session: null, lastSeq: null };

  constructor({ url, key, store = localStorage }) {
    super();
    this.#url = url;
    this.#key = key;
    this.#store = store;
    const text = store.getItem("chat");
    if (text) this.#kept = JSON.parse(text);
  }

  get conversation() {
    return this.#kept.conversation;
  }

  get all() {
    return this.#kept.messages;
  }

  messages(conversation) {
    return this.#kept.messages.filter((message) => message.conversation === conversation);
  }

  open(conversation) {
    this.#kept.conversation = conversation;
    this.#changed();
  }

  start() {
    if (navigator.onLine) this.#connect();
    else this.#show("offline");
  }

  /** Accepts a message from the user, which is sent now or on a later connection, and returns it. */
  send(conversation, text) {
    const message = { id: randomID(), conversation, text, mine: true, status: "queued" };
    this.#kept.messages.push(message);
    this.#transmit(message);
    this.#changed();
    return message;
  }

  /** Ends the delay before the next attempt and connects now, because the user has returned to the page. */
  wake() {
    if (this.state === "reconnecting" && !this.#socket) this.#connect();
  }

  networkChanged(isThere) {
    if (isThere) {
      if (this.state === "offline") this.#connect();
    } else {
      this.#drop("offline");
    }
  }

  #connect() {
    this.#clearTimers();
    this.#show(this.#attempts ? "reconnecting" : "connecting");
    const socket = new WebSocket(this.#url);
    this.#socket = socket;
    this.#after("login", LOGIN_LIMIT, () => this.#lost(socket));
    socket.onmessage = (event) => socket === this.#socket && this.#receive(event.data);
    socket.onclose = (event) => {
      if (socket !== this.#socket) return;
      // Close code 1008 means that the server has refused the key, so reconnecting would not help.
      if (event.code === 1008) this.#drop("signed out");
      else this.#lost(socket);
    };
  }

  #lost(socket) {
    socket.onclose = socket.onmessage = null;
    socket.close();
    this.#socket = null;
    this.#requeue();
    this.#retry(Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** this.#attempts));
  }

  #retry(delay) {
    this.#clearTimers();
    this.#attempts += 1;
    this.#show("reconnecting");
    // Jitter keeps the clients of a restarted server from reconnecting at the same time.
    this.#after("retry", delay * (1 + Math.random() / 4), () => this.#connect());
  }

  #drop(state) {
    this.#clearTimers();
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
    this.#requeue();
    this.#show(state);
  }

  #receive(text) {
    let frame;
    try {
      frame = JSON.parse(text);
    } catch {
      return this.#ignore("malformed");
    }
    if (typeof frame?.type !== "string") return this.#ignore("malformed");
    switch (frame.type) {
      case "hello":
        this.#write({ type: "connect", api_key: this.#key, session_id: this.#kept.session ?? undefined });
        break;
      case "connected": this.#connected(frame); break;
      case "auth_error": this.#drop("signed out"); break;
      case "pong": clearTimeout(this.#timers.pong); break;
      case "confirm": this.#confirmed(frame); break;
      case "error": this.#refused(frame); break;
      case "message": this.#arrived([frame]); break;
      case "replay": this.#arrived(frame.messages); break;
      case "draining": this.#drop("reconnecting"); this.#retry(frame.retry_after_ms); break;
      case "ping": case "presence": case "typing": case "token": case "read_receipt": case "deleted": break;
      default: this.#ignore("unknown", { type: frame.type });
    }
  }

  #connected(frame) {
    clearTimeout(this.#timers.login);
    this.#attempts = 0;
    this.#kept.session = frame.session_id;
    this.#show("online");
    if (this.#kept.lastSeq === null) this.#kept.lastSeq = frame.last_seq;
    else this.#write({ type: "sync", last_seq_seen: this.#kept.lastSeq });
    this.#transmitQueued();
    this.#timers.ping = setInterval(() => {
      this.#write({ type: "ping" });
      this.#after("pong", PONG_LIMIT, () => this.#lost(this.#socket));
    }, PING_INTERVAL);
  }

  #transmitQueued() {
    for (const message of this.#kept.messages) if (message.status === "queued") this.#transmit(message);
    this.#changed();
  }

  #transmit(message) {
    if (this.state !== "online") return;
    message.status = "sending";
    this.#write({
      type: "send", client_message_id: message.id, conversation_id: message.conversation, text: message.text,
    });
  }

  #confirmed(frame) {
    const message = this.#kept.messages.find((message) => message.id === frame.client_message_id);
    this.#seen(frame.seq);
    if (message) Object.assign(message, { status: "delivered", serverID: frame.message_id, time: frame.timestamp });
    this.#changed();
  }

  #refused(frame) {
    const message = this.#kept.messages.find((message) => message.id === frame.client_message_id);
    if (!message) return;
    if (["rate_limited", "session_locked"].includes(frame.code)) {
      message.status = "queued";
      this.#after("busy", frame.retry_after_ms ?? BUSY_DELAY, () => this.#transmitQueued());
    } else {
      message.status = "failed";
    }
    this.#changed();
  }

  #arrived(frames) {
    for (const frame of frames) {
      if (!isMessage(frame)) {
        this.#ignore("malformed");
        continue;
      }
      this.#seen(frame.seq);
      const id = frame.client_message_id ?? frame.message_id;
      let known = this.#kept.messages.find((message) => message.id === id);
      if (!known) this.#kept.messages.push(known = { id, conversation: frame.conversation_id, text: frame.text });
      if (known.mine) known.status = "delivered";
      Object.assign(known, { serverID: frame.message_id, time: frame.timestamp });
      this.#write({ type: "message_ack", message_id: frame.message_id });
    }
    this.#changed();
  }

  #seen(seq) {
    this.#kept.lastSeq = Math.max(this.#kept.lastSeq ?? 0, seq);
  }

  /** Requeues the messages in flight, which may be lost, so that they are sent again on the next connection. */
  #requeue() {
    for (const message of this.#kept.messages) if (message.status === "sending") message.status = "queued";
    this.#changed();
  }

  #write(frame) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(frame));
  }

  #ignore(reason, fields = {}) {
    this.dispatchEvent(new CustomEvent("ignored", { detail: { reason, fields } }));
  }

  #show(state) {
    if (state === this.state) return;
    this.state = state;
    this.dispatchEvent(new Event("state"));
  }

  #changed() {
    const messages = this.#kept.messages.sort(byTime);
    const surplus = messages.length - KEPT_MESSAGES;
    if (surplus > 0) messages.splice(0, surplus);
    this.#store.setItem("chat", JSON.stringify(this.#kept));
    this.dispatchEvent(new Event("messages"));
  }

  #after(name, delay, action) {
    clearTimeout(this.#timers[name]);
    this.#timers[name] = setTimeout(action, delay);
  }

  #clearTimers() {
    for (const timer of Object.values(this.#timers)) clearTimeout(timer);
    this.#timers = {};
  }
}

/** Compares two messages: by the server's order, then unconfirmed messages in the order in which they were written. */
function byTime(one, other) {
  if (!one.time || !other.time) return (one.time ? 0 : 1) - (other.time ? 0 : 1);
  return Date.parse(one.time) - Date.parse(other.time) || (one.serverID < other.serverID ? -1 : 1);
}

function isMessage(frame) {
  return typeof frame.message_id === "string" && typeof frame.conversation_id === "string"
    && typeof frame.text === "string" && Number.isSafeInteger(frame.seq) && typeof frame.timestamp === "string"
    && !Number.isNaN(Date.parse(frame.timestamp));
}

/** Returns 128 random bits in hexadecimal. crypto.randomUUID is not used, because it exists only in secure contexts. */
function randomID() {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (word) => word.toString(16).padStart(8, "0")).join("");
}
