/// A suite in which no case could be run, with the errors that prevented it.
package struct UnplayedSuite: Hashable, Sendable {
    /// The source of the errors: the scenario files or the client.
    package enum Subject: Sendable {
        case files, client
    }

    /// All error messages, one or more lines each.
    package var message: String
    package var subject: Subject

    package init(_ message: String, of subject: Subject) {
        (self.message, self.subject) = (message, subject)
    }

    /// The name of the test case that represents the whole suite in a JUnit report.
    var testName: String {
        switch subject {
        case .files: "the scenario files can be read"
        case .client: "the client can be run"
        }
    }

    /// The heading of a GitHub job summary.
    var heading: String {
        switch subject {
        case .files: "Squall: the scenario files cannot be read"
        case .client: "Squall: the client cannot be run"
        }
    }
}
