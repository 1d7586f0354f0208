package import SquallCore
import Trace

/// Selects the client of an observable or event in an expectation.
package enum ClientSelector: Hashable, Sendable {
    /// Selects events from any client, or an observable that belongs to no client.
    case any
    case one(ClientID)
    /// Selects each of the expectation's clients in turn: the expectation is evaluated separately for each of them.
    case each

    /// Returns the selected client when the expectation is evaluated for `client`; nil if no client is selected.
    func resolved(for client: ClientID?) -> ClientID? {
        switch self {
        case .any: nil
        case .one(let client): client
        case .each: client
        }
    }
}

/// Selects the key of an observable in an expectation.
package enum KeySelector: Hashable, Sendable {
    /// Selects an observable that has no key.
    case none
    case one(String)
    /// Selects all keys, written `[*]`, in a predicate that begins with `any`: at least one value must satisfy it.
    case any
    /// Selects all keys, written `[*]`, in a predicate that begins with `each`: every value must satisfy it, and there
    /// must be at least one.
    case every
}

/// A reference to an observable in an expectation.
package struct ObservableReference: Hashable, Sendable {
    package var client: ClientSelector
    package var name: String
    package var key: KeySelector

    package init(_ name: String, key: KeySelector = .none, of client: ClientSelector = .one(.only)) {
        self.client = client
        self.name = name
        self.key = key
    }

    /// Whether the reference covers the values of several keys, written `[*]`.
    package var isSeveral: Bool { key == .any || key == .every }

    /// Returns the observable's name when the expectation is evaluated for `client`. The name omits the key if the
    /// reference covers several keys.
    func resolved(for client: ClientID?) -> ObservedName {
        var key: String?
        if case .one(let named) = self.key { key = named }
        return ObservedName(client: self.client.resolved(for: client), name: name, key: key)
    }

    /// Returns the reference in scenario syntax, for messages.
    package func text(for client: ClientID?) -> String {
        let text = resolved(for: client).description
        return switch key {
        case .none, .one: text
        case .any, .every: "\(text)[*]"
        }
    }
}
