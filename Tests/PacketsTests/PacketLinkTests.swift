#if os(Linux)
    import Foundation
    import SquallCore
    import Glibc
    @testable import Packets
    import Synchronization
    import TestSupport
    import Testing

    /// A link that is created on its own thread and runs there until ``stop()`` is called.
    final class RunningLink: Sendable {
        private struct Made: Sendable {
            var serviceSockets: [PacketLink.ServiceSocket]
            var dialer: PacketLink.Dialer
            var handle: PacketRelay.Handle
        }

        struct Result: Sendable {
            var up: LineCounts
            var down: LineCounts
            var events: [PacketEvent]
        }

        private final class State: Sendable {
            let made = Mutex<Swift.Result<Made, any Error>?>(nil)
            let result = Mutex<Result?>(nil)
            let began = DispatchSemaphore(value: 0)
            let over = DispatchSemaphore(value: 0)
        }

        private let state = State()
        private let made: Made
        var serviceSockets: [PacketLink.ServiceSocket] { made.serviceSockets }
        var dialer: PacketLink.Dialer { made.dialer }

        init(_ terms: String, route: [String], seed: UInt64 = 1) throws {
            let faults = try PacketFaults(terms: terms)
            var options = PacketLink.Options()
            options.routes = try route.map { try ServiceRoute($0) }
            let thread = Thread { [state, options] in
                do {
                    let link = try PacketLink(options)
                    let relay = try PacketRelay(link, up: faults, down: faults, seed: Seed(seed))
                    var events: [PacketEvent] = []
                    relay.onPacket = { events.append($0) }
                    let made = Made(serviceSockets: link.serviceSockets, dialer: link.dialer, handle: relay.handle)
                    state.made.withLock { $0 = .success(made) }
                    state.began.signal()
                    #expect(relay.run() == .stopped)
                    let (up, down) = (relay[.up].counts, relay[.down].counts)
                    state.result.withLock { [events] in $0 = Result(up: up, down: down, events: events) }
                } catch {
                    state.made.withLock { $0 = .failure(error) }
                    state.began.signal()
                }
                state.over.signal()
            }
            thread.start()
            state.began.wait()
            made = try #require(state.made.withLock { $0 }).get()
        }

        func stop() throws -> Result {
            made.handle.stop()
            state.over.wait()
            for entrance in made.serviceSockets { close(entrance.descriptor) }
            return try #require(state.result.withLock { $0 })
        }

        /// The reason why this system cannot create links; nil if it can.
        static let obstacle: String? = {
            do {
                _ = try RunningLink("", route: []).stop()
                return nil
            } catch {
                return "\(error)"
            }
        }()
    }

    @Suite(
        .ownThread,
        .serialized,
        .timeLimit(.minutes(20)),
        .enabled(if: RunningLink.obstacle == nil, Comment(rawValue: RunningLink.obstacle ?? ""))
    )
    struct PacketLinkTests {
        private let timeout = ContinuousClock.Instant.now + .seconds(40)

        /// Waits until the descriptor is readable or writable. Returns false if the time limit expires first.
        private func waits(_ descriptor: Int32, _ what: Int32) -> Bool {
            var entry = pollfd(fd: descriptor, events: Int16(what), revents: 0)
            let left = ContinuousClock.Instant.now.duration(to: timeout)
            return poll(&entry, 1, Int32(max(0, left.components.seconds * 1000))) > 0
        }

        private func ipv4(_ host: UInt32, _ port: UInt16) -> [UInt8] {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = (10 << 24 | 77 << 16 | host).bigEndian
            return withUnsafeBytes(of: &address) { Array($0) }
        }

        private func ipv6(_ host: UInt8, _ port: UInt16) -> [UInt8] {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            withUnsafeMutableBytes(of: &address.sin6_addr) { ($0[0], $0[1], $0[15]) = (0xFD, 0x77, host) }
            return withUnsafeBytes(of: &address) { Array($0) }
        }

        private func connect(_ socket: Int32, to address: [UInt8]) -> Bool {
            let result = address.withUnsafeBytes { bytes in
                bytes.withMemoryRebound(to: sockaddr.self) {
                    Glibc.connect(socket, $0.baseAddress, socklen_t(bytes.count))
                }
            }
            return result == 0 || errno == EINPROGRESS
        }

        @Test(
            "A link loses exactly the datagrams that the loss plan for the same seed selects",
            arguments: [AF_INET, AF_INET6]
        )
        func losesExactlyThePlannedDatagrams(_ family: Int32) throws {
            let terms = "loss 10% 20%"
            let count = 1000
            let running = try RunningLink(terms, route: ["udp:7000"], seed: 7)
            let entrance = try #require(
                running.serviceSockets.first { $0.address.hasPrefix("[") == (family == AF_INET6) }
            )
            let near = try #require(try running.dialer.namespaceProcess.socket(family, SOCK_DGRAM))
            defer { close(near) }
            #expect(connect(near, to: family == AF_INET6 ? ipv6(2, 7000) : ipv4(2, 7000)))

            var plan = PacketLine(try PacketFaults(terms: terms), seed: Seed(7), name: "up")
            let survivors = (1...count).filter { plan.arrive(packet($0), at: .zero).loss == nil }
            #expect((700..<970).contains(survivors.count))
            var arrived: [Int] = []
            var buffer = [UInt8](repeating: 0, count: 2000)
            func receive() {
                while recv(entrance.descriptor, &buffer, buffer.count, 0) == 100 { arrived.append(number(of: buffer)) }
            }
            for index in 1...count {
                #expect(send(near, packet(index), 100, 0) == 100)
                // At most 50 packets are in flight. More could overflow a socket's buffer, and the resulting losses
                // would distort the result.
                let due = index < count ? survivors.count { $0 <= index - 50 } : survivors.count
                while arrived.count < due, waits(entrance.descriptor, POLLIN) { receive() }
            }
            #expect(Set(survivors).symmetricDifference(arrived).sorted() == [])
            #expect(arrived.count == survivors.count && arrived == arrived.sorted())
            let result = try running.stop()
            #expect((result.up.arrived, result.up.lost) == (UInt64(count), UInt64(count - survivors.count)))
            #expect(result.down.arrived == 0)
            #expect(result.events.count { $0.effects == ["lost"] } == count - survivors.count)
        }

        @Test("A pending request for a socket does not receive the command's exit as its answer")
        func aCommandEndsWhileSocketsAreMade() throws {
            for _ in 1...10 {
                var options = PacketLink.Options()
                options.command = ("/bin/sh", ["sh", "-c", "exit 3"], [])
                let link = try PacketLink(options)
                let relay = try PacketRelay(link, up: PacketFaults(), down: PacketFaults(), seed: Seed(1))
                let dialer = link.dialer
                let (asked, over) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
                Thread.detachNewThread {
                    while let socket = dialer.makeStream(AF_INET) {
                        close(socket)
                        asked.signal()
                    }
                    asked.signal()
                    over.signal()
                }
                asked.wait()
                #expect(relay.startCommand() == 0)
                #expect(relay.run() == .exited(3))
                over.wait()
            }
        }

        @Test("A TCP stream over a lossy link arrives intact through retransmission", arguments: [AF_INET, AF_INET6])
        func streamsArriveIntactBecauseTCPSendsAgain(_ family: Int32) throws {
            let terms = "loss 5% duplicate 2% corrupt 1% reorder 5% delay 3ms 1ms"
            let running = try RunningLink(terms, route: ["7001"], seed: 11)
            let entrance = try #require(
                running.serviceSockets.first { $0.address.hasPrefix("[") == (family == AF_INET6) }
            )
            let near = try #require(running.dialer.makeStream(family))
            defer { close(near) }
            #expect(connect(near, to: family == AF_INET6 ? ipv6(2, 7001) : ipv4(2, 7001)))
            #expect(waits(entrance.descriptor, POLLIN))
            let far = accept(entrance.descriptor, nil, nil)
            defer { close(far) }
            #expect(far >= 0)

            var generator = SeededGenerator(state: 3)
            let sent = (0..<(256 * 1024)).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
            var rest = sent[...]
            var received: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 65_536)
            #expect(waits(near, POLLOUT))
            _ = fcntl(far, F_SETFL, O_NONBLOCK)
            while received.count < sent.count {
                if !rest.isEmpty {
                    let written = rest.withUnsafeBytes { send(near, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
                    if written > 0 { rest = rest.dropFirst(written) }
                }
                let count = recv(far, &buffer, buffer.count, 0)
                if count > 0 { received += buffer[..<count] }
                guard count > 0 || waits(rest.isEmpty ? far : near, rest.isEmpty ? POLLIN : POLLOUT) else { break }
            }
            #expect(received == sent)
            let result = try running.stop()
            #expect(
                result.up.lost > 0 && result.up.duplicated > 0 && result.up.corrupted > 0 && result.up.reordered > 0
            )
            var seen: Set<UInt32> = []
            let again = result.events.count { event in
                guard event.direction == .up, let tcp = PacketSummary(event.packet)?.tcp, tcp.payload > 0 else {
                    return false
                }
                return !seen.insert(tcp.sequence).inserted
            }
            #expect(again > 0, "segments sent again")
        }
    }
#endif
