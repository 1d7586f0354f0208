#if os(Linux)
    import Dispatch
    import Foundation
    import SquallCore
    import Packets
    import Proxy
    import Squall
    import Synchronization

    /// Connects the network namespace behind a packet link with services outside the namespace; runs on a thread of its
    /// own.
    final class PacketServices: Sendable {
        private let mailbox: ReactorInbox
        private let over: DispatchSemaphore

        /// Starts the thread and waits until all listeners are open.
        ///
        /// - Throws: An error if a listener could not be opened.
        init(_ link: PacketLink, _ listenings: [Listening], seed: Seed) throws {
            let beginning = DispatchSemaphore(value: 0)
            let over = DispatchSemaphore(value: 0)
            self.over = over
            let shared = Shared()
            let (entrances, plan, dialer) = (link.entrances, link.plan, link.dialer)
            let thread = Thread {
                do {
                    let server = try Self.serve(entrances, seed)
                    try Self.listen(listenings, plan, dialer, server)
                    shared.result.withLock { $0 = .success(server.reactor.mailbox) }
                    beginning.signal()
                    server.run()
                } catch {
                    shared.result.withLock { $0 = .failure(error) }
                    beginning.signal()
                }
                over.signal()
            }
            thread.start()
            beginning.wait()
            guard let result = shared.result.withLock({ $0 }) else {
                throw SquallError.failed("the thread that serves --reach and --listen ended at once")
            }
            mailbox = try result.get()
        }

        private final class Shared: Sendable {
            let result = Mutex<Result<ReactorInbox, any Error>?>(nil)
        }

        private static func serve(_ entrances: [PacketLink.Entrance], _ seed: Seed) throws -> ProxyServer {
            var options = ProxyServer.Options()
            options.seed = seed
            let server = try ProxyServer(options)
            server.onTrouble = { Terminal.complain("squall: \($0)") }
            for entrance in entrances {
                server.forward(
                    "\(entrance.reach.name) (\(entrance.address))",
                    from: entrance.descriptor,
                    isDatagram: entrance.reach.isDatagram,
                    to: entrance.reach.upstream
                )
            }
            return server
        }

        private static func listen(
            _ listenings: [Listening],
            _ plan: AddressPlan,
            _ dialer: PacketLink.Dialer,
            _ server: ProxyServer
        ) throws {
            for (place, listening) in listenings.enumerated() {
                let reach = Listening.reach(place, to: listening.upstream)
                guard let host = plan.host(of: reach.name) else { continue }
                let address = try server.forward(
                    "\(listening.address) \(place + 1)",
                    listen: listening.address,
                    to: "\(AddressPlan.address4(host)):\(reach.port)",
                    makeStream: dialer.makeStream
                )
                Terminal.complain("squall: \(address) is forwarded to \(listening.upstream) over the link")
            }
        }

        /// Returns whether all bytes that arrived over the link, including the ends of TCP streams, have been forwarded
        /// to their services.
        func havePassedAllOn() -> Bool {
            let answer = DispatchSemaphore(value: 0)
            let shared = Answer()
            mailbox.post(
                .hasForwardedAll { isSo in
                    shared.isSo.store(isSo, ordering: .relaxed)
                    answer.signal()
                }
            )
            answer.wait()
            return shared.isSo.load(ordering: .relaxed)
        }

        private final class Answer: Sendable {
            let isSo = Atomic(false)
        }

        /// Stops the thread. Streams that are still open are reset.
        func stop() {
            mailbox.post(.stop)
            over.wait()
        }
    }
#endif
