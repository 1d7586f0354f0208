/// The resolved addresses of host names, stored while an action that needs them runs.
///
/// Listening on a host name must not block the reactor while a name server is queried, so
/// ``Reactor/afterResolving(_:_:)`` resolves the name first.
final class NameTable {
    fileprivate var found: [Endpoint: Result<[SystemAddress], AddressError>] = [:]

    /// Returns the addresses of `endpoint`.
    ///
    /// Blocks for a lookup if the host name has not been resolved in advance. Before the reactor runs, no name has
    /// been.
    func addresses(of endpoint: Endpoint) throws(AddressError) -> [SystemAddress] {
        if let numeric = endpoint.numeric() { return numeric }
        if let known = found[endpoint] { return try known.get() }
        return try endpoint.resolve()
    }
}

extension Reactor {
    /// Runs `action` once all host names among `endpoints` are resolved, or immediately if there are none.
    ///
    /// The reactor continues to run meanwhile. `action` runs even if a lookup fails; ``NameTable`` then throws the
    /// lookup's error.
    func afterResolving(_ endpoints: [Endpoint], _ action: @escaping () -> Void) {
        var names: [Endpoint] = []
        for endpoint in endpoints where endpoint.numeric() == nil && !names.contains(endpoint) {
            names.append(endpoint)
        }
        guard let first = names.first else {
            action()
            return
        }
        let lookUp = LookUp(names, on: self, action)
        lookUp.token = register(lookUp)
        resolver.resolve(first, for: lookUp.token)
    }
}

/// Resolves several host names one after another, then runs an action.
private final class LookUp: Watcher {
    private var names: ArraySlice<Endpoint>
    private unowned let reactor: Reactor
    private let action: () -> Void
    private var found: [Endpoint: Result<[SystemAddress], AddressError>] = [:]
    var token: UInt64 = 0

    init(_ names: [Endpoint], on reactor: Reactor, _ action: @escaping () -> Void) {
        self.names = names[...]
        self.reactor = reactor
        self.action = action
    }

    func ready(_ tag: Int, _ readiness: Readiness) {}

    func resolved(_ tag: Int, _ addresses: Result<[SystemAddress], AddressError>) {
        guard let name = names.popFirst() else { return }
        found[name] = addresses
        if let next = names.first {
            reactor.resolver.resolve(next, for: token)
            return
        }
        reactor.forget(token)
        reactor.names.found = found
        action()
        reactor.names.found = [:]
    }
}
