import SquallCore

/// Derives the read modes of a link's sockets from the state of the link, and reports the link's events.
extension RelayedLink {
    /// Emits the new read mode of each socket, if it has changed.
    mutating func updateReadModes(into outputs: inout [RelayOutput]) {
        if let readMode = Self.updateReadModes(&upstream, &client, held: waitingBytes) {
            outputs.append(.readMode(id, side: .client, readMode))
        }
        if let readMode = Self.updateReadModes(&downstream, &server, held: 0) {
            outputs.append(.readMode(id, side: .server, readMode))
        }
    }

    /// Returns the new read mode of a direction's source; nil if it has not changed.
    ///
    /// `held` is the number of bytes that have left the pipeline but have not been delivered.
    private static func updateReadModes(_ direction: inout DirectionState, _ source: inout Socket, held: Int)
        -> ReadMode?
    {
        if direction.isFull {
            direction.isFull = !direction.pipeline.hasRoom || held > Pipeline.capacity / 2
        } else {
            direction.isFull = direction.pipeline.isOverfull || held > Pipeline.capacity
        }
        guard source.state == .open, !source.hasReceivedFIN else { return nil }
        let readMode: ReadMode =
            switch direction.inputMode {
            case .lost: .unacknowledged
            // Bytes that will be discarded do not occupy space in the pipeline.
            case .severed: direction.pipeline.isStalled ? .unread : .none
            case .open, .ended: direction.isFull || direction.pipeline.isStalled ? .unread : .none
            }
        guard readMode != source.readMode else { return nil }
        source.readMode = readMode
        return readMode
    }

    /// Emits the event `network.closed`, which says which side ended the connection, and how. Only the first call emits
    /// it.
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
