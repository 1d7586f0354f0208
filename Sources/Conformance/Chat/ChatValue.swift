package import SquallCore

/// A value that a case says or looks for.
package enum ChatValue: Hashable, Sendable {
    case exactly(JSON)
    /// What an earlier frame held under a name that the case gave it.
    case kept(String)
    /// A count above one that was kept.
    case above(String)
    /// Not what was kept.
    case other(String)
    /// Anything but nothing.
    case present
}

extension ChatValue {
    /// What is said for it.
    func resolved(_ kept: [String: JSON]) -> JSON {
        switch self {
        case .exactly(let json): json
        case .kept(let name): kept[name] ?? .null
        case .above, .other, .present: .null
        }
    }

    func matches(_ seen: JSON, _ kept: [String: JSON]) -> Bool {
        switch self {
        case .exactly(let wanted): seen == wanted
        case .kept(let name): seen == kept[name]
        case .other(let name): seen != kept[name]
        case .above(let name): (seen.intValue ?? .min) > (kept[name]?.intValue ?? .max)
        case .present: !seen.isNull
        }
    }
}
