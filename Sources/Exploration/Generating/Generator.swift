package import ScenarioModel
package import SquallCore

/// Draws random drafts: a storm of moves, and then a calm.
///
/// A draft depends on the seed of the exploration and the number of the run alone.
package struct Generator: Sendable {
    /// A profile by the name that files call it by.
    package struct NamedProfile: Hashable, Sendable {
        package var name: String
        package var profile: Profile

        package init(name: String, profile: Profile) {
            self.name = name
            self.profile = profile
        }
    }

    /// What one run plays.
    package struct Trial: Hashable, Sendable {
        package var draft: Draft
        package var profile: Profile
        /// The seed of the run itself.
        package var seed: Seed
    }

    private let seed: Seed
    private let profiles: [NamedProfile]
    /// Whether several moves may happen at one instant.
    private let drawsTies: Bool
    private let actions: [ActionEntry]

    private static let storm: ClosedRange<UInt64> = 4...20
    /// How often a move is drawn anew when the situation does not admit it.
    private static let tries = 12

    /// - Parameter profiles: At least one; the first is drawn most often.
    package init(
        seed: Seed,
        profiles: [NamedProfile],
        drawsTies: Bool = true,
        actions: [ActionEntry] = Registry.actions
    ) {
        (self.seed, self.profiles, self.drawsTies, self.actions) = (seed, profiles, drawsTies, actions)
    }

    /// What run number `run` plays, counted from 1.
    package func trial(_ run: Int) -> Trial {
        var generator = seed.stream("explore.\(run)")
        let chosen =
            (generator.below(2) == 0 ? profiles.first : generator.pick(profiles))
            ?? NamedProfile(name: "default", profile: Profile())
        var draft = Draft(profile: chosen.name)
        draft.settings = Settings.draw(&generator)
        draft.clients = Self.clients(&generator)
        let tuned = draft.tuned(chosen.profile)
        let swarm = Swarm(actions, &generator)
        var drawing = Drawing(clients: draft.clients, sets: ValueSets(tuned), generator: generator)
        draft.opening = drawing.opening()
        let count = Self.storm.lowerBound + drawing.generator.below(UInt64(Self.storm.count))
        for _ in 0..<count {
            guard let move = drawing.move(swarm, tries: Self.tries) else { continue }
            draft.body.append(move)
            if !drawsTies || drawing.generator.below(8) > 0 {
                draft.body.append(.rest(drawing.sets.pause(&drawing.generator)))
            }
        }
        let seed = Seed(drawing.generator.below(Self.runSeeds) + 1)
        return Trial(draft: draft.legalised(chosen.profile), profile: chosen.profile, seed: seed)
    }

    /// Short seeds: a person types them.
    private static let runSeeds: UInt64 = 999_999

    private static func clients(_ generator: inout SeededGenerator) -> [ClientID] {
        switch generator.below(8) {
        case 0: ["phone", "tablet"].map { ClientID($0) }
        case 1: ["anna", "ben", "cleo"].map { ClientID($0) }
        default: [.only]
        }
    }
}

/// The state of drawing one draft.
private struct Drawing {
    private let clients: [ClientID]
    let sets: ValueSets
    var generator: SeededGenerator
    private var situation: Situation
    private var past: Set<String> = []
    /// How many labels have been given.
    private var labels = 0

    init(clients: [ClientID], sets: ValueSets, generator: SeededGenerator) {
        (self.clients, self.sets, self.generator) = (clients, sets, generator)
        situation = Situation(clients: clients)
    }

    private mutating func take(_ move: Move) {
        situation.take(move)
        if let name = move.name { past.insert(name) }
    }

    // MARK: - The opening

    mutating func opening() -> [Move] {
        var moves: [Move] = []
        func add(_ move: Move?) {
            guard let move, situation.admits(move) else { return }
            take(move)
            moves.append(move)
        }
        if clients.count > 1, generator.below(2) == 0 {
            for client in clients.dropFirst() {
                add(
                    Move(
                        .server,
                        "identify",
                        [("user", .text(clients[0].name))],
                        clients: [client]
                    )
                )
            }
        }
        for conversation in ValueSets.conversations where generator.below(3) == 0 {
            let count = generator.pick([1, 7, 30, 120]) ?? 1
            add(
                Move(
                    .server,
                    "history",
                    [("conversation", .text(conversation)), ("count", .integer(Int64(count)))]
                )
            )
        }
        if generator.below(6) == 0 {
            for (user, key) in zip(ValueSets.users, ValueSets.userKeys) {
                add(Move(.server, "account", [("user", .text(user)), ("key", .text(key))]))
            }
        }
        if generator.below(2) == 0 {
            let owner = clients.count > 1 ? [clients[0]] : []
            add(Move(.device, "token", [("token", .text("phone-1"))], clients: owner))
        }
        for client in clients where generator.below(4) > 0 {
            let conversation = generator.pick(ValueSets.conversations) ?? "stukov"
            let prefix = clients.count > 1 ? [client] : []
            add(Move(.user, "open", [("conversation", .text(conversation))], clients: prefix))
        }
        moves.append(.rest(sets.pause(&generator)))
        return moves
    }

