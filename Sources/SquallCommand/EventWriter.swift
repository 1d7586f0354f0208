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

/// Writes events, or packets, on a thread of its own: whoever reads them slowly holds up nobody.
final class EventWriter: Sendable {
    /// Bytes that may wait for a slow reader; what comes beyond them is lost, and that is said.
    private static let patience = 64 << 20

    private let descriptor: Int32
    /// The option and its file, as it was said.
    private let place: String
    private let queue = DispatchQueue(label: "squall.events")
    private let waiting = Atomic(0)
    private let hasLost = Atomic(false)
    /// 0, or the error of the first write that failed: nothing is written behind it, where it would be out of step.
    private let failure = Atomic<Int32>(0)

    /// `-` is standard output; `option` is what asked for it.
    init(to path: String, option: String = "--events") throws(SquallError) {
        descriptor = path == "-" ? STDOUT_FILENO : open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        place = "\(option) \(path)"
        guard descriptor >= 0 else { throw .failed("\(place): \(String(cString: strerror(errno)))") }
    }

    func write(_ line: [UInt8]) {
        guard failure.load(ordering: .relaxed) == 0 else { return }
        guard waiting.load(ordering: .relaxed) < Self.patience else {
            if !hasLost.exchange(true, ordering: .relaxed) {
                Terminal.complain("squall: \(place): its reader is too slow: some of it is lost")
            }
            return
        }
        waiting.add(line.count, ordering: .relaxed)
        queue.async { [self] in
            defer { waiting.subtract(line.count, ordering: .relaxed) }
            guard failure.load(ordering: .relaxed) == 0 else { return }
            var rest = line[...]
            while !rest.isEmpty {
                let count = Terminal.write(rest, to: descriptor)
                guard count > 0 || errno == EINTR else { return fail(errno) }
                rest = rest.dropFirst(max(0, count))
            }
        }
    }

    private func fail(_ code: Int32) {
        failure.store(code, ordering: .relaxed)
        // Whoever read this has gone, with what it wanted.
        guard code != EPIPE else { return }
        let why = String(cString: strerror(code)).lowercased()
        Terminal.complain("squall: \(place): \(why): nothing more is written there")
    }

    /// Waits for what has been written as long as its reader goes on, and not for one that has stopped; whether all of it is
    /// where it belongs, or its reader has gone.
    func finish() -> Bool {
        let done = DispatchSemaphore(value: 0)
        queue.async { done.signal() }
        var left = waiting.load(ordering: .relaxed)
        while done.wait(timeout: .now() + 1) == .timedOut {
            let now = waiting.load(ordering: .relaxed)
            guard now < left else {
                Terminal.complain("squall: \(place): its reader has stopped: the rest is not written")
                return false
            }
            left = now
        }
        let code = failure.load(ordering: .relaxed)
        return code == EPIPE || code == 0 && !hasLost.load(ordering: .relaxed)
    }
}
