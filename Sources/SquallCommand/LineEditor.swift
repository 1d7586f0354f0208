/// Edits a line on a terminal: translates the bytes of pressed keys into changes to the text and the cursor.
///
/// The editor supports the keys of GNU Readline's Emacs mode that are useful for single lines.
struct LineEditor: Sendable {
    /// An effect of a key other than a change to the text.
    enum Outcome: Hashable, Sendable {
        /// The user completed the line with the enter key.
        case line(String)
        /// The input has ended: ctrl-D was pressed on an empty line.
        case end
        /// The user requested that the screen be cleared.
        case clear
        /// The user requested completion, and several words can complete the text at the cursor.
        case choices([String])
    }

    /// Returns the words that can complete the text before the cursor, and the number of characters that they replace.
    typealias Completion = @Sendable (_ before: String) -> (replaced: Int, words: [String])

    private(set) var text: [Character] = []
    /// The number of characters before the cursor.
    private(set) var cursor = 0
    /// The history of completed lines, oldest first.
    private(set) var history: [String]
    /// The index of the history line that is being edited; the number of history lines if the new line is being edited.
    private var place: Int
    /// The text of the new line, stored while a history line is being edited.
    private var draft: [Character] = []
    /// The bytes of an incomplete key sequence.
    private var pending: [UInt8] = []
    private let completion: Completion

    /// The maximum number of lines in the history.
    static let longestHistory = 1000

    init(history: [String] = [], completion: @escaping Completion = { _ in (0, []) }) {
        self.history = history
        self.completion = completion
        place = history.count
    }

    mutating func take(_ bytes: some Sequence<UInt8>) -> [Outcome] {
        var outcomes: [Outcome] = []
        for byte in bytes {
            pending.append(byte)
            guard let key = TerminalKey(pending) else { continue }
            pending = []
            if let outcome = press(key) { outcomes.append(outcome) }
        }
        return outcomes
    }

    private mutating func press(_ key: TerminalKey) -> Outcome? {
        switch key {
        case .enter: return finish()
        case .endOfInput:
            guard !text.isEmpty else { return .end }
            remove(to: cursor + 1)
        case .tab: return complete()
        case .clear: return .clear
        case .character(let character):
            text.insert(character, at: cursor)
            cursor += 1
        case .backspace: remove(to: cursor - 1)
        case .delete: remove(to: cursor + 1)
        case .killToEnd: remove(to: text.count)
        case .killToStart: remove(to: 0)
        case .killWord: remove(to: wordBefore)
        case .left: cursor = max(0, cursor - 1)
        case .right: cursor = min(text.count, cursor + 1)
        case .wordLeft: cursor = wordBefore
        case .wordRight: cursor = wordAfter
        case .home: cursor = 0
        case .end: cursor = text.count
        case .up: show(place - 1)
        case .down: show(place + 1)
        case .unknown: break
        }
        return nil
    }

    private mutating func finish() -> Outcome {
        let line = String(text)
        if !line.allSatisfy(\.isWhitespace), line != history.last {
            history.append(line)
            history.removeFirst(max(0, history.count - Self.longestHistory))
        }
        text = []
        draft = []
        cursor = 0
        place = history.count
        return .line(line)
    }

    /// Removes the characters between the cursor and another position.
    private mutating func remove(to other: Int) {
        let other = min(max(other, 0), text.count)
        text.removeSubrange(min(cursor, other)..<max(cursor, other))
        cursor = min(cursor, other)
    }

    private var wordBefore: Int {
        var place = cursor
        while place > 0, text[place - 1].isWhitespace { place -= 1 }
        while place > 0, !text[place - 1].isWhitespace { place -= 1 }
        return place
    }

    private var wordAfter: Int {
        var place = cursor
        while place < text.count, text[place].isWhitespace { place += 1 }
        while place < text.count, !text[place].isWhitespace { place += 1 }
        return place
    }

    /// Replaces the text with a line from the history, or with the new line that was being typed.
    private mutating func show(_ new: Int) {
        guard 0...history.count ~= new, new != place else { return }
        if place == history.count { draft = text }
        place = new
        text = new == history.count ? draft : Array(history[new])
        cursor = text.count
    }

    /// Inserts the longest common prefix of all candidate words; returns the candidates if that inserts nothing.
    private mutating func complete() -> Outcome? {
        let (replaced, words) = completion(String(text[..<cursor]))
        guard let first = words.first, replaced <= cursor else { return nil }
        var common = Array(first)
        for word in words.dropFirst() {
            common = zip(common, word).prefix { $0 == $1 }.map(\.0)
        }
        guard common.count > replaced || words.count == 1 else { return .choices(words) }
        text.replaceSubrange(cursor - replaced..<cursor, with: common)
        cursor += common.count - replaced
        return nil
    }
}
