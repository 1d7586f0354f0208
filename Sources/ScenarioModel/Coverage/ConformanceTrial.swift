/// The results of running all conformance cases that match a pattern against the fake server, both without defects and
/// with each planted defect.
package struct ConformanceTrial: Hashable, Sendable {
    package var pattern: String
    /// The number of cases whose ids match the pattern.
    package var cases: Int
    /// The first case that the server fails even without defects, and the reason; nil if it passes all cases.
    package var failure: String?
    /// The names of the server defects that were planted, one at a time.
    package var tried: Set<String>
    /// The names of the server defects that made at least one case fail.
    package var catches: Set<String>

    package init(pattern: String, cases: Int, failure: String?, tried: Set<String>, catches: Set<String>) {
        self.pattern = pattern
        self.cases = cases
        self.failure = failure
        self.tried = tried
        self.catches = catches
    }
}
