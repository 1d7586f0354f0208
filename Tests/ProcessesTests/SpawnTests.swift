import Adapter
import Foundations
import NIOCore
import NIOPosix
import Processes
import Sockets
import TestSupport
import Testing

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

@Suite(.ownThread, .timeLimit(.minutes(5)))
struct SpawnTests {
    /// Short of descriptors, that is what is said: whoever hears it can wait for some.
    @Test func aShortageOfDescriptorsIsToldAsSuch() async {
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

/// Does something while this process can have no descriptor more.
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
