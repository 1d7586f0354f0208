#if os(Linux)
    import Dispatch
    import Foundation
    import SquallCore
    import Packets
    import Proxy
    import Squall
    import Synchronization

    /// Connects the network namespace behind a packet link to services outside the namespace; runs on its own thread.
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
            let (serviceSockets, plan, dialer) = (link.serviceSockets, link.plan, link.dialer)
            let thread = Thread {
                do {
                    let server = try Self.serve(serviceSockets, seed)
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

        private static func serve(_ serviceSockets: [PacketLink.ServiceSocket], _ seed: Seed) throws -> ProxyServer {
            var options = ProxyServer.Options()
            options.seed = seed
            let server = try ProxyServer(options)
            server.onTrouble = { Terminal.printError("squall: \($0)") }
            for entrance in serviceSockets {
                server.forward(
                    "\(entrance.route.name) (\(entrance.address))",
                    from: entrance.descriptor,
                    isDatagram: entrance.route.isDatagram,
                    to: entrance.route.upstream
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
            for (index, listening) in listenings.enumerated() {
                let route = Listening.route(index, to: listening.upstream)
                guard let host = plan.host(of: route.name) else { continue }
                let address = try server.forward(
                    "\(listening.address) \(index + 1)",
                    listen: listening.address,
                    to: "\(AddressPlan.address4(host)):\(route.port)",
                    makeStream: dialer.makeStream
                )
                Terminal.printError("squall: \(address) is forwarded to \(listening.upstream) over the link")
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
