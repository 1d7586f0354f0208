import ChatWire
import Faults
import ReferenceClient
import ScenarioModel
import Sockets

/// What ``CurlExchanges`` tells the network about the sockets that libcurl opens and closes.
extension LiveNetwork {
    /// A socket was opened for an exchange and bound to a port.
    func opened(_ exchange: CurlExchange, port: Int) {
        let wire = Wire(.exchange(exchange.id), isLost: exchange.isLost)
        wires.append(wire)
        wireOf[wire.caller] = wire
        wire.callerEnd = exchange
        callerStands(wire, at: port)
    }

    /// An exchange is over and its socket handed back: it ends in order, and is read until the peer ends, as every
    /// connection of a client.
    func handedBack(_ socket: SystemSocket, of exchange: CurlExchange) {
        let wire = wireOf.removeValue(forKey: .exchange(exchange.id))
        if let wire, wire.calleeEnd == nil, let port = socket.localPort { orphan(port) }
        Connection.adopt(socket, settings: options.sockets, on: loop) { connection in
            wire?.callerEnd = connection
            connection.end(.fin)
        }
    }

    func answered(_ id: ExchangeID, _ outcome: CurlExchange.Outcome) {
        switch outcome {
        case .response(let response): onInput(.client(id.client, .response(id, response)))
        case .failed(let failure): onInput(.client(id.client, .requestFailed(id, failure)))
        case .impossible(let error): onFailure(error)
        }
    }
}
