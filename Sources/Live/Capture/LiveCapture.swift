import ScenarioModel
import Sockets
import SquallCore
import Trace

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Captures the packets of one live run and converts their timestamps to the run's clock.
///
/// The object must be used only on the run's event loop.
final class LiveCapture {
    /// How long ``finish(at:)`` waits for the last packets.
    private static let timeout = TimeSpan.milliseconds(250)

    private let packets: LoopbackPackets
    private let marker: CaptureMarkerSocket
    private let clientPorts: [ClientID: Int]
    private let server: Server
    /// The ports on which the run itself listens.
    private let ownPorts: Set<Int>
    private let address: LocalAddress
    private let keys: KeyLog?
    private var times = RunTimes()
    private var log = PacketLog(limit: PacketCapture.limit)
    /// The packets to and from the external server's port, each with the peer's port. They are buffered until the end
    /// of the capture, when it is known which of these ports belong to this run.
    private var upstreamPackets: [(port: Int, packet: PacketCapture.Packet)] = []
    private var upstreamByteCount = 0
    /// The number of the external server's packets dropped because of the size limit, keyed by peer port.
    private var refused: [Int: Int] = [:]
    /// The local ports of the run's connections to the external server.
    private var callers: Set<Int> = []
    /// Whether the capture has received the marker packet.
    private var hasSeenMarker = false

    /// The server to which the relay connects.
    enum Server {
        /// The run's fake server.
        case own(port: Int)
        /// An external server at its own address.
        case upstream(port: Int, name: String)

        var port: Int {
            switch self {
            case .own(let port), .upstream(let port, _): port
            }
        }

        var isUpstream: Bool { if case .upstream = self { true } else { false } }
    }

    /// Starts capturing packets to and from `address`, and an external server's packets if they pass through loopback.
    ///
    /// - Throws: ``LoopbackPackets/Obstacle`` if packets cannot be captured.
    init(
        of address: LocalAddress,
        clientPorts: [ClientID: Int],
        server: Server,
        keys: KeyLog?
    ) throws(LoopbackPackets.Obstacle) {
        self.keys = keys
        self.address = address
        self.clientPorts = clientPorts
        self.server = server
        ownPorts = Set(clientPorts.values).union(server.isUpstream ? [] : [server.port])
        do {
            marker = try CaptureMarkerSocket(at: address)
        } catch {
            throw LoopbackPackets.Obstacle(message: "packets cannot be captured: \(error)")
        }
        packets = try LoopbackPackets(of: address, and: server.isUpstream ? server.port : nil)
    }

    /// The system time, in nanoseconds since 1970.
    private static var systemTime: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// Records that the run's clock now reads `now`.
    func note(_ now: Instant) {
        times.note(now, at: Self.systemTime)
    }

    /// Processes the packets captured since the previous call.
    func turn() {
        packets.read { frame, time in take(frame, time) }
    }

    private func take(_ frame: [UInt8], _ time: Int64) {
        guard let segment = LinkLayer.segment(in: frame, of: packets.linkType) else { return }
        guard segment.isTCP else {
            if segment.source == marker.port { hasSeenMarker = true }
            return
        }
        let ports = [segment.source, segment.destination]
        let toServer = ports.contains(server.port)
        let place: PacketCapture.CapturePoint = toServer ? .server : .client
        let packet = PacketCapture.Packet(time: times.time(of: time), place: place, bytes: segment.bytes)
        if !ownPorts.isDisjoint(with: ports) {
            log.add(packet)
        } else if toServer, server.isUpstream {
            let caller = segment.source == server.port ? segment.destination : segment.source
            guard upstreamByteCount < PacketCapture.limit else { return refused[caller, default: 0] += 1 }
            upstreamByteCount += packet.bytes.count
            upstreamPackets.append((caller, packet))
        }
    }

    /// Records that the relay connected to the external server from the local port `port`, so that the port's packets
    /// are attributed to the run.
    func called(from port: Int) {
        callers.insert(port)
    }

    /// Ends the capture and returns all of the run's packets.
    func finish(at now: Instant) -> PacketCapture {
        note(now)
        // libpcap delivers packets in order, so once it has delivered the marker, it has delivered all earlier packets.
        marker.send()
        let limit = Self.systemTime + Self.timeout.nanoseconds
        turn()
        while !hasSeenMarker, Self.systemTime < limit {
            packets.wait(milliseconds: 1)
            turn()
        }
        for (port, packet) in upstreamPackets where callers.contains(port) { log.add(packet) }
        var capture = PacketCapture(tool: "squall \(SquallVersion.current)", note: Self.note)
        let ports = clientPorts.sorted { $0.key < $1.key }.map { "\($0.key.name) connects to port \($0.value)" }
        capture.places = [
            .client: "between the clients and the network, at \(address): " + ports.joined(separator: ", "),
            .server: "between the network and the server, at \(serverName)",
        ]
        capture.packets = log.sorted
        capture.leftOut = log.leftOut + callers.reduce(0) { $0 + (refused[$1] ?? 0) }
        capture.dropped = packets.dropped
        capture.secrets = keys?.lines ?? []
        packets.close()
        marker.close()
        return capture
    }

    private var serverName: String {
        switch server {
        case .own(let port): "\(address) port \(port)"
        case .upstream(_, let name): "\(name) (only packets that pass loopback)"
        }
    }

    private static let note =
        """
        Packets of a live run, captured on loopback by libpcap. Time 0 is the start of the run, as in its trace. \
        The run's clock leaps when no work is pending, so packets that the kernel sends by its own clock, such \
        as retransmissions, may have intervals that differ from the kernel's.
        """
}
