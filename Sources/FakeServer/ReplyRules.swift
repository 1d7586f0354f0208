package import ChatWire
package import SquallCore

/// What the script does to some of the server's answers before they are written.
package struct ReplyRule: Hashable, Sendable {
    package enum Target: Hashable, Sendable {
        case frame(FrameRole)
        case route(ServerRoute)
    }

    package enum Effect: Hashable, Sendable {
        /// Not written at all.
        case swallow
        case delay(TimeSpan)
        /// Written twice.
        case duplicate
        /// Kept under a label until it is released.
        case hold(String)
    }

    package var target: Target
    /// Nil for all.
    package var client: ClientID?
    package var effect: Effect
    /// How many answers more it is for; nil for all.
    package var count: Int64?

    package init(_ effect: Effect, _ target: Target, client: ClientID? = nil, count: Int64? = nil) {
        self.target = target
        self.client = client
        self.effect = effect
        self.count = count
    }
}

/// The rules that stand, and what they mean for one answer.
struct ReplyRules: Hashable, Sendable {
    enum Fate: Hashable, Sendable {
        case swallowed
        case held(String)
        /// After a wait, so many times.
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

    /// Uses up every rule that it applies, in the order they were given: nothing happens to an answer after it was
    /// swallowed or held. `hits` gets the aims of the rules that it has applied.
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

/// In what order held answers go.
package enum ReleaseOrder: Hashable, Sendable {
    case kept, reversed
    /// Positions from 0; what is not named goes afterwards, as it was kept.
    case positions([Int64])

    /// Whether so many are enough for every position that it names.
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
