import SquallCore
import Yams

/// Translates the YAML parser's errors into diagnostics for users who do not know the parser's terminology.
enum YAMLMistake {
    static func diagnostic(for error: YamlError, in source: SourceText) -> Diagnostic {
        switch error {
        case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _),
            .composer(let context, let problem, let mark, _):
            return diagnostic(context, problem, mark, in: source)
        case .reader(let problem, let offset, _, _):
            return Diagnostic(at: place(of: offset ?? 0, in: source), "this file is not valid text: \(problem)")
        case .duplicatedKeysInMapping(let duplicates, let context):
            return duplicate(duplicates.first ?? "", at: context.mark, in: source)
        case .memory, .no, .writer, .emitter, .representer, .dataCouldNotBeDecoded:
            return Diagnostic(at: YAMLReader.beginning(of: source), "this is not YAML: \(error)")
        }
    }

    private static func location(_ mark: Mark, in source: SourceText) -> SourceLocation {
        SourceLocation(file: source.file, line: max(1, mark.line), column: max(1, mark.column))
    }

    private static func diagnostic(
        _ context: YamlError.Context?,
        _ problem: String,
        _ mark: Mark,
        in source: SourceText
    ) -> Diagnostic {
        let whole = context?.text ?? ""
        if problem.contains("another document") {
            return Diagnostic(
                at: location(mark, in: source),
                "a file contains one scenario; a second document begins here",
                help: "move the text after '---' to another file"
            )
        }
        if whole.contains("quoted scalar"), let context {
            let isOpen = problem.contains("unexpected end of stream")
            return Diagnostic(
                at: location(context.mark, in: source),
                isOpen ? "this quote is not closed" : "the text in this quote is not valid: \(plain(problem))",
                help: isOpen ? "close it at the end of its text" : nil
            )
        }
        let missingSpace = MissingSpace.help(before: mark.line, in: source)
        if missingSpace == nil, let diagnostic = openBracket(context, problem, mark, in: source) { return diagnostic }
        if problem.contains("did not find expected key"), missingSpace == nil,
            let found = TrailingText(line: mark.line, mark.column, in: source)
        {
            return Diagnostic(
                at: location(mark, in: source),
                "this is not YAML: nothing may follow the closing '\(found.bracket)' on its line",
                help: found.help
            )
        }
        if problem.contains("mapping values are not allowed"), missingSpace == nil,
            let found = KeyBehindValue(endingAt: mark.column, line: mark.line, in: source)
        {
            return Diagnostic(
                at: location(mark, in: source),
                "this is not YAML: '\(found.key):' may not follow a value on the same line",
                help: found.help
            )
        }
        let before = source.line(mark.line).map { String($0.unicodeScalars.prefix(max(0, mark.column - 1))) } ?? ""
        let here = source.line(mark.line)?.unicodeScalars.dropFirst(max(0, mark.column - 1)).first
        return Diagnostic(
            at: location(mark, in: source),
            "this is not YAML: \(plain(problem))",
            help: missingSpace ?? help(problem, before: before, here: here)
        )
    }

    /// Creates the diagnostic for a bracket whose closing bracket is missing. The parser notices that only on a later
    /// line, which is usually correct; the diagnostic points to the opening bracket instead.
    private static func openBracket(
        _ context: YamlError.Context?,
        _ problem: String,
        _ mark: Mark,
        in source: SourceText
    ) -> Diagnostic? {
        guard problem.contains("did not find expected ',' or"), let context, context.mark.line < mark.line else {
            return nil
        }
        let (opening, closing) = problem.contains("']'") ? ("[", "]") : ("{", "}")
        return Diagnostic(
            at: location(context.mark, in: source),
            "this is not YAML: this '\(opening)' is not closed, or a comma is missing before line \(mark.line)",
            help: "close it with '\(closing)' at the end of its value"
        )
    }

    /// Phrases in the parser's error messages, with plainer replacements.
    private static let phrases = [
        ("did not find expected ',' or ']'", "the list in brackets is not closed, or lacks a comma"),
        ("did not find expected ',' or '}'", "the mapping in braces is not closed, or lacks a comma"),
        ("did not find expected key", "this line is indented unlike the lines that it belongs to"),
        ("did not find expected '-' indicator", "this line is indented unlike the items of its list"),
        ("did not find expected node content", "a value is missing before this"),
        ("could not find expected ':'", "a key lacks its ':'"),
        ("mapping values are not allowed", "a ':' makes a key of this, where no key may be"),
        ("block sequence entries are not allowed", "a list cannot begin here"),
        ("Maximum nesting level reached", "lists and mappings are nested too deeply"),
        ("found undefined alias", "no anchor has this name"),
        ("found unknown escape character", "a backslash and this character mean nothing; write '\\\\' for a backslash"),
        ("found character that cannot start any token", "a value cannot begin with this character"),
    ]

    private static func plain(_ problem: String) -> String {
        phrases.first { problem.hasPrefix($0.0) }?.1 ?? problem
    }

    private static func help(_ problem: String, before: String, here: Unicode.Scalar?) -> String? {
        if here == "\t" || problem.contains("tab") { return "YAML is indented with spaces" }
        if problem.contains("did not find expected ',' or") {
            if here == ":", before.firstMatch(of: /[{,] *[^ {,:]+: +[^ {,:]+$/) != nil {
                return "quote text that contains ': '"
            }
            if before.hasSuffix("$") || here == "{" && before.contains("$") {
                return "quote ${name} between braces: \"${name}\""
            }
            if here == "[" { return "quote a name with brackets between braces: \"message.status[hello]\"" }
            return "a comma or a closing bracket is missing before this"
        }
        if problem.contains("mapping values are not allowed") {
            if let inner = before.wholeMatch(of: /\ *- +([\w.\[\]]+): +([\w.\[\]]+)/) {
                return "put what belongs to '\(inner.1)' in braces: '\(inner.1): { \(inner.2): ... }'"
            }
            return "quote text that contains ': ', and align the keys of a mapping"
        }
        if problem.contains("cannot start any token") { return "quote text that begins with this character" }
        if problem.contains("could not find expected ':'") { return "a key is followed by ':' and a space" }
        if problem.contains("undefined alias") { return "quote text that begins with '*'" }
        if problem.contains("did not find expected key") || problem.contains("'-' indicator")
            || problem.contains("block end")
        {
            return "align the lines of a list or mapping: begin this one in the same column as the one before"
        }
        return nil
    }

    /// Creates the diagnostic for the duplicate key `name`. The diagnostic points to the second occurrence; the parser
    /// reports only the location of the first (`mark`).
    private static func duplicate(_ name: String, at mark: Mark, in source: SourceText) -> Diagnostic {
        var place = location(mark, in: source)
        let line = source.line(mark.line) ?? ""
        let rest = line.unicodeScalars.dropFirst(mark.column - 1 + name.unicodeScalars.count)
        if let again = String(Substring(rest)).firstRange(of: "\(name):") {
            let text = String(Substring(rest))
            place.column +=
                name.unicodeScalars.count
                + text.unicodeScalars.distance(from: text.startIndex, to: again.lowerBound)
        } else {
            var number = mark.line + 1
            while let next = source.line(number) {
                if String(Substring(next.unicodeScalars.dropFirst(mark.column - 1))).hasPrefix("\(name):") {
                    place.line = number
                    break
                }
                number += 1
            }
        }
        return Diagnostic(
            at: place,
            width: max(1, name.count),
            "duplicate key '\(name.shortened)'",
            help: LanguageWord.names(LanguageWord.steps + LanguageWord.expectations).contains(name)
                ? "begin each step and each expectation with its own '-'" : nil
        )
    }

    /// Returns the location of the character at the given offset.
    private static func place(of offset: Int, in source: SourceText) -> SourceLocation {
        let text = SourceText(file: source.file, text: String(source.text.prefix(offset)))
        return SourceLocation(file: source.file, line: text.lineCount, column: text.lastLineLength + 1)
    }
}
