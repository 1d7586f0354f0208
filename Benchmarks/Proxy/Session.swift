import Foundation
import Synchronization

/// The child processes, the temporary folder and the results of a benchmark run. The processes and the folder must not
/// outlive the run.
///
/// On a signal, a separate thread ends the processes, removes the folder and prints the results so far.
final class Session: Sendable {
    private struct State {
        var children: [pid_t] = []
        var table = Table()
        var isOver = false
    }

    let folder: URL
    private let state = Mutex(State())

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("squall-bench-\(getpid())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for number in [SIGINT, SIGTERM, SIGHUP] {
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { [self] in
                // Retains the signal source until the process ends.
                withExtendedLifetime(source) { finish("interrupted; the results so far") }
                fflush(nil)
                _exit(130)
            }
            source.resume()
        }
    }

    func started(_ child: pid_t) { state.withLock { state in state.children += [child] } }

    func add(_ measure: String, _ name: String, _ value: Double, round: Int) {
        state.withLock { $0.table.add(measure, name, value, round: round) }
    }

    /// Ends every child process by its process id, removes the folder and prints the table. Only the first call has an
    /// effect.
    func finish(_ title: String) {
        state.withLock { state in
            guard !state.isOver else { return }
            state.isOver = true
            for child in state.children { _ = kill(child, SIGTERM) }
            let limit = Date().addingTimeInterval(3)
            while state.children.contains(where: { kill($0, 0) == 0 }), Date() < limit { usleep(10_000) }
            for child in state.children where kill(child, 0) == 0 { _ = kill(child, SIGKILL) }
            try? FileManager.default.removeItem(at: folder)
            state.table.print(title)
        }
    }

    /// Prints progress on standard error. On a terminal, each message overwrites the previous one.
    static func progress(_ text: String) {
        let isTerminal = isatty(2) == 1
        FileHandle.standardError.write(Data((isTerminal ? "\r\u{1B}[K\(text)" : "\(text)\n").utf8))
    }
}
