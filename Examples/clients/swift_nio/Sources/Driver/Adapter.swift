import Foundation
import NIOCore

/// The adapter through which Squall tests the client: commands on standard input, answers and events on standard
/// output.
enum Adapter {
    /// The observables that the client reports and the commands that it accepts.
    private static var abilities: [String: Any] {
        [
            "type": "init_ok", "name": "swift_nio",
            "shows": ["connection.state", "message.status", "conversation.messages"], "takes": ["send", "disconnect"],
            "states": [
                "connecting": "connecting", "online": "connected", "reconnecting": "reconnecting", "closed": "offline",
            ],
        ]
    }

    static func answer(_ command: [String: Any], _ chat: inout Chat?) throws -> [String: Any] {
        func text(_ name: String) -> String { command[name] as? String ?? "" }
        switch (text("type"), chat) {
        case ("init", _):
            chat = Chat(url: text("ws_url"), key: text("key"))
            return abilities
        case ("start", let chat?):
            Task { try await Connection.run(chat) }
            return ["type": "ok"]
        case ("send", let chat?):
            let (room, body) = (text("conversation"), text("text"))
            let key = try chat.loop.submit { chat.send(room, body) }.wait()
            report("message", ["conversation": room, "client_message_id": key])
            chat.loop.execute { chat.transmit(key) }
            return ["type": "ok", "client_message_id": key]
        case ("disconnect", let chat?):
            chat.loop.execute { chat.close() }
            return ["type": "ok"]
        default: return ["type": "error", "code": "not_supported", "definite": true]
        }
    }
}

func encoded(_ value: [String: Any]) -> String {
    String(decoding: (try? JSONSerialization.data(withJSONObject: value)) ?? Data(), as: UTF8.self)
}

func decoded(_ text: String) -> [String: Any] {
    (try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? [String: Any] ?? [:]
}

/// Reports an event to Squall.
func report(_ event: String, _ fields: [String: Any]) {
    writeLine(fields.merging(["event": event]) { $1 })
}

func writeLine(_ message: [String: Any]) {
    // Each line is one write, so that lines from two threads are not interleaved.
    FileHandle.standardOutput.write(Data((encoded(message) + "\n").utf8))
}
