/// A bit set of the observable groups to recompute after an input has been handled.
struct Changes: ExpressibleByArrayLiteral {
    /// A group of observables that is recomputed as a whole.
    enum Part: Int, CaseIterable {
        case connection, session, outbox, conversations, peers, notices, metrics, tasks, uploads, media, deletions
        case screen, phone, unread, list, people, times
    }

    private var bits: UInt64 = 0

    static let all = Changes(Part.allCases)

    init() {}

    init(arrayLiteral parts: Part...) { self.init(parts) }

    private init(_ parts: [Part]) {
        for part in parts { insert(part) }
    }

    func contains(_ part: Part) -> Bool { bits & Self.bit(part) != 0 }

    func contains(_ part: Part, or other: Part) -> Bool { bits & (Self.bit(part) | Self.bit(other)) != 0 }

    mutating func insert(_ part: Part) { bits |= Self.bit(part) }

    mutating func formUnion(_ others: Changes) { bits |= others.bits }

    private static func bit(_ part: Part) -> UInt64 { 1 &<< UInt64(part.rawValue) }
}
