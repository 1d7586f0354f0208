// A chat client for Squall's own protocol on plain WebSocket messages. The drivers of Node's WebSocket libraries supply
// the connection.

const { randomUUID } = require("node:crypto");

exports.PlainChat = class {
  /** Sends a text message on the connection; null until the server has accepted the login. */
  socketSend = null;

  constructor(url, key, report) {
    Object.assign(this, { url, key, report, seen: 0, session: undefined, outbox: new Map(), shown: new Set() });
    report("state", { value: "connecting" });
  }

  /** Handles a text message from the server; `send` sends a text message in response. */
  received(text, send) {
    const frame = JSON.parse(text);
    const write = (message) => send(JSON.stringify(message));
    if (frame.type === "hello") write({ type: "connect", api_key: this.key, session_id: this.session });
    if (frame.type === "connected") {
      this.session = frame.session_id;
      write({ type: "sync", last_seq_seen: this.seen });
    }
    for (const message of frame.type === "message" ? [frame] : frame.messages ?? []) {
      this.seen = Math.max(this.seen, message.seq);
      const id = message.client_message_id ?? message.message_id;
      if (!this.shown.has(id)) this.report("message", { conversation: message.conversation_id, id });
      this.shown.add(id);
      write({ type: "message_ack", message_id: message.message_id });
    }
    if (frame.type === "replay") {
      this.socketSend = send;
      this.report("state", { value: "online" });
      for (const key of this.outbox.keys()) this.transmit(key);
    }
    if (frame.type === "confirm" && this.outbox.delete(frame.client_message_id)) {
      this.seen = Math.max(this.seen, frame.seq);
      this.report("status", { client_message_id: frame.client_message_id, value: "delivered" });
    }
  }

  closed() {
    this.socketSend = null;
    this.report("state", { value: "reconnecting" });
  }

  /** Accepts a message from the user, which is sent now or on the next connection. */
  send(room, text) {
    const key = randomUUID();
    this.shown.add(key);
    this.outbox.set(key, { type: "send", client_message_id: key, conversation_id: room, text });
    return key;
  }

  transmit(key) {
    this.report("status", { client_message_id: key, value: this.socketSend ? "sending" : "queued" });
    this.socketSend?.(JSON.stringify(this.outbox.get(key)));
  }
};
