package import SquallCore

/// A value that a case sends or expects.
package enum ChatValue: Hashable, Sendable {
    case exactly(JSON)
    /// The value that was saved from an earlier frame under this name.
    case kept(String)
    /// A count greater than the one saved under this name.
    case above(String)
    /// Any value other than the one saved under this name.
    case other(String)
    /// Any value except null.
    case present
}

extension ChatValue {
    /// Returns the value to send; `kept` contains the saved values by name.
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
