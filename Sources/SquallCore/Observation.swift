/// One thing that a machine saw, said or did, before the recorder gives it a time and a place.
package struct Observation: Hashable, Sendable {
    /// The registry's name in full: `connection.state`, `server.sent.message`.
    package var name: String
    /// What the `[key]` behind the name stands for: a message, a conversation. Nil where the name has none.
    package var key: String?
    package var change: Change
    package var provenance: Provenance
}

// Made by the initializer that the compiler writes: one that set the members of a value of this size one by one would copy
// the whole at its end.
extension Observation {
    package init(_ name: String, key: String? = nil, _ change: Change, by provenance: Provenance) {
        self.init(name: name, key: key, change: change, provenance: provenance)
    }

    /// An event without a duration.
    package static func happened(
        _ name: consuming String,
        key: consuming String? = nil,
        _ fields: consuming JSON = .object([]),
        by provenance: Provenance
    ) -> Observation {
        Observation(name: name, key: key, change: .happened(fields), provenance: provenance)
    }

    /// A new value of an observable.
    package static func set(
        _ name: consuming String,
        key: consuming String? = nil,
        to value: consuming JSON,
        by provenance: Provenance = .reported
    ) -> Observation {
        Observation(name: name, key: key, change: .set(value), provenance: provenance)
    }
}

/// What changed. Lists travel as edits, so that a thousand rows do not cost a million identifiers of trace.
package enum Change: Hashable, Sendable {
    /// An event; always an object, possibly empty.
    case happened(JSON)
    /// An observable's whole new value.
    case set(JSON)
    case inserted(at: Int, JSON)
    case removed(at: Int)
    case replaced(at: Int, JSON)
}
