import SquallCore

/// The clients affected by a fault in the ``Relay``, and the state that the relay keeps for the fault.
struct RelayScope: Sendable {
    /// The name of the fault in scenarios and events.
    let label: String
    let verb: String
    /// The name prefix of the fault's random number streams: the label and the number of earlier faults with that
    /// label.
    let randomStreamPrefix: String
    /// The affected clients; nil if all clients are affected.
    let clients: [ClientID]?
    /// The time at which the fault ends on its own; nil if it lasts until it is healed.
    var ends: Instant?
    /// The clients for which the fault has already ended.
    var healedClients: [ClientID] = []
    /// Whether the fault has hit its target.
    var hasHit = false

    func affects(_ client: ClientID) -> Bool {
        clients?.contains(client) != false && !healedClients.contains(client)
    }
}

extension ActiveFaults.Entry where Scope == RelayScope {
    var label: String { scope.label }
    var nextDeadline: Instant { min(scope.ends ?? .never, turns ?? .never) }

    func affects(_ client: ClientID) -> Bool { scope.affects(client) }

    /// Returns the fault that applies to links now; nil while it has no effect.
    func applied(_ seed: Seed) -> AppliedFault? {
        current.map {
            AppliedFault(number: number, fault: $0, seed: seed, randomStreamPrefix: scope.randomStreamPrefix)
        }
    }

    /// Returns whether the fault's shapers can adopt the attributes of `other` while bytes are in their queues.
    func canBecome(_ other: Fault, _ clients: [ClientID]?) -> Bool {
        guard let old = fault?.behaviour, scope.clients == clients else { return false }
        let new = other.behaviour
        return old.isAdjustable && new.isAdjustable && type(of: old) == type(of: new) && old.stream == new.stream
    }

    /// Creates an event about the fault, such as `fault.began[label] {fault, clients}`; `clients` is omitted if the
    /// fault affects all clients.
    func event(_ name: String, _ more: [JSONMember] = [], for client: ClientID? = nil) -> RelayOutput {
        var members = [JSONMember("fault", .string(scope.verb))] + more
        if client == nil, let clients = scope.clients {
            members.append(JSONMember("clients", .array(clients.map { .string($0.description) })))
        }
        return .observe(.happened(name, key: label, JSON.object(members), by: .injected), client: client)
    }
}
