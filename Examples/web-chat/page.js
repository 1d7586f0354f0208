// Displays the chat, and takes the server's address from the page's URL: ?url=ws://…/ws&key=…, or ?squall=… to be
// tested by Squall.

import { Chat } from "./chat.js";

const state = document.getElementById("state");
const list = document.getElementById("messages");
const form = document.querySelector("form");
let chat = null;

/** Displays a chat, and updates the page whenever the chat changes. */
function show(shown) {
  chat = shown;
  chat.addEventListener("state", draw);
  chat.addEventListener("messages", draw);
  draw();
}

function draw() {
  state.dataset.state = chat.state;
  state.textContent = chat.state;
  list.replaceChildren(...chat.messages(chat.conversation).map((message) => {
    const item = document.createElement("li");
    item.textContent = message.text;
    if (message.status && message.status !== "delivered") {
      const status = document.createElement("small");
      status.textContent = message.status;
      item.append(status);
    }
    return item;
  }));
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const text = form.elements.text.value.trim();
  if (!text || !chat) return;
  chat.send(chat.conversation, text);
  form.reset();
});
window.addEventListener("online", () => chat?.networkChanged(true));
window.addEventListener("offline", () => chat?.networkChanged(false));
document.addEventListener("visibilitychange", () => document.hidden || chat?.wake());

const query = new URLSearchParams(location.search);
if (query.has("squall")) {
  const { serve } = await import("./judged.js");
  serve(query.get("squall"), show);
} else {
  show(new Chat({ url: query.get("url") ?? "ws://127.0.0.1:9000/ws", key: query.get("key") ?? "key-1" }));
  chat.open(query.get("conversation") ?? chat.conversation ?? "stukov");
  chat.start();
}
