/// An event or a change to an observable, before the recorder adds the time and the position in the trace.
package struct Observation: Hashable, Sendable {
    /// The full name, as in the registry: `connection.state`, `server.sent.message`.
    package var name: String
    /// The key, which identifies, for example, a message or a conversation; nil if the name has no key.
    package var key: String?
    package var change: Change
    package var provenance: Provenance
}

// The initializer and the factory methods delegate to the memberwise initializer, because an initializer that set the
// members one by one would copy the whole value before returning it.
extension Observation {
    package init(_ name: String, key: String? = nil, _ change: Change, by provenance: Provenance) {
        self.init(name: name, key: key, change: change, provenance: provenance)
    }

    /// Creates an observation of an event.
    package static func happened(
        _ name: consuming String,
        key: consuming String? = nil,
        _ fields: consuming JSON = .object([]),
        by provenance: Provenance
    ) -> Observation {
        Observation(name: name, key: key, change: .happened(fields), provenance: provenance)
    }

    /// Creates an observation that sets an observable to a new value.
    package static func set(
        _ name: consuming String,
        key: consuming String? = nil,
        to value: consuming JSON,
        by provenance: Provenance = .reported
    ) -> Observation {
        Observation(name: name, key: key, change: .set(value), provenance: provenance)
    }
}

/// The content of an observation: an event, a new value or an edit of a list.
///
/// Lists are recorded as edits, so that recording a list that grows to n rows does not take O(n²) space.
package enum Change: Hashable, Sendable {
    /// An event with its fields: always an object, possibly empty.
    case happened(JSON)
    /// A new value for an observable.
    case set(JSON)
    case inserted(at: Int, JSON)
    case removed(at: Int)
    case replaced(at: Int, JSON)
}
