import SquallCore

/// The lines that all connections of a client share, by fault and direction.
///
/// A link is lent what its client shares before anything is done to it, and gives it back afterwards: each link is a value
/// that knows of no other.
struct SharedLines: Sendable {
    private struct Key: Hashable {
        var fault: Int
        var client: ClientID
        var direction: Direction
    }

    /// The faults that share, in the order in which they began.
    private var faults: [Int] = []
    private var lines: [Key: Line] = [:]

    mutating func began(_ fault: ActiveFault) {
        if case .bandwidth(let bandwidth) = fault.fault.kind, bandwidth.isShared { faults.append(fault.number) }
    }

    mutating func ended(_ fault: Int) {
        faults.removeAll { $0 == fault }
        lines = lines.filter { $0.key.fault != fault }
    }

    /// Does something to a link that has what it shares with its client's others.
    mutating func lent(to link: inout RelayedLink, _ body: (inout RelayedLink) -> Void) {
        guard !faults.isEmpty else { return body(&link) }
        lend(to: &link)
        body(&link)
        takeBack(from: link)
    }

    private func lend(to link: inout RelayedLink) {
        for fault in faults {
            for direction in Direction.allCases {
                guard let line = lines[Key(fault: fault, client: link.id.client, direction: direction)] else {
                    continue
                }
                link[direction].pipeline[lineOf: fault] = line
            }
        }
    }

    private mutating func takeBack(from link: RelayedLink) {
        for fault in faults {
            for direction in Direction.allCases {
                guard let line = link[direction].pipeline[lineOf: fault] else { continue }
                lines[Key(fault: fault, client: link.id.client, direction: direction)] = line
            }
        }
    }
}
