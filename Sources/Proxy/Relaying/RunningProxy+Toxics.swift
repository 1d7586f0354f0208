import Faults
import Foundations

/// The toxics of a proxy, and what its connections meet of them.
extension RunningProxy {
    func add(_ toxic: Toxic) {
        let entry = chain.append(toxic, at: reactor.now)
        setDoor()
        onEvent(.toxic("added", toxic), nil, self)
        begin(entry)
        if let turns = entry.turns { reactor.schedule(token, at: turns) }
    }

    func update(_ name: String, to toxic: Toxic) {
        guard let place = chain.place(of: name) else { return }
        let entry = chain.replace(place, with: toxic, at: reactor.now)
        if let turns = entry.turns { reactor.schedule(token, at: turns) }
        setDoor()
        onEvent(.toxic("updated", toxic), nil, self)
        guard let affliction = affliction(entry) else { return }
        for conduit in inOrder where toxic.selects(conduit.facts) { conduit.adjust(affliction) }
    }

    func removeToxic(_ name: String) {
        guard let place = chain.place(of: name) else { return }
        let entry = chain.remove(place)
        setDoor()
        onEvent(.toxic("removed", entry.toxic), nil, self)
        for conduit in inOrder { conduit.end(entry.number) }
    }

    func begin(_ entry: ToxicChain.Entry) {
        guard let affliction = affliction(entry) else { return }
        for conduit in inOrder where entry.toxic.selects(conduit.facts) { conduit.begin(affliction) }
    }

    /// Whether a connection's first request must be known before it is known what it meets.
    var readsRequests: Bool { readsProtocol || chain.entries.contains { $0.toxic.only?.needsRequest == true } }

    /// What a new connection meets, in order.
    func afflictions(for facts: Selector.Facts) -> [SoleLink.Affliction] {
        chain.entries.filter { $0.toxic.selects(facts) }.compactMap { affliction($0) }
    }

    func affliction(_ entry: ToxicChain.Entry) -> SoleLink.Affliction? {
        guard let fault = entry.fault else { return nil }
        let chance = "toxic.\(entry.toxic.name).\(entry.updates)"
        return SoleLink.Affliction(number: entry.number, fault: fault, seed: seed, chance: chance)
    }
}

extension RunningProxy: Watcher {
    func ready(_ tag: Int, _ readiness: Readiness) {}

    /// A flap turns.
    func due(_ tag: Int) {
        let now = reactor.now
        for entry in chain.entries {
            guard let due = entry.turns, due <= now, let place = chain.place(of: entry.toxic.name) else { continue }
            let turned = chain.turn(place)
            setDoor()
            onEvent(.toxic(turned.isDown ? "down" : "up", turned.toxic), nil, self)
            begin(turned)
            if let turns = turned.turns { reactor.schedule(token, at: turns) }
        }
    }
}
