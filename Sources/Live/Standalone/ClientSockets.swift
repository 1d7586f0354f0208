import ChatWire
import Faults
import NIOCore
import ReferenceClient
import Sockets
import SquallCore

/// The host and port of a server, parsed from a non-TLS URL.
struct ServerEndpoint {
    let host: String
    let port: Int

    /// Parses `ws://host:port/path` or `http://host:port`; returns nil for any other URL.
    init?(url: String) {
        guard let scheme = ["ws://", "http://"].first(where: url.hasPrefix) else { return nil }
        let authority = url.dropFirst(scheme.count).prefix { $0 != "/" && $0 != "?" }
        let parts = authority.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, let port = Int(parts[1]), (1...65535).contains(port) else {
            return nil
        }
        host = String(parts[0])
        self.port = port
    }
}

/// The TCP connections and HTTP exchanges of a reference client that runs as a separate process.
///
/// The object must be used only on its event loop.
final class ClientSockets {
    var onInput: (ClientInput) -> Void = { _ in }
    /// The closure that is called when this machine cannot open a connection.
    var onFailure: (SocketError) -> Void = { _ in }

    private let loop: any EventLoop
    private let webSocket: ServerEndpoint
    private let http: ServerEndpoint
    private var links: [ConnectionID: OutgoingConnection] = [:]
    private var exchanges: [ExchangeID: (exchange: HTTPExchange, connection: OutgoingConnection)] = [:]

    init(webSocket: ServerEndpoint, http: ServerEndpoint, on loop: any EventLoop) {
        self.webSocket = webSocket
        self.http = http
        self.loop = loop
    }

    func connect(_ id: ConnectionID) {
        let link = OutgoingConnection { [weak self] in self?.took($0, of: id) }
        links[id] = link
        link.begin(to: webSocket, on: loop)
    }

    func write(_ id: ConnectionID, _ bytes: [UInt8]) { links[id]?.write(bytes) }

    func end(_ id: ConnectionID, _ how: LinkEnd) { links.removeValue(forKey: id)?.end(how) }

    private func took(_ event: OutgoingConnection.Event, of id: ConnectionID) {
        switch event {
        case .opened: onInput(.opened(id))
        case .failed(let failure):
            links[id] = nil
            onInput(.connectFailed(id, failure))
        case .impossible(let error): onFailure(error)
        case .received(let bytes): onInput(.received(id, bytes))
        case .ended(let failure):
            // A peer that has sent its FIN is waiting for ours, so send it now.
            links.removeValue(forKey: id)?.end(.fin)
            onInput(.ended(id, failure))
        }
    }

    // MARK: - HTTP

    func request(_ id: ExchangeID, _ request: ChatRequest) {
        let connection = OutgoingConnection { [weak self] in self?.took($0, of: id) }
        exchanges[id] = (HTTPExchange(request, host: "\(http.host):\(http.port)"), connection)
        connection.begin(to: http, on: loop)
    }

    func cancel(_ id: ExchangeID) { exchanges.removeValue(forKey: id)?.connection.end(.fin) }

    private func took(_ event: OutgoingConnection.Event, of id: ExchangeID) {
        let outcome: HTTPExchange.Outcome?
        switch event {
        case .opened:
            if let (exchange, connection) = exchanges[id] { connection.write(exchange.requestBytes) }
            return
        case .failed(let failure): outcome = .failed(failure)
        case .impossible(let error): return onFailure(error)
        case .received(let bytes): outcome = exchanges[id]?.exchange.receive(bytes)
        case .ended(let failure): outcome = exchanges[id]?.exchange.end(failure)
        }
        guard let outcome else { return }
        cancel(id)
        switch outcome {
        case .answered(let response): onInput(.response(id, response))
        case .failed(let failure): onInput(.requestFailed(id, failure))
        }
    }
}

/// One TCP connection to a server, from the connection attempt to its end.
private final class OutgoingConnection {
    enum Event {
        case opened
        case failed(LinkFailure)
        /// This machine could not attempt the connection.
        case impossible(SocketError)
        case received([UInt8])
        case ended(LinkFailure)
    }

    private var onEvent: (Event) -> Void
    private var attempt: ConnectAttempt?
    private var connection: Connection?

    init(_ onEvent: @escaping (Event) -> Void) {
        self.onEvent = onEvent
    }

    func begin(to server: ServerEndpoint, on loop: any EventLoop) {
        attempt = .begin(toHost: server.host, port: server.port, settings: SocketSettings(), on: loop) {
            [weak self] outcome in
            guard let self else { return }
            switch outcome {
            case .connected(let connection): connected(connection)
            case .failed(let failure): onEvent(.failed(failure))
            case .impossible(let error): onEvent(.impossible(error))
            }
        }
    }

    private func connected(_ connection: Connection) {
        self.connection = connection
        connection.onEvent = { [weak self] event in
            switch event {
            case .received(let bytes): self?.onEvent(.received(bytes))
            case .ended(.fin): self?.onEvent(.ended(.endOfStream))
            case .ended(.rst): self?.onEvent(.ended(.reset))
            }
        }
        onEvent(.opened)
    }

    func write(_ bytes: [UInt8]) { connection?.write(bytes) }

    /// Ends the connection or abandons the attempt; no further events are reported.
    func end(_ how: LinkEnd) {
        onEvent = { _ in }
        attempt?.abandon()
        connection?.end(how)
    }
}
