/// What kind of JSON value a field holds.
package enum FieldKind: Hashable, Sendable {
    case text
    /// A whole number from 0 to 2⁶³ - 1.
    case count
    case flag
    /// A moment, as the profile's ``TimestampForm`` writes it.
    case timestamp
    /// A span of time in whole milliseconds.
    case milliseconds
    /// One word of a closed set.
    case word([String])
    /// An object described by the ``ObjectShape`` of that name.
    case object(String)
    case list(of: String)
}

extension FieldKind: CustomStringConvertible {
    /// As the protocol's documentation says it.
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
