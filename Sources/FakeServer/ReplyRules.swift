package import ChatWire
package import SquallCore

/// A script rule that drops, delays, duplicates or holds some of the server's responses.
package struct ReplyRule: Hashable, Sendable {
    package enum Target: Hashable, Sendable {
        case frame(FrameRole)
        case route(ServerRoute)
    }

    package enum Effect: Hashable, Sendable {
        /// The response is not written.
        case swallow
        case delay(TimeSpan)
        /// The response is written twice.
        case duplicate
        /// The response is held under a label until it is released.
        case hold(String)
    }

    package var target: Target
    /// The client that the rule applies to; nil for all clients.
    package var client: ClientID?
    package var effect: Effect
    /// The number of further responses that the rule applies to; nil for no limit.
    package var count: Int64?

    package init(_ effect: Effect, _ target: Target, client: ClientID? = nil, count: Int64? = nil) {
        self.target = target
        self.client = client
        self.effect = effect
        self.count = count
    }
}

/// The active reply rules.
struct ReplyRules: Hashable, Sendable {
    enum Fate: Hashable, Sendable {
        case swallowed
        case held(String)
        /// The response is written `copies` times after a delay.
        case written(after: TimeSpan, copies: Int)

        static let untouched = written(after: .zero, copies: 1)
    }

    private var rules: [ReplyRule] = []

    mutating func add(_ rule: ReplyRule) {
        guard rule.count ?? 1 > 0 else { return }
        rules.append(rule)
    }

    mutating func removeAll() {
        rules = []
    }

    mutating func stopHolding(_ label: String) {
        rules.removeAll { $0.effect == .hold(label) }
    }

    /// Decides what happens to one response. Applies the matching rules in the order they were added, and decrements
    /// their counts.
    ///
    /// The first rule that swallows or holds the response ends the search. The targets of the applied rules are
    /// appended to `hits`.
    mutating func fate(of target: ReplyRule.Target, for client: ClientID, hits: inout [ActionAim]) -> Fate {
        guard !rules.isEmpty else { return .untouched }
        var wait = TimeSpan.zero
        var copies = 1
        defer { rules.removeAll { ($0.count ?? 1) <= 0 } }
        for index in rules.indices where rules[index].applies(to: target, for: client) {
            if let count = rules[index].count { rules[index].count = count - 1 }
            hits.append(rules[index].aim)
            switch rules[index].effect {
            case .swallow: return .swallowed
            case .hold(let label): return .held(label)
            case .delay(let span): wait = wait + span
            case .duplicate: copies += 1
            }
        }
        return .written(after: wait, copies: copies)
    }
}

extension ReplyRule {
    fileprivate func applies(to target: Target, for client: ClientID) -> Bool {
        self.target == target && (self.client ?? client) == client && (count ?? 1) > 0
    }
}

/// The order in which held responses are released.
package enum ReleaseOrder: Hashable, Sendable {
    case kept, reversed
    /// Releases the responses at these 0-based positions, then all others in the order in which they were held.
    case positions([Int64])

    /// Returns whether every listed position exists among `count` held responses.
    func fits(_ count: Int) -> Bool {
        if case .positions(let positions) = self { positions.allSatisfy { $0 < count } } else { true }
    }

    func arrange<Reply>(_ replies: [Reply]) -> [Reply] {
        switch self {
        case .kept: return replies
        case .reversed: return replies.reversed()
        case .positions(let positions):
            var order: [Int] = []
            for position in positions {
                guard let position = Int(exactly: position), replies.indices.contains(position) else { continue }
                if !order.contains(position) { order.append(position) }
            }
            order += replies.indices.filter { !order.contains($0) }
            return order.map { replies[$0] }
        }
    }
}
