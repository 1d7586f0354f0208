package import SquallCore

/// The packets of one connection as it goes on, for who writes them down at once: what is told of has happened, and arrived, by then.
package struct ConnectionCapture: Sendable {
    private var connection: SyntheticConnection
    private var log = PacketLog(limit: .max)

    /// What the ends hold is not known: their windows are as large as they can be without being shifted.
    private static let timing = LinkCapture.Timing(hop: .zero, capacity: 65535)

    /// A call begins now. `number` tells connections apart; `comment` stands on the call.
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
        connection.comment(comment, onCallIn: &log)
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

    /// What there is since it was last asked, as blocks of a file.
    package mutating func blocks() -> [UInt8] {
        var blocks: [UInt8] = []
        for packet in log.takeAll() { Pcapng.append(packet, to: &blocks) }
        return blocks
    }
}
