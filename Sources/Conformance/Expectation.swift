package import SquallCore

/// What a case allows.
package struct Expectation: Hashable, Sendable {
    /// Events that lead to a behaviour, exactly and in order.
    package struct Alternative: Hashable, Sendable {
        package var behavior: CaseBehavior
        package var events: [CaseEvent]
        /// Whether any but the last of the events may be missing.
        package var wantsOnlyLast: Bool

        package init(_ behavior: CaseBehavior, _ events: [CaseEvent], wantsOnlyLast: Bool = false) {
            self.behavior = behavior
            self.events = events
            self.wantsOnlyLast = wantsOnlyLast
        }

        func isMet(by seen: [CaseEvent]) -> Bool {
            guard wantsOnlyLast else { return seen == events }
            var rest = events[...]
            for event in seen {
                guard let place = rest.firstIndex(of: event) else { return false }
                rest = rest[(place + 1)...]
            }
            return rest.isEmpty
        }

        /// In words.
        var summaries: [String] {
            guard wantsOnlyLast, let last = events.last else { return events.map(\.summary) }
            return ["any of those before", last.summary]
        }
    }

    /// How the connection must end.
    package enum Ending: Hashable, Sendable {
        /// We close once everything has come that the case waits for, or in one of its steps; the peer answers with one of
        /// these codes or none, or, unless `isClean`, drops the connection.
        case ours(codes: [UInt16], isClean: Bool)
        /// The peer fails the connection, with one of these codes or none.
        case peers(codes: [UInt16])
        /// No matter how.
        case any
    }

    /// The first that matches counts; where none does the peer has failed.
    package var alternatives: [Alternative]
    package var ending: Ending
    /// Whether we close as soon as an alternative has come true.
    package var closesWhenDone: Bool
    /// Whether a wrong close code is a failure of the case and not only of its ending.
    package var codeMatters = false
    /// Whether the case fails unless the closing handshake is completed, and with a right code.
    package var closeMatters = false
    /// Whatever happens is told and not judged.
    package var isInformational = false
    /// Kinds of events that may come in any number at any time.
    package var ignored: Set<CaseEvent.Kind> = []
    /// What must come at least once, before the events, between them or behind them.
    package var needed: CaseEvent?
    /// Whether pings are answered (RFC 6455 section 5.5.2). They are no events: a peer may ping whenever it likes.
    package var answersPings = true
    /// How long the peer may take to react, from the last step on.
    package var limit: TimeSpan

    /// What a peer needs at most to answer on a machine that is busy.
    package static let patience = TimeSpan.seconds(5)

    /// The peer does this, then we close.
    package static func answers(
        _ events: [CaseEvent],
        nonStrict: [CaseEvent]? = nil,
        limit: TimeSpan = patience
    ) -> Expectation {
        Expectation(
            alternatives: [.init(.ok, events)] + (nonStrict.map { [.init(.nonStrict, $0)] } ?? []),
            ending: .ours(codes: [1000], isClean: true),
            closesWhenDone: true,
            limit: limit
        )
    }

    /// The peer fails the connection after these events.
    package static func fails(
        after events: [CaseEvent] = [],
        nonStrict: [CaseEvent]? = nil,
        codes: [UInt16]
    ) -> Expectation {
        Expectation(
            alternatives: [.init(.ok, events)] + (nonStrict.map { [.init(.nonStrict, $0)] } ?? []),
            ending: .peers(codes: codes),
            closesWhenDone: false,
            limit: patience
        )
    }

    /// The case itself closes, and the peer answers with one of these codes, after these events.
    package static func closing(
        after events: [CaseEvent] = [],
        codes: [UInt16],
        isClean: Bool = true
    ) -> Expectation {
        Expectation(
            alternatives: [.init(.ok, events)],
            ending: .ours(codes: codes, isClean: isClean),
            closesWhenDone: false,
            codeMatters: true,
            limit: patience
        )
    }
}
