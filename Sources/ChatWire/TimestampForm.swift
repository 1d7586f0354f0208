/// How a moment stands on the wire.
package enum TimestampForm: String, Hashable, Sendable, CaseIterable {
    /// Text in UTC with milliseconds: `2026-03-01T12:30:45.250Z`.
    case iso8601
    /// An integer: milliseconds since 1970.
    case milliseconds
}
