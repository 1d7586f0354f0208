/// Adds colours to the diagnostics of scenario files, for a terminal.
enum DiagnosticColours {
    /// Colours a rendered text: locations and messages bold, `error` and carets red, help and notes cyan.
    static func coloured(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { coloured(line: $0) }.joined(separator: "\n")
    }

    private static func coloured(line: Substring) -> String {
        if let mark = line.firstRange(of: ": error: ") {
            let (index, message) = (line[..<mark.lowerBound], line[mark.upperBound...])
            return "\(code(1, index)): \(code(31, "error")): \(code(1, message))"
        }
        if line.hasPrefix("   = ") { return code(36, line) }
        let parts = line.split(separator: "|", maxSplits: 1)
        if parts.count == 2, parts[0].allSatisfy({ $0 == " " }), parts[1].contains("^"),
            parts[1].allSatisfy({ $0 == " " || $0 == "^" || $0 == "\t" })
        {
            return "\(parts[0])|\(code(31, parts[1]))"
        }
        return String(line)
    }

    private static func code(_ number: Int, _ text: some StringProtocol) -> String {
        "\u{1B}[\(number)m\(text)\u{1B}[0m"
    }
}