    // MARK: - The storm

    mutating func move(_ swarm: Swarm, tries: Int) -> Move? {
        for _ in 0..<tries {
            guard let entry = swarm.entry(&generator), makesSense(entry) else { continue }
            guard let move = move(entry), situation.admits(move) else { continue }
            take(move)
            return move
        }
        return nil
    }

    /// Actions that mean nothing before one of the others has happened.
    private static let needs: [String: Set<String>] = [
        "device.start": ["device.kill", "device.reboot"],
        "device.foreground": ["device.background"],
        "server.start": ["server.stop", "server.crash"],
        "server.up": ["server.down"],
        "network.heal_all": Set(Registry.actions.filter { $0.labelKind == .fault }.map(\.fullName)),
        "user.confirm_delete": ["user.delete"],
        "user.cancel_delete": ["user.delete"],
        "user.undo": ["user.delete"],
        "user.send_image": ["user.attach"],
        "user.cancel_image": ["user.attach"],
        "user.tap": ["device.token"],
        "user.reply": ["device.token"],
        "server.push": ["device.token"],
        "user.portal_login": ["network.captive_portal"],
        "user.sign_in": ["server.account"],
        "user.retry_all": ["user.send"],
        "server.fail_prompt": ["user.send"],
        "server.clear": ["server.swallow", "server.delay", "server.slow", "server.fail", "server.rule"],
    ]

    private mutating func makesSense(_ entry: ActionEntry) -> Bool {
        guard let needed = Self.needs[entry.fullName], needed.isDisjoint(with: past) else { return true }
        return generator.below(10) == 0
    }

    private mutating func move(_ entry: ActionEntry) -> Move? {
        var prefix: [ClientID] = []
        if clients.count > 1, entry.choosesClients {
            let isOfOne = entry.actor == .user || generator.below(2) == 0
            if isOfOne { prefix = generator.pick(clients).map { [$0] } ?? [] }
        }
        var label: String?
        if let kind = entry.labelKind, kind == .message || kind == .upload || generator.below(4) == 0 {
            labels += 1
            label = kind == .fault ? "fault-\(labels)" : kind == .hold ? "held-\(labels)" : "m\(labels)"
        }
        var values: [(name: String, value: ArgumentValue)] = []
        for parameter in entry.parameters {
            guard parameter.name != "client", parameter.name != "clients" else {
                if parameter.required, prefix.isEmpty { return nil }
                continue
            }
            guard parameter.required || isWanted(parameter, of: entry, prefix) else { continue }
            if parameter.name == "text", let label, entry.labelKind == .message {
                values.append((parameter.name, .text("text \(label)")))
            } else if let value = sets.value(of: parameter, in: entry, situation, &generator) {
                values.append((parameter.name, value))
            } else if parameter.required {
                return nil
            }
        }
        if entry.fullName == "user.sign_in" {
            guard let account = generator.pick(situation.accounts) else { return nil }
            values = [("user", account.user), ("key", account.key)]
        }
        return Move(.act(entry, Arguments(values, label: label)), clients: prefix)
    }

    private mutating func isWanted(_ parameter: Parameter, of entry: ActionEntry, _ prefix: [ClientID]) -> Bool {
        // A message needs a conversation: the open one or a named one.
        if entry.fullName == "user.send", parameter.name == "to" {
            let concerned = prefix.isEmpty ? clients : prefix
            return !concerned.allSatisfy(situation.hasScreen) || generator.below(4) == 0
        }
        // One of two alternatives is needed, and most faults end by themselves.
        if ["frame", "accept", "json"].contains(parameter.name) { return generator.below(4) > 0 }
        if entry.actor == .network, parameter.name == "for" { return generator.below(3) > 0 }
        return generator.below(4) == 0
    }
}
