import SquallCore
import Trace

/// What an invariant has found so far.
enum Finding: Hashable, Sendable {
    /// Nothing that it is about has happened; why that is.
    case nothing(String)
    case kept
    case violated(Reason)
}

/// One invariant, for one client.
///
/// It is told events of the kinds that it is interested in, after the circumstances and the messages have taken them
/// in.
protocol StandingInvariant: Sendable {
    var interest: InvariantKinds { get }
    var finding: Finding { get }
    /// When time has passed this instant without anything having come, ``expire(_:)`` is due.
    var deadline: Instant? { get }

    mutating func observe(
        _ event: TraceEvent,
        _ kind: InvariantKind,
        _ circumstances: Circumstances,
        _ messages: MessageLedger
    )
    mutating func expire(_ circumstances: Circumstances)
    /// The run has ended; what was due by then has been dealt with.
    mutating func finish(at end: Instant, _ circumstances: Circumstances, _ messages: MessageLedger)
}

extension StandingInvariant {
    var deadline: Instant? { nil }
    mutating func expire(_ circumstances: Circumstances) {}
    mutating func finish(at end: Instant, _ circumstances: Circumstances, _ messages: MessageLedger) {}
}

/// A finding that is kept until something violates it, and then stays.
struct Record: Sendable {
    private(set) var finding: Finding

    init(until what: String) {
        finding = .nothing(what)
    }

    var isViolated: Bool {
        if case .violated = finding { true } else { false }
    }

    /// There was something to judge, and it was well.
    mutating func keep() {
        if case .nothing = finding { finding = .kept }
    }

    mutating func violate(_ text: String, by latest: Instant? = nil, events: [Int]) {
        guard !isViolated else { return }
        finding = .violated(Reason(text, expectedBy: latest, events: events.filter { $0 >= 0 }))
    }
}
