import ChatWire
import ScenarioLanguage
import ScenarioModel
import SquallCore

/// Measures the time to encode and to decode one frame, with the built-in protocol and with wire templates.
enum FrameBenchmark {
    private static let key = "6f1f3b0e-0f5c-4f0a-9d43-1f2d3c4b5a69"
    private static let text = "Are you there? I am in the tunnel."
    private static let rounds = 20_000

    static func run() throws {
        for name in ["default", "array-frames", "op-frames", "text-frames"] {
            guard let profile = try ProfileReader.profile(named: name) else { continue }
            measure(name, profile.wire)
        }
    }

    private static func measure(_ name: String, _ wire: WireProfile) {
        var dialogue = WireDialogue()
        let message = ServerFrame.message(
            ChatMessage(
                id: "m-41",
                conversation: "stukov",
                sender: "anna",
                sequence: 41,
                timestamp: 1_772_368_245_250,
                text: text,
                clientMessageID: key
            )
        )
        let send = ClientFrame.send(.init(clientMessageID: key, conversation: "stukov", text: text))
        let said = String(decoding: send.encode(wire, in: &dialogue) ?? [], as: UTF8.self)
        let heard = String(decoding: message.encode(wire, in: &dialogue) ?? [], as: UTF8.self)
        print("frames of \(name)")
        print(
            "  send     written in \(nanoseconds { send.encode(wire, in: &dialogue)?.count ?? 0 }) ns",
            terminator: ""
        )
        print(
            ", read in \(nanoseconds { ClientFrame.decode(said, wire, in: &dialogue) == .frame(send) ? 1 : 0 }) ns"
        )
        print(
            "  message  written in \(nanoseconds { message.encode(wire, in: &dialogue)?.count ?? 0 }) ns",
            terminator: ""
        )
        print(
            ", read in \(nanoseconds { ServerFrame.decode(heard, wire, in: &dialogue) == .frame(message) ? 1 : 0 }) ns"
        )
    }

    /// Returns the time per call in the fastest of five rounds. `body` must return a nonzero value to indicate success.
    private static func nanoseconds(_ body: () -> Int) -> String {
        let clock = ContinuousClock()
        var best = Duration.seconds(3600)
        for _ in 0..<5 {
            var done = 0
            let start = clock.now
            for _ in 0..<rounds { if body() != 0 { done += 1 } }
            let time = clock.now - start
            guard done == rounds else { return "no" }
            best = min(best, time)
        }
        let (seconds, attoseconds) = best.components
        return String((seconds * 1_000_000_000 + attoseconds / 1_000_000_000) / Int64(rounds))
    }
}
