import Foundation

/// Reads lines from standard input.
enum InputLines {
    /// Returns the lines as an asynchronous sequence, which ends when the input ends.
    static func stream() -> AsyncStream<String> {
        let (lines, emit) = AsyncStream.makeStream(of: String.self)
        read { line in
            if let line { emit.yield(line) } else { emit.finish() }
        }
        return lines
    }

    /// Calls `take` with each line, and with nil when the input ends.
    ///
    /// A thread blocks on the input until the process ends, because `readLine` cannot be cancelled.
    static func read(_ take: @escaping @Sendable (String?) -> Void) {
        Thread.detachNewThread {
            while let line = readLine() { take(line) }
            take(nil)
        }
    }
}
