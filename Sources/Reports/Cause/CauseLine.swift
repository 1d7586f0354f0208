package import ScenarioModel
import SquallCore
import TemporalLogic
import Trace

/// A one-sentence explanation of why a run did not pass, used in all reports. It states the expected result and its
/// deadline, the last fault before the violation, and the last frame in each direction.
package struct CauseLine: Hashable, Sendable {
    /// The index of the expectation that was violated first.
    package let expectation: Int
    /// The sentence, such as `always: connection.state was …; expected …, by 12.400. Last fault: tunnel from 3.000,
    /// still on.`. Lines of a client's standard error may follow it, each on its own line.
    package let sentence: String
    /// The indices of later violations that most likely have the same cause: the scenario performed no action between
    /// the cause and these violations, and the trace connects them to the cause (see ``CauseLink``).
    package let followers: Set<Int>

    /// Finds the cause of a run's verdict; returns nil if there is no cause, for example because the run passed.
    package init?(of run: CaseResult) {
        let faults = FaultSpans.find(in: run.recording.events)
        guard let divergence = Divergence(of: run, faults: faults) else { return nil }
        expectation = divergence.expectation
        let part = run.expectations[divergence.expectation]
        let why = part.why ?? part.verdict.rawValue
        // Further lines, such as those of a client's standard error, follow the sentence.
        let clause = why.prefix { !$0.isNewline }
        var due = "\(part.heading): \(clause)"
        // If the text ends with the deadline, as in `before the run ended at 77.003`, do not append it again.
        if divergence.isDeadline, !due.hasSuffix(" \(divergence.time)") { due += ", by \(divergence.time)" }
        // Do not repeat a fact that is already in the text of the violated expectation.
        let facts = divergence.context(in: run.recording.events, faults).filter { $0.name != part.word }
        let context = facts.map {
            "\($0.name.prefix(1).uppercased())\($0.name.dropFirst()): \($0.text)"
        }
        sentence = ([due] + context).joined(separator: ". ") + why[clause.endIndex...]
        followers = Self.followers(of: divergence, in: run, faults)
    }

    /// Returns the sentence prefixed with its location: `file:line:column: sentence`.
    package func located(in run: CaseResult) -> String {
        "\(run.expectations[expectation].location): \(sentence)"
    }

    private static func followers(of divergence: Divergence, in run: CaseResult, _ faults: [FaultSpan]) -> Set<Int> {
        let link = CauseLink(run.recording.events, faults)
        let cause = run.expectations[divergence.expectation]
        let next = run.recording.events.first { $0.isOperation && $0.time > divergence.time }?.time ?? .never
        let following = run.expectations.indices.filter { index in
            guard index != divergence.expectation, [.fail, .inconclusive].contains(run.expectations[index].verdict)
            else {
                return false
            }
            return run.divergenceTime(of: run.expectations[index]) < next
                && link.joins(cause, run.expectations[index], at: divergence.time)
        }
        // If the client crashed, that is why the run ended early. The crash also violates the invariant about crashes;
        // both violations have the same cause.
        let crash = run.expectations.indices.filter { index in
            let part = run.expectations[index]
            guard part.verdict == .fail, cause.word == "run", index != divergence.expectation else { return false }
            return cause.why.map { part.why?.hasSuffix($0) == true } ?? false
        }
        // Expectations that could not be evaluated because the script did not finish have the same cause as the
        // script's early end.
        let stop = run.expectations.firstIndex { $0.endsScript && $0.verdict != .pass }
        let connected = Set(following + crash)
        guard let stop, stop == divergence.expectation || connected.contains(stop) else { return connected }
        return connected.union(run.expectations.indices.filter { run.expectations[$0].isCutShort })
    }
}

extension ExpectationResult {
    /// Whether this is the result of a failed step or of a run that ended early. In both cases, no further step was
    /// performed.
    fileprivate var endsScript: Bool { ["wait", "run", "script"].contains(word) }

    /// Whether the expectation is inconclusive only because the script did not finish.
    var isCutShort: Bool { verdict == .inconclusive && why?.hasPrefix(ScriptEnd.unfinished) == true }
}

extension TraceEvent {
    /// Whether the event is an action performed by the scenario. False for the effects of a fault, such as `fault.hit`.
    var isOperation: Bool {
        observation.provenance == .injected && !name.hasPrefix("network.") && !name.hasSuffix(".hit")
    }
}

extension Divergence {
    /// Returns the facts about the network, such as the last fault, at the time of the divergence (when the run first
    /// violated an expectation). Each fact has a name that identifies it.
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
        if let upstream = Self.upstream(in: events, until: time) { facts.append(("upstream", upstream)) }
        for (name, index, prefix) in [
            ("last sent", sent, "client.sent."), ("last received", received, "client.received."),
        ] {
            guard let index else { continue }
            let event = events[index]
            let key = event.key.map { "[\($0)]" } ?? ""
            facts.append((name, "\(event.name.dropFirst(prefix.count))\(key) at \(event.time)"))
        }
        if let note = note(in: events, faults) { facts.append(("note", note)) }
        return facts
    }

    /// Describes how many connections to the external server had failed by `time`; returns nil if none had failed.
    private static func upstream(in events: [TraceEvent], until time: Instant) -> String? {
        let failed = events.filter { $0.name == "network.upstream.failed" && $0.time <= time }
        guard let last = failed.last else { return nil }
        let failure = last.fields?["failure"]?.stringValue ?? "failed"
        return
            """
            \(failed.count) \(failed.count == 1 ? "call" : "calls") to it failed, the last at \(last.time) \
            (\(failure))
            """
    }
}
