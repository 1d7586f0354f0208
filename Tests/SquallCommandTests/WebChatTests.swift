import Foundation
import SquallCore
import TestSupport
import Testing

/// Tests the example `Examples/web-chat` in a headless Chromium, over the long-polling carrier.
@Suite(
    .ownThread,
    .timeLimit(.minutes(20)),
    .enabled(if: Browser.path != nil && Tool.run("python3", "--version").status == 0, "this needs Chromium and python3")
)
struct WebChatTests {
    private static let folder = "Examples/web-chat"

    private static func run(_ words: String...) -> Tool.Ending {
        let script = Command.package.appendingPathComponent("\(folder)/run.py").path
        let paths = words.map { $0.hasPrefix("Scenarios/") ? Command.package.appendingPathComponent($0).path : $0 }
        return Tool.run(["python3", script, Command.binary.path] + paths, within: 120)
    }

    @Test("The web chat client passes several cases in a browser, including a reconnect and a kill")
    func plays() throws {
        let ending = Self.run(
            "Scenarios/sending/dropped-between-send-and-confirm.yaml",
            "Scenarios/sending/killed-while-waiting.yaml:7",
            "Scenarios/link/narrow-link-loses-nothing.yaml",
            "Scenarios/order/unknown-and-malformed-frames.yaml:6",
            "--known-failures",
            Command.package.appendingPathComponent("\(Self.folder)/known-failures.yaml").path,
            "--format",
            "json"
        )
        let json = try JSON.decode(ending.output)
        let runs = try #require(json["scenarios"]?.arrayValue)
        #expect(ending.status == 0, "\(ending.output)")
        #expect(runs.allSatisfy { $0["verdict"] == "pass" && $0["client"] == "web-chat" })
        #expect(runs.count == 7)
        // The page shows a message's status only in words. It shows no text about the queue and no banner, toast or
        // alert. Everything else that the expectations need is reported, but some standing invariants may be skipped.
        let parts = runs.flatMap { $0["expectations"]?.arrayValue ?? [] }
        let skipped = parts.filter { $0["verdict"] == "skipped" && $0["word"]?.stringValue?.hasPrefix("inv") == false }
        #expect(
            Set(skipped.compactMap { $0["why"]?.stringValue }) == [
                "the client does not show alert.title", "the client does not show banner.kind",
                "the client does not show banner.text", "the client does not show message.icon",
                "the client does not show outbox.header_text", "the client does not show toast.text",
            ]
        )
    }
}
