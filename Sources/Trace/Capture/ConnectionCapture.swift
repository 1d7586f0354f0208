package import SquallCore

/// Produces the packets of one real connection while it runs.
///
/// Each call reports something that has happened and has arrived at the other end at that time.
package struct ConnectionCapture: Sendable {
    private var connection: SyntheticConnection
    private var log = PacketLog(limit: .max)

    /// The ends' buffers are unknown, so the capacity is the largest window without scaling.
    private static let timing = LinkCapture.Timing(hop: .zero, capacity: 65535)

    /// Creates the capture of a connection that begins now.
    ///
    /// `number` distinguishes connections; `comment` is attached to the SYN.
    package init(
        from source: PacketCapture.Endpoint,
        to destination: PacketCapture.Endpoint,
        at place: PacketCapture.Place,
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

    package mutating func carry(_ cargo: LinkCapture.CapturedBytes, from end: LinkCapture.End, at now: Instant) {
        connection.carry(cargo, from: end, leaves: now, arrives: now, in: &log)
        connection.arrive(at: end.opposite, .read, at: now, in: &log)
    }

    /// The packets since the last call, as blocks of a pcapng file.
    package mutating func blocks() -> [UInt8] {
        var blocks: [UInt8] = []
        for packet in log.takeAll() { Pcapng.append(packet, to: &blocks) }
        return blocks
    }
}
