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

/// What carries the adapter protocol to a run's foreign clients, or the wait for the people who start them.
///
/// Confined to its event loop.
final class ForeignClients {
    var onInput: (TransportInput) -> Void = { _ in }

    private let launch: ForeignLaunch
    private let loop: any EventLoop
    private let parent: String?
    private let folder: TemporaryFolder
    /// What the clients are to trust, in a file; nil without TLS.
    private let authorityFile: String?
    private var carriers: [ClientID: any ClientCarrier] = [:]
    private var reusable: Set<ClientID> = []
    /// Clients that a person has yet to start.
    private var awaited: [ClientID: Scheduled<Void>] = [:]

    /// `authority` is the PEM of the certificates' authority; nil where clients come without TLS.
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

    /// Starts a client whose door is open at `door`, address and port, or waits for it to be started.
    ///
    /// `place` is its place among the run's clients, which names its folder.
    func start(_ client: ClientID, at endpoint: String, path: String, key: String, place: Int) {
        func addresses(withFolder hasFolder: Bool) -> AdapterAddresses {
            let folder = "\(folder.path)/\(place)"
            // Where it cannot be made, the client says so better than Squall could.
            if hasFolder { _ = mkdir(folder, 0o700) }
            return AdapterAddresses(
                endpoint: endpoint,
                path: path,
                stateFolder: hasFolder ? folder : nil,
                authorityFile: authorityFile
            )
        }
        switch launch.way {
        case .byHand: expect(client, addresses(withFolder: false), key: key)
        case .command(let command): start(client, command, addresses(withFolder: true), key: key)
        case .hosted(let clients):
            let place = HostedClients.Place(client: client.name, addresses: addresses(withFolder: true), key: key) {
                _ in
            }
            let carrier = HostedCarrier(clients, at: place, on: loop)
            carry(client, by: carrier)
            onInput(.foreign(client, .started(place.addresses, isReused: false)))
        }
    }

    private func start(_ client: ClientID, _ command: String, _ addresses: AdapterAddresses, key: String) {
        let variables = addresses.environment(of: client.name, key: key)
        do throws(SocketError) {
            let idle = launch.idle.take(on: loop)
            let process: ChildProcess
            if let idle { process = idle } else { process = try ChildProcess(command, variables: variables, on: loop) }
            carry(client, by: ProcessCarrier(process))
            onInput(.foreign(client, .started(addresses, isReused: idle != nil)))
        } catch {
            onInput(.foreign(client, .couldNotStart("\(error)")))
        }
    }

    private func carry(_ client: ClientID, by carrier: any ClientCarrier) {
        carriers[client] = carrier
        carrier.onInput = { [weak self, weak carrier] input in
            guard let self, let carrier, self.carriers[client] === carrier else { return }
            self.onInput(.foreign(client, input))
        }
    }

    private static func write(_ text: String, to path: String) throws(LiveError) {
        guard let file = fopen(path, "w") else { throw .folder(path: path, reason: String(cString: strerror(errno))) }
        let isWritten = fputs(text, file) >= 0
        let isClosed = fclose(file) == 0
        guard isWritten, isClosed else { throw .folder(path: path, reason: String(cString: strerror(errno))) }
    }

    // MARK: - Clients that a person starts

    private func expect(_ client: ClientID, _ addresses: AdapterAddresses, key: String) {
        let (url, patience) = (addresses.webSocketURL, launch.patience)
        let authority = authorityFile.map { ", authority \($0)" } ?? ""
        launch.announce(
            "start \(client) now: WebSocket \(url), HTTP \(addresses.httpURL), key \(key)\(authority) (waiting for \(patience))"
        )
        let waiting = NIOLoopBound(self, eventLoop: loop)
        awaited[client] = loop.scheduleTask(in: .nanoseconds(patience.nanoseconds)) {
            guard waiting.value.awaited.removeValue(forKey: client) != nil else { return }
            waiting.value.onInput(
                .foreign(client, .couldNotStart("nobody connected to \(url) within \(patience)"))
            )
        }
        arrivals[client] = addresses
    }

    private var arrivals: [ClientID: AdapterAddresses] = [:]

    /// Somebody has connected to a client's door.
    func called(by client: ClientID) {
        guard let timer = awaited.removeValue(forKey: client), let addresses = arrivals[client] else { return }
        timer.cancel()
        onInput(.foreign(client, .started(addresses, isReused: false)))
    }

    // MARK: - What the run wants done

    func perform(_ output: ForeignOutput, of client: ClientID) {
        switch output {
        case .write(let bytes): carriers[client]?.write(bytes)
        case .closeInput: carriers[client]?.closeInput()
        case .pause: carriers[client]?.pause()
        case .resume: carriers[client]?.resume()
        case .reusable(true): reusable.insert(client)
        case .reusable(false): reusable.remove(client)
        case .launch: break
        }
    }

    func kill(_ client: ClientID) {
        reusable.remove(client)
        carriers.removeValue(forKey: client)?.kill()
    }

    /// Ends all processes, side by side, but those that may serve another run, which are kept for it; `done` is called once they and
    /// what they had of the disk are gone, perhaps before this returns.
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
        for (client, carrier) in carriers {
            carrier.onInput = { _ in }
            guard reusable.contains(client), let process = (carrier as? ProcessCarrier)?.process, process.isRunning
            else {
                left += 1
                carrier.dismiss(within: launch.farewell, then: leave)
                continue
            }
            process.resume()
            launch.idle.put(process, on: loop)
        }
        carriers.removeAll()
        leave()
    }
}
