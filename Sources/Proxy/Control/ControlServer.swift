import Faults
import Sockets

/// The HTTP server of the control API: persistent HTTP/1.1 connections, each handling one request at a time.
///
/// Confined to its reactor's thread.
final class ControlServer {
    private var listener: ListeningSocket?
    private unowned let server: ProxyServer
    private var clients: [UInt64: ControlClient] = [:]
    private var requests: UInt64 = 0
    /// Handles requests instead of the control API; nil on the control API's own port.
    private let handler: ((APIRequest) -> APIResponse)?

    var address: String { listener?.address ?? "" }

    /// Opens the port. If `handler` is given, it handles all requests, and the control API is not available on this
    /// port.
    ///
    /// - Throws: ``AddressError`` if the port cannot be bound.
    init(
        at endpoint: Endpoint,
        for server: ProxyServer,
        answering handler: ((APIRequest) -> APIResponse)? = nil
    ) throws(AddressError) {
        self.server = server
        self.handler = handler
        let listener = try ListeningSocket(
            at: endpoint,
            on: server.reactor,
            isPrivileged: true,
            onFailure: { [weak server] in server?.record(.problem("\($0)"), proxy: nil, link: nil) },
            onAccept: { [weak self] socket, _ in self?.accept(socket) }
        )
        self.listener = listener
        do {
            try listener.set(.open)
        } catch {
            throw AddressError("\(error)")
        }
    }

    private func accept(_ socket: SystemSocket) {
        let client = ControlClient(socket, of: self, on: server.reactor)
        guard let token = try? server.reactor.watch(socket, client) else {
            socket.close()
            return
        }
        client.token = token
        clients[token] = client
        client.begin()
    }

    var timeouts: ProxyServer.Timeouts { server.options.timeouts }

    /// Handles a request and passes the response to `emit`. Host names are resolved before the request is executed, and
    /// the response is emitted only after all worker threads have completed the tasks that were posted to them.
    func answer(_ request: APIRequest, _ emit: @escaping (APIResponse, _ number: String) -> Void) {
        if let handler {
            emit(handler(request), nextNumber())
            return
        }
        let asked = ControlAPI(request, to: server)
        server.reactor.afterResolving(asked.listenEndpoints) { [weak self] in
            guard let self else { return }
            let number = nextNumber()
            if request.method == "GET" {
                // A GET first waits for the workers, so that its response reflects all earlier requests.
                server.afterWorkers { emit(asked.answer(), number) }
            } else {
                // Other requests are answered only after every worker has applied the change.
                let response = asked.answer()
                server.afterWorkers { emit(response, number) }
            }
        }
    }

    private func nextNumber() -> String {
        requests += 1
        return Self.requestID(requests)
    }

    /// Returns a request id in Toxiproxy's format: twenty letters and digits.
    static func requestID(_ count: UInt64) -> String {
        let digits = String(count, radix: 32)
        return String(repeating: "0", count: max(0, 20 - digits.count)) + digits
    }

    /// Emits the stored events after `number`, then each new one. Returns the subscription's id.
    func follow(since number: Int, _ emit: @escaping ([UInt8]) -> Void) -> Int {
        for event in server.events.since(number) { emit(event.line) }
        return server.events.listen { emit($0.line) }
    }

    var isAPI: Bool { handler == nil }

    func unfollow(_ number: Int) { server.events.stopListening(number) }

    func forget(_ client: ControlClient) {
        server.reactor.forget(client.token)
        clients[client.token] = nil
    }

    func close() {
        listener?.close()
        for client in clients.values { client.close() }
    }
}
