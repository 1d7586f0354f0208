package import SquallCore

/// Produces the packets of simulated links: the segments that TCP would have sent for the links' bytes.
///
/// The simulation reports the events of every connection. The capture has an interface on each side of the network: one
/// with the clients' connections as the clients see them, and one with the network's connections to the server as the
/// server sees them. The effect of a fault is the difference between the two. Sequence numbers, acknowledgements,
/// windows and checksums are correct. An unanswered SYN is retransmitted as a kernel would; unacknowledged bytes are
/// not retransmitted.
package struct LinkCapture: Sendable {
    /// One endpoint of a connection: the one that opened it (`caller`) or the one that accepted it (`callee`).
    package enum Side: Hashable, Sendable {
        case caller, callee

        var opposite: Side { self == .caller ? .callee : .caller }
    }

    /// The content that an endpoint sends over a connection: bytes, a FIN or an RST.
    package enum Payload: Hashable, Sendable {
        case bytes([UInt8])
        case fin
        case rst
    }

    /// How the receiving endpoint handles a segment.
    package enum Reception: Hashable, Sendable {
        /// The segment is acknowledged, and the application reads it.
        case read
        /// The segment is acknowledged, and remains in the receive buffer.
        case unread
        /// The segment is not acknowledged.
        case lost
        /// The segment is answered with an RST, because the endpoint is closed.
        case refused
    }

    /// The properties of simulated links.
    package struct Timing: Hashable, Sendable {
        /// The one-way delay.
        package var hop: TimeSpan
        /// The size of the receive buffer in bytes, which the advertised windows reflect.
        package var capacity: Int

        package init(hop: TimeSpan, capacity: Int) {
            self.hop = hop
            self.capacity = capacity
        }
    }

    private struct LinkName: Hashable {
        var client: ClientID
        var number: Int
    }

    /// The addresses are from a range for private networks (RFC 1918): 10.1.0.n is the n-th client, and 10.2.0.n is the
    /// network's address for that client.
    private static let (clients, networkHosts, server) = (
        0x0A01_0000 as UInt32, 0x0A02_0000 as UInt32, 0x0A03_0001 as UInt32
    )
    /// The HTTP port is used, so that Wireshark decodes the packets without configuration.
    private static let port: UInt16 = 80
    /// The first of the dynamic ports (RFC 6335 section 6).
    private static let firstPort = 49152

    private let timing: Timing
    private let number: [ClientID: UInt32]
    private var capture: PacketCapture
    private var log: PacketLog
    /// The connections, in the order in which they were opened.
    private var connections: [SyntheticConnection] = []
    /// The number of ports that each host has used so far, keyed by host address.
    private var ports: [UInt32: Int] = [:]
    /// The client port of each link.
    private var portOf: [LinkName: UInt16] = [:]
    /// The client and the source port of each connection, by connection number.
    private var callers: [(client: ClientID, port: UInt16)] = []

    /// Creates the capture of a run with these clients. `tool` and `note` are written to the header of the capture
    /// file.
    package init(
        of clients: [ClientID],
        tool: String,
        note: String,
        timing: Timing,
        limit: Int = PacketCapture.limit
    ) {
        self.timing = timing
        number = Dictionary(clients.enumerated().map { ($1, UInt32($0 + 1)) }, uniquingKeysWith: { first, _ in first })
        log = PacketLog(limit: limit)
        capture = PacketCapture(tool: tool, note: note)
        capture.places = [
            .client: "between each client (10.1.0.n) and the network's address for it (10.2.0.n)",
            .server:
                "between the network (10.2.0.n, from the port of the client) and the server (10.3.0.1)",
        ]
        for (place, client) in clients.enumerated() {
            let number = UInt32(place + 1)
            capture.hosts.append(PacketCapture.Host(address: Self.clients + number, name: client.name))
            let networkName = clients.count == 1 ? "network" : "network.\(client.name)"
            capture.hosts.append(PacketCapture.Host(address: Self.networkHosts + number, name: networkName))
        }
        capture.hosts.append(PacketCapture.Host(address: Self.server, name: "server"))
    }

    // MARK: - Connections

    /// Opens a connection from a client to the network; if `link` is given, opens that link's connection from the
    /// network to the server.
    ///
    /// The n-th call opens connection n, counted from 0.
    package mutating func connect(by client: ClientID, for link: Int? = nil, at now: Instant) {
        let number = number[client] ?? 0
        let host = (link == nil ? Self.clients : Self.networkHosts) + number
        // The same port is used on both sides of the network, so that one filter shows both.
        let known = link.flatMap { portOf[LinkName(client: client, number: $0)] }
        let port = known ?? nextPort(of: host)
        let place: PacketCapture.CapturePoint = link == nil ? .client : .server
        callers.append((client, port))
        connections.append(
            SyntheticConnection(
                from: PacketCapture.Endpoint(address: host, port: port),
                to: PacketCapture.Endpoint(
                    address: link == nil ? Self.networkHosts + number : Self.server,
                    port: Self.port
                ),
                at: place,
                number: connections.count,
                timing: timing,
                since: now,
                in: &log
            )
        )
        if let link { comment("Link \(link) of \(client.name), to the server.", onSYNOf: connections.count - 1) }
    }

    private mutating func nextPort(of host: UInt32) -> UInt16 {
        let count = ports[host, default: 0]
        ports[host] = count + 1
        // A link whose client port is unknown gets a port below the dynamic range, so that it differs from every
        // client's port.
        let isNetworkHost = host & 0xFFFF_0000 == Self.networkHosts
        let range = isNetworkHost ? 32768..<Self.firstPort : Self.firstPort..<65536
        return UInt16(range.lowerBound + count % range.count)
    }

    /// Records that the network has accepted the connection, which becomes the link with this number.
    package mutating func name(_ connection: Int, link: Int) {
        guard callers.indices.contains(connection) else { return }
        let (client, port) = callers[connection]
        portOf[LinkName(client: client, number: link)] = port
        comment("Link \(link) of \(client.name).", onSYNOf: connection)
    }

    package mutating func accept(_ connection: Int, leaves: Instant, arrives: Instant) {
        with(connection) { $0.accept(leaves: leaves, arrives: arrives, in: &$1) }
    }

    package mutating func refuse(_ connection: Int, leaves: Instant, arrives: Instant) {
        with(connection) { $0.refuse(leaves: leaves, arrives: arrives, in: &$1) }
    }

    /// Attaches a comment to a connection's SYN, to describe something that the packets do not show.
    package mutating func comment(_ text: String, onSYNOf connection: Int) {
        with(connection) { $0.comment(text, onSYNIn: &$1) }
    }

    /// Closes a connection that the caller has abandoned before it became usable.
    package mutating func abandon(_ connection: Int, at now: Instant) {
        with(connection) { $0.abandon(at: now, in: &$1) }
    }

    // MARK: - Data

    /// Sends bytes, a FIN or an RST from one endpoint to the other.
    package mutating func carry(
        _ connection: Int,
        _ cargo: Payload,
        from end: Side,
        leaves: Instant,
        arrives: Instant
    ) {
        with(connection) { $0.carry(cargo, from: end, leaves: leaves, arrives: arrives, in: &$1) }
    }

    /// Delivers the oldest bytes, FIN or RST in flight to `end`, which handles them as `reception` specifies.
    package mutating func arrive(_ connection: Int, at end: Side, _ reception: Reception, at now: Instant) {
        with(connection) { $0.arrive(at: end, reception, at: now, in: &$1) }
    }

    /// Records that `end` has read all bytes that were waiting in its receive buffer.
    package mutating func release(_ connection: Int, at end: Side, at now: Instant) {
        with(connection) { $0.release(at: end, at: now, in: &$1) }
    }

    private mutating func with(_ connection: Int, _ body: (inout SyntheticConnection, inout PacketLog) -> Void) {
        guard connections.indices.contains(connection) else { return }
        body(&connections[connection], &log)
    }

    // MARK: - Finishing

    /// Completes the capture of a run that ends now.
    package mutating func finish(at now: Instant) -> PacketCapture {
        for place in connections.indices { with(place) { $0.retransmitSYN(until: now, in: &$1) } }
        capture.packets = log.sorted.filter { $0.time <= now }
        capture.leftOut = log.leftOut
        return capture
    }
}
