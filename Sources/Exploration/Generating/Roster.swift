import SquallCore

/// The clients of a run, and which of them are devices of one user.
struct Roster: Hashable, Sendable {
    var clients: [ClientID] = [.only]
    /// How many of the clients, counted from the first, belong to one user.
    private var shared = 0

    init() {}

    private init(_ names: [String], sharing shared: Int = 0) {
        clients = names.map { ClientID($0) }
        self.shared = shared
    }

    /// The clients that are further devices of a user, with the user's name.
    var devices: [(client: ClientID, user: String)] {
        guard shared > 1 else { return [] }
        return clients.prefix(shared).dropFirst().map { ($0, clients[0].name) }
    }

    /// The names of the users behind several clients, who can write to each other.
    var people: [String] {
        guard clients.count > 1 else { return [] }
        let others = Set(devices.map(\.client))
        return clients.filter { !others.contains($0) }.map(\.name)
    }

    private static let several = [
        Roster(["phone", "tablet"]), Roster(["phone", "tablet"], sharing: 2), Roster(["anna", "ben", "cleo"]),
        Roster(["anna", "tablet", "ben"], sharing: 2),
    ]

    /// Three of four runs have one client.
    static func draw(_ generator: inout SeededGenerator) -> Roster {
        guard generator.below(4) == 0 else { return Roster() }
        return generator.pick(several) ?? Roster()
    }
}
