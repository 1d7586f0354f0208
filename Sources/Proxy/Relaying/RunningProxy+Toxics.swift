import Faults
import SquallCore

/// Adds, changes and removes a proxy's toxics (its faults).
extension RunningProxy {
    /// Adds a toxic to all connections that it selects. Returns the toxic's number in the chain, which is never reused.
    @discardableResult
    func add(_ toxic: Toxic) -> Int {
        let entry = chain.append(toxic, at: reactor.now)
        setAcceptMode()
        onEvent(.toxic(.added, toxic), nil)
        onEveryWorker(taking: settings) { $0.begin(entry) }
        if let turns = entry.turns { reactor.schedule(token, at: turns) }
        return entry.number
    }

    func update(_ name: String, to toxic: Toxic) {
        guard let index = chain.index(of: name) else { return }
        let entry = chain.replace(index, with: toxic, at: reactor.now)
        if let turns = entry.turns { reactor.schedule(token, at: turns) }
        setAcceptMode()
        onEvent(.toxic(.updated, toxic), nil)
        onEveryWorker(taking: settings) { $0.adjust(entry) }
    }

    func removeToxic(_ name: String) {
        if let index = chain.index(of: name) { removeToxic(at: index) }
    }

    func removeToxic(number: Int) {
        if let index = chain.entries.firstIndex(where: { $0.number == number }) { removeToxic(at: index) }
    }

    private func removeToxic(at index: Int) {
        let entry = chain.remove(index)
        setAcceptMode()
        onEvent(.toxic(.removed, entry.toxic), nil)
        onEveryWorker(taking: settings) { $0.end(entry) }
    }
}

extension RunningProxy: Watcher {
    func ready(_ tag: Int, _ readiness: Readiness) {}

    /// Starts or ends the outage of each `flap` toxic whose next phase is due.
    func due(_ tag: Int) {
        let now = reactor.now
        for entry in chain.entries {
            guard let due = entry.turns, due <= now, let index = chain.index(of: entry.toxic.name) else { continue }
            let turned = chain.turn(index)
            setAcceptMode()
            onEvent(.toxic(turned.isDown ? .down : .up, turned.toxic), nil)
            onEveryWorker(taking: settings) { $0.begin(turned) }
            if let turns = turned.turns { reactor.schedule(token, at: turns) }
        }
    }
}
