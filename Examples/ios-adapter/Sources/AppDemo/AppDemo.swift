import AppAdapter
import Foundation

/// An app without a network of its own, for trying the carrier: it prints each command, shows that it connects when it
/// is started, and queues what it is asked to send.
///
///     swift run --package-path Examples/ios-adapter AppDemo URL [TAKES [EVENT]]
///
/// TAKES are the commands that it takes, such as `send,reset`; EVENT is a JSON object that it reports when it is
/// started.
@main
struct AppDemo {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard let url = arguments.first.flatMap({ URL(string: $0) }) else {
            FileHandle.standardError.write(Data("usage: AppDemo URL [TAKES [EVENT]]\n".utf8))
            exit(64)
        }
        let takes = arguments.dropFirst().first?.split(separator: ",").map { JSONValue.text(String($0)) }
        let event = try arguments.dropFirst(2).first.map {
            try JSONDecoder().decode(AppAdapter.Message.self, from: Data($0.utf8))
        }
        let adapter = AppAdapter(url: url) { command, squall in
            FileHandle.standardOutput.write(try JSONEncoder().encode(command) + Data("\n".utf8))
            switch command["type"]?.text {
            case "init":
                return [
                    "type": "init_ok", "name": "app-demo", "shows": ["connection.state", "message.status"],
                    "takes": .list(takes ?? ["open", "send", "reset"]),
                ]
            case "start":
                squall.report(["event": "state", "value": "connecting"])
                if let event { squall.report(event) }
            case "send":
                let id = JSONValue.text("c-\(command["text"]?.text ?? "")")
                squall.report(["event": "status", "client_message_id": id, "value": "queued"])
                return ["type": "ok", "client_message_id": id]
            case "restart":
                // A script or the user starts the app again; an app on Android could do this itself.
                exit(0)
            default: break
            }
            return ["type": "ok"]
        }
        await adapter.run()
    }
}
