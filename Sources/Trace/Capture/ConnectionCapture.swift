package import SquallCore

/// Produces the packets of one real connection while it is open.
///
/// Each call reports an event on the connection. The event is assumed to reach the other endpoint at the same time.
package struct ConnectionCapture: Sendable {
    private var connection: SyntheticConnection
    private var log = PacketLog(limit: .max)

    /// The receive buffers of a real connection are unknown, so the largest window without scaling is advertised.
    private static let timing = LinkCapture.Timing(hop: .zero, capacity: 65535)

    /// Creates the capture of a connection that begins now.
    ///
    /// `number` identifies the connection; `comment` is attached to its SYN.
    package init(
        from source: PacketCapture.Endpoint,
        to destination: PacketCapture.Endpoint,
        at place: PacketCapture.CapturePoint,
        number: Int,
        comment: String,
        now: Instant
    ) {
        connection = SyntheticConnection(
            from: source,
            to: destination,
            at: place,
            number: number,
            timing: Self.timing,
            since: now,
            in: &log
        )
        connection.comment(comment, onSYNIn: &log)
    }

    package mutating func accept(at now: Instant) {
        connection.accept(leaves: now, arrives: now, in: &log)
    }

    package mutating func refuse(at now: Instant) {
        connection.refuse(leaves: now, arrives: now, in: &log)
    }

    package mutating func carry(_ cargo: LinkCapture.Payload, from end: LinkCapture.Side, at now: Instant) {
        connection.carry(cargo, from: end, leaves: now, arrives: now, in: &log)
        connection.arrive(at: end.opposite, .read, at: now, in: &log)
    }

    /// Removes and returns the packets recorded since the previous call, encoded as blocks of a pcapng file.
    package mutating func blocks() -> [UInt8] {
        var blocks: [UInt8] = []
        for packet in log.takeAll() { Pcapng.append(packet, to: &blocks) }
        return blocks
    }
}
