/// The addresses of names, for as long as something is done that needs them at once.
///
/// What listens at a name cannot wait for a name server: ``Reactor/afterResolving(_:_:)`` asks before.
final class NameTable {
    fileprivate var found: [Endpoint: Result<[SystemAddress], AddressError>] = [:]

    /// Of a name that nobody asked for before, as before the reactor runs, the answer is waited for.
    func addresses(of endpoint: Endpoint) throws(AddressError) -> [SystemAddress] {
        if let numeric = endpoint.numeric() { return numeric }
        if let known = found[endpoint] { return try known.get() }
        return try endpoint.resolve()
    }
}

extension Reactor {
    /// Does something that listens at these addresses: now where they are numbers, else once their names are looked up,
    /// while everything else goes on.
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

/// Names that are looked up, one after the other, and what is done then.
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
