import Faults
import Foundations
import ReferenceClient
import ScenarioModel
import Sockets

/// How clients that Squall does not drive take part in the network: each has a door of its own, by which it is known.
extension LiveNetwork {
    func perform(_ output: ForeignOutput, of client: ClientID) {
        guard case .launch(let path, let key) = output else { foreign?.perform(output, of: client); return }
        guard let port = doors[client]?.port, let place = clients.firstIndex(of: client) else { return }
        foreign?.start(client, at: "\(address):\(port)", path: path, key: key, place: place)
    }

    /// A connection has come in at a foreign client's own door.
    func accepted(_ connection: Connection, from client: ClientID) {
        guard !isDown else { return connection.end(.rst) }
        foreign?.called(by: client)
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
}
