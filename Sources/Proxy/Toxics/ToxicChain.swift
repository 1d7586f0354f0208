import Faults
import SquallCore

/// The toxics of a proxy in the order in which bytes meet them.
struct ToxicChain: Sendable {
    struct Entry: Sendable {
        /// Counted over all that the proxy ever had: orders what they do to bytes.
        let number: Int
        var toxic: Toxic
        /// Counts its updates: each draws anew whom it hits.
        var updates = 0
        let began: Instant
        /// Of a flap: whether its outage is on, and when that turns.
        var isDown = true
        var turns: Instant?

        /// What links see of it now; nil for one that does nothing at present.
        var fault: Fault? {
            guard let fault = toxic.fault, case .flap(let flap) = fault.kind else { return toxic.fault }
            return isDown ? flap.outageFault(toxicity: fault.toxicity) : nil
        }
    }

    private(set) var entries: [Entry] = []
    private var count = 0

    /// Upstream's first, then downstream's, each in the order in which they were added.
    var listed: [Toxic] {
        entries.map(\.toxic).filter(\.isUpstream) + entries.map(\.toxic).filter { !$0.isUpstream }
    }

    func place(of name: String) -> Int? {
        entries.firstIndex { $0.toxic.name == name }
    }

    subscript(name: String) -> Toxic? {
        place(of: name).map { entries[$0].toxic }
    }

    mutating func append(_ toxic: Toxic, at now: Instant) -> Entry {
        count += 1
        var entry = Entry(number: count, toxic: toxic, began: now)
        if case .flap(let flap)? = toxic.fault?.kind { entry.turns = now + flap.length(ofOutage: true) }
        entries.append(entry)
        return entry
    }

    /// A flap begins the phase that it is in anew.
    mutating func replace(_ place: Int, with toxic: Toxic, at now: Instant) -> Entry {
        entries[place].toxic = toxic
        entries[place].updates += 1
        if case .flap(let flap)? = toxic.fault?.kind {
            entries[place].turns = now + flap.length(ofOutage: entries[place].isDown)
        }
        return entries[place]
    }

    mutating func remove(_ place: Int) -> Entry {
        entries.remove(at: place)
    }

    mutating func turn(_ place: Int) -> Entry {
        if case .flap(let flap)? = entries[place].toxic.fault?.kind, let due = entries[place].turns {
            entries[place].isDown.toggle()
            entries[place].turns = due + flap.length(ofOutage: entries[place].isDown)
        }
        return entries[place]
    }

    /// How the door stands: the strictest that any of them wants that hits everybody.
    ///
    /// Whom the others hit is known only of a connection that has come in.
    var acceptMode: AcceptMode {
        entries.filter { $0.toxic.only == nil }.compactMap(\.fault).filter { $0.toxicity == .always }.map(\.acceptMode)
            .max()
            ?? .open
    }
}
