import Foundation
import TestSupport

/// The files that do not follow a rule yet, one per line: `words Sources/Trace/Trace.swift`.
enum Unfinished {
    static let path = "Tests/TidyTests/unfinished.txt"

    private static let file = Tool.package.appendingPathComponent(path)

    static func files(of rule: String) throws -> Set<String> {
        Set(try lines().filter { $0.hasPrefix("\(rule) ") }.map { String($0.dropFirst(rule.count + 1)) })
    }

    /// Rewrites the list of files for one rule if `RECORD=1` is set in the environment.
    static func record(_ rule: String, _ files: [String]) throws {
        guard ProcessInfo.processInfo.environment["RECORD"] == "1" else { return }
        let others = try lines().filter { !$0.hasPrefix("\(rule) ") }
        let text = (others + files.map { "\(rule) \($0)" }).sorted().joined(separator: "\n") + "\n"
        try text.write(to: file, atomically: true, encoding: .utf8)
    }

    private static func lines() throws -> [String] {
        try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
    }
}
