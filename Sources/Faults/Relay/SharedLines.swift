import SquallCore

/// The transmission lines that all connections of a client share, one for each fault and direction.
///
/// A link is a value without access to other links. The shared lines are therefore copied into a link before it is
/// changed, and copied back afterwards.
struct SharedLines: Sendable {
    private struct Key: Hashable {
        var fault: Int
        var client: ClientID
        var direction: Direction
    }

    /// The faults whose shapers share transmission lines, in the order in which they began.
    private var faults: [Int] = []
    private var lines: [Key: TransmissionLine] = [:]

    /// Registers a fault whose shapers share transmission lines.
    mutating func began(_ fault: Int) {
        faults.append(fault)
    }

    mutating func ended(_ fault: Int) {
        faults.removeAll { $0 == fault }
        lines = lines.filter { $0.key.fault != fault }
    }

    /// Copies the shared lines into a link, calls `body` to change the link, and copies the lines back.
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
