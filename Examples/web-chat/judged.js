// Connects the chat to Squall: executes commands and reports what the chat shows.

import { Squall } from "./adapter.js";
import { Chat } from "./chat.js";

const OFFER = {
  type: "init_ok",
  name: "web-chat",
  shows: ["connection.state", "message.status", "message.text", "conversation.messages", "view.rows", "outbox.count",
    "client.malformed_frame", "client.unknown_frame"],
  takes: ["open", "send", "network", "background", "foreground", "restart"],
  states: {
    idle: "idle", connecting: "connecting", online: "connected", reconnecting: "reconnecting", offline: "offline",
    "signed out": "auth_required",
  },
};

/** Connects to Squall at `url` and lets it control the page; `show` displays each new chat. */
export function serve(url, show) {
  let settings = null;
  let chat = null;
  let told = {};

  const squall = new Squall(url, (command) => {
    switch (command.type) {
      case "init":
        settings = command;
        if (command.fresh) localStorage.clear();
        return OFFER;
      case "start":
        begin();
        return { type: "ok" };
      case "open":
        chat.open(command.conversation);
        return { type: "ok" };
      case "send":
        return { type: "ok", client_message_id: chat.send(command.conversation, command.text).id };
      case "network":
        window.dispatchEvent(new Event(command.state === "on" ? "online" : "offline"));
        return { type: "ok" };
      case "background":
        return { type: "ok" };
      case "foreground":
        document.dispatchEvent(new Event("visibilitychange"));
        return { type: "ok" };
      case "restart":
        location.reload();
        return null;
      default:
        return { type: "error", code: "not_supported", definite: true };
    }
  });

  function begin() {
    chat = new Chat({ url: settings.ws_url, key: settings.key });
    chat.addEventListener("state", () => squall.report({ event: "state", value: chat.state }));
    chat.addEventListener("messages", report);
    chat.addEventListener("ignored", ({ detail: { reason, fields } }) => {
      squall.report({ event: "did", name: `client.${reason}_frame`, fields });
    });
    show(chat);
    chat.start();
    report();
  }

  /** Reports the values that have changed since the last report. */
  function report() {
    const conversations = new Set(chat.all.map((message) => message.conversation));
    for (const conversation of conversations) {
      tell("conversation.messages", conversation, chat.messages(conversation).map((message) => message.id));
    }
    if (chat.conversation) tell("view.rows", undefined, chat.messages(chat.conversation).map((message) => message.id));
    const mine = chat.all.filter((message) => message.mine);
    for (const message of chat.all) tell("message.text", message.id, message.text);
    for (const message of mine) tell("message.status", message.id, message.status);
    tell("outbox.count", undefined, mine.filter((message) => ["queued", "sending"].includes(message.status)).length);
  }

  function tell(name, key, value) {
    const place = `${name}[${key}]`;
    const text = JSON.stringify(value);
    if (told[place] === text) return;
    told[place] = text;
    squall.report({ event: "show", name, key, value });
  }
}
