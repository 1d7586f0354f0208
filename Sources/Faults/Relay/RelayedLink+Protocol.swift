import SquallCore
import WebSocketWire

/// The events that report the HTTP and WebSocket traffic on a link.
extension RelayedLink {
    /// Parses delivered bytes, if the stream is parsed at all, and emits an event for each frame.
    mutating func follow(_ bytes: [UInt8], _ direction: Direction, into outputs: inout [RelayOutput]) {
        for element in self[direction].tracker?.observe(bytes) ?? [] {
            guard case .frame(let header) = element else { continue }
            let fields: JSON = [
                "direction": .string(direction.rawValue), "opcode": .string(header.opcode.description),
                "fin": .bool(header.fin), "bytes": .integer(Int64(clamping: header.length)),
                "compressed": .bool(header.rsv1),
            ]
            outputs.append(.observe(.happened("network.frame", fields, by: .observed), client: id.client))
        }
    }

    /// Reports that a fault was not applied to a message because the message was compressed; the fault might have
    /// matched the uncompressed message.
    func emitMissed(_ direction: Direction, into outputs: inout [RelayOutput]) {
        let fields: JSON = ["direction": .string(direction.rawValue)]
        outputs.append(.observe(.happened("network.frames.missed", fields, by: .injected), client: id.client))
    }

    /// Reports the action that a fault has performed on a message.
    func reportOperation(_ operation: String, _ direction: Direction, into outputs: inout [RelayOutput]) {
        let fields: JSON = ["direction": .string(direction.rawValue), "action": .string(operation)]
        outputs.append(.observe(.happened("network.frames", fields, by: .injected), client: id.client))
    }
}
