import SquallCore
import WebSocketWire

/// What a link knows of what it carries.
extension RelayedLink {
    /// Keeps in mind where the stream stands, and tells of the frames in it.
    mutating func follow(_ bytes: [UInt8], _ direction: Direction, into outputs: inout [RelayOutput]) {
        for sight in self[direction].tracker?.observe(bytes) ?? [] {
            guard case .frame(let header) = sight else { continue }
            let fields: JSON = [
                "direction": .string(direction.rawValue), "opcode": .string(header.opcode.description),
                "fin": .bool(header.fin), "bytes": .integer(Int64(clamping: header.length)),
                "compressed": .bool(header.rsv1),
            ]
            outputs.append(.observe(.happened("network.frame", fields, by: .observed), client: id.client))
        }
    }

    func emitMissed(_ direction: Direction, into outputs: inout [RelayOutput]) {
        let fields: JSON = ["direction": .string(direction.rawValue)]
        outputs.append(.observe(.happened("network.frames.missed", fields, by: .injected), client: id.client))
    }

    func reportOperation(_ deed: String, _ direction: Direction, into outputs: inout [RelayOutput]) {
        let fields: JSON = ["direction": .string(direction.rawValue), "action": .string(deed)]
        outputs.append(.observe(.happened("network.frames", fields, by: .injected), client: id.client))
    }
}
