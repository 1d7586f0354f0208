import Dispatch
import Foundation
import SquallCore
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A prompt in the last row of the terminal, with an editable line; all other output is printed above the prompt.
final class Prompt: Sendable {
    private struct State: Sendable {
        var editor: LineEditor
        /// The text before the editable line.
        var sign: String
        var isOpen = true
    }

    private let state: Mutex<State>
    /// The line that is emitted when the user presses ctrl-D on an empty line; nil for none.
    private let end: String?
    /// The terminal settings as they were before the prompt was opened, to be restored when the process exits; nil if
    /// no prompt is open.
    private static let settings = Mutex<termios?>(nil)

    /// Whether input and output are a terminal with a movable cursor.
    static var isPossible: Bool {
        isatty(STDIN_FILENO) == 1 && Terminal.outputIsTerminal && Terminal.environment("TERM") != "dumb"
    }

    /// Switches the terminal to raw input and shows the prompt `sign`. Returns nil if input or output is not a suitable
    /// terminal.
    ///
    /// - Parameter end: The line that ctrl-D enters; nil if ctrl-D ends the input without entering a line.
    init?(sign: String = "squall> ", end: String? = "quit", completion: @escaping LineEditor.Completion) {
        guard Self.isPossible else { return nil }
        var before = termios()
        guard tcgetattr(STDIN_FILENO, &before) == 0 else { return nil }
        self.end = end
        state = Mutex(State(editor: LineEditor(completion: completion), sign: sign))
        Self.settings.withLock { $0 = before }
        atexit { Prompt.restore() }
        // Keys are read one at a time and not echoed; ctrl-C still sends SIGINT.
        var raw = before
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
        tcsetattr(STDIN_FILENO, TCSANOW, &raw)
        let continued = DispatchSource.makeSignalSource(signal: SIGCONT, queue: .global())
        continued.setEventHandler { [weak self, raw] in
            // The handler retains the source, which would otherwise be released.
            _ = continued
            self?.reopen(raw)
        }
        continued.resume()
    }

    /// Shows the prompt again after the process was suspended with ctrl-Z, because the shell has restored its own
    /// settings.
    private func reopen(_ raw: termios) {
        state.withLock { state in
            guard state.isOpen else { return }
            var raw = raw
            tcsetattr(STDIN_FILENO, TCSANOW, &raw)
            draw(Self.line(state))
        }
    }

    /// Restores the terminal settings. This must happen however the process ends.
    static func restore() {
        settings.withLock { settings in
            if var before = settings.take() { tcsetattr(STDIN_FILENO, TCSANOW, &before) }
        }
    }

    /// Returns the completed lines as an asynchronous sequence, which ends when the input ends.
    func lines() -> AsyncStream<String> {
        let (lines, emit) = AsyncStream.makeStream(of: String.self)
        read { line in
            if let line { emit.yield(line) } else { emit.finish() }
        }
        return lines
    }

    /// Calls `emit` with each completed line, and with nil when the input ends. A thread blocks on the input until the
    /// process ends.
    func read(_ emit: @escaping @Sendable (String?) -> Void) {
        draw(state.withLock { Self.line($0) })
        Thread.detachNewThread { [self] in
            var buffer = [UInt8](repeating: 0, count: 256)
            while true {
                let count = systemRead(STDIN_FILENO, &buffer)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { break }
                guard !take(buffer[..<count], emit) else { break }
            }
            emit(nil)
        }
    }

    /// Processes the bytes of pressed keys and calls `emit` with each completed line. Returns whether the input has
    /// ended.
    private func take(_ bytes: ArraySlice<UInt8>, _ emit: (String?) -> Void) -> Bool {
        state.withLock { state in
            guard state.isOpen else { return true }
            var isOver = false
            for outcome in state.editor.take(bytes) {
                switch outcome {
                case .line(let text):
                    draw("\r\u{1B}[K\(state.sign)\(text)\n")
                    emit(text)
                case .end:
                    draw("\r\u{1B}[K\(state.sign)\(end ?? "")\n")
                    if let end { emit(end) }
                    isOver = true
                case .clear: draw("\u{1B}[H\u{1B}[2J")
                case .choices(let words): draw("\r\u{1B}[K\(Self.rows(of: words, width: Terminal.width ?? 80))\n")
                }
            }
            if !isOver { draw(Self.line(state)) }
            return isOver
        }
    }

    /// Changes the text before the editable line.
    func change(sign: String) {
        state.withLock { state in
            state.sign = sign
            if state.isOpen { draw(Self.line(state)) }
        }
    }

    /// Prints lines above the prompt.
    func print(_ text: String) {
        state.withLock { state in
            if state.isOpen { draw("\r\u{1B}[K") }
            Terminal.print(text)
            if state.isOpen { draw(Self.line(state)) }
        }
    }

    /// Closes the prompt and restores the terminal settings.
    func close() {
        state.withLock { state in
            guard state.isOpen else { return }
            state.isOpen = false
            draw("\r\u{1B}[K")
        }
        Self.restore()
    }

    private func draw(_ text: String) { Terminal.draw(text) }

    /// Arranges the words in rows that fit the width. The terminal would break a longer row within a word.
    static func rows(of words: [String], width: Int) -> String {
        var rows = [""]
        for word in words {
            let row = rows[rows.count - 1]
            let longer = row.isEmpty ? word : "\(row)  \(word)"
            if row.isEmpty || longer.count < width { rows[rows.count - 1] = longer } else { rows.append(word) }
        }
        return rows.joined(separator: "\n")
    }

    /// Returns the control codes that draw the prompt and the visible part of the line, and position the cursor.
    private static func line(_ state: State) -> String {
        let (editor, sign) = (state.editor, state.sign)
        let room = max(10, (Terminal.width ?? 80) - sign.count - 1)
        let (shown, column) = DisplayWidth.window(of: editor.text, cursor: editor.cursor, room: room)
        return "\r\u{1B}[K\(sign)\(SanitizedText(String(shown)))\r\u{1B}[\(sign.count + column)C"
    }
}

/// Calls `read(2)`. The function is declared outside ``Prompt``, whose method of the same name shadows the system call.
private func systemRead(_ descriptor: Int32, _ buffer: inout [UInt8]) -> Int {
    read(descriptor, &buffer, buffer.count)
}
