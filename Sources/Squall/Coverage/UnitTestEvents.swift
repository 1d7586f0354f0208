import ScenarioLanguage
package import ScenarioModel
import SquallCore

/// Reads unit-test results from Swift Testing event streams, the files written by
/// `swift test --event-stream-output-path FILE --event-stream-version 0`.
///
/// Each line of a stream is a JSON object. In a `testEnded` event, the symbol of the first message says how the test
/// ended. An xUnit file would not do: it lists cancelled tests and tests with known issues as if they had passed.
package enum UnitTestEvents {
    /// Reads several streams, such as those written by test runs in different processes.
    ///
    /// - Throws: ``SquallError`` if a file cannot be read, is not an event stream, or ends before its test run did.
    package static func read(_ paths: [String]) throws(SquallError) -> UnitTestResults {
        var passed: Set<String> = []
        var notPassed: Set<String> = []
        for path in paths {
            let results = try results(inText: ScenarioFiles.read(path).text, from: path)
            passed.formUnion(results.passed)
            notPassed.formUnion(results.notPassed)
        }
        return UnitTestResults(passed: passed, notPassed: notPassed)
    }

    static func results(inText text: String, from path: String) throws(SquallError) -> UnitTestResults {
        var passed: Set<String> = []
        var notPassed: Set<String> = []
        var isComplete = false
        let lines = Array(text.utf8).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() where !line.isEmpty {
            let payload: JSON?
            do {
                payload = try JSON.decode(line)["payload"]
            } catch {
                throw .scenarios("\(path):\(index + 1):1: error: this is no event of Swift Testing: \(error)")
            }
            switch payload?["kind"]?.stringValue {
            case "runEnded": isComplete = true
            case "testEnded", "testSkipped":
                guard let test = payload?["testID"]?.stringValue.flatMap(name(ofTest:)) else { continue }
                if hasPassed(payload) { passed.insert(test) } else { notPassed.insert(test) }
            default: break
            }
        }
        guard isComplete else {
            throw .scenarios("\(path): error: this is no event stream of Swift Testing, or its test run did not end")
        }
        return UnitTestResults(passed: passed, notPassed: notPassed)
    }

    /// The symbols of tests that passed. They exclude `passWithKnownIssue`, the symbol of a test with known issues.
    private static let passes = ["pass", "passWithWarnings"]

    private static func hasPassed(_ payload: JSON?) -> Bool {
        guard let symbol = payload?["messages"]?.arrayValue?.first?["symbol"]?.stringValue else { return false }
        return passes.contains(symbol)
    }

    /// Returns `Target/function` for a test's id, such as `Target.Suite/function(_:)/File.swift:3:4`; nil for the id of
    /// a suite.
    private static func name(ofTest id: String) -> String? {
        let parts = id.split(separator: "/")
        guard let target = id.split(separator: ".").first, parts.count > 1,
            let function = parts.dropLast().last?.split(separator: ".").last, let end = function.firstIndex(of: "(")
        else { return nil }
        return "\(target)/\(function[..<end])"
    }
}
