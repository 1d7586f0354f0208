import ChatWire
import Faults
import ReferenceClient
import ScenarioModel
import Sockets

/// Performs the clients' HTTP exchanges. libcurl owns their sockets.
extension LiveNetwork {
    func request(_ id: ExchangeID, _ request: ChatRequest) {
        guard let listener = clientListeners[id.client] else { return }
        let wire = newWire(.exchange(id), to: listener)
        exchanges?.begin(id, request, port: listener.port, isLost: wire.phase == .lost)
    }

    func cancel(_ id: ExchangeID) {
        if wireOf[.exchange(id)]?.phase == .established { exchanges?.cancel(id) }
        end(.exchange(id), .fin)
    }

    /// Records that libcurl opened a socket for an exchange, bound to `port`.
    func opened(_ exchange: CurlExchange, port: Int) {
        guard let wire = wireOf[.exchange(exchange.id)] else { return }
        wire.callerEnd = exchange
        if wire.phase == .connecting { callerBound(wire, at: port) }
    }

    /// Takes over the socket of a finished exchange from libcurl.
    ///
    /// Like any client connection, the socket then sends a FIN and is read until the peer closes.
    func handedBack(_ socket: SystemSocket, of exchange: CurlExchange) {
        guard let wire = wireOf[.exchange(exchange.id)], wire.phase == .established else { return socket.close() }
        Connection.adopt(socket, settings: options.sockets, on: loop) { connection in
            wire.callerEnd = connection
            connection.end(.fin)
        }
    }

    /// Reports the outcome of an exchange to its client.
    func answered(_ id: ExchangeID, _ outcome: CurlExchange.Outcome) {
        guard let wire = wireOf[.exchange(id)] else { return }
        switch (outcome, wire.phase) {
        case (.impossible(let error), _):
            onFailure(error)
        case (.failed(let failure), .connecting):
            callFailed(wire, failure)
        case (.failed(let failure), _):
            wireOf[.exchange(id)] = nil
            onInput(.client(id.client, .requestFailed(id, failure)))
        case (.response(let response), _):
            wireOf[.exchange(id)] = nil
            onInput(.client(id.client, .response(id, response)))
        }
    }
}
