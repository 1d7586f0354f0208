// The adapter through which Squall tests the Node clients in this folder: `node adapter.js NAME` loads NAME.js.

const readline = require("node:readline");

const write = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
let report = (event, fields) => write({ event, ...fields });
let chat = null;

function answer(name, command) {
  switch (command.type) {
    case "init":
      chat = new (require(`./${name}.js`).Chat)(command.ws_url, command.key, (...event) => report(...event));
      return {
        type: "init_ok", name,
        shows: ["connection.state", "message.status", "conversation.messages"],
        takes: ["send", "disconnect"],
        states: { connecting: "connecting", online: "connected", reconnecting: "reconnecting", closed: "offline" },
      };
    case "start":
      chat.run();
      return { type: "ok" };
    case "send": {
      const key = chat.send(command.conversation, command.text);
      report("message", { conversation: command.conversation, client_message_id: key });
      setImmediate(() => chat.transmit(key));
      return { type: "ok", client_message_id: key };
    }
    case "disconnect":
      report("state", { value: "closed" });
      // Ignores further reports. If the library does not close its connection, Squall observes that on the network.
      report = () => {};
      chat.close();
      return { type: "ok" };
    default:
      return { type: "error", code: "not_supported", definite: true };
  }
}

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const command = JSON.parse(line);
  write({ in_reply_to: command.id, ...answer(process.argv[2], command) });
}).on("close", () => process.exit());
