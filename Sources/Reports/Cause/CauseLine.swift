import Foundations
package import ScenarioModel
import TemporalLogic
import Trace

/// Why a run did not pass, in one sentence that every report tells alike: what was due and when, the last fault before it,
/// the last frame each way.
package struct CauseLine: Hashable, Sendable {
    /// The place of the expectation that was violated first.
    package let expectation: Int
    /// `always: connection.state was …; expected …, by 12.400. Last fault: tunnel from 3.000, still on. Last sent: ping at …`
    package let sentence: String
    /// Expectations that were violated after it with nothing done in between: most likely for the same reason.
    package let followers: Set<Int>

    /// Nil for a run that nothing is amiss with.
    package init?(of run: CaseResult) {
        let faults = FaultSpans.find(in: run.recording.events)
        guard let divergence = Divergence(of: run, faults: faults) else { return nil }
        expectation = divergence.expectation
        let part = run.expectations[divergence.expectation]
        var due = "\(part.word): \(part.why ?? part.verdict.rawValue)"
        if divergence.isDeadline { due += ", by \(divergence.time)" }
        let context = divergence.context(in: run.recording.events, faults).map {
            "\($0.name.prefix(1).uppercased())\($0.name.dropFirst()): \($0.text)"
        }
        sentence = ([due] + context).joined(separator: ". ")
        followers = Self.followers(of: divergence, in: run)
    }

    /// Followed by its place: `file:line:column: sentence`.
    package func located(in run: CaseResult) -> String {
        "\(run.expectations[expectation].location): \(sentence)"
    }

    private static func followers(of divergence: Divergence, in run: CaseResult) -> Set<Int> {
        let next = run.recording.events.first { $0.isDeed && $0.time > divergence.time }?.time ?? .never
        let following = run.expectations.indices.filter { place in
            guard place != divergence.expectation, [.fail, .inconclusive].contains(run.expectations[place].verdict)
            else {
                return false
            }
            return run.divergenceTime(of: run.expectations[place]) < next
        }
        return Set(following)
    }
}

extension TraceEvent {
    /// Whether the scenario did it, or had it done.
    var isDeed: Bool { observation.provenance == .injected && !name.hasPrefix("network.") }
}

extension Divergence {
    /// What the network had done by then, each fact under its name.
    func context(in events: [TraceEvent], _ faults: [FaultSpan]) -> [(name: String, text: String)] {
        var facts: [(name: String, text: String)] = []
        if let fault {
            let span = faults[fault]
            let ended = span.ended.map { events[$0].time }.flatMap { $0 <= time ? $0 : nil }
            let name = span.label.isEmpty || span.label == span.fault ? span.fault : "\(span.fault) (\(span.label))"
            let began = events[span.began].time
            let lasted = ended == began ? "at \(began)" : "from \(began), \(ended.map { "until \($0)" } ?? "still on")"
            facts.append(("last fault", "\(name) \(lasted)"))
        }
        for (name, place, prefix) in [
            ("last sent", sent, "client.sent."), ("last received", received, "client.received."),
        ] {
            guard let place else { continue }
            let event = events[place]
            let key = event.key.map { "[\($0)]" } ?? ""
            facts.append((name, "\(event.name.dropFirst(prefix.count))\(key) at \(event.time)"))
        }
        return facts
    }
}
