import Adapter
import NIOCore
import NIOPosix
import Processes
import Sockets
import SquallCore
import TestSupport
import Testing

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

@Suite(.ownThread, .timeLimit(.minutes(20)))
struct SpawnTests {

    @Test(
        "Shell builtins, keywords and programs can all be started as a command",
        arguments: [
            ("exit 3", 3), ("! true", 1), ("eval exit 4", 4), ("true", 0), ("/bin/sh -c 'exit 5'", 5),
            ("exec false", 1),
            ("no-such-program-at-all", 127),
        ]
    ) func everyCommandThatAShellTakesIsBegun(_ command: String, _ status: Int32) async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = group.next()
        let end = try await loop.flatSubmit { () -> EventLoopFuture<ProcessEnd> in
            let promise = loop.makePromise(of: ProcessEnd.self)
            do {
                let process = try ChildProcess(command, variables: [], on: loop)
                process.onEvent = { event in
                    // The closure retains the process object until the process has exited.
                    if case .exited(let end) = event, !process.isRunning { promise.succeed(end) }
                }
            } catch {
                promise.fail(error)
            }
            return promise.futureResult
        }.get()
        #expect(end == .status(status))
        try await group.shutdownGracefully()
    }

    /// The error code lets the caller know that it can retry once a descriptor is free.
    @Test("Starting a process without a free descriptor fails with EMFILE") func noDescriptors() async {
        await #expect(processExitsWith: .success) {
            let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
            let loop = group.next()
            let code = try await loop.submit { () -> Int32? in
                withoutDescriptors {
                    do throws(SocketError) {
                        _ = try ChildProcess("true", variables: [], on: loop)
                        return nil
                    } catch {
                        return error.isExhaustion ? EMFILE : error.code
                    }
                }
            }.get()
            #expect(code == EMFILE)
            try await group.shutdownGracefully()
        }
    }
}

/// Runs `body` while this process cannot open another descriptor.
private func withoutDescriptors<Result>(_ body: () -> Result) -> Result {
    #if canImport(Darwin)
        let resource = RLIMIT_NOFILE
    #else
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #endif
    var limit = rlimit()
    getrlimit(resource, &limit)
    let before = limit
    limit.rlim_cur = 0
    setrlimit(resource, &limit)
    defer {
        var before = before
        setrlimit(resource, &before)
    }
    return body()
}
