import Foundation

/// The lines of standard input as they come, for who does something else meanwhile.
enum InputLines {
    /// Ends where the input does. A thread of its own stands still for them, to the end of the process.
    static func stream() -> AsyncStream<String> {
        let (lines, emit) = AsyncStream.makeStream(of: String.self)
        Thread.detachNewThread {
            while let line = readLine() { emit.yield(line) }
            emit.finish()
        }
        return lines
    }
}
