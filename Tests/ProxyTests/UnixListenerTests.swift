import Faults
import Foundation
import Sockets
import SquallCore
import TestSupport
import Testing

@testable import Proxy

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// Tests Unix socket paths on which another process is listening or once listened.
@Suite(.ownThread, .timeLimit(.minutes(20)))
struct UnixListenerTests {
    private func path(_ name: String) -> String {
        FileManager.default.temporaryDirectory.appendingPathComponent("squall-\(name)\(getpid()).sock").path
    }

    /// Creates a listener at the path, as another process would.
    private func listener(at path: String) throws -> SystemSocket {
        let socket = try SystemSocket.stream(AF_UNIX)
        let result = SystemAddress(path: path).withPointer { bind(socket.descriptor, $0, $1) }
        try #require(result == 0 && listen(socket.descriptor, 8) == 0)
        return socket
    }

    private func create(_ bench: Bench, _ path: String) throws -> Bench.Reply {
        try bench.call("POST", "/proxies", #"{"name":"u","listen":"unix:\#(path)","upstream":"127.0.0.1:1"}"#)
    }

    @Test("The socket path left behind by a killed process is reused")
    func aPathThatAKilledProcessHasLeftIsTaken() throws {
        let path = path("stale")
        try listener(at: path).close()
        defer { unlink(path) }
        #expect(FileManager.default.fileExists(atPath: path))
        try Bench.with { bench in
            #expect(try create(bench, path).status == 201)
            let caller = try SystemSocket.stream(AF_UNIX)
            defer { caller.close() }
            #expect(caller.connect(to: SystemAddress(path: path)) == 0)
            #expect(bench.event("link.accepted") != nil)
        }
    }

    @Test("A path with an active listener or a regular file is not replaced") func pathInUse() throws {
        let path = path("busy")
        try Bench.with { bench in
            let other = try listener(at: path)
            let refused = try create(bench, path)
            #expect(refused.status == 500)
            #expect(refused["error"].stringValue?.contains("address already in use") == true)
            #expect(FileManager.default.fileExists(atPath: path))
            other.close()
            unlink(path)
            try "mine".write(toFile: path, atomically: true, encoding: .utf8)
            #expect(try create(bench, path).status == 500)
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
            unlink(path)
        }
    }

    @Test("An upstream Unix socket without a listener refuses connections") func noListener() throws {
        try Bench.with { bench in
            let entry = #"{"name":"p","listen":"127.0.0.1:0","upstream":"unix:\#(path("unused"))"}"#
            let listen = try bench.call("POST", "/proxies", entry)["listen"].stringValue
            let client = try Peer(connectingTo: Int(listen?.split(separator: ":").last ?? "") ?? 0)
            #expect(client.receiveAll().end == .rst)
            #expect(bench.event("link.upstream_failed")?["why"] == "refused")
        }
    }

    @Test("Another listener that took the path during a refusal keeps the path") func takenPath() throws {
        let path = path("taken")
        try Bench.with { bench in
            #expect(try create(bench, path).status == 201)
            try bench.toxic("refuse", stream: "both", on: "u")
            unlink(path)
            let other = try listener(at: path)
            defer { other.close() }
            #expect(try bench.call("DELETE", "/proxies/u/toxics/refuse").status == 204)
            #expect(bench.event("trouble") != nil)
            // The proxy has already connected once, to check whether the path is in use, so this is the second
            // connection.
            let caller = try SystemSocket.stream(AF_UNIX)
            defer { caller.close() }
            #expect(caller.connect(to: SystemAddress(path: path)) == 0)
            #expect(try bench.call("DELETE", "/proxies/u").status == 204)
            #expect(FileManager.default.fileExists(atPath: path))
        }
        unlink(path)
    }

    private final class Hand: Watcher {
        var operation: () -> Void = {}
        func ready(_ tag: Int, _ readiness: Readiness) {}
        func due(_ tag: Int) { operation() }
    }

    /// The listener is waiting for a free descriptor when it begins to refuse connections.
    @Test("A listener that refused connections while waiting for a descriptor accepts them again")
    func waitingListener() throws {
        let path = path("waits")
        let descriptors = DescriptorWatch()
        let reactor = try Reactor(
            mailbox: ReactorInbox(),
            clock: MonotonicClock(),
            descriptors: descriptors,
            lookUp: Endpoint.resolve
        )
        let hand = Hand()
        let token = reactor.register(hand)
        var accepted = 0
        let listener = try ListeningSocket(
            at: Endpoint("unix:\(path)"),
            on: reactor,
            onFailure: { _ in reactor.schedule(token, at: reactor.now) },
            onAccept: { socket, _ in
                socket.close()
                accepted += 1
                reactor.stop()
            }
        )
        defer { listener.close() }
        descriptors.noteExhaustion()
        try listener.set(.open)
        var callers: [SystemSocket] = []
        defer { for caller in callers { caller.close() } }
        func call() throws {
            let caller = try SystemSocket.stream(AF_UNIX)
            callers.append(caller)
            #expect(caller.connect(to: SystemAddress(path: path)) == 0)
        }
        try call()
        hand.operation = {
            hand.operation = { reactor.stop() }
            reactor.schedule(token, at: reactor.now + .seconds(5))
            descriptors.probe(callers[0])
            do {
                try listener.set(.refusing)
                try listener.set(.open)
                try call()
            } catch {
                Issue.record("\(error)")
            }
        }
        reactor.run()
        #expect(accepted == 1)
    }
}
