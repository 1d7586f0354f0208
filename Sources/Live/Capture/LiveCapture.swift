import ScenarioModel
import Sockets
import SquallCore
import Trace

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The packets of one live run, with the times of its own clock.
///
/// Confined to the run's event loop.
final class LiveCapture {
    /// How long the last packets may take to be seen.
    private static let patience = TimeSpan.milliseconds(250)

    private let packets: LoopbackPackets
    private let farewell: CaptureMarkerSocket
    private let acceptModes: [ClientID: Int]
    private let server: Server
    private let ours: Set<Int>
    private let address: LocalAddress
    private let keys: KeyLog?
    private var times = RunTimes()
    private var log = PacketLog(limit: PacketCapture.limit)
    /// Packets of the upstream's port, by the port at their other end: whose that is may be heard of later.
    private var ofUpstream: [(port: Int, packet: PacketCapture.Packet)] = []
    private var bytesOfUpstream = 0
    /// How many packets of each caller of the upstream there was no more room for.
    private var refused: [Int: Int] = [:]
    /// Where the network called the upstream from.
    private var callers: Set<Int> = []
    private var isOver = false

    /// Whom the network calls.
    enum Server {
        case own(port: Int)
        /// Somebody else's, at an address of its own.
        case upstream(port: Int, name: String)

        var port: Int {
            switch self {
            case .own(let port), .upstream(let port, _): port
            }
        }

        var isUpstream: Bool { if case .upstream = self { true } else { false } }
    }

    /// Sees everything from now on that goes to or comes from these ports of `address`, and the upstream's where it is on loopback.
    init(
        of address: LocalAddress,
        acceptModes: [ClientID: Int],
        server: Server,
        keys: KeyLog?
    ) throws(LoopbackPackets.Obstacle) {
        self.keys = keys
        self.address = address
        self.acceptModes = acceptModes
        self.server = server
        ours = Set(acceptModes.values).union(server.isUpstream ? [] : [server.port])
        do {
            farewell = try CaptureMarkerSocket(at: address)
        } catch {
            throw LoopbackPackets.Obstacle(message: "packets cannot be captured: \(error)")
        }
        packets = try LoopbackPackets(of: address, and: server.isUpstream ? server.port : nil)
    }

    private static var systemTime: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// The run's clock shows `now`.
    func note(_ now: Instant) {
        times.note(now, at: Self.systemTime)
    }

    /// Takes what has passed meanwhile.
    func turn() {
        packets.read { frame, time in take(frame, time) }
    }

    private func take(_ frame: [UInt8], _ time: Int64) {
        guard let segment = LinkLayer.segment(in: frame, of: packets.linkType) else { return }
        guard segment.isTCP else {
            if segment.source == farewell.port { isOver = true }
            return
        }
        let ports = [segment.source, segment.destination]
        let toServer = ports.contains(server.port)
        let place: PacketCapture.Place = toServer ? .server : .client
        let packet = PacketCapture.Packet(time: times.time(of: time), place: place, bytes: segment.bytes)
        if !ours.isDisjoint(with: ports) {
            log.add(packet)
        } else if toServer, server.isUpstream {
            let caller = segment.source == server.port ? segment.destination : segment.source
            guard bytesOfUpstream < PacketCapture.limit else { return refused[caller, default: 0] += 1 }
            bytesOfUpstream += packet.bytes.count
            ofUpstream.append((caller, packet))
        }
    }

    /// The network has called the upstream from this port: what passes there is this run's.
    func called(from port: Int) {
        callers.insert(port)
    }

    /// All packets until now; none is seen any more.
    func finish(at now: Instant) -> PacketCapture {
        note(now)
        // Once it has seen this packet, it has seen all before it.
        farewell.send()
        let limit = Self.systemTime + Self.patience.nanoseconds
        turn()
        while !isOver, Self.systemTime < limit {
            packets.wait(milliseconds: 1)
            turn()
        }
        for (port, packet) in ofUpstream where callers.contains(port) { log.add(packet) }
        var capture = PacketCapture(tool: "squall \(SquallVersion.current)", note: Self.note)
        let acceptModes = acceptModes.sorted { $0.key < $1.key }.map { "\($0.key.name) calls port \($0.value)" }
        capture.places = [
            .client: "what the clients send to their doors in the network, and get from it, at \(address): "
                + acceptModes.joined(separator: ", "),
            .server: "what the network sends to the server, at \(serverName), and gets from it",
        ]
        capture.packets = log.sorted
        capture.leftOut = log.leftOut + callers.reduce(0) { $0 + (refused[$1] ?? 0) }
        capture.dropped = packets.dropped
        capture.secrets = keys?.lines ?? []
        packets.close()
        farewell.close()
        return capture
    }

    private var serverName: String {
        switch server {
        case .own(let port): "\(address) port \(port)"
        case .upstream(_, let name): "\(name), as far as that passes loopback"
        }
    }

    private static let note =
        "Packets of a live run, as libpcap saw them on loopback. Time 0 is the run's beginning, as in its trace: the clock of the run "
        + "leaps where nothing is under way, and what the kernel sends by its own clock, as retransmissions, comes after fewer "
        + "seconds or more."
}
