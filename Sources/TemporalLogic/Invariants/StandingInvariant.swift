import SquallCore
import Trace

/// The result of an invariant so far.
enum Finding: Hashable, Sendable {
    /// There was nothing to judge, and why.
    case nothing(String)
    case kept
    case violated(Reason)
}

/// One invariant of one client.
///
/// It gets the events of its kinds, after the circumstances and the messages have been updated by them.
protocol StandingInvariant: Sendable {
    var interest: InvariantKinds { get }
    var finding: Finding { get }
    /// ``expire(_:)`` is due once time has passed this instant.
    var deadline: Instant? { get }

    mutating func observe(
        _ event: TraceEvent,
        _ kind: InvariantKind,
        _ circumstances: Circumstances,
        _ messages: MessageLedger
    )
    mutating func expire(_ circumstances: Circumstances)
    /// Ends the run, after all deadlines up to its end have expired.
    mutating func finish(at end: Instant, _ circumstances: Circumstances, _ messages: MessageLedger)
}

extension StandingInvariant {
    var deadline: Instant? { nil }
    mutating func expire(_ circumstances: Circumstances) {}
    mutating func finish(at end: Instant, _ circumstances: Circumstances, _ messages: MessageLedger) {}
}

/// The finding of an invariant: the first violation is final.
struct Record: Sendable {
    private(set) var finding: Finding

    init(until what: String) {
        finding = .nothing(what)
    }

    var isViolated: Bool {
        if case .violated = finding { true } else { false }
    }

    /// Notes that there was something to judge, and it held.
    mutating func keep() {
        if case .nothing = finding { finding = .kept }
    }

    mutating func violate(_ text: String, by latest: Instant? = nil, events: [Int]) {
        guard !isViolated else { return }
        finding = .violated(Reason(text, expectedBy: latest, events: events.filter { $0 >= 0 }))
    }
}
