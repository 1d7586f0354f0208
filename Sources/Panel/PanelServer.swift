import Faults
import NIOCore
import NIOPosix
package import Reports
package import Sockets
package import SquallCore
import Synchronization
package import Trace

/// Serves a panel over HTTP from a thread of its own, so that it never delays the run that it shows.
package final class PanelServer: Sendable {
    /// Where the panel listens, and by which names it is reached.
    package struct Place: Sendable {
        package var address: LocalAddress
        /// The port; 0 for any free one.
        package var port: Int
        /// The host names and addresses of URLs to the panel.
        package var names: [String]

        package init(address: LocalAddress, port: Int, names: [String]) {
            (self.address, self.port, self.names) = (address, port, names)
        }
    }

    /// The panel's address, with its token.
    package let url: String
    private let group: MultiThreadedEventLoopGroup
    private let loop: any EventLoop
    private let service: NIOLoopBound<PanelService>
    /// Events that the panel's thread has yet to take.
    private let arrived = Mutex<[TraceEvent]>([])

    private init(_ url: String, _ group: MultiThreadedEventLoopGroup, _ service: NIOLoopBound<PanelService>) {
        self.url = url
        self.group = group
        self.service = service
        loop = group.next()
    }

    /// Opens a panel.
    ///
    /// - Parameters:
    ///   - page: The data that the page contains besides the actions, such as the clients' addresses.
    ///   - token: The secret part of the address.
    /// - Throws: `SocketError` if the address or the port cannot be had.
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

    /// Shows further events of the run. Events that arrive faster than the panel's thread handles them share one call.
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

    /// Shows where the clients find their servers.
    package func announce(_ urls: [ClientID: [String]]) {
        loop.execute { [service] in service.value.announce(urls) }
    }

    /// Shows the verdict on the finished run.
    package func end(_ verdict: String) {
        loop.execute { [service] in service.value.end(verdict) }
    }

    /// Writes what is left to the pages that are still reading, and closes everything.
    package func stop() async {
        try? await loop.submit { [service] in service.value.close() }.get()
        try? await group.shutdownGracefully()
    }
}
