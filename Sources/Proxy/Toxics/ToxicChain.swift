import Faults
import SquallCore

/// The toxics (faults) of a proxy, in the order in which they process bytes.
struct ToxicChain: Sendable {
    typealias Entry = ActiveFaults<Toxic>.Entry

    private var faults = ActiveFaults<Toxic>()

    var entries: [Entry] { faults.entries }

    /// The toxics in the API's order: those of the upstream direction first, then the others, each in the order in
    /// which they were added.
    var listed: [Toxic] {
        entries.map(\.toxic).filter(\.isUpstream) + entries.map(\.toxic).filter { !$0.isUpstream }
    }

    func index(of name: String) -> Int? {
        entries.firstIndex { $0.toxic.name == name }
    }

    subscript(name: String) -> Toxic? {
        index(of: name).map { entries[$0].toxic }
    }

    mutating func append(_ toxic: Toxic, at now: Instant) -> Entry {
        faults.begin(toxic.fault, for: toxic, at: now)
    }

    /// Changes a toxic's attributes; a `flap` toxic restarts its current phase.
    mutating func replace(_ index: Int, with toxic: Toxic, at now: Instant) -> Entry {
        faults[index].scope = toxic
        return faults.update(index, to: toxic.fault, at: now)
    }

    mutating func remove(_ index: Int) -> Entry {
        faults.end(index)
    }

    /// Starts or ends an outage of a `flap` toxic, whichever is due.
    mutating func turn(_ index: Int) -> Entry {
        faults.turn(index)
    }

    /// The strictest accept mode required by the toxics that affect every connection.
    ///
    /// Other toxics are ignored, because it is not known whether they affect a connection until it has been accepted.
    var acceptMode: AcceptMode {
        faults.acceptMode { $0.toxic.only == nil && $0.fault?.toxicity == .always }
    }
}

extension ToxicChain.Entry {
    var toxic: Toxic { scope }
}
