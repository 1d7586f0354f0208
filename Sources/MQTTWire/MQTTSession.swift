package import SquallCore

/// The state that a server keeps for a client identifier, and its part in the delivery of messages (MQTT 3.1.1,
/// sections 3.1.2.4, 4.3 and 4.4; the same in MQTT 5.0 where no difference is named).
///
/// The server's application sees every message as one of quality of service 1: it gets PUBLISH, answers PUBACK, sends
/// PUBLISH, and gets PUBACK. The session converts these packets to the quality of service that the client has chosen,
/// and handles PUBREC, PUBREL and PUBCOMP itself.
package struct MQTTSession: Hashable, Sendable {
    /// A subscription with its maximum quality of service.
    private struct Subscription: Hashable {
        let filter: String
        var quality: Int64
    }

    /// A message to the client whose delivery is not complete.
    private struct Delivery: Hashable {
        /// The identifier of the packet.
        let id: Int64
        /// The identifier that the application has given to the packet; nil if it did so on an earlier connection.
        var number: Int64?
        /// The PUBLISH packet.
        let packet: JSON
        /// Whether the client has answered PUBREC, so that only PUBREL may be sent again.
        var isReceived = false
    }

    /// The CONNECT packet that began or resumed the session.
    package private(set) var login: MQTTLogin?
    /// Whether the session existed before the last CONNECT packet.
    package private(set) var isResumed = false
    /// The client identifier that the server has assigned; nil if the client has named one.
    private var assigned: String?
    private var subscriptions: [Subscription] = []
    /// The qualities of service of the subscriptions that the server has not acknowledged, by packet identifier.
    private var grants: [Int64: [Int64]] = [:]
    /// The identifiers of the client's messages of quality of service 2 that it has not released with PUBREL.
    private var received: Set<Int64> = []
    /// The messages to the client whose delivery is not complete, in the order in which they were first sent.
    private var deliveries: [Delivery] = []
    private var lastID: Int64 = 0

    /// The largest packet identifier.
    private static let largestID: Int64 = 0xFFFF

    package init() {}

    /// Whether messages of quality of service 1 and 2 are kept for the client while it is away.
    package var wantsMissedMessages: Bool { subscriptions.contains { $0.quality > 0 } }

    /// The number of messages to the client whose delivery is not complete.
    package var unfinished: Int { deliveries.count }

    // MARK: - Connections

    /// Begins a session for a client that has sent CONNECT.
    package mutating func begin(_ login: MQTTLogin) {
        self = MQTTSession()
        self.login = login
    }

    /// Continues the session of an earlier connection, whose CONNECT packet is replaced by this session's.
    package mutating func resume(_ earlier: MQTTSession) {
        let login = login
        self = earlier
        self.login = login
        (isResumed, assigned, grants) = (true, nil, [:])
        for index in deliveries.indices { deliveries[index].number = nil }
    }

    /// Gives a client that has named no identifier one of the server's choice, which CONNACK announces (MQTT 5.0,
    /// section 3.2.2.3.7).
    package mutating func assign(_ client: String) {
        login?.client = client
        assigned = client
    }

    /// Returns the packets that a resumed session sends again after CONNACK: PUBLISH with DUP, or PUBREL if the client
    /// has answered PUBREC (section 4.4).
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

    /// Handles a packet from the client. Returns the packet that the application gets, if any, and the session's own
    /// answers.
    package mutating func receive(_ packet: JSON) -> (application: JSON?, answers: [JSON]) {
        let id = packet["id"]?.intValue ?? 0
        switch packet["packet"]?.stringValue {
        case "publish"? where packet["qos"] == 2:
            // A message whose identifier is not released yet is the same message again (section 4.3.3).
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
        // With a reason code of an error the client refuses the message (MQTT 5.0, section 4.3.3).
        guard (packet["reason"]?.intValue ?? 0) < 0x80 else {
            deliveries.remove(at: index)
            return (nil, [])
        }
        deliveries[index].isReceived = true
        let isFirst = !delivery.isReceived
        let taken = isFirst ? delivery.number.map { Self.answer("puback", $0) } : nil
        return (taken, [Self.answer("pubrel", id)])
    }

    /// Ends the delivery of a message, and returns the acknowledgement that the application gets.
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
            // A subscription replaces the one with the same filter (section 3.8.4).
            subscriptions.removeAll { $0.filter == name }
            subscriptions.append(subscription)
        }
        grants[id] = filters.map { $0["qos"]?.intValue ?? 0 }
    }

    /// Forgets a message of quality of service 2 that the application has rejected, so that it is handled again when
    /// the client repeats it.
    package mutating func forget(_ id: Int64) {
        received.remove(id)
    }

    // MARK: - Packets to the client

    /// Returns the packet that the client gets for a packet of the application; nil if all identifiers are in use.
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

    /// Returns an acknowledgement of subscriptions with the qualities of service that the client has asked for.
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
        // The application's messages have the quality of service 2, and are delivered with at most that of the
        // subscription (section 3.8.4). Without a subscription the packet remains as the application has written it.
        let quality = matching.map(\.quality).max() ?? packet["qos"]?.intValue ?? 0
        packet.set("qos", to: .integer(quality))
        guard quality > 0 else { return packet.without("id") }
        guard let id = freeID(number) else { return nil }
        packet.set("id", to: .integer(id))
        deliveries.append(Delivery(id: id, number: number, packet: packet))
        return packet
    }

    /// Returns an identifier that no unfinished delivery has (section 2.3.1), preferably `wanted`.
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

    /// Returns an answer about an identifier, with the reason code 0x92 of MQTT 5.0 if the identifier is unknown.
    private func answer(_ name: String, _ id: Int64, isKnown: Bool) -> JSON {
        var answer = Self.answer(name, id)
        if !isKnown, login?.version == .v5 { answer.set("reason", to: 0x92) }
        return answer
    }
}

extension MQTTSession {
    /// Returns the packet in the form in which an application gets it, with the quality of service 1 instead of 2; nil
    /// for packets that the application does not get.
    ///
    /// This is for an observer, who reads the packets of both sides and keeps no session.
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
