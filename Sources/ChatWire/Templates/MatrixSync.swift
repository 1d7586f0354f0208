package import SquallCore
package import WebSocketWire

/// Matrix's `/sync` (client-server API 1.11): an HTTP long poll. Its response contains the events that a WebSocket
/// would carry in frames, grouped by room.
package enum MatrixSync {
    package struct Request: Hashable, Sendable {
        /// The position after which the client wants events; nil if it has not received any yet.
        package let since: Int64?
        /// How long the server may wait for events before it sends an empty response.
        package let timeout: TimeSpan
        package let key: String?
    }

    /// The events of one `/sync` response.
    package struct Batch: Sendable {
        package private(set) var position: Int64
        package var isEmpty: Bool { rooms.isEmpty }

        private let start: Int64
        private var isLimited = false
        private var rooms: [(name: String, events: [JSON])] = []

        /// Collects the events in these frames for a client that already has the events up to `start`.
        package init(of frames: [[UInt8]], after start: Int64) {
            self.start = start
            position = start
            for frame in frames.compactMap({ try? JSON.decode($0) }) {
                if let missed = frame["events"]?.arrayValue {
                    position = MatrixSync.position(frame["next_batch"]?.stringValue) ?? position
                    isLimited = isLimited || frame["limited"] == true
                    for event in missed { add(event) }
                } else {
                    add(frame)
                }
            }
        }

        private mutating func add(_ event: JSON) {
            guard let room = event["room_id"]?.stringValue, let members = event.members else { return }
            position = max(position, event["unsigned"]?["squall.order"]?.intValue ?? position)
            // A response groups events by room, so the events themselves do not contain the room's name.
            let inside = JSON.object(members.filter { $0.name != "room_id" })
            if let index = rooms.firstIndex(where: { $0.name == room }) {
                rooms[index].events.append(inside)
            } else {
                rooms.append((room, [inside]))
            }
        }

        /// The response body.
        package var body: [UInt8] {
            let joined = rooms.map { room in
                let timeline: JSON = [
                    "events": .array(room.events), "limited": .bool(isLimited),
                    "prev_batch": .string(MatrixSync.token(start)),
                ]
                return JSONMember(room.name, ["timeline": timeline])
            }
            let body: JSON = [
                "next_batch": .string(MatrixSync.token(position)), "rooms": ["join": .object(joined)],
            ]
            return body.encode()
        }
    }

    /// The prefix of the tokens `since` and `next_batch`, whose content a client must not interpret.
    private static let prefix = "s"

    private static func token(_ position: Int64) -> String { "\(prefix)\(position)" }

    fileprivate static func position(_ token: String?) -> Int64? {
        guard let token, token.hasPrefix(prefix) else { return nil }
        return Int64(token.dropFirst(prefix.count))
    }
}

extension WireProfile {
    /// Parses a long-poll request; returns nil if it is not a long poll or the protocol does not use Matrix polling.
    package func syncRequest(_ head: HTTPRequestHead) -> MatrixSync.Request? {
        guard frames?.polling == .matrixSync, head.method == "GET", !head.asksForWebSocket,
            isWebSocket(target: head.path)
        else { return nil }
        let since = PathTemplate.parameter("since", of: head.path)
        let position = MatrixSync.position(since)
        guard since == nil || position != nil else { return nil }
        let wait = PathTemplate.parameter("timeout", of: head.path).flatMap { Int64($0) } ?? 0
        let key =
            head.headers["authorization"].flatMap(ChatRoute.key(inAuthorization:))
            // This query parameter has been deprecated since Matrix 1.11, but servers still accept it.
            ?? PathTemplate.parameter("access_token", of: head.path)
        // A client's first request is answered immediately.
        let timeout = since == nil ? .zero : TimeSpan.milliseconds(min(max(wait, 0), 3_600_000))
        return MatrixSync.Request(since: position, timeout: timeout, key: key)
    }
}
