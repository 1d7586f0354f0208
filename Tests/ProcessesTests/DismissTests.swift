import Adapter
import NIOCore
import NIOPosix
import Processes
import SquallCore
import TestSupport
import Testing

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// Tests how a process ends after being dismissed.
@Suite(.ownThread, .timeLimit(.minutes(20)))
struct DismissTests {
    /// The output is larger than a pipe's buffer, so the process can exit only if the output is read.
    @Test("The output of a dismissed process is drained so that the process can exit")
    func outputIsRead() async throws {
        let file = "/tmp/squall-dismissed-\(getpid())-\(UInt32.random(in: 0 ..< .max))"
        defer { unlink(file) }
        let command = "cat > /dev/null; head -c 1000000 /dev/zero; head -c 1000000 /dev/zero >&2; : > \(file)"
        try await dismissed([command], within: .seconds(60))
        #expect(access(file, F_OK) == 0)
    }

    /// The processes are awaited concurrently.
    @Test("A dismissed process that does not exit is killed with its process group")
    func stubbornProcesses() async throws {
        let ids = try await dismissed(
            Array(repeating: "trap '' TERM; echo $$; exec sleep 600", count: 3),
            within: .milliseconds(50)
        )
        #expect(ids.count == 3)
        for id in ids { #expect(kill(-id, 0) == -1 && errno == ESRCH) }
    }

    /// `eval` is a builtin, so the shell executes it itself and keeps running, rather than being replaced by the
    /// command.
    @Test("A dismissed shell ends together with the processes that it started") func builtin() async throws {
        let mark = "600.\(UInt32.random(in: 1_000_000...9_999_999))"
        try await dismissed(["eval 'echo $$' '&&' sleep \(mark)"], within: .milliseconds(50))
        // The process has been killed, but the system may take a moment to remove it.
        var isThere = true
        for _ in 0..<100 where isThere {
            isThere = Tool.run("pgrep", "-f", "^sleep \(mark)").status == 0
            if isThere { try await Task.sleep(for: .milliseconds(20)) }
        }
        #expect(!isThere)
    }

    /// Starts the commands concurrently, dismisses each of them and waits until all have exited.
    ///
    /// A command that prints its process ID is dismissed once it has done so. Returns these IDs, with 0 for other
    /// commands.
    @discardableResult
    private func dismissed(_ commands: [String], within span: TimeSpan) async throws -> [pid_t] {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = group.next()
        let ids = try await loop.flatSubmit { () -> EventLoopFuture<[pid_t]> in
            let ends = commands.map { command in
                let promise = loop.makePromise(of: pid_t.self)
                do {
                    let process = try ChildProcess(command, variables: [], on: loop)
                    var said: [UInt8] = []
                    let leave = {
                        process.dismiss(within: span) {
                            promise.succeed(pid_t(String(decoding: said.dropLast(), as: UTF8.self)) ?? 0)
                        }
                    }
                    process.onEvent = { event in
                        guard case .output(let bytes) = event else { return }
                        said += bytes
                        if said.last == UInt8(ascii: "\n") { leave() }
                    }
                    if !command.contains("echo") { leave() }
                } catch {
                    promise.fail(error)
                }
                return promise.futureResult
            }
            return EventLoopFuture.whenAllSucceed(ends, on: loop)
        }.get()
        try await group.shutdownGracefully()
        return ids
    }
}
