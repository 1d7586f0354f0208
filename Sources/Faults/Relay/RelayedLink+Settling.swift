import SquallCore

/// The consequences of a link's state.
extension RelayedLink {
    /// Emits how each socket is to be read from now on, if that has changed.
    mutating func settle(into outputs: inout [RelayOutput]) {
        if let readMode = Self.settle(&upstream, &client, held: waitingBytes) {
            outputs.append(.readMode(id, side: .client, readMode))
        }
        if let readMode = Self.settle(&downstream, &server, held: 0) {
            outputs.append(.readMode(id, side: .server, readMode))
        }
    }

    /// Returns how the source of a direction is to be read from now on; nil if that has not changed. `held` counts the
    /// bytes that wait beyond the pipeline.
    private static func settle(_ direction: inout DirectionState, _ source: inout Socket, held: Int) -> ReadMode? {
        if direction.isFull {
            direction.isFull = !direction.pipeline.hasRoom || held > Pipeline.capacity / 2
        } else {
            direction.isFull = direction.pipeline.isOverfull || held > Pipeline.capacity
        }
        guard source.state == .open, !source.hasEnded else { return nil }
        let readMode: ReadMode =
            switch direction.intake {
            case .lost: .unacknowledged
            // Bytes that are only discarded need no room.
            case .severed: direction.pipeline.isStalled ? .unread : .none
            case .open, .ended: direction.isFull || direction.pipeline.isStalled ? .unread : .none
            }
        guard readMode != source.readMode else { return nil }
        source.readMode = readMode
        return readMode
    }

    /// Reports, once, how the connection first ended, and from which side.
    mutating func emitEnd(by side: String, _ how: LinkEnd, into outputs: inout [RelayOutput]) {
        guard !hasReportedEnd else { return }
        hasReportedEnd = true
        let fields: JSON = [
            "side": .string(side), "how": .string(how.rawValue), "link": .integer(Int64(id.number)),
        ]
        outputs.append(.observe(.happened("network.closed", fields, by: .injected), client: id.client))
    }

    mutating func emitDropped(_ bytes: Int, _ direction: Direction, into outputs: inout [RelayOutput]) {
        guard bytes > 0 else { return }
        let fields: JSON = ["direction": .string(direction.rawValue), "bytes": .integer(Int64(bytes))]
        outputs.append(.observe(.happened("network.dropped", fields, by: .injected), client: id.client))
    }
}
