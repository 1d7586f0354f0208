package import SquallCore

/// A value that a case sends or expects.
package enum ChatValue: Hashable, Sendable {
    case exactly(JSON)
    /// The value of an earlier frame that was saved under this name.
    case kept(String)
    /// A count above the saved one.
    case above(String)
    /// Any value other than the saved one.
    case other(String)
    /// Any value except null.
    case present
}

extension ChatValue {
    /// The value to send.
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
