package import SquallCore

/// A packet and its fate, for the event log.
package struct PacketEvent: Sendable {
    package var number: Int
    /// The event's time on the monotonic clock, measured from the relay's start.
    package var at: Instant
    package var direction: PacketDirection
    package var fate: PacketFate
    package var packet: [UInt8]

    package init(number: Int, at: Instant, direction: PacketDirection, fate: PacketFate, packet: [UInt8]) {
        self.number = number
        self.at = at
        self.direction = direction
        self.fate = fate
        self.packet = packet
    }

    /// The effects of the faults on the packet, such as `lost`; empty if the packet passed unaffected.
    package var effects: [String] {
        var effects: [String] = []
        if let loss = fate.loss { effects.append(loss == .loss ? "lost" : loss == .drop ? "dropped" : "over_limit") }
        if fate.copies.count > 1 { effects.append("duplicated") }
        if fate.copies.contains(where: \.isReordered) { effects.append("reordered") }
        if fate.copies.contains(where: { $0.corruptedBit != nil }) { effects.append("corrupted") }
        if fate.copies.contains(where: { $0.due > at }) { effects.append("delayed") }
        return effects
    }

    /// The event as one line of JSON, including the line feed.
    package var line: [UInt8] {
        var members = [
            JSONMember("n", .integer(Int64(number))),
            JSONMember("t_ns", .integer(at.nanoseconds)),
            JSONMember("event", "packet"),
            JSONMember("way", .string(direction.rawValue)),
            JSONMember("packet", .integer(Int64(clamping: fate.number))),
            JSONMember("length", .integer(Int64(packet.count))),
            JSONMember("did", .array(effects.map { .string($0) })),
            JSONMember("leaves_ns", .array(fate.copies.map { .integer($0.due.nanoseconds) })),
        ]
        if let summary = PacketSummary(packet) {
            members.append(JSONMember("protocol", .string(summary.transport)))
            members.append(JSONMember("from", .string(summary.source)))
            members.append(JSONMember("to", .string(summary.destination)))
            if let tcp = summary.tcp {
                members.append(JSONMember("flags", .string(tcp.flags)))
                members.append(JSONMember("seq", .integer(Int64(tcp.sequence))))
                members.append(JSONMember("ack", .integer(Int64(tcp.acknowledgement))))
                members.append(JSONMember("payload", .integer(Int64(tcp.payload))))
            }
        }
        return JSON.object(members).encode() + [UInt8(ascii: "\n")]
    }
}

extension LineCounts {
    /// The counters as JSON, as they appear in the log's last event.
    package var json: JSON {
        let counts: [(String, UInt64)] = [
            ("packets", arrived), ("bytes", bytes), ("delivered", delivered), ("lost", lost), ("dropped", dropped),
            ("over_limit", overLimit), ("duplicated", duplicated), ("reordered", reordered), ("corrupted", corrupted),
            ("refused", rejected), ("under_way", queued),
        ]
        return .object(counts.map { JSONMember($0.0, .integer(Int64(clamping: $0.1))) })
    }

    /// The counters as text, such as `1204 packets, 1830112 bytes: 61 lost (5.1 %), 3 duplicated (0.2 %)`.
    package var summary: String {
        func share(_ count: UInt64) -> String {
            let thousandths = arrived == 0 ? 0 : (count * 1000 + arrived / 2) / arrived
            return "\(thousandths / 10).\(thousandths % 10) %"
        }
        let shown = [
            (lost, "lost"), (dropped, "dropped"), (overLimit, "over the limit"), (duplicated, "duplicated"),
            (reordered, "reordered"), (corrupted, "corrupted"), (rejected, "rejected by the kernel"),
            (queued, "still in transit"),
        ]
        .filter { $0.0 > 0 }
        .map { "\($0.0) \($0.1) (\(share($0.0)))" }
        return "\(arrived) packets, \(bytes) bytes: \(shown.isEmpty ? "all passed" : shown.joined(separator: ", "))"
    }
}
