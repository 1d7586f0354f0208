import Dispatch
import Squall
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Writes events or packets on a separate queue, so that a slow reader of the output does not delay the command.
final class EventWriter: Sendable {
    /// The maximum number of bytes buffered for a slow reader. Further lines are dropped, with one warning.
    private static let backlogLimit = 64 << 20

    private let descriptor: Int32
    /// The output's name in error messages, such as `--events out.jsonl`.
    private let place: String
    private let queue = DispatchQueue(label: "squall.events")
    private let waiting = Atomic(0)
    private let hasLost = Atomic(false)
    /// The `errno` of the first write that failed; 0 if no write has failed. Nothing is written after a failure,
    /// because the last line may be truncated.
    private let failure = Atomic<Int32>(0)

    /// Opens the file at `path`, or uses standard output if `path` is `-`. `option` is the command-line option that
    /// specifies the file, for error messages.
    ///
    /// - Throws: ``SquallError`` if the file cannot be opened.
    init(to path: String, option: String = "--events") throws(SquallError) {
        descriptor = path == "-" ? STDOUT_FILENO : open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        place = path == "-" ? "standard output" : "\(option) \(path)"
        guard descriptor >= 0 else { throw .failed("\(place): \(String(cString: strerror(errno)))") }
    }

    /// Queues a line; drops it if an earlier write failed or the reader is too slow.
    func write(_ line: [UInt8]) {
        enqueue(line.count) { [self] in
            var rest = line[...]
            while !rest.isEmpty {
                let count = Terminal.write(rest, to: descriptor)
                guard count > 0 || errno == EINTR else { return fail(errno) }
                rest = rest.dropFirst(max(0, count))
            }
        }
    }

    /// Queues text for `print` to write; drops it if the reader is too slow.
    func write(_ text: String, by print: @escaping @Sendable (String) -> Void) {
        enqueue(text.utf8.count) { print(text) }
    }

    private func enqueue(_ length: Int, _ write: @escaping @Sendable () -> Void) {
        guard failure.load(ordering: .relaxed) == 0 else { return }
        guard waiting.load(ordering: .relaxed) < Self.backlogLimit else {
            if !hasLost.exchange(true, ordering: .relaxed) {
                Terminal.printError("squall: \(place): the reader is too slow: some lines are lost")
            }
            return
        }
        waiting.add(length, ordering: .relaxed)
        queue.async { [self] in
            defer { waiting.subtract(length, ordering: .relaxed) }
            if failure.load(ordering: .relaxed) == 0 { write() }
        }
    }

    private func fail(_ code: Int32) {
        failure.store(code, ordering: .relaxed)
        // A reader such as `head` closes the pipe once it has read what it needs, so a closed pipe is not an error.
        guard code != EPIPE else { return }
        let why = String(cString: strerror(code)).lowercased()
        Terminal.printError("squall: \(place): \(why): nothing more is written to it")
    }

    /// Waits until all queued lines are written. Stops waiting if the reader reads nothing for a second.
    ///
    /// - Returns: False if lines were lost. Lines discarded because the reader closed the pipe do not count as lost.
    func finish() -> Bool {
        let done = DispatchSemaphore(value: 0)
        queue.async { done.signal() }
        var left = waiting.load(ordering: .relaxed)
        while done.wait(timeout: .now() + 1) == .timedOut {
            let now = waiting.load(ordering: .relaxed)
            guard now < left else {
                Terminal.printError("squall: \(place): the reader has stopped reading: the rest is not written")
                return false
            }
            left = now
        }
        let code = failure.load(ordering: .relaxed)
        return code == EPIPE || code == 0 && !hasLost.load(ordering: .relaxed)
    }
}
