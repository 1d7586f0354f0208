import Dispatch
import Proxy
import Squall
import Synchronization
import TLSLink

/// `squall serve --tls`: a proxy that terminates TLS in front of a server and serves the CA certificate for download.
struct SecureServe: Sendable {
    let host: String
    let port: Int
    let names: [String]
    let folder: String?
    /// Runs the server without TLS on a port of 127.0.0.1, which is passed to `onReady`.
    let backend: @Sendable (_ onReady: @escaping @Sendable (Int) -> Void) async throws -> Void
    /// Prints the addresses, given the host names of this machine and the port of the TLS proxy.
    let announce: @Sendable (_ hosts: [String], _ port: Int) -> Void

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

    /// Runs the server until it is interrupted, or until the proxy or the backend fails.
    ///
    /// - Throws: ``SquallError`` if this build has no TLS or a port is not available; `CancellationError` if the task
    ///   is cancelled.
    func run() async throws {
        guard TLS.isBuilt else { throw SquallError.usage("--tls: \(TLSError.notBuilt)") }
        let (listen, offer) = try (endpoint(port), endpoint(0))
        try await Interruption.cancels {
            let (ports, reportedPort) = AsyncStream.makeStream(of: Int.self)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    defer { reportedPort.finish() }
                    try await backend { reportedPort.yield($0) }
                }
                group.addTask {
                    for await upstream in ports {
                        let options = SecureFront.Options(
                            listen: listen,
                            offer: offer,
                            upstream: upstream,
                            hosts: hosts,
                            authorityFolder: folder
                        )
                        return try await front(options)
                    }
                }
                // Neither the proxy nor the backend is useful without the other, so both stop when one ends.
                try await group.next()
                group.cancelAll()
                try await group.waitForAll()
            }
        }
    }

    /// Runs the TLS proxy on a separate thread, because its event loop blocks.
    private func front(_ options: SecureFront.Options) async throws {
        let stop = Stop()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                DispatchQueue.global().async {
                    do {
                        try SecureFront.run(options, onTrouble: { Terminal.printError("squall: \($0)") }) {
                            places,
                            mailbox in
                            emit(places)
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

    private var reachable: [String] { HostNames.reachable(at: host) }

    private var hosts: [String] {
        var hosts: [String] = []
        let own = HostNames.isEverywhere(host) ? HostNames.ownName().map { [$0] } ?? [] : []
        for name in names + reachable + own + ["localhost", "127.0.0.1", "::1"] where !hosts.contains(name) {
            hosts.append(name)
        }
        return hosts
    }

    private func emit(_ places: SecureFront.Places) {
        announce((names + reachable).map(HostNames.inURL), places.port)
        let first = HostNames.inURL(reachable.first ?? "127.0.0.1")
        let keeping =
            folder.map { "it is kept in \($0) for further runs" }
            ?? "it is only for this run; --tls-ca FOLDER keeps one"
        Terminal.printError(
            """
            squall: clients must trust the authority whose certificate is at http://\(first):\(places.offerPort)/ca.crt
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
