import Foundation
import TestSupport

/// A Swift file of this package, divided into the parts that the tidy rules examine.
struct SourceFile {
    /// The path relative to the package's folder, such as `Sources/Trace/Trace.swift`.
    let path: String
    let lines: [Line]

    struct Line {
        /// The line number, starting at 1.
        var number: Int
        /// The code without comments and without the contents of string literals.
        var code = ""
        /// The text of comments without their slashes.
        var comment = ""
        /// The contents of string literals, including interpolations.
        var literal = ""
        /// The width of the line in columns.
        var width = 0
    }

    /// The module or test target that the file belongs to.
    var target: String { String(path.split(separator: "/")[1]) }

    /// The modules that the file imports.
    var imports: [(line: Int, module: String)] {
        lines.compactMap { line in
            let words = line.code.split(separator: " ")
            guard let index = words.firstIndex(of: "import"), index <= 2, index + 1 < words.count,
                words[..<index].allSatisfy({
                    ["package", "public", "internal", "private"].contains($0) || $0.first == "@"
                })
            else { return nil }
            // `import struct Foundation.URL` names the module before the dot.
            return words.last.map { (line.number, String($0.prefix { $0 != "." })) }
        }
    }

    init(path: String, text: String) {
        self.path = path
        var scanner = LineScanner()
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().map { index, line in
            scanner.scan(String(line), number: index + 1)
        }
    }

    /// Returns all Swift files of these folders, sorted by path.
    static func all(in folders: String...) throws -> [SourceFile] {
        let folders = folders.isEmpty ? ["Sources", "Tests", "Benchmarks", "Examples"] : folders
        return try tree.get().filter { file in folders.contains { file.path.hasPrefix("\($0)/") } }
    }

    private static let tree = Result {
        try ["Sources", "Tests", "Benchmarks", "Examples"].flatMap { folder in
            let root = Tool.package.appendingPathComponent(folder)
            let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path)
            return try paths.filter { $0.hasSuffix(".swift") && !$0.contains(".build") }.sorted().map { path in
                let text = try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
                return SourceFile(path: "\(folder)/\(path)", text: text)
            }
        }
    }
}

/// Divides lines into code, comments and literals, and tracks literals and comments that span several lines.
///
/// The scanner works on UTF-8 bytes, because every delimiter that it searches for is ASCII.
private struct LineScanner {
    private enum State {
        case code
        case literal(Literal)
        case comment(depth: Int)
    }

    private struct Literal {
        /// The bytes that end the literal: quotes, then as many `#` as it began with.
        var end: [UInt8]
        var isRaw: Bool
        var isMultiline: Bool
    }

    private var state = State.code

    mutating func scan(_ text: String, number: Int) -> SourceFile.Line {
        let bytes = Array(text.utf8)
        var (code, comment, literal): ([UInt8], [UInt8], [UInt8]) = ([], [], [])
        var index = 0
        while index < bytes.count {
            switch state {
            case .code: index = scanCode(bytes, index, code: &code, comment: &comment)
            case .literal(let open): index = scanLiteral(bytes, index, into: &literal, open)
            case .comment(let depth): index = scanComment(bytes, index, into: &comment, depth: depth)
            }
        }
        if case .literal(let open) = state, !open.isMultiline { state = .code }
        return SourceFile.Line(
            number: number,
            code: String(decoding: code, as: UTF8.self),
            comment: String(decoding: comment, as: UTF8.self),
            literal: String(decoding: literal, as: UTF8.self),
            width: bytes.count <= 120 ? bytes.count : text.count
        )
    }

    private mutating func scanCode(
        _ bytes: [UInt8],
        _ index: Int,
        code: inout [UInt8],
        comment: inout [UInt8]
    ) -> Int {
        if Self.has("//", bytes, index) {
            comment += bytes[index...].drop { $0 == UInt8(ascii: "/") }
            return bytes.count
        }
        if Self.has("/*", bytes, index) {
            state = .comment(depth: 1)
            return index + 2
        }
        let hashes = bytes[index...].prefix { $0 == UInt8(ascii: "#") }.count
        guard index + hashes < bytes.count, bytes[index + hashes] == UInt8(ascii: "\"") else {
            code.append(bytes[index])
            return index + 1
        }
        let isMultiline = Self.has("\"\"\"", bytes, index + hashes)
        let quotes = [UInt8](repeating: UInt8(ascii: "\""), count: isMultiline ? 3 : 1)
        let end = quotes + [UInt8](repeating: UInt8(ascii: "#"), count: hashes)
        state = .literal(Literal(end: end, isRaw: hashes > 0, isMultiline: isMultiline))
        code += Array("\"\"".utf8)
        return index + hashes + quotes.count
    }

    private mutating func scanLiteral(
        _ bytes: [UInt8],
        _ index: Int,
        into literal: inout [UInt8],
        _ open: Literal
    ) -> Int {
        if bytes[index...].starts(with: open.end) {
            state = .code
            literal.append(UInt8(ascii: " "))
            return index + open.end.count
        }
        guard !open.isRaw, bytes[index] == UInt8(ascii: "\\") else {
            literal.append(bytes[index])
            return index + 1
        }
        let next = Self.has("\\(", bytes, index) ? Self.endOfInterpolation(bytes, index) : nil
        let end = min(next ?? index + 2, bytes.count)
        literal += bytes[index..<end]
        return end
    }

    private mutating func scanComment(
        _ bytes: [UInt8],
        _ index: Int,
        into comment: inout [UInt8],
        depth: Int
    ) -> Int {
        if Self.has("*/", bytes, index) {
            state = depth == 1 ? .code : .comment(depth: depth - 1)
            return index + 2
        }
        if Self.has("/*", bytes, index) {
            state = .comment(depth: depth + 1)
            return index + 2
        }
        comment.append(bytes[index])
        return index + 1
    }

    private static func has(_ mark: StaticString, _ bytes: [UInt8], _ index: Int) -> Bool {
        guard index + mark.utf8CodeUnitCount <= bytes.count else { return false }
        return mark.withUTF8Buffer { bytes[index...].starts(with: $0) }
    }

    /// Returns the index after an interpolation's closing parenthesis, or nil if the interpolation does not end on this
    /// line.
    private static func endOfInterpolation(_ bytes: [UInt8], _ start: Int) -> Int? {
        var depth = 0
        for index in start..<bytes.count {
            if bytes[index] == UInt8(ascii: "(") { depth += 1 }
            if bytes[index] == UInt8(ascii: ")") {
                depth -= 1
                if depth == 0 { return index + 1 }
            }
        }
        return nil
    }
}
