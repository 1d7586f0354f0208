import SquallCore
import Trace

/// `delivered`: what must have become of the messages of a conversation by the end of the interval.
struct DeliveredWord: Word {
    private let limit: Limit
    private let delivery: Delivery
    private let client: ClientID?
    private var ledger: MessageLedger
    private var interval = Interval(start: .zero, order: -1)
    /// Since when the client is connected; nil while it is not.
    private var connectedSince: Instant?
    /// When something last began to be owed.
    private var lastDebt = Instant.zero
    /// When a list last changed.
    private var lastListed = Instant.zero
    private(set) var ruling = WordRuling.open
    var deadline: Instant? { nil }

    init(_ limit: Limit, _ delivery: Delivery) {
        self.limit = limit
        self.delivery = delivery
        client = delivery.client.resolved(for: limit.client)
        ledger = MessageLedger(of: delivery.conversation, for: client)
    }

    /// A run goes on for what is owed, and for what may yet be put right, as long as the bound says, from the last event that could bring
    /// it about.
    var openUntil: Instant? {
        let isWrong = claims(over: ledger.fates.filter(\.isInside)).contains { $0.isExceeded && !$0.isFinal }
        guard ledger.owed > 0 || isWrong else { return nil }
        return limit.latest(from: max(lastDebt, isWrong ? lastListed : .zero, connectedSince ?? .zero))
    }

    mutating func begin(_ interval: Interval, _ conditions: [ConditionTracker]) {
        self.interval = interval
        ledger.reset()
        ruling = .open
    }

    var readings: [Reading] { ledger.readings + [Reading("connection.state", of: .client(client))] }

    mutating func observe(_ event: TraceEvent, in state: ObservedState, isInside: Bool) -> Bool {
        if event.name == "connection.state" {
            guard case .set(let value) = event.observation.change else { return false }
            let isConnected = value == "connected"
            if isConnected != (connectedSince != nil) { connectedSince = isConnected ? event.time : nil }
            return delivery.stale != nil
        }
        guard let place = ledger.observe(event, isInside: isInside) else { return false }
        if place >= 0 {
            lastDebt = event.time
            return true
        }
        lastListed = event.time
        if delivery.stale != nil, isInside {
            markStale(at: event.time)
        }
        return true
    }

    /// Of the messages first shown at this instant, those that could have been shown long before.
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
        // What has happened cannot unhappen; what is missing may have been about to come.
        let isOver = closing != .run(finished: false)
        var broken: [String] = []
        var guilty: [Int] = []
        for claim in claims(over: claimed) {
            // Too many are there to be seen; too few can only be of something.
            let isBroken = claim.isExceeded || isJudged && !claim.bound.allows(claim.found.count)
            guard isBroken, isOver || claim.isFinal && claim.isExceeded else { continue }
            let names = claim.found.prefix(JSON.shownItems).map(\.key).joined(separator: ", ")
            let shown = names.isEmpty ? "" : " (\(names))"
            broken.append("\(claim.found.count) \(claim.name)\(shown), expected \(claim.bound.words)")
            guilty += claim.found.map(\.lastEvent)
        }
        if broken.isEmpty, !isJudged {
            ruling = .vacuous("no message was stored or sent\(delivery.conversation.map { " in \($0)" } ?? "")")
        } else if broken.isEmpty {
            ruling = isOver ? .met(claimed.map(\.lastEvent).sorted()) : .cut("the script did not finish")
        } else {
            let place = delivery.conversation.map { " in \($0)" } ?? ""
            let who = client.flatMap { $0 == .only ? nil : " for \($0)" } ?? ""
            ruling = .broken(
                Reason(
                    "of \(claimed.count) message\(claimed.count == 1 ? "" : "s")\(place)\(who): \(broken.joined(separator: "; "))",
                    events: guilty.sorted(),
                    lastSeen: nil
                )
            )
        }
    }

    private struct Claim {
        var name: String
        var bound: CountBound
        var found: [MessageFate]
        /// Whether what was found stays, whatever comes.
        var isFinal = false
        var isExceeded: Bool { found.count > bound.most ?? .max }
    }

    private func claims(over claimed: [MessageFate]) -> [Claim] {
        var claims: [Claim] = []
        if let bound = delivery.lost {
            claims.append(Claim(name: "lost", bound: bound, found: claimed.filter(\.isOwed)))
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

    /// The messages that stand behind one with a higher number.
    private static func outOfOrder(_ list: [MessageFate]) -> [MessageFate] {
        var highest = Int64.min
        return list.filter { fate in
            guard let sequence = fate.sequence else { return false }
            defer { highest = max(highest, sequence) }
            return sequence < highest
        }
    }
}
