import SquallCore

/// A fault that lasts: whom it hits, when it ends, and how it stands at present.
struct ActiveFault: Sendable {
    /// Which of the relay's faults it is, counted from 1; shapers and closings of links bear it.
    let number: Int
    let label: String
    /// The name of its streams of chance: the label, and how many had it before.
    let chance: String
    var fault: Fault
    /// Nil: every client.
    let clients: [ClientID]?
    /// Nil: when it is healed.
    var ends: Instant?
    /// Clients for whom it has ended already.
    var released: [ClientID] = []
    /// Whether it has met what it is for.
    var hasHit = false
    /// Of a flap: whether the outage is on, and when that turns.
    private(set) var isDown = true
    private(set) var turns: Instant?

    init(_ fault: Fault, number: Int, label: String, before: Int, clients: [ClientID]?, at now: Instant) {
        self.fault = fault
        self.number = number
        self.label = label
        chance = "fault.\(label).\(before)"
        self.clients = clients
        ends = fault.kind.behaviour.duration(given: fault.duration).map { now + $0 }
        if case .flap(let flap) = fault.kind { turns = now + flap.length(ofOutage: true) }
    }

    /// What it does to links and doors; a flap does now one thing and now none.
    var behaviour: (any LinkFault)? {
        guard case .flap(let flap) = fault.kind else { return fault.kind.behaviour }
        return isDown ? flap.fault : nil
    }

    var nextDeadline: Instant {
        min(ends ?? .never, turns ?? .never)
    }

    func hits(_ client: ClientID) -> Bool {
        clients?.contains(client) != false && !released.contains(client)
    }

    /// Whether the links can go over to these attributes with the bytes that are under way.
    func canTakeOn(_ other: Fault, _ clients: [ClientID]?) -> Bool {
        let (old, new) = (fault.kind.behaviour, other.kind.behaviour)
        return old.isAdjustable && new.isAdjustable && type(of: old) == type(of: new) && old.stream == new.stream
            && self.clients == clients
    }

    mutating func takeOn(_ other: Fault, at now: Instant) {
        fault = other
        hasHit = false
        ends = other.duration.map { now + $0 }
    }

    /// Turns a flap that is due.
    mutating func turn() {
        guard case .flap(let flap) = fault.kind, let due = turns else { return }
        isDown.toggle()
        turns = due + flap.length(ofOutage: isDown)
    }

    /// An event about it: `fault.began[label] {fault, clients}`, the clients where it does not hit them all.
    func event(_ name: String, _ more: [JSONMember] = [], for client: ClientID? = nil) -> RelayOutput {
        var members = [JSONMember("fault", .string(fault.verb))] + more
        if client == nil, let clients {
            members.append(JSONMember("clients", .array(clients.map { .string($0.description) })))
        }
        let fields = JSON.object(members)
        return .observe(.happened(name, key: label, fields, by: .injected), client: client)
    }
}
