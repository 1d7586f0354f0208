import Foundation

/// The lines of standard input as an asynchronous sequence.
enum InputLines {
    /// Ends when the input does. A thread blocks on the input until the process ends, as `readLine` cannot be
    /// cancelled.
    static func stream() -> AsyncStream<String> {
        let (lines, emit) = AsyncStream.makeStream(of: String.self)
        Thread.detachNewThread {
            while let line = readLine() { emit.yield(line) }
            emit.finish()
        }
        return lines
    }
}
