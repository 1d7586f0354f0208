import SquallCore

/// The clients of a run, and the user of each client.
struct Roster: Hashable, Sendable {
    var clients: [ClientID] = [.only]
    /// The number of clients, counted from the first, that share one user; 0 if every client has a user of its own.
    private var shared = 0

    init() {}

    /// Creates the roster of a draft. The draft's `server.identify` moves determine which clients belong to the first
    /// client's user.
    init(of draft: Draft) {
        clients = draft.clients
        let devices = draft.moves.count { move in
            move.is(.server, "identify") && move.action?.arguments.text("user") == draft.clients.first?.name
        }
        shared = devices == 0 ? 0 : min(devices + 1, clients.count)
    }

    private init(_ names: [String], sharing shared: Int = 0) {
        clients = names.map { ClientID($0) }
        self.shared = shared
    }

    /// The additional devices of the shared user, each as a client paired with the user's name.
    var devices: [(client: ClientID, user: String)] {
        guard shared > 1 else { return [] }
        return clients.prefix(shared).dropFirst().map { ($0, clients[0].name) }
    }

    /// The names of the clients' users, who can write to each other; empty if there is only one client.
    var people: [String] {
        guard clients.count > 1 else { return [] }
        let others = Set(devices.map(\.client))
        return clients.filter { !others.contains($0) }.map(\.name)
    }

    private static let several = [
        Roster(["phone", "tablet"]), Roster(["phone", "tablet"], sharing: 2), Roster(["anna", "ben", "cleo"]),
        Roster(["anna", "tablet", "ben"], sharing: 2),
    ]

    /// Draws a roster at random; three out of four rosters have a single client.
    static func draw(_ generator: inout SeededGenerator) -> Roster {
        guard generator.below(4) == 0 else { return Roster() }
        return generator.pick(several) ?? Roster()
    }
}
