import SquallCore
import Trace

/// An invariant's result for the run so far.
enum Finding: Hashable, Sendable {
    /// The run contained nothing to check; the associated value is the reason.
    case nothing(String)
    case kept
    case violated(Reason)
}

/// An invariant that is checked for one client.
///
/// The invariant receives the events whose kinds are in ``interest``. The circumstances and the message ledger have
/// already been updated with each event.
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
    /// Handles the end of the run. All deadlines up to the end have already expired.
    mutating func finish(at end: Instant, _ circumstances: Circumstances, _ messages: MessageLedger)
}

extension StandingInvariant {
    var deadline: Instant? { nil }
    mutating func expire(_ circumstances: Circumstances) {}
    mutating func finish(at end: Instant, _ circumstances: Circumstances, _ messages: MessageLedger) {}
}

/// Stores an invariant's finding, which does not change after the first violation.
struct FindingRecorder: Sendable {
    private(set) var finding: Finding

    init(until what: String) {
        finding = .nothing(what)
    }

    var isViolated: Bool {
        if case .violated = finding { true } else { false }
    }

    /// Records that the invariant was checked and held.
    mutating func recordCheck() {
        if case .nothing = finding { finding = .kept }
    }

    mutating func violate(_ text: String, by latest: Instant? = nil, events: [Int]) {
        guard !isViolated else { return }
        finding = .violated(Reason(text, expectedBy: latest, events: events.filter { $0 >= 0 }))
    }
}
