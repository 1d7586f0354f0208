/// The wire format of a timestamp.
package enum TimestampForm: String, Hashable, Sendable, CaseIterable {
    /// A string in UTC with milliseconds, such as `2026-03-01T12:30:45.250Z`.
    case iso8601
    /// An integer, the number of milliseconds since 1970.
    case milliseconds
}
