/// The results of the unit tests that the catalogue may name. Each test is identified as in the catalogue, by
/// `Target/function`.
package struct UnitTestResults: Hashable, Sendable {
    /// The tests that ran and passed. If a target has several tests with the same name, all of them passed.
    package var passed: Set<String>
    /// The tests that failed, were skipped or cancelled, or have known issues.
    package var notPassed: Set<String>

    package init(passed: Set<String> = [], notPassed: Set<String> = []) {
        self.passed = passed.subtracting(notPassed)
        self.notPassed = notPassed
    }
}
