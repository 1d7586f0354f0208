import Faults
import Sockets

/// The API's port: HTTP/1.1 with connections that live on, one request after the handler.
final class ControlServer {
    private var listener: ListeningSocket?
    private unowned let server: ProxyServer
    private var clients: [UInt64: ControlClient] = [:]
    private var requests: UInt64 = 0
    /// What answers in the API's place; nil: the API itself.
    private let handler: ((APIRequest) -> APIResponse)?

    var address: String { listener?.address ?? "" }

    /// With `handler`, nothing of the API can be had at this port.
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
            onFailure: { [weak server] in server?.record(.trouble("\($0)"), proxy: nil, link: nil) },
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

    var patience: ProxyServer.Patience { server.options.patience }

    /// At once, or when the names in it are looked up.
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
                // What is told is what has been done on all threads.
                server.afterWorkers { emit(asked.answer(), number) }
            } else {
                // What was asked for is done when that is told.
                let response = asked.answer()
                server.afterWorkers { emit(response, number) }
            }
        }
    }

    private func nextNumber() -> String {
        requests += 1
        return Self.number(requests)
    }

    /// Twenty letters and digits, as clients of Toxiproxy may expect of a request's number.
    static func number(_ count: UInt64) -> String {
        let digits = String(count, radix: 32)
        return String(repeating: "0", count: max(0, 20 - digits.count)) + digits
    }

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
