import Faults
import ReferenceClient
import ScenarioModel
import Sockets
import SquallCore
import TLSLink

/// How clients that Squall does not drive take part in the network: each has a door of its own, by which it is known.
extension LiveNetwork {
    func perform(_ output: ForeignOutput, of client: ClientID) {
        guard case .launch(let path, let key) = output else { foreign?.perform(output, of: client); return }
        guard let acceptMode = acceptModes[client], let place = clients.firstIndex(of: client) else { return }
        foreign?.start(client, at: "\(acceptMode.address):\(acceptMode.port)", path: path, key: key, place: place)
    }

    /// A connection has come in at a foreign client's own door.
    func accepted(_ connection: Connection, from client: ClientID) {
        guard !isDown else { return connection.end(.rst) }
        foreign?.called(by: client)
        guard let security, security.isOfClients else { return open(connection, from: client) }
        secure(connection, from: client, security)
    }

    /// Nobody is told of the connection before its handshake is done.
    private func secure(_ connection: Connection, from client: ClientID, _ security: LiveSecurity) {
        let handshake = security.handshakes[client] ?? .completes(.valid)
        let name = ObjectIdentifier(connection)
        handshaking[name] = connection
        let fail = { [weak self, weak connection] in
            guard let self, let connection, handshaking.removeValue(forKey: name) != nil else { return }
            connection.onEvent = { _ in }
            connection.end(.fin)
            // One that was never answered ends with the client's patience: there is nothing that it was shown.
            if handshake != .stalls { onInput(.relay(.handshakeFailed(client, handshake))) }
        }
        // Whoever leaves before it is done was not content with it.
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
                    guard let self, let connection, handshaking.removeValue(forKey: name) != nil else { return }
                    open(connection, from: client)
                }
            } catch {
                onFailure(.security(error))
            }
        }
    }

    private func open(_ connection: Connection, from client: ClientID) {
        let number = linkCount[client, default: 0] + 1
        linkCount[client] = number
        let link = LinkID(client, number)
        let wire = Wire(.foreign(link), .met)
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

    /// Something cannot be had: which ends all that Squall does, unless a client has used it up.
    func fail(_ error: SocketError) {
        guard error.isExhaustion, foreign != nil else { return onFailure(.socket(error)) }
        var counts: [ClientID: Int] = [:]
        for wire in wires where !wire.isDead {
            if case .foreign(let link) = wire.caller { counts[link.client, default: 0] += 1 }
        }
        let limit = ProcessFacts.descriptorLimit
        // In the order of the clients, so that of two the first is named.
        guard let (client, count) = clients.map({ ($0, counts[$0] ?? 0) }).max(by: { $0.1 < $1.1 }),
            count * Self.descriptorsPerConnection > limit / 4
        else { return onFailure(.socket(error)) }
        onInput(.foreign(client, .exhausted(connections: count, descriptors: limit)))
    }

    /// The client's at the relay, the relay's to the server, and the server's.
    private static let descriptorsPerConnection = 3
}
