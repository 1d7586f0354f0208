package import ScenarioModel
import SquallCore
import TemporalLogic

/// Writes a list of known failures into the text of its file. Only entries that differ are changed; comments, blank
/// lines and the order of the entries are preserved.
///
/// A comment within a removed entry, or indented more deeply than that entry, is removed with it.
package struct KnownFailuresWriter {
    /// The lines of the file without line breaks; nil for a removed line.
    private var lines: [String?]
    private let source: SourceText
    private let entries: [Place]

    /// An entry in the file, with its lines from the dash to the last non-blank line.
    private struct Place {
        var entry: KnownFailures.Entry
        var node: SourceNode
        /// The range of indices in ``lines``.
        var lines: Range<Int>
        /// The number of spaces before the dash.
        var indentation: Int
    }

    /// Returns the text of the file, updated to the entries of `list`.
    ///
    /// If the entries are not in block style or the file cannot be parsed, the whole file is rewritten, and only the
    /// comments above the list are preserved.
    package static func text(of list: KnownFailures, replacing source: SourceText) -> String {
        let isWindows = source.text.contains("\r\n")
        let plain = SourceText(
            file: source.file,
            text: isWindows
                ? source.text.split(separator: "\r\n", omittingEmptySubsequences: false).joined(separator: "\n")
                : source.text
        )
        let written = edited(plain, to: list) ?? rewritten(plain, to: list)
        return isWindows
            ? written.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n") : written
    }

    private static func edited(_ source: SourceText, to list: KnownFailures) -> String? {
        guard case .success(let present) = KnownFailuresReader.read(source, mayLackReasons: true) else { return nil }
        guard !isSame(present, list) else { return source.text }
        guard var writer = KnownFailuresWriter(source, present) else { return nil }
        guard let text = writer.edit(to: list) else { return nil }
        let edited = SourceText(file: source.file, text: text)
        // Verify the edited text by parsing it, because YAML has forms that this type does not support.
        guard case .success(let found) = KnownFailuresReader.read(edited, mayLackReasons: true), isSame(found, list)
        else { return nil }
        return text
    }

    private static func isSame(_ left: KnownFailures, _ right: KnownFailures) -> Bool {
        func plain(_ list: KnownFailures) -> [KnownFailures.Entry] {
            list.entries.map { entry in
                var entry = entry
                entry.location = nil
                return entry
            }
        }
        return plain(left) == plain(right)
    }

    /// Returns new text that contains the list and the comments that preceded it.
    private static func rewritten(_ source: SourceText, to list: KnownFailures) -> String {
        let head = source.text.split(separator: "\n", omittingEmptySubsequences: false).prefix { line in
            line.allSatisfy(\.isWhitespace) || line.first == "#"
        }
        guard head.contains(where: { $0.first == "#" }) else { return list.yaml }
        return head.joined(separator: "\n") + "\n" + list.yamlEntries
    }

    /// Locates the entries; fails if they are not in block style.
    private init?(_ source: SourceText, _ present: KnownFailures) {
        guard let root = try? YAMLReader.read(source, form: ""), let nodes = root["known"]?.list,
            nodes.count == present.entries.count
        else { return nil }
        let lines = source.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        var entries: [Place] = []
        for (node, entry) in zip(nodes, present.entries) {
            let first = node.line - 1
            guard lines.indices.contains(first), let dash = lines[first].firstIndex(where: { $0 != " " }),
                lines[first][dash] == "-"
            else { return nil }
            let indentation = lines[first].distance(from: lines[first].startIndex, to: dash)
            guard node.column > indentation + 1, entries.last.map({ $0.lines.lowerBound < first }) ?? true else {
                return nil
            }
            entries.append(Place(entry: entry, node: node, lines: first..<first + 1, indentation: indentation))
        }
        for place in entries.indices {
            let first = entries[place].lines.lowerBound
            let next = place + 1 < entries.count ? entries[place + 1].lines.lowerBound : lines.count
            let indentation = entries[place].indentation
            // Lines that are indented more deeply than the dash belong to the entry, including comments.
            let last = (first..<next).last { lines[$0].prefix { $0 == " " }.count > indentation && !isBlank(lines[$0]) }
            entries[place].lines = first..<max(first, last ?? first) + 1
        }
        func isBlank(_ line: String) -> Bool { line.allSatisfy(\.isWhitespace) }
        self.source = source
        self.lines = lines
        self.entries = entries
    }

    private mutating func edit(to list: KnownFailures) -> String? {
        func key(_ entry: KnownFailures.Entry) -> String { "\(entry.file)\u{0}\(entry.variant.map { " \($0)" } ?? "")" }
        let wanted = Dictionary(list.entries.map { (key($0), $0) }) { first, _ in first }
        for place in entries {
            guard let entry = wanted[key(place.entry)] else {
                for line in place.lines { lines[line] = nil }
                continue
            }
            let added = entry.parts.filter { !place.entry.parts.contains($0) }
            guard added.isEmpty || add(added, to: place) else { return nil }
        }
        let present = Set(entries.map { key($0.entry) })
        let new = list.entries.filter { !present.contains(key($0)) }
        if list.entries.isEmpty || entries.isEmpty {
            guard let row = lines.indices.first(where: { lines[$0]?.hasPrefix("known:") == true }) else { return nil }
            lines[row] = (list.entries.isEmpty ? "known: []" : "known:") + comment(in: lines[row] ?? "")
        }
        var text = lines.compactMap(\.self)
        while text.last?.allSatisfy(\.isWhitespace) == true { text.removeLast() }
        let margin = String(repeating: " ", count: entries.first?.indentation ?? 2)
        text += new.flatMap(\.yamlLines).map { margin + $0 }
        return text.joined(separator: "\n") + "\n"
    }

    /// Adds items to the entry's `fails`; returns false if the value has a form that this type cannot edit.
    private mutating func add(_ words: [String], to place: Place) -> Bool {
        guard let member = place.node.members?.first(where: { $0.name == "fails" }) else { return false }
        let row = member.key.line - 1
        let quoted = words.map(KnownFailures.quoted)
        guard let line = lines[row] else { return false }
        if let items = member.value.list, let last = items.last, member.value.line - 1 > row, last.line > row + 1 {
            // The value is a list in block style, with one item per line.
            guard let written = lines[last.line - 1], written.drop(while: { $0 == " " }).first == "-" else {
                return false
            }
            let margin = written.prefix { $0 == " " }
            lines[last.line - 1] = ([written] + quoted.map { "\(margin)- \($0)" }).joined(separator: "\n")
            return true
        }
        let comment = comment(in: line)
        let content = line.dropLast(comment.count)
        if member.value.list != nil {
            guard let end = content.lastIndex(of: "]") else { return false }
            lines[row] = content[..<end] + ", " + quoted.joined(separator: ", ") + content[end...] + comment
            return true
        }
        guard let colon = content.firstRange(of: "fails:") else { return false }
        let word = content[colon.upperBound...].drop { $0 == " " }
        let list = ([String(word)] + quoted).joined(separator: ", ")
        lines[row] = content[..<colon.upperBound] + " [\(list)]" + comment
        return true
    }

    /// Returns the comment at the end of a line, with the spaces before it; empty if there is none.
    private func comment(in line: String) -> String {
        var quote: Character?
        var before: Character = " "
        for index in line.indices {
            let character = line[index]
            if let open = quote {
                if character == open, before != "\\" || open == "'" { quote = nil }
            } else if character == "\"" || character == "'" {
                quote = character
            } else if character == "#", before == " " || before == "\t" {
                let text = line[..<index]
                let spaces = text.reversed().prefix { $0 == " " || $0 == "\t" }.count
                return String(line[line.index(index, offsetBy: -spaces)...])
            }
            before = character
        }
        return ""
    }
}
