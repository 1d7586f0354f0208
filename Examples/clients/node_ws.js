// Node's package `ws`: a client that detects dead connections with pings as its documentation shows. The package does
// not reconnect, so this driver connects again after two seconds.

const WebSocket = require("ws");
const { PlainChat } = require("./plain.js");

exports.Chat = class extends PlainChat {
  run() {
    const socket = this.socket = new WebSocket(this.url);
    let isAlive = true;
    const pings = setInterval(() => {
      if (!isAlive) return socket.terminate();
      isAlive = false;
      if (socket.readyState === WebSocket.OPEN) socket.ping();
    }, 20_000);
    socket.on("pong", () => { isAlive = true; });
    socket.on("message", (data) => this.received(data, (text) => socket.send(text)));
    // An "error" event is always followed by "close", which handles both.
    socket.on("error", () => {});
    socket.on("close", () => {
      clearInterval(pings);
      if (this.isClosed) return;
      this.closed();
      this.retry = setTimeout(() => this.run(), 2_000);
    });
  }

  close() {
    this.isClosed = true;
    clearTimeout(this.retry);
    this.socket.close();
  }
};
