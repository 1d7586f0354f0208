import Foundation

/// Checks that the deadline of a composite value takes into account the deadlines of all its parts.
///
/// A part whose deadline is left out is never woken, and no other check would detect the omission.
struct ConcernDeadlines {
    /// The types that declare `var deadline: Instant?`.
    private let timed: Set<String>

    init(_ files: [SourceFile]) throws {
        let type = try Regex(#"^(?:package |private |fileprivate )?(?:struct|enum|extension) (\w+)"#)
        var timed: Set<String> = []
        for file in files {
            var enclosing = ""
            for line in file.lines {
                if let name = try type.firstMatch(in: line.code)?.output[1].substring { enclosing = String(name) }
                if line.code.contains("var deadline: Instant?") { timed.insert(enclosing) }
            }
        }
        self.timed = timed
    }

    /// Returns the names of stored properties whose deadline is never read.
    func forgotten(in lines: [String]) throws -> [String] {
        let property = try Regex(#"^    (?:private )?var (\w+)(?:: | = )(\w+)(?![\w.])"#)
        let text = lines.joined(separator: "\n")
        return try lines.compactMap { line in
            guard let match = try property.firstMatch(in: line), let name = match.output[1].substring,
                let type = match.output[2].substring, timed.contains(String(type))
            else { return nil }
            return text.contains("\(name).deadline") ? nil : String(name)
        }
    }
}
