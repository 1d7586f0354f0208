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

/// How a process leaves that is no longer wanted.
@Suite(.ownThread, .timeLimit(.minutes(5)))
struct DismissTests {
    /// More than a pipe holds: who writes it can end only if somebody reads it.
    @Test func whatItStillSaysIsReadSoThatItCanLeave() async throws {
        let file = "/tmp/squall-dismissed-\(getpid())-\(UInt32.random(in: 0 ..< .max))"
        defer { unlink(file) }
        let command = "cat > /dev/null; head -c 1000000 /dev/zero; head -c 1000000 /dev/zero >&2; : > \(file)"
        try await dismissed([command], within: .seconds(60))
        #expect(access(file, F_OK) == 0)
    }

    /// Those that do not leave are waited for side by side, and nothing of them is left.
    @Test func whatStaysIsKilled() async throws {
        let ids = try await dismissed(
            Array(repeating: "trap '' TERM; echo $$; exec sleep 600", count: 3),
            within: .milliseconds(50)
        )
        #expect(ids.count == 3)
        for id in ids { #expect(kill(-id, 0) == -1 && errno == ESRCH) }
    }

    /// A command of the shell's own keeps its shell: what that has begun ends with it.
    @Test func whatTheShellItselfDoesEndsWithAllThatItBegan() async throws {
        let mark = "600.\(UInt32.random(in: 1_000_000...9_999_999))"
        try await dismissed(["eval 'echo $$' '&&' sleep \(mark)"], within: .milliseconds(50))
        // Killed, and gone as soon as the system has come to it.
        var isThere = true
        for _ in 0..<100 where isThere {
            isThere = Tool.run("pgrep", "-f", "^sleep \(mark)").status == 0
            if isThere { try await Task.sleep(for: .milliseconds(20)) }
        }
        #expect(!isThere)
    }

    /// Begins commands, waits for a line of each that says one, dismisses all at once, and waits until all are gone; the numbers that they said.
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
