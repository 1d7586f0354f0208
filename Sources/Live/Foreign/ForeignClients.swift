import Adapter
import NIOCore
import Processes
import ScenarioModel
import Sockets
import SquallCore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// Manages a run's foreign clients (clients that are not part of Squall): starts them or waits until the user has
/// started them, and exchanges adapter messages with them.
///
/// The object must be used only on its event loop.
final class ForeignClients {
    var onInput: (TransportInput) -> Void = { _ in }
    /// Whether the run is held (paused), so that no client can connect.
    var isHeld = false

    private let launch: ForeignLaunch
    private let loop: any EventLoop
    private let parent: String?
    private let folder: TemporaryFolder
    /// The path of the PEM file with the CA certificate that clients should trust; nil if TLS is not used.
    private let authorityFile: String?
    private var transports: [ClientID: any ClientTransport] = [:]
    /// The clients whose processes can be reused for another run.
    private var reusable: Set<ClientID> = []
    /// The app clients that were started earlier in this run and still have their stored data.
    private var begun: Set<ClientID> = []
    /// The clients that the user has not started yet, each with the timer that ends the wait.
    private var awaited: [ClientID: Scheduled<Void>] = [:]

    /// Creates the clients' folder; `authority` is the CA certificate in PEM format, or nil if clients connect without
    /// TLS.
    ///
    /// - Throws: ``LiveError/folder(path:reason:)`` if the folder or the certificate's file cannot be written.
    init(
        _ launch: ForeignLaunch,
        folder parent: String?,
        authority: String?,
        on loop: any EventLoop
    ) throws(LiveError) {
        self.launch = launch
        self.loop = loop
        self.parent = parent
        folder = try TemporaryFolder(in: parent)
        authorityFile = authority == nil ? nil : "\(folder.path)/ca.pem"
        if let authority, let authorityFile { try Self.write(authority, to: authorityFile) }
    }

    /// Starts a client, or waits until the user starts it.
    ///
    /// The client's listener is at `endpoint`, an address and a port. `place` is the client's index among the run's
    /// clients, and the name of its folder.
    func start(_ client: ClientID, at endpoint: String, path: String, key: String, place: Int) {
        func addresses(withFolder hasFolder: Bool, isFresh: Bool? = nil) -> AdapterAddresses {
            let folder = "\(folder.path)/\(place)"
            // An error is ignored here, because the client will report more precisely which file it could not write.
            if hasFolder { _ = mkdir(folder, 0o700) }
            return AdapterAddresses(
                endpoint: endpoint,
                path: path,
                stateFolder: hasFolder ? folder : nil,
                authorityFile: authorityFile,
                isFresh: isFresh
            )
        }
        switch launch.method {
        case .byHand: expect(client, addresses(withFolder: false), key: key)
        case .command(let command): start(client, command, addresses(withFolder: true), key: key)
        case .hosted(let clients):
            let place = HostedClients.Place(client: client.name, addresses: addresses(withFolder: true), key: key) {
                _ in
            }
            let transport = HostedTransport(clients, at: place, on: loop)
            carry(client, by: transport)
            onInput(.foreign(client, .started(place.addresses, isReused: false)))
        case .app(let port):
            let isFresh = begun.insert(client).inserted
            carry(client, by: AppTransport(port, at: addresses(withFolder: false, isFresh: isFresh), on: loop))
        }
    }

    private func start(_ client: ClientID, _ command: String, _ addresses: AdapterAddresses, key: String) {
        let variables = addresses.environment(of: client.name, key: key)
        do throws(SocketError) {
            let idle = launch.idle.take(on: loop)
            let process: ChildProcess
            if let idle { process = idle } else { process = try ChildProcess(command, variables: variables, on: loop) }
            carry(client, by: ProcessTransport(process))
            onInput(.foreign(client, .started(addresses, isReused: idle != nil)))
        } catch {
            onInput(.foreign(client, .couldNotStart("\(error)")))
        }
    }

