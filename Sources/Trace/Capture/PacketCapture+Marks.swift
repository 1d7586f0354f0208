import SquallCore

/// Adds comments to the packets at which a fault began, changed or ended.
extension PacketCapture {
    /// The names of the events for which a comment is added.
    private static let marked: Set<String> = ["fault.began", "fault.turned", "fault.lifted", "fault.ended"]

    /// Adds a comment for each fault event to the first packet that is not earlier than the event, or to the last
    /// packet if there is none.
    package mutating func mark(_ events: [TraceEvent]) {
        guard !packets.isEmpty else { return }
        var place = 0
        var marks: [(place: Int, text: String)] = []
        for event in events where Self.marked.contains(event.name) {
            // Packets and events are both ordered by time, so one pass suffices.
            while place < packets.count, packets[place].time < event.time { place += 1 }
            let isBehind = place == packets.count
            marks.append(
                (min(place, packets.count - 1), "\(isBehind ? "After this" : "Before this"), \(Self.text(of: event))")
            )
        }
        for (place, text) in marks.reversed() {
            packets[place].comment = [text, packets[place].comment].compactMap(\.self).joined(separator: "\n")
        }
    }

    /// Formats an event as one line, such as `at 12.400100: fault.began[hole] {"fault":"blackhole"}`.
    private static func text(of event: TraceEvent) -> String {
        let micros = String(event.time.nanoseconds / 1000 % 1_000_000)
        let time =
            "\(event.time.nanoseconds / 1_000_000_000).\(String(repeating: "0", count: 6 - micros.count))\(micros)"
        var text = "at \(time): \(event.name)"
        if let key = event.key { text += "[\(key)]" }
        if let client = event.client { text += " of \(client.name)" }
        guard let fields = event.fields, fields.members?.isEmpty == false else { return text }
        return "\(text) \(String(decoding: fields.encode(), as: UTF8.self))"
    }
}
