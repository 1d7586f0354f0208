/// Rules about the layout of files.
enum Layout {
    private static let longest = 400
    private static let widest = 120

    static func isTooLong(_ file: SourceFile) -> String? {
        // After the newline that ends the last line, the scanner sees an additional empty line.
        let count = file.lines.count - 1
        // Generated files are reference tables, not code to be read.
        if file.path.contains("/Generated/") { return nil }
        return count > longest ? "\(file.path): \(count) lines" : nil
    }

    /// Returns the comments that exceed the maximum line length; swift-format checks the length of code.
    static func wideComments(in file: SourceFile) -> [String] {
        file.lines.filter { !$0.comment.isEmpty && $0.literal.isEmpty && $0.width > widest }.map {
            "\(file.path):\($0.number): \($0.width) columns"
        }
    }

    /// Returns the public declarations without a comment.
    static func undocumented(in file: SourceFile) -> [String] {
        file.lines.enumerated().compactMap { index, line in
            let words = line.code.split(separator: " ").drop { $0.hasPrefix("@") }
            guard words.first == "public", words.count > 1, words.dropFirst().first != "import" else { return nil }
            let above = file.lines[..<index].last { !$0.code.drop(while: \.isWhitespace).hasPrefix("@") }
            return above?.comment.isEmpty == false ? nil : "\(file.path):\(line.number): \(line.code)"
        }
    }
}
