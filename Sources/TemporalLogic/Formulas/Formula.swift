package import SquallCore

/// How many.
package struct CountBound: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case exactly
        case atLeast = "at_least"
        case atMost = "at_most"
    }

    package let kind: Kind
    /// Never negative.
    package let number: Int

    /// A negative number counts as zero.
    package init(_ kind: Kind, _ number: Int) {
        self.kind = kind
        self.number = max(number, 0)
    }

    package static func exactly(_ number: Int) -> CountBound { CountBound(.exactly, number) }
    package static func atLeast(_ number: Int) -> CountBound { CountBound(.atLeast, number) }
    package static func atMost(_ number: Int) -> CountBound { CountBound(.atMost, number) }

    /// The largest count allowed; nil where there is none.
    var most: Int? { kind == .atLeast ? nil : number }
    /// The smallest count allowed.
    var least: Int { kind == .atMost ? 0 : number }

    func allows(_ count: Int) -> Bool {
        count >= least && count <= most ?? .max
    }

    /// `exactly 1`, `at least 2`, `at most 5`.
    package var words: String {
        switch kind {
        case .exactly: "exactly \(number)"
        case .atLeast: "at least \(number)"
        case .atMost: "at most \(number)"
        }
    }
}

/// What must have become of the messages of a conversation by the end of the scope.
///
/// A message counts once the server has stored it (`server.stored`, of origin `client` or `post`) or the client has taken
/// it over from its user (`client.accepted`); it is shown while its key stands in `conversation.messages`.
package struct Delivery: Hashable, Sendable {
    /// Nil for all conversations together.
    package var conversation: String?
    package var client: ClientSelector
    /// Stored but not shown at the end; or accepted, but neither stored nor visibly failed.
    package var lost: CountBound?
    /// Ever shown twice at once, or stored twice under one key.
    package var duplicated: CountBound?
    /// Shown, but neither stored by the server nor accepted from the user.
    package var unexpected: CountBound?
    /// Shown later than the expectation's bound after it was stored and the client connected, whichever came last.
    package var stale: CountBound?
    /// Shown at the end behind one that the server stored after it.
    package var reordered: CountBound?

    package init(
        conversation: String?,
        of client: ClientSelector = .one(.only),
        lost: CountBound? = nil,
        duplicated: CountBound? = nil,
        unexpected: CountBound? = nil,
        stale: CountBound? = nil,
        reordered: CountBound? = nil
    ) {
        self.conversation = conversation
        self.client = client
        self.lost = lost
        self.duplicated = duplicated
        self.unexpected = unexpected
        self.stale = stale
        self.reordered = reordered
    }
}

/// What is claimed of a run: a word of the scenario language with what it needs (Dwyer's patterns, LTL, SVA, Jepsen).
package enum Formula: Hashable, Sendable {
    /// Met at least once, within the bound of the scope's start.
    case eventually(Condition)
    /// Holds at every instant of the scope, or for as long as the bound from its start.
    case always(StateCondition)
    /// Not met in the scope, or for as long as the bound from its start.
    case never(Condition)
    /// Holds from the scope's start until the second is met, which must come within the bound.
    case until(StateCondition, Condition)
    /// Each time the first is met, the second is met within the bound. One answer serves all that wait.
    case leadsTo(when: Condition, then: Condition)
    /// Met one after the other, the last within the bound of the scope's start. Strict: none of them out of turn.
    case inOrder([Condition], strict: Bool)
    /// How often it is met in the scope, or in each stretch of the given length in it. A state is met as it becomes true.
    case count(Condition, CountBound, inAny: TimeSpan?)
    /// The values that an observable takes on, one after the other. Exhaustive: these and no others.
    case transitions(of: ObservableReference, are: [ValuePredicate], exhaustive: Bool)
    case delivered(Delivery)
    /// Two observables show the same at every instant; with a bound, they never differ for longer than it.
    case same(ObservableReference, ObservableReference)

    /// The word of the language.
    package var word: String {
        switch self {
        case .eventually: "eventually"
        case .always: "always"
        case .never: "never"
        case .until: "until"
        case .leadsTo: "leads_to"
        case .inOrder: "in_order"
        case .count: "count"
        case .transitions: "transitions"
        case .delivered: "delivered"
        case .same: "same"
        }
    }

    /// Its conditions, in the order in which the word's machine knows them.
    package var conditions: [Condition] {
        switch self {
        case .eventually(let condition), .never(let condition), .count(let condition, _, _): [condition]
        case .always(let state): [Condition(event: nil, state: state)]
        case .until(let state, let condition): [Condition(event: nil, state: state), condition]
        case .leadsTo(let when, let then): [when, then]
        case .inOrder(let conditions, _): conditions
        case .transitions, .delivered, .same: []
        }
    }
}
