package import SquallCore

/// Packets for what links in memory carried: the segments that TCP would have made of it.
///
/// It is told what became of every connection, when it happened, and gives a capture of both sides of the network: of each client's
/// calls as the client sees them, and of the network's calls to the server as the server sees them. What a fault between the two
/// did is what the one shows and the other does not. Numbers, acknowledgements, windows and checksums are right; a call that is not
/// answered is made again as kernels do; bytes that are never acknowledged are shown once.
package struct LinkCapture: Sendable {
    /// Which end of a connection: the one that called or the one that was called.
    package enum End: Hashable, Sendable {
        case caller, callee

        var opposite: End { self == .caller ? .callee : .caller }
    }

    /// What goes over a connection.
    package enum CapturedBytes: Hashable, Sendable {
        case bytes([UInt8])
        case fin
        case rst
    }

    /// How an end takes what arrives.
    package enum Reception: Hashable, Sendable {
        /// Acknowledged, and read.
        case read
        /// Acknowledged, and left in the buffer.
        case unread
        /// Not acknowledged.
        case lost
        /// Answered with an RST: nobody is there any more.
        case refused
    }

    /// What the links are like.
    package struct Timing: Hashable, Sendable {
        /// One way.
        package var hop: TimeSpan
        /// Bytes that a direction holds: the window that is left shows it.
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

    /// Addresses of the block for private networks (RFC 1918): 10.1.0.n is the n-th client, 10.2.0.n the network's door for it.
    private static let (clients, acceptModes, server) = (
        0x0A01_0000 as UInt32, 0x0A02_0000 as UInt32, 0x0A03_0001 as UInt32
    )
    /// HTTP's own, which Wireshark knows without being told.
    private static let port: UInt16 = 80
    /// The first of those that nobody owns (RFC 6335 section 6).
    private static let firstPort = 49152

    private let timing: Timing
    private let number: [ClientID: UInt32]
    private var capture: PacketCapture
    private var log: PacketLog
    /// By the order of their calls.
    private var connections: [SyntheticConnection] = []
    private var ports: [UInt32: Int] = [:]
    private var portOf: [LinkName: UInt16] = [:]
    /// Whose calls they are.
    private var callers: [(client: ClientID, port: UInt16)] = []

    /// Of a run with these clients; `tool` and `note` stand in the file.
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
            .client: "what each client (10.1.0.n) sends to its door in the network (10.2.0.n), and gets from it",
            .server:
                "what the network sends to the server (10.3.0.1) for each client, from the port that the client has",
        ]
        for (place, client) in clients.enumerated() {
            let number = UInt32(place + 1)
            capture.hosts.append(PacketCapture.Host(address: Self.clients + number, name: client.name))
            let acceptMode = clients.count == 1 ? "network" : "network.\(client.name)"
            capture.hosts.append(PacketCapture.Host(address: Self.acceptModes + number, name: acceptMode))
        }
        capture.hosts.append(PacketCapture.Host(address: Self.server, name: "server"))
    }

    // MARK: - Connections

    /// A client calls, or, with `link`, the network calls the server for it.
    ///
    /// The n-th call, counted from 0, is connection n from now on.
    package mutating func call(by client: ClientID, for link: Int? = nil, at now: Instant) {
        let number = number[client] ?? 0
        let host = (link == nil ? Self.clients : Self.acceptModes) + number
        // The same port on both sides of the network, so that one filter shows both.
        let known = link.flatMap { portOf[LinkName(client: client, number: $0)] }
        let port = known ?? nextPort(of: host)
        let place: PacketCapture.Place = link == nil ? .client : .server
        callers.append((client, port))
        connections.append(
            SyntheticConnection(
                from: PacketCapture.Endpoint(address: host, port: port),
                to: PacketCapture.Endpoint(
                    address: link == nil ? Self.acceptModes + number : Self.server,
                    port: Self.port
                ),
                at: place,
                number: connections.count,
                timing: timing,
                since: now,
                in: &log
            )
        )
        if let link { comment("Link \(link) of \(client.name), to the server.", onCallOf: connections.count - 1) }
    }

    private mutating func nextPort(of host: UInt32) -> UInt16 {
        let count = ports[host, default: 0]
        ports[host] = count + 1
        // Those below are of doors that call for nobody whose port is known.
        let isDoor = host & 0xFFFF_0000 == Self.acceptModes
        let range = isDoor ? 32768..<Self.firstPort : Self.firstPort..<65536
        return UInt16(range.lowerBound + count % range.count)
    }

    /// The connection has come through to the network and is this link there.
    package mutating func name(_ connection: Int, link: Int) {
        guard callers.indices.contains(connection) else { return }
        let (client, port) = callers[connection]
        portOf[LinkName(client: client, number: link)] = port
        comment("Link \(link) of \(client.name).", onCallOf: connection)
    }

    package mutating func accept(_ connection: Int, leaves: Instant, arrives: Instant) {
        with(connection) { $0.accept(leaves: leaves, arrives: arrives, in: &$1) }
    }

    package mutating func refuse(_ connection: Int, leaves: Instant, arrives: Instant) {
        with(connection) { $0.refuse(leaves: leaves, arrives: arrives, in: &$1) }
    }

    /// Says of a call what cannot be seen from its packets.
    package mutating func comment(_ text: String, onCallOf connection: Int) {
        with(connection) { $0.comment(text, onCallIn: &$1) }
    }

    /// Its caller gives it up before it was told that it stands.
    package mutating func abandon(_ connection: Int, at now: Instant) {
        with(connection) { $0.abandon(at: now, in: &$1) }
    }

    // MARK: - What they carry

    package mutating func carry(
        _ connection: Int,
        _ cargo: CapturedBytes,
        from end: End,
        leaves: Instant,
        arrives: Instant
    ) {
        with(connection) { $0.carry(cargo, from: end, leaves: leaves, arrives: arrives, in: &$1) }
    }

    /// What is under way to `end` longest has arrived there.
    package mutating func arrive(_ connection: Int, at end: End, _ reception: Reception, at now: Instant) {
        with(connection) { $0.arrive(at: end, reception, at: now, in: &$1) }
    }

    /// What has waited at `end` is read.
    package mutating func release(_ connection: Int, at end: End, at now: Instant) {
        with(connection) { $0.release(at: end, at: now, in: &$1) }
    }

    private mutating func with(_ connection: Int, _ body: (inout SyntheticConnection, inout PacketLog) -> Void) {
        guard connections.indices.contains(connection) else { return }
        body(&connections[connection], &log)
    }

    // MARK: - The end

    /// The capture of a run that ended now.
    package mutating func finish(at now: Instant) -> PacketCapture {
        for place in connections.indices { with(place) { $0.callAgain(until: now, in: &$1) } }
        capture.packets = log.sorted.filter { $0.time <= now }
        capture.leftOut = log.leftOut
        return capture
    }
}
