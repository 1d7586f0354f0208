package import SquallCore
import Trace

/// The client of an observable or event that an expectation names.
package enum ClientSelector: Hashable, Sendable {
    /// An event of any client; an observable that belongs to no client.
    case any
    case one(ClientID)
    /// Each of the expectation's clients in turn: the expectation is judged once for each of them.
    case each

    /// The client, when the expectation is judged for `client`; nil when none is named.
    func resolved(for client: ClientID?) -> ClientID? {
        switch self {
        case .any: nil
        case .one(let client): client
        case .each: client
        }
    }
}

/// The key of an observable that an expectation names.
package enum KeySelector: Hashable, Sendable {
    /// An observable without a key.
    case none
    case one(String)
    /// `[*]` with `any`: at least one key's value.
    case any
    /// `[*]` with `each`: the values of all keys; there must be at least one key.
    case every
}

/// An observable as an expectation names it.
package struct ObservableReference: Hashable, Sendable {
    package var client: ClientSelector
    package var name: String
    package var key: KeySelector

    package init(_ name: String, key: KeySelector = .none, of client: ClientSelector = .one(.only)) {
        self.client = client
        self.name = name
        self.key = key
    }

    /// Whether it names the values of several keys, as `[*]`.
    package var isSeveral: Bool { key == .any || key == .every }

    /// The observable's name for a client; without a key when the reference is to several.
    func resolved(for client: ClientID?) -> ObservedName {
        var key: String?
        if case .one(let named) = self.key { key = named }
        return ObservedName(client: self.client.resolved(for: client), name: name, key: key)
    }

    /// The reference as a scenario writes it.
    package func text(for client: ClientID?) -> String {
        let text = resolved(for: client).description
        return switch key {
        case .none, .one: text
        case .any, .every: "\(text)[*]"
        }
    }
}
