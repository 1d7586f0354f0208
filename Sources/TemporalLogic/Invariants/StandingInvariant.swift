import SquallCore
import Trace

/// The result of an invariant for the run so far.
enum Finding: Hashable, Sendable {
    /// There was nothing to judge; the value is the reason.
    case nothing(String)
    case kept
    case violated(Reason)
}

/// An invariant that is judged for one client.
///
/// It receives the events of the kinds in ``interest``, after the circumstances and the messages have been updated.
protocol StandingInvariant: Sendable {
    var interest: InvariantKinds { get }
    var finding: Finding { get }
    /// The instant after which ``expire(_:)`` must be called; nil if there is no deadline.
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

    /// Records that there was something to judge, and that the invariant held.
    mutating func keep() {
        if case .nothing = finding { finding = .kept }
    }

    mutating func violate(_ text: String, by latest: Instant? = nil, events: [Int]) {
        guard !isViolated else { return }
        finding = .violated(Reason(text, expectedBy: latest, events: events.filter { $0 >= 0 }))
    }
}