    private func carry(_ client: ClientID, by transport: any ClientTransport) {
        transports[client] = transport
        transport.onInput = { [weak self, weak transport] input in
            guard let self, let transport, self.transports[client] === transport else { return }
            self.onInput(.foreign(client, input))
        }
    }

    private static func write(_ text: String, to path: String) throws(LiveError) {
        guard let file = fopen(path, "w") else { throw .folder(path: path, reason: String(cString: strerror(errno))) }
        let isWritten = fputs(text, file) >= 0
        let isClosed = fclose(file) == 0
        guard isWritten, isClosed else { throw .folder(path: path, reason: String(cString: strerror(errno))) }
    }

    // MARK: - Clients started by the user

    private func expect(_ client: ClientID, _ addresses: AdapterAddresses, key: String) {
        let (url, timeout) = (addresses.webSocketURL, launch.timeout)
        let authority = authorityFile.map { ", authority \($0)" } ?? ""
        launch.announce(
            """
            start \(client) now: WebSocket \(url), HTTP \(addresses.httpURL), key \(key)\(authority) (waiting for \
            \(timeout))
            """
        )
        arrivals[client] = addresses
        awaitArrival(of: client, at: url)
    }

    /// Starts the timeout for a client that the user must start. When the timeout expires, the client is reported as
    /// not started. If the run is held at that time, the timeout restarts instead.
    private func awaitArrival(of client: ClientID, at url: String) {
        let timeout = launch.timeout
        let waiting = NIOLoopBound(self, eventLoop: loop)
        awaited[client] = loop.scheduleTask(in: .nanoseconds(timeout.nanoseconds)) {
            guard waiting.value.awaited.removeValue(forKey: client) != nil else { return }
            guard !waiting.value.isHeld else { return waiting.value.awaitArrival(of: client, at: url) }
            waiting.value.onInput(
                .foreign(client, .couldNotStart("no client connected to \(url) within \(timeout)"))
            )
        }
    }

    /// The addresses announced to the user, for each client that the user must start.
    private var arrivals: [ClientID: AdapterAddresses] = [:]

    /// Records a connection to a client's listener. The first connection shows that the user has started the client.
    func called(by client: ClientID) {
        guard let timer = awaited.removeValue(forKey: client), let addresses = arrivals[client] else { return }
        timer.cancel()
        onInput(.foreign(client, .started(addresses, isReused: false)))
    }

    // MARK: - Run outputs

    func perform(_ output: ForeignOutput, of client: ClientID) {
        switch output {
        case .write(let bytes): transports[client]?.write(bytes)
        case .closeInput: transports[client]?.closeInput()
        case .pause: transports[client]?.pause()
        case .resume: transports[client]?.resume()
        case .reusable(true): reusable.insert(client)
        case .reusable(false): reusable.remove(client)
        case .request(let step): launch.announce("\(client): \(step)")
        case .launch: break
        }
    }

    func kill(_ client: ClientID) {
        reusable.remove(client)
        transports.removeValue(forKey: client)?.kill()
    }

    /// Ends all clients in parallel and removes their folder. Processes that can serve another run are kept running.
    ///
    /// `done` is called once the clients have ended and the folder is removed, possibly before this method returns.
    func tearDown(then done: @escaping () -> Void) {
        onInput = { _ in }
        awaited.values.forEach { $0.cancel() }
        awaited.removeAll()
        var left = 1
        let leave = { [folder] in
            left -= 1
            guard left == 0 else { return }
            folder.remove()
            done()
        }
        for (client, transport) in transports {
            transport.onInput = { _ in }
            if let app = transport as? AppTransport {
                app.end(isReusable: reusable.contains(client))
                continue
            }
            guard reusable.contains(client), let process = (transport as? ProcessTransport)?.process, process.isRunning
            else {
                left += 1
                transport.dismiss(within: launch.exitTimeout, then: leave)
                continue
            }
            process.resume()
            launch.idle.put(process, on: loop)
        }
        transports.removeAll()
        leave()
    }
}
