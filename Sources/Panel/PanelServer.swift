import Faults
import NIOCore
import NIOPosix
package import Reports
package import Sockets
package import SquallCore
import Synchronization
package import Trace

/// Serves a panel over HTTP on its own thread, so that it never delays the run that it displays.
package final class PanelServer: Sendable {
    /// The panel's listen address, and the host names in its URLs.
    package struct Place: Sendable {
        package var address: LocalAddress
        /// The port number; 0 lets the kernel choose a free one.
        package var port: Int
        /// The host names and addresses that browsers may use to reach the panel.
        package var names: [String]

        package init(address: LocalAddress, port: Int, names: [String]) {
            (self.address, self.port, self.names) = (address, port, names)
        }
    }

    /// The panel's URL, including its token.
    package let url: String
    private let group: MultiThreadedEventLoopGroup
    private let loop: any EventLoop
    private let service: NIOLoopBound<PanelService>
    /// The events that have not been passed to the panel's thread yet.
    private let arrived = Mutex<[TraceEvent]>([])

    private init(_ url: String, _ group: MultiThreadedEventLoopGroup, _ service: NIOLoopBound<PanelService>) {
        self.url = url
        self.group = group
        self.service = service
        loop = group.next()
    }

    /// Starts a panel.
    ///
    /// - Parameters:
    ///   - page: The data that the page contains besides the actions, such as the clients' addresses.
    ///   - token: The secret part of the URL.
    /// - Throws: `SocketError` if the address or the port is not available.
    package static func start(
        at place: Place,
        token: String,
        page: JSON,
        catalogue: PanelCatalogue,
        feed: PanelFeed,
        backend: any PanelBackend
    ) async throws -> PanelServer {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = group.next()
        do {
            let (service, port) = try await loop.submit {
                let service = PanelService(catalogue, feed, backend, page, on: loop)
                let port = try service.listen(at: place, token: token)
                return (NIOLoopBound(service, eventLoop: loop), port)
            }.get()
            let url = "http://\(place.names.first ?? "\(place.address)"):\(port)/\(token)/"
            return PanelServer(url, group, service)
        } catch {
            try? await group.shutdownGracefully()
            throw error
        }
    }

    /// Displays new events from the run. If events arrive faster than the panel's thread handles them, they are passed
    /// to it in batches.
    package func show(_ events: [TraceEvent]) {
        let isFirst = arrived.withLock { arrived in
            defer { arrived += events }
            return arrived.isEmpty
        }
        guard isFirst, !events.isEmpty else { return }
        loop.execute { [service, self] in
            service.value.show(
                arrived.withLock { arrived in
                    defer { arrived = [] }
                    return arrived
                }
            )
        }
    }

    /// Displays the URLs of the clients' servers.
    package func announce(_ urls: [ClientID: [String]]) {
        loop.execute { [service] in service.value.announce(urls) }
    }

    /// Displays the verdict on the finished run.
    package func end(_ verdict: String) {
        loop.execute { [service] in service.value.end(verdict) }
    }

    /// Writes the remaining events to the pages that are still reading, then closes all connections.
    package func stop() async {
        try? await loop.submit { [service] in service.value.close() }.get()
        try? await group.shutdownGracefully()
    }
}
