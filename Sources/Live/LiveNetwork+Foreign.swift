import Faults
import ReferenceClient
import ScenarioModel
import Sockets
import SquallCore
import TLSLink

/// Handles connections from foreign clients (clients that are not part of Squall). Each client has its own listener,
/// which identifies the client.
extension LiveNetwork {
    func perform(_ output: ForeignOutput, of client: ClientID) {
        guard case .launch(let path, let key) = output else { foreign?.perform(output, of: client); return }
        guard let listener = clientListeners[client], let place = clients.firstIndex(of: client) else { return }
        foreign?.start(client, at: "\(listener.address):\(listener.port)", path: path, key: key, place: place)
    }

    /// Handles a connection accepted by a foreign client's listener.
    func accepted(_ connection: Connection, from client: ClientID) {
        guard !isDown else { return connection.end(.rst) }
        foreign?.called(by: client)
        guard let security, security.isOfClients else { return open(connection, from: client) }
        secure(connection, from: client, security)
    }

    /// Performs the TLS handshake of a foreign client's connection. The connection is reported to the relay once the
    /// handshake is complete.
    private func secure(_ connection: Connection, from client: ClientID, _ security: LiveSecurity) {
        let handshake = security.handshakes[client] ?? .completes(.valid)
        let name = ObjectIdentifier(connection)
        handshaking[name] = connection
        if handshake != .stalls { activeHandshakes.insert(name) }
        let fail = { [weak self, weak connection] in
            guard let self, let connection, handshakeEnded(name) else { return }
            connection.onEvent = { _ in }
            connection.end(.fin)
            // A stalled handshake is not reported as failed, because the relay sends nothing and the client gives up on
            // its own.
            if handshake != .stalls { onInput(.relay(.handshakeFailed(client, handshake))) }
        }
        // A client that closes the connection before the handshake is complete has rejected the handshake.
        connection.onEvent = { event in if case .ended = event { fail() } }
        switch handshake {
        case .stalls: break
        case .fails:
            connection.write(Handshake.alert)
            fail()
        case .completes(let kind):
            do throws(TLSError) {
                connection.secure(try security.server(showing: kind)) { [weak self, weak connection] failure in
                    guard failure == nil else { return fail() }
                    guard let self, let connection, handshakeEnded(name) else { return }
                    open(connection, from: client)
                }
            } catch {
                onFailure(.security(error))
            }
        }
    }

    /// Records the end of a handshake; returns false if it was already recorded.
    private func handshakeEnded(_ name: ObjectIdentifier) -> Bool {
        activeHandshakes.remove(name)
        return handshaking.removeValue(forKey: name) != nil
    }

    private func open(_ connection: Connection, from client: ClientID) {
        let number = linkCount[client, default: 0] + 1
        linkCount[client] = number
        let link = LinkID(client, number)
        let wire = Wire(.foreign(link), .established)
        wire.calleeEnd = connection
        wires.removeAll { $0.isDead }
        wires.append(wire)
        wireFromClient[link] = wire
        connection.onEvent = { [weak self] event in
            switch event {
            case .received(let bytes): self?.onInput(.relay(.received(link, from: .client, bytes)))
            case .ended(let end): self?.onInput(.relay(.ended(link, side: .client, end)))
            }
        }
        onInput(.relay(.accepted(link)))
    }

    /// Handles an error on one of Squall's own sockets by ending the run as a failure of Squall itself.
    ///
    /// If file descriptors are exhausted and a foreign client's connections use more than a quarter of them, the
    /// exhaustion is attributed to that client.
    func fail(_ error: SocketError) {
        guard error.isExhaustion, foreign != nil else { return onFailure(.socket(error)) }
        var counts: [ClientID: Int] = [:]
        for wire in wires where !wire.isDead {
            if case .foreign(let link) = wire.caller { counts[link.client, default: 0] += 1 }
        }
        let limit = ProcessFacts.descriptorLimit
        // Clients are compared in a fixed order, so that the choice between two clients with equal counts is
        // deterministic.
        guard let (client, count) = clients.map({ ($0, counts[$0] ?? 0) }).max(by: { $0.1 < $1.1 }),
            count * Self.descriptorsPerConnection > limit / 4
        else { return onFailure(.socket(error)) }
        onInput(.foreign(client, .exhausted(connections: count, descriptors: limit)))
    }

    /// The number of file descriptors per connection: the relay's socket to the client, the relay's socket to the
    /// server, and the server's socket.
    private static let descriptorsPerConnection = 3
}
