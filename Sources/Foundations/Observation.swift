/// One thing that a machine saw, said or did, before the recorder gives it a time and a place.
package struct Observation: Hashable, Sendable {
    /// The registry's name in full: `connection.state`, `server.sent.message`.
    package var name: String
    /// What the `[key]` behind the name stands for: a message, a conversation. Nil where the name has none.
    package var key: String?
    package var change: Change
    package var provenance: Provenance

    @inlinable
    package init(_ name: String, key: String? = nil, _ change: Change, by provenance: Provenance) {
        self.name = name
        self.key = key
        self.change = change
        self.provenance = provenance
    }

    /// An event without a duration.
    @inlinable
    package static func happened(
        _ name: consuming String,
        key: consuming String? = nil,
        _ fields: consuming JSON = .object([]),
        by provenance: Provenance
    ) -> Observation {
        Observation(name, key: key, .happened(fields), by: provenance)
    }

    /// A new value of an observable.
    @inlinable
    package static func set(
        _ name: consuming String,
        key: consuming String? = nil,
        to value: consuming JSON,
        by provenance: Provenance = .reported
    ) -> Observation {
        Observation(name, key: key, .set(value), by: provenance)
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
