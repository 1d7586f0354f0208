/// The result of the conformance cases of one pattern against the fake server, sound and with planted defects.
package struct ConformanceTrial: Hashable, Sendable {
    package var pattern: String
    /// How many cases have an id that matches the pattern.
    package var cases: Int
    /// The case that the sound server does not pass, and why; nil if it passes all of them.
    package var failure: String?
    /// The names of the server defects that were tried.
    package var tried: Set<String>
    /// The names of the defects with which a case fails.
    package var catches: Set<String>

    package init(pattern: String, cases: Int, failure: String?, tried: Set<String>, catches: Set<String>) {
        self.pattern = pattern
        self.cases = cases
        self.failure = failure
        self.tried = tried
        self.catches = catches
    }
}
