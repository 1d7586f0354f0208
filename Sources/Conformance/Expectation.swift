package import SquallCore

/// The events that a case allows, and how the connection may end.
package struct Expectation: Hashable, Sendable {
    /// A sequence of events, and the verdict on a peer that produces it.
    package struct Alternative: Hashable, Sendable {
        package var behavior: CaseBehavior
        package var events: [CaseEvent]
        /// Whether all events except the last are optional.
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
                guard let index = rest.firstIndex(of: event) else { return false }
                rest = rest[(index + 1)...]
            }
            return rest.isEmpty
        }

        /// The events, described for the report.
        var summaries: [String] {
            guard wantsOnlyLast, let last = events.last else { return events.map(\.summary) }
            return ["any of the earlier ones", last.summary]
        }
    }

    /// How the connection must end.
    package enum Ending: Hashable, Sendable {
        /// Squall closes the connection, after all expected events or in one of the case's steps. The peer answers with
        /// one of these codes or with none; if `isClean` is false, it may drop the connection instead.
        case ours(codes: [UInt16], isClean: Bool)
        /// The peer fails the connection, with one of these codes or with none.
        case peers(codes: [UInt16])
        /// The connection may end in any way.
        case any
    }

    /// The allowed alternatives. The first alternative that matches determines the verdict. If no alternative matches,
    /// the peer has failed.
    package var alternatives: [Alternative]
    package var ending: Ending
    /// Whether Squall closes the connection as soon as the events match an alternative.
    package var closesWhenDone: Bool
    /// Whether a wrong close code fails the whole case rather than only affecting the verdict on the closing handshake.
    package var codeMatters = false
    /// Whether the case fails if the closing handshake is not completed with an allowed code.
    package var closeMatters = false
    /// Whether the result is reported but not evaluated.
    package var isInformational = false
    /// The kinds of events that may occur at any time and any number of times.
    package var ignored: Set<CaseEvent.Kind> = []
    /// An event that must occur at least once, at any time; nil if there is no such event.
    package var needed: CaseEvent?
    /// Whether Squall answers pings (RFC 6455, section 5.5.2). Pings are not events, because a peer may ping at any
    /// time.
    package var answersPings = true
    /// The time limit for the peer's reaction after the last step.
    package var limit: TimeSpan

    /// The time limit for a peer's answer, long enough for a busy machine.
    package static let timeout = TimeSpan.seconds(5)

    /// Returns the expectation that the peer responds with these events, after which Squall closes the connection.
    package static func answers(
        _ events: [CaseEvent],
        nonStrict: [CaseEvent]? = nil,
        limit: TimeSpan = timeout
    ) -> Expectation {
        Expectation(
            alternatives: [.init(.ok, events)] + (nonStrict.map { [.init(.nonStrict, $0)] } ?? []),
            ending: .ours(codes: [1000], isClean: true),
            closesWhenDone: true,
            limit: limit
        )
    }

    /// Returns the expectation that the peer fails the connection after these events.
    package static func fails(
        after events: [CaseEvent] = [],
        nonStrict: [CaseEvent]? = nil,
        codes: [UInt16]
    ) -> Expectation {
        Expectation(
            alternatives: [.init(.ok, events)] + (nonStrict.map { [.init(.nonStrict, $0)] } ?? []),
            ending: .peers(codes: codes),
            closesWhenDone: false,
            limit: timeout
        )
    }

    /// Returns the expectation that the case itself closes the connection after these events, and that the peer answers
    /// with one of these codes.
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
            limit: timeout
        )
    }
}
