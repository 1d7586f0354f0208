/// Rules about the form of files.
enum Layout {
    private static let longest = 400
    private static let widest = 120

    static func isTooLong(_ file: SourceFile) -> String? {
        // Behind the newline that ends the last line the scanner sees one more.
        let count = file.lines.count - 1
        // Generated files are tables: they are looked up, not read.
        if file.path.contains("/Generated/") { return nil }
        return count > longest ? "\(file.path): \(count) lines" : nil
    }

    /// Comments that reach beyond the last column; swift-format holds the code to it.
    static func wideComments(in file: SourceFile) -> [String] {
        file.lines.filter { !$0.comment.isEmpty && $0.literal.isEmpty && $0.width > widest }.map {
            "\(file.path):\($0.number): \($0.width) columns"
        }
    }

    /// Public declarations without a comment above them.
    static func undocumented(in file: SourceFile) -> [String] {
        file.lines.enumerated().compactMap { place, line in
            let words = line.code.split(separator: " ").drop { $0.hasPrefix("@") }
            guard words.first == "public", words.count > 1, words.dropFirst().first != "import" else { return nil }
            let above = file.lines[..<place].last { !$0.code.drop(while: \.isWhitespace).hasPrefix("@") }
            return above?.comment.isEmpty == false ? nil : "\(file.path):\(line.number): \(line.code)"
        }
    }
}
