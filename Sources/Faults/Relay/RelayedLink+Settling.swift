import SquallCore

/// What follows from a link's state.
extension RelayedLink {
    /// Sets how each socket treats what arrives, where that has changed.
    mutating func settle(into outputs: inout [RelayOutput]) {
        if let readMode = Self.settle(&upstream, &client, held: waitingBytes) {
            outputs.append(.readMode(id, side: .client, readMode))
        }
        if let readMode = Self.settle(&downstream, &server, held: 0) {
            outputs.append(.readMode(id, side: .server, readMode))
        }
    }

    /// What becomes of a way's source, where that has changed; so much is `held` behind the way.
    private static func settle(_ way: inout DirectionState, _ source: inout Socket, held: Int) -> ReadMode? {
        if way.isFull {
            way.isFull = !way.pipeline.hasRoom || held > Pipeline.capacity / 2
        } else {
            way.isFull = way.pipeline.isOverfull || held > Pipeline.capacity
        }
        guard source.state == .open, !source.hasEnded else { return nil }
        let readMode: ReadMode =
            switch way.intake {
            case .lost: .unacknowledged
            // What is only thrown away does not wait for room.
            case .severed: way.pipeline.isStalled ? .unread : .none
            case .open, .ended: way.isFull || way.pipeline.isStalled ? .unread : .none
            }
        guard readMode != source.readMode else { return nil }
        source.readMode = readMode
        return readMode
    }

    /// Tells once who ended the connection first.
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
