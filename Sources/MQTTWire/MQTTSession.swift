package import SquallCore

/// The session that a server keeps for one client identifier: its subscriptions and its unfinished deliveries (MQTT
/// 3.1.1, sections 3.1.2.4, 4.3 and 4.4, which also apply to MQTT 5.0 unless stated otherwise).
///
/// The server's application handles every message as if its quality of service (QoS) were 1: it receives PUBLISH and
/// answers with PUBACK, or sends PUBLISH and receives PUBACK. The session converts these packets to the QoS level that
/// the client has chosen, and handles PUBREC, PUBREL and PUBCOMP itself.
package struct MQTTSession: Hashable, Sendable {
    /// A subscription with its maximum QoS level.
    private struct Subscription: Hashable {
        let filter: String
        var quality: Int64
    }

    /// A message to the client that has not been fully delivered.
    private struct Delivery: Hashable {
        /// The packet identifier in the PUBLISH packet to the client.
        let id: Int64
        /// The packet identifier chosen by the application; nil if it was chosen on an earlier connection.
        var number: Int64?
        /// The PUBLISH packet.
        let packet: JSON
        /// Whether the client has sent PUBREC, after which only PUBREL may be resent.
        var isReceived = false
    }

    /// The CONNECT packet that began or resumed the session.
    package private(set) var login: MQTTLogin?
    /// Whether the session existed before the last CONNECT packet.
    package private(set) var isResumed = false
    /// The client identifier that the server has assigned; nil if the client has chosen its own.
    private var assigned: String?
    private var subscriptions: [Subscription] = []
    /// The QoS levels requested in each SUBSCRIBE that has not been acknowledged yet, keyed by packet identifier.
    private var grants: [Int64: [Int64]] = [:]
    /// The packet identifiers of QoS 2 messages that the client has sent but not yet released with PUBREL.
    private var received: Set<Int64> = []
    /// The unfinished deliveries to the client, in the order in which the messages were first sent.
    private var deliveries: [Delivery] = []
    private var lastID: Int64 = 0

    /// The largest packet identifier.
    private static let largestID: Int64 = 0xFFFF

    package init() {}

    /// Whether messages are queued while the client is offline, because it has a subscription above QoS 0.
    package var wantsMissedMessages: Bool { subscriptions.contains { $0.quality > 0 } }

    /// The number of unfinished deliveries to the client.
    package var unfinished: Int { deliveries.count }

    // MARK: - Connections

    /// Begins a session for a client that has sent CONNECT.
    package mutating func begin(_ login: MQTTLogin) {
        self = MQTTSession()
        self.login = login
    }

    /// Adopts the session's state from an earlier connection, but keeps the current CONNECT packet.
    package mutating func resume(_ earlier: MQTTSession) {
        let login = login
        self = earlier
        self.login = login
        (isResumed, assigned, grants) = (true, nil, [:])
        for index in deliveries.indices { deliveries[index].number = nil }
    }

    /// Assigns an identifier to a client that has sent none; CONNACK announces it (MQTT 5.0, section 3.2.2.3.7).
    package mutating func assign(_ client: String) {
        login?.client = client
        assigned = client
    }

    /// Returns the packets that a resumed session resends after CONNACK: PUBREL if the client has sent PUBREC,
    /// otherwise PUBLISH with the DUP flag (section 4.4).
    package func repeated() -> [JSON] {
        guard isResumed else { return [] }
        return deliveries.map { delivery in
            guard !delivery.isReceived else { return Self.answer("pubrel", delivery.id) }
            var packet = delivery.packet
            packet.set("dup", to: true)
            return packet
        }
    }

    // MARK: - Packets from the client

    /// Handles a packet from the client. Returns the packet to pass to the application, if any, and the session's own
    /// responses to the client.
    package mutating func receive(_ packet: JSON) -> (application: JSON?, answers: [JSON]) {
        let id = packet["id"]?.intValue ?? 0
        switch packet["packet"]?.stringValue {
        case "publish"? where packet["qos"] == 2:
            // A message whose identifier has not been released yet is a duplicate (section 4.3.3).
            guard received.insert(id).inserted else { return (nil, [Self.answer("pubrec", id)]) }
            return (Self.simplified(packet), [])
        case "pubrel"?:
            let isKnown = received.remove(id) != nil
            return (nil, [answer("pubcomp", id, isKnown: isKnown)])
        case "puback"?: return (finish(id, released: false), [])
        case "pubrec"?: return pubrec(packet, id)
        case "pubcomp"?: return (finish(id, released: true).flatMap { _ in nil }, [])
        case "subscribe"?:
            subscribe(packet, id)
            return (Self.simplified(packet), [])
        case "unsubscribe"?:
            let filters = packet["filters"]?.arrayValue ?? []
            subscriptions.removeAll { filters.contains(.string($0.filter)) }
            return (packet, [])
        case "disconnect"?:
            if let expiry = packet["properties"]?["session_expiry"]?.intValue { login?.expiry = expiry }
            return (packet, [])
        default: return (packet, [])
        }
    }

    private mutating func pubrec(_ packet: JSON, _ id: Int64) -> (application: JSON?, answers: [JSON]) {
        guard let index = deliveries.firstIndex(where: { $0.id == id && $0.packet["qos"] == 2 }) else {
            return (nil, [answer("pubrel", id, isKnown: false)])
        }
        let delivery = deliveries[index]
        // A PUBREC with an error code rejects the message and ends its delivery (MQTT 5.0, section 4.3.3).
        guard (packet["reason"]?.intValue ?? 0) < 0x80 else {
            deliveries.remove(at: index)
            return (nil, [])
        }
        deliveries[index].isReceived = true
        let isFirst = !delivery.isReceived
        let taken = isFirst ? delivery.number.map { Self.answer("puback", $0) } : nil
        return (taken, [Self.answer("pubrel", id)])
    }

    /// Ends the delivery of a message. Returns the PUBACK for the application; nil if the application expects none.
    private mutating func finish(_ id: Int64, released: Bool) -> JSON? {
        let quality: JSON = released ? 2 : 1
        guard let index = deliveries.firstIndex(where: { $0.id == id && $0.packet["qos"] == quality }) else {
            return nil
        }
        return deliveries.remove(at: index).number.map { Self.answer("puback", $0) }
    }

    private mutating func subscribe(_ packet: JSON, _ id: Int64) {
        let filters = packet["filters"]?.arrayValue ?? []
        for filter in filters {
            let name = filter["filter"]?.stringValue ?? ""
            let subscription = Subscription(filter: name, quality: filter["qos"]?.intValue ?? 0)
            // A subscription replaces an existing one with the same filter (section 3.8.4).
            subscriptions.removeAll { $0.filter == name }
            subscriptions.append(subscription)
        }
        grants[id] = filters.map { $0["qos"]?.intValue ?? 0 }
    }

    /// Forgets a QoS 2 message that the application has rejected, so that a retransmission of the message is not
    /// treated as a duplicate.
    package mutating func forget(_ id: Int64) {
        received.remove(id)
    }

    // MARK: - Packets to the client

    /// Converts a packet from the application to the packet to send to the client; returns nil if all packet
    /// identifiers are in use.
    package mutating func send(_ packet: JSON) -> JSON? {
        var packet = packet
        let id = packet["id"]?.intValue ?? 0
        switch packet["packet"]?.stringValue {
        case "connack"? where packet["reason"]?.intValue ?? 0 == 0:
            packet.set("session_present", to: .bool(isResumed))
            if let assigned {
                var properties = packet["properties"] ?? .object([])
                properties.set("assigned_client_identifier", to: .string(assigned))
                packet.set("properties", to: properties)
            }
            return packet
        case "suback"?: return granted(packet)
        case "puback"? where received.contains(id):
            packet.set("packet", to: "pubrec")
            return packet
        case "publish"? where packet["qos"]?.intValue ?? 0 > 0: return publish(packet, id)
        default: return packet
        }
    }

    /// Returns the SUBACK with the requested QoS levels in place of the application's success codes.
    package mutating func granted(_ packet: JSON) -> JSON {
        guard let grants = grants.removeValue(forKey: packet["id"]?.intValue ?? 0) else { return packet }
        var packet = packet
        let reasons = packet["reasons"]?.arrayValue ?? []
        packet.set(
            "reasons",
            to: .array(
                grants.enumerated().map { index, quality in
                    let reason = reasons.isEmpty ? nil : reasons[min(index, reasons.count - 1)].intValue
                    return .integer(reason.map { $0 < 0x80 ? quality : $0 } ?? quality)
                }
            )
        )
        return packet
    }

    private mutating func publish(_ packet: JSON, _ number: Int64) -> JSON? {
        var packet = packet
        let topic = packet["topic"]?.stringValue ?? ""
        let matching = subscriptions.filter { MQTTTopic.matches(topic, $0.filter) }
        // The application's QoS level counts as 2, so the subscription's level, which is the maximum (section 3.8.4),
        // applies. Without a matching subscription, the application's level is used unchanged.
        let quality = matching.map(\.quality).max() ?? packet["qos"]?.intValue ?? 0
        packet.set("qos", to: .integer(quality))
        guard quality > 0 else { return packet.without("id") }
        guard let id = freeID(number) else { return nil }
        packet.set("id", to: .integer(id))
        deliveries.append(Delivery(id: id, number: number, packet: packet))
        return packet
    }

    /// Returns a packet identifier that no unfinished delivery uses (section 2.3.1): `wanted` if possible, otherwise
    /// the next free one.
    private mutating func freeID(_ wanted: Int64) -> Int64? {
        let used = Set(deliveries.map(\.id))
        if (1...Self.largestID).contains(wanted), !used.contains(wanted) {
            lastID = wanted
            return wanted
        }
        guard used.count < Self.largestID else { return nil }
        repeat { lastID = lastID % Self.largestID + 1 } while used.contains(lastID)
        return lastID
    }

    // MARK: - Forms

    private static func answer(_ name: String, _ id: Int64) -> JSON {
        ["packet": .string(name), "id": .integer(id)]
    }

    /// Returns a response for a packet identifier. In MQTT 5.0, it has reason code 0x92 if the identifier is unknown.
    private func answer(_ name: String, _ id: Int64, isKnown: Bool) -> JSON {
        var answer = Self.answer(name, id)
        if !isKnown, login?.version == .v5 { answer.set("reason", to: 0x92) }
        return answer
    }
}

extension MQTTSession {
    /// Returns the packet as an application sees it, with QoS 1 in place of QoS 2; nil for packets that a session
    /// handles itself.
    ///
    /// Used by observers, which read the packets of both peers but have no session.
    package static func simplified(_ packet: JSON) -> JSON? {
        var packet = packet
        switch packet["packet"]?.stringValue {
        case "connack"?: packet.set("session_present", to: false)
        case "publish"? where packet["qos"] == 2: packet.set("qos", to: 1)
        case "pubrec"?: packet.set("packet", to: "puback")
        case "pubrel"?, "pubcomp"?: return nil
        case "subscribe"?:
            let filters = packet["filters"]?.arrayValue ?? []
            packet.set(
                "filters",
                to: .array(
                    filters.map { filter in
                        var filter = filter
                        filter.set("qos", to: 1)
                        return filter
                    }
                )
            )
        case "suback"?:
            let reasons = packet["reasons"]?.arrayValue ?? []
            packet.set("reasons", to: .array(reasons.map { $0.intValue ?? 0 < 0x80 ? 1 : $0 }))
        default: break
        }
        return packet
    }
}

extension JSON {
    fileprivate func without(_ name: String) -> JSON {
        .object((members ?? []).filter { $0.name != name })
    }
}
