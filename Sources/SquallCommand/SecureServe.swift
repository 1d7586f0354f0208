import Dispatch
import Proxy
import Squall
import Synchronization
import TLSLink

/// `squall serve --tls`: offers an authority's certificate for download, alongside a server that uses TLS itself or is
/// reached over TLS through a proxy.
struct SecureServe: Sendable {
    let host: String
    let port: Int
    let folder: String?
    /// The authority that issues the server certificates, and the host names that they are valid for.
    let identity: TLSIdentity
    /// The addresses of this machine to print, in URL syntax.
    private let printed: [String]

    /// Loads or creates the certificate authority.
    ///
    /// - Parameters:
    ///   - names: The names by which clients reach this machine, in addition to its own.
    ///   - folder: The folder of the authority; nil for a new authority.
    /// - Throws: ``SquallError`` if this build has no TLS or the folder cannot be used.
    init(host: String, port: Int, names: [String], folder: String?) throws(SquallError) {
        guard TLS.isBuilt else { throw .usage("--tls: \(TLSError.notBuilt)") }
        (self.host, self.port, self.folder) = (host, port, folder)
        printed = (names + HostNames.reachable(at: host)).map(HostNames.inURL)
        do throws(TLSError) {
            let authority: any TLSAuthority
            if let folder {
                authority = try TLS.authority(in: folder, at: TLS.now)
            } else {
                authority = try TLS.makeAuthority(at: TLS.now)
            }
            identity = TLSIdentity(authority, names: Self.certified(names, host))
        } catch {
            throw .failed("--tls-ca: \(error)")
        }
    }

    /// A request to stop the proxy's thread. The request may be made before the thread has started.
    private final class Stop: Sendable {
        private struct State {
            var isWanted = false
            var mailbox: ReactorInbox?
        }

        private let state = Mutex(State())

        func want() {
            let mailbox = state.withLock { state in
                state.isWanted = true
                return state.mailbox
            }
            mailbox?.post(.stop)
        }

        func attach(_ mailbox: ReactorInbox) {
            let isWanted = state.withLock { state in
                state.mailbox = mailbox
                return state.isWanted
            }
            if isWanted { mailbox.post(.stop) }
        }
    }

    /// Runs a server until it is interrupted, or until the server or the certificate's port fails.
    ///
    /// - Parameters:
    ///   - hasProxy: Whether the server has no TLS of its own and listens on 127.0.0.1, behind a proxy that terminates
    ///     TLS.
    ///   - server: Runs the server, and passes its ports to `onReady`.
    ///   - announce: Prints the addresses, given the host names of this machine and the ports of the clients.
    /// - Throws: ``SquallError`` if a port is not available; `CancellationError` if the task is cancelled.
    func run(
        hasProxy: Bool,
        _ server: @escaping @Sendable (_ onReady: @escaping @Sendable ([Int]) -> Void) async throws -> Void,
        announce: @escaping @Sendable (_ hosts: [String], _ ports: [Int]) -> Void
    ) async throws {
        let (listen, offer) = try (endpoint(port), endpoint(0))
        try await Interruption.cancels {
            let (openings, opening) = AsyncStream.makeStream(of: [Int].self)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    defer { opening.finish() }
                    try await server { opening.yield($0) }
                }
                group.addTask {
                    for await ports in openings {
                        let relay =
                            hasProxy
                            ? ports.first.map { SecureFront.Relay(listen: listen, upstream: $0, hosts: identity.names) }
                            : nil
                        return try await front(SecureFront.Options(identity.authority, offer: offer, relay: relay)) {
                            announce(printed, $0.port.map { [$0] } ?? ports)
                            printInstructions($0.offerPort)
                        }
                    }
                }
                // Neither the server nor the certificate is useful without the other, so both stop when one ends.
                try await group.next()
                group.cancelAll()
                try await group.waitForAll()
            }
        }
    }

    /// Runs the front end on a separate thread, because its event loop blocks.
    private func front(
        _ options: SecureFront.Options,
        onReady: @escaping @Sendable (SecureFront.Places) -> Void
    ) async throws {
        let stop = Stop()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                DispatchQueue.global().async {
                    do {
                        try SecureFront.run(options, onTrouble: { Terminal.printError("squall: \($0)") }) {
                            places,
                            mailbox in
                            onReady(places)
                            stop.attach(mailbox)
                        }
                        continuation.resume()
                    } catch {
                        continuation.resume(throwing: SquallError.failed("\(error)"))
                    }
                }
            }
        } onCancel: {
            stop.want()
        }
    }

    private func endpoint(_ port: Int) throws -> Endpoint {
        do {
            let bare = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
            return try Endpoint(bare.contains(":") ? "[\(bare)]:\(port)" : "\(bare):\(port)")
        } catch {
            throw SquallError.usage("--host \(host): \(error)")
        }
    }

    /// Returns the names and addresses in the certificates: those given, and this machine's own.
    private static func certified(_ names: [String], _ host: String) -> [String] {
        var hosts: [String] = []
        let own = HostNames.isEverywhere(host) ? HostNames.ownName().map { [$0] } ?? [] : []
        for name in names + HostNames.reachable(at: host) + own + ["localhost", "127.0.0.1", "::1"]
        where !hosts.contains(name) {
            hosts.append(name)
        }
        return hosts
    }

    private func printInstructions(_ offerPort: Int) {
        let first = HostNames.inURL(HostNames.reachable(at: host).first ?? "127.0.0.1")
        let keeping =
            folder.map { "it is kept in \($0) for further runs" }
            ?? "it is only for this run; --tls-ca FOLDER keeps one"
        Terminal.printError(
            """
            squall: clients must trust the authority whose certificate is at http://\(first):\(offerPort)/ca.crt
            squall:   \(keeping)
            squall:   iOS: open that address in Safari, install the profile in Settings, then enable it under
            squall:   General > About > Certificate Trust Settings
            squall:   Android: open it, then install it as a CA certificate under Settings > Security; apps trust it if
            squall:   their network security configuration lets debug builds trust user certificates
            squall:   curl: --cacert; remove the certificate from devices when you are done
            """
        )
    }
}
