import SquallCore
import Trace

/// The claims that a `delivered` expectation makes about a conversation's messages at the end of a scope.
///
/// A message is checked if the server has stored it (`server.stored` with the origin `client` or `post`) or the client
/// has accepted it from its user (`client.accepted`). A message is shown as long as `conversation.messages` contains
/// its key.
package struct Delivery: Hashable, Sendable {
    /// The conversation whose messages are checked; nil for all conversations together.
    package var conversation: String?
    package var client: ClientSelector
    /// The bound on the number of lost messages. A message is lost if it is stored but not shown at the end, or
    /// accepted but neither stored nor shown as failed.
    package var lost: CountBound?
    /// The bound on the number of duplicated messages. A message is duplicated if it is shown twice at the end of any
    /// instant, or stored twice under one key.
    package var duplicated: CountBound?
    /// The bound on the number of unexpected messages. A message is unexpected if it is shown but was neither stored by
    /// the server nor accepted by the client from its user.
    package var unexpected: CountBound?
    /// The bound on the number of stale messages. A message is stale if it is shown too late after it was stored or the
    /// client last connected, whichever came later.
    package var stale: CountBound?
    /// The bound on the number of reordered messages. A message is reordered if, at the end, it is shown after a
    /// message that the server stored later.
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

/// `delivered`: claims about a conversation's messages at the end of the scope, such as that none is lost.
struct DeliveredOperator: TemporalOperator {
    let delivery: Delivery

    var checkedQuantities: [Quantity] {
        [delivery.lost, delivery.duplicated, delivery.unexpected, delivery.stale, delivery.reordered]
            .compactMap { $0.map { .integer(Int64($0.number)) } }
    }

    static let spec = OperatorSpec(
        name: "delivered",
        form: "{ conversation: c, lost: 0, duplicated: 0 }",
        meaning: "The messages shown are exactly those that were sent and posted.",
        keys: [
            OperatorKey("conversation", .text, .optional, "The conversation; if omitted, all conversations together."),
            OperatorKey("client", .client, .optional, "The client that shows the messages; if omitted, each client."),
            OperatorKey(
                "lost",
                .count,
                .optional,
                "Stored but not shown at the end, or accepted but neither stored nor failed."
            ),
            OperatorKey(
                "duplicated",
                .count,
                .optional,
                "Shown twice at the same time, or stored twice under one key."
            ),
            OperatorKey("unexpected", .count, .optional, "Shown, but neither stored nor accepted."),
            OperatorKey(
                "stale",
                .count,
                .optional,
                "Shown later than 'within' after the message was stored and the client was connected."
            ),
            OperatorKey("reordered", .count, .optional, "Shown at the end after a message that was stored later."),
        ],
        // While messages are outstanding, the run continues for up to the time bound.
        bound: .defaulted,
        atEnd: .wholeRun
    ) { arguments in
        guard let client: ClientSelector = arguments["client"] else { return nil }
        return .delivered(
            Delivery(
                conversation: arguments["conversation"],
                of: client,
                lost: arguments["lost"],
                duplicated: arguments["duplicated"],
                unexpected: arguments["unexpected"],
                stale: arguments["stale"],
                reordered: arguments["reordered"]
            )
        )
    }

    var reads: [Condition] {
        let list = delivery.conversation.map { KeySelector.one($0) } ?? .every
        return [
            .event(EventPattern("server.stored")),
            .event(EventPattern("client.accepted", of: delivery.client)),
            .state(
                ObservablePredicate(
                    ObservableReference("conversation.messages", key: list, of: delivery.client),
                    .set(true)
                )
            ),
            .state(
                ObservablePredicate(ObservableReference("message.status", key: .every, of: delivery.client), .set(true))
            ),
        ]
    }

    /// A client need not report these two names: without them, only the server's events and the client's lists are
    /// used.
    var optionalNames: Set<String> { ["message.status", "client.accepted"] }

    func problems(bound: TimeSpan?) -> [String] {
        var problems: [String] = []
        if delivery.stale != nil, bound == nil { problems.append("'stale' needs a bound; add 'within'") }
        let claims = [delivery.lost, delivery.duplicated, delivery.unexpected, delivery.stale, delivery.reordered]
        if claims.allSatisfy({ $0 == nil }) {
            problems.append("'delivered' needs at least one of: lost, duplicated, unexpected, stale, reordered")
        }
        return problems
    }

    func monitor(_ limit: Limit) -> any OperatorMonitor { DeliveredMonitor(limit, delivery) }

    /// Returns four violations: a lost message, a message stored twice, a message shown that was never sent, and a
    /// message shown before all older ones.
    func violations(for client: ClientID?) -> [Violation] {
        let key = "something-else"
        let conversation = delivery.conversation ?? key
        func stored(_ sequence: Int64) -> Observation {
            let fields: JSON = [
                "conversation": .string(conversation), "sequence": .integer(sequence), "origin": "post",
            ]
            return .happened("server.stored", key: key, fields, by: .observed)
        }
        let list = "conversation.messages"
        let shown = Observation(list, key: conversation, .inserted(at: 0, .string(key)), by: .reported)
        return [[stored(.max)], [stored(.max), stored(.max), shown], [shown], [stored(.max), shown]].map {
            Violation(observations: $0, client: delivery.client.resolved(for: client))
        }
    }
}

extension Formula {
    /// Creates the claims about a conversation's messages at the end of the scope.
    package static func delivered(_ delivery: Delivery) -> Formula { Formula(DeliveredOperator(delivery: delivery)) }
}

/// Evaluates `delivered`, using a ledger of all messages in the trace.
struct DeliveredMonitor: OperatorMonitor {
    private let limit: Limit
    private let delivery: Delivery
    private let client: ClientID?
    private var ledger: MessageLedger
    private var interval = Interval(start: .zero, order: -1)
    /// The instant at which the client connected; nil while it is not connected.
    private var connectedSince: Instant?
    /// The instant of the last event that may have made a message outstanding.
    private var lastOutstandingChange = Instant.zero
    /// The instant of the last change to a message list.
    private var lastListed = Instant.zero
    private(set) var status = OperatorStatus.open
    var deadline: Instant? { nil }

    init(_ limit: Limit, _ delivery: Delivery) {
        self.limit = limit
        self.delivery = delivery
        client = delivery.client.resolved(for: limit.client)
        ledger = MessageLedger(of: delivery.conversation, for: client)
    }

    /// The instant until which the run must continue for this operator; nil if the run may end now.
    ///
    /// The run continues while a message is outstanding or a later event may still repair a violated claim, but at most
    /// until the bound has elapsed since the last event that may have caused either.
    var runMustLastUntil: Instant? {
        let isWrong = claims(over: ledger.fates.filter(\.isInside)).contains { $0.isExceeded && !$0.isFinal }
        guard ledger.outstanding > 0 || isWrong else { return nil }
        return limit.latest(from: max(lastOutstandingChange, isWrong ? lastListed : .zero, connectedSince ?? .zero))
    }

    mutating func begin(_ interval: Interval, _ conditions: [ConditionTracker]) {
        self.interval = interval
        ledger.reset()
        status = .open
    }

    var subscriptions: [EventSubscription] {
        ledger.subscriptions + [EventSubscription("connection.state", of: .client(client))]
    }

    mutating func observe(_ event: TraceEvent, in state: ObservedState, isInside: Bool) -> Bool {
        if event.name == "connection.state" {
            guard case .set(let value) = event.observation.change else { return false }
            let isConnected = value == "connected"
            if isConnected != (connectedSince != nil) { connectedSince = isConnected ? event.time : nil }
            return delivery.stale != nil
        }
        guard let place = ledger.observe(event, isInside: isInside) else { return false }
        if place >= 0 {
            lastOutstandingChange = event.time
            return true
        }
        lastListed = event.time
        if delivery.stale != nil, isInside {
            markStale(at: event.time)
        }
        return true
    }

    /// Marks the messages first shown at this instant as stale if they are shown later than the bound allows.
    private mutating func markStale(at time: Instant) {
        guard let connectedSince else { return }
        for place in ledger.fates.indices.reversed() {
            let fate = ledger.fates[place]
            guard fate.isNew, fate.shownAt == time, let storedAt = fate.storedAt else { continue }
            if let latest = limit.latest(from: max(storedAt, connectedSince)), time > latest { ledger.markStale(place) }
        }
    }

    mutating func settle(at time: Instant, _ conditions: [ConditionTracker]) {
        ledger.settle()
    }

    mutating func expire(_ conditions: [ConditionTracker]) {}

    mutating func close(at time: Instant, _ closing: IntervalEnd, _ conditions: [ConditionTracker]) {
        ledger.settle()
        let claimed = ledger.fates.filter(\.isInside)
        let isJudged = claimed.contains { $0.isNew && $0.isStored || $0.isAccepted }
        // If the script did not finish, a violated claim counts only if no later event could have repaired it.
        let isOver = closing != .run(finished: false)
        var broken: [String] = []
        var offending: [Int] = []
        for claim in claims(over: claimed) {
            // Too many messages always violate a claim. Too few violate it only if there was a message to check.
            let isBroken = claim.isExceeded || isJudged && !claim.bound.allows(claim.found.count)
            guard isBroken, isOver || claim.isFinal && claim.isExceeded else { continue }
            let names = claim.found.prefix(JSON.shownItems).map(\.key).joined(separator: ", ")
            let shown = names.isEmpty ? "" : " (\(names))"
            broken.append("\(claim.found.count) \(claim.name)\(shown), expected \(claim.bound.words)")
            offending += claim.found.map(\.lastEvent)
        }
        if broken.isEmpty, !isJudged {
            status = .vacuous("no message was stored or sent\(delivery.conversation.map { " in \($0)" } ?? "")")
        } else if broken.isEmpty {
            status = isOver ? .met(claimed.map(\.lastEvent).sorted()) : .cut(ScriptEnd.unfinished)
        } else {
            let place = delivery.conversation.map { " in \($0)" } ?? ""
            let who = client.flatMap { $0 == .only ? nil : " for \($0)" } ?? ""
            status = .broken(
                Reason(
                    """
                    of \(claimed.count) message\(claimed.count == 1 ? "" : "s")\(place)\(who): \
                    \(broken.joined(separator: "; "))
                    """,
                    events: offending.sorted(),
                    lastSeen: nil
                )
            )
        }
    }

    private struct Claim {
        var name: String
        var bound: CountBound
        var found: [MessageFate]
        /// Whether `found` is final, that is, no later event can remove a message from it.
        var isFinal = false
        var isExceeded: Bool { found.count > bound.most ?? .max }
    }

    private func claims(over claimed: [MessageFate]) -> [Claim] {
        var claims: [Claim] = []
        if let bound = delivery.lost {
            claims.append(Claim(name: "lost", bound: bound, found: claimed.filter(\.isOutstanding)))
        }
        if let bound = delivery.duplicated {
            let found = ledger.fates.filter { $0.isDoubled || $0.storedTimes > 1 }
            claims.append(Claim(name: "duplicated", bound: bound, found: found, isFinal: true))
        }
        if let bound = delivery.unexpected {
            let found = claimed.filter { $0.shownAt != nil && !$0.isStored && !$0.isAccepted }
            claims.append(Claim(name: "unexpected", bound: bound, found: found))
        }
        if let bound = delivery.stale {
            claims.append(Claim(name: "stale", bound: bound, found: claimed.filter(\.isStale), isFinal: true))
        }
        if let bound = delivery.reordered {
            claims.append(Claim(name: "reordered", bound: bound, found: ledger.shownLists.flatMap(Self.outOfOrder)))
        }
        return claims
    }

    /// Returns the messages that come after a message with a higher sequence number.
    private static func outOfOrder(_ list: [MessageFate]) -> [MessageFate] {
        var highest = Int64.min
        return list.filter { fate in
            guard let sequence = fate.sequence else { return false }
            defer { highest = max(highest, sequence) }
            return sequence < highest
        }
    }
}
