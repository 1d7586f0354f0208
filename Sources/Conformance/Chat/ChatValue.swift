package import SquallCore

/// A value that a case sends or expects.
package enum ChatValue: Hashable, Sendable {
    case exactly(JSON)
    /// The value that was saved from an earlier frame under this name.
    case saved(String)
    /// A count greater than the one saved under this name.
    case above(String)
    /// Any value other than the one saved under this name.
    case other(String)
    /// Any value except null.
    case present
}

extension ChatValue {
    /// Returns the value to send; `saved` contains the saved values by name.
    func resolved(_ saved: [String: JSON]) -> JSON {
        switch self {
        case .exactly(let json): json
        case .saved(let name): saved[name] ?? .null
        case .above, .other, .present: .null
        }
    }

    func matches(_ seen: JSON, _ saved: [String: JSON]) -> Bool {
        switch self {
        case .exactly(let wanted): seen == wanted
        case .saved(let name): seen == saved[name]
        case .other(let name): seen != saved[name]
        case .above(let name): (seen.intValue ?? .min) > (saved[name]?.intValue ?? .max)
        case .present: !seen.isNull
        }
    }
}
