/// The kind of JSON value in a field.
package enum FieldKind: Hashable, Sendable {
    case text
    /// An integer from 0 to 2⁶³ - 1.
    case count
    case flag
    /// A timestamp in the profile's ``TimestampForm``.
    case timestamp
    /// A duration in whole milliseconds.
    case milliseconds
    /// A string that must be one of these words.
    case word([String])
    /// An object described by the ``ObjectShape`` with the given name.
    case object(String)
    case list(of: String)
}

extension FieldKind: CustomStringConvertible {
    /// The kind's name in the protocol's documentation.
    package var description: String {
        switch self {
        case .text: "text"
        case .count: "count"
        case .flag: "flag"
        case .timestamp: "timestamp"
        case .milliseconds: "milliseconds"
        case .word(let words): words.map { "`\($0)`" }.joined(separator: ", ")
        case .object(let shape): shape
        case .list(let shape): "list of \(shape)"
        }
    }
}
