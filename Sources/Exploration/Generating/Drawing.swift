import ScenarioModel
import SquallCore

/// The state of the generator while it creates a draft. The moves drawn so far determine which moves may be drawn next.
struct Drawing {
    private let roster: Roster
    let sets: ValueSets
    var generator: SeededGenerator
    private var situation: Situation
    private var past: Set<String> = []
    /// The number of labels assigned so far; each label contains its number.
    private var labels = 0

    /// For each kind of label, the label that a move most recently defined or referred to.
    private var subjects: [ActionEntry.LabelKind: String] = [:]
    /// The name of the last action, such as `user.open`.
    private var last: String?

    private var clients: [ClientID] { roster.clients }

    init(roster: Roster, sets: ValueSets, generator: SeededGenerator) {
        (self.roster, self.sets, self.generator) = (roster, sets, generator)
        situation = Situation(clients: roster.clients)
    }

    /// Creates the state after the moves in `past`. New labels are numbered from `labels` + 1.
    init(after past: [Move], roster: Roster, sets: ValueSets, generator: SeededGenerator, labels: Int) {
        self.init(roster: roster, sets: sets, generator: generator)
        self.labels = labels
        for move in past { take(move) }
    }

    private mutating func take(_ move: Move) {
        situation.take(move)
        for (label, kind) in move.used + move.defined { subjects[kind] = label }
        if let name = move.name {
            past.insert(name)
            last = name
        }
    }

    // MARK: - Opening moves

    mutating func opening() -> [Move] {
        var moves: [Move] = []
        func add(_ move: Move?) {
            guard let move, situation.admits(move) else { return }
            take(move)
            moves.append(move)
        }
        for (client, user) in roster.devices {
            add(Move(.server, "identify", [("user", .text(user))], clients: [client]))
        }
        for conversation in sets.conversations where generator.below(3) == 0 {
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
            let conversation = generator.pick(sets.conversations) ?? "stukov"
            let prefix = clients.count > 1 ? [client] : []
            add(Move(.user, "open", [("conversation", .text(conversation))], clients: prefix))
        }
        moves.append(.rest(sets.pause(&generator)))
        return moves
    }

    /// Adds the moves of a prologue (steps that lead to a rare state) to the draft. Moves that prepare data for the run
    /// are inserted before all other moves.
    mutating func play(_ prologue: Prologue, of actions: [ActionEntry], in draft: inout Draft) {
        var past: [Move] = []
        for step in prologue.steps {
            switch step {
            case .rest(let span): draft.body.append(.rest(span))
            case .act(let actor, let verb, let given):
                guard let entry = actions.first(where: { $0.actor == actor && $0.verb == verb }),
                    let move = move(entry, given: given)
                else { continue }
                let isPast = Situation.preparations.contains(entry.fullName)
                guard isPast || situation.admits(move) else { continue }
                take(move)
                if isPast { past.append(move) } else { draft.body.append(move) }
            }
        }
        draft.opening.insert(contentsOf: past, at: 0)
    }

    // MARK: - Random moves

    mutating func move(_ swarm: Swarm, tries: Int) -> Move? {
        for _ in 0..<tries {
            guard let entry = entry(swarm), makesSense(entry) else { continue }
            guard let move = move(entry), situation.admits(move) else { continue }
            take(move)
            return move
        }
        return nil
    }

    /// Draws a move that performs the action `entry` and is possible now; returns nil if all attempts fail.
    mutating func move(_ entry: ActionEntry, tries: Int) -> Move? {
        for _ in 0..<tries {
            guard let move = move(entry), situation.admits(move) else { continue }
            take(move)
            return move
        }
        return nil
    }

    /// Draws the next action at random: one that the last action makes possible, one from the theme, any action of the
    /// run or, rarely, the last action again.
    private mutating func entry(_ swarm: Swarm) -> ActionEntry? {
        let fate = generator.below(12)
        if fate < 3, let last, let follower = swarm.follower(of: last, &generator) { return follower }
        if fate < 6, let goal = swarm.goal(&generator) { return goal }
        if fate == 6, let last, let same = swarm.entry(named: last) { return same }
        return swarm.entry(&generator)
    }

    private mutating func makesSense(_ entry: ActionEntry) -> Bool {
        guard let needed = Requirements.of(entry.fullName), needed.isDisjoint(with: past) else { return true }
        return generator.below(10) == 0
    }

    /// Creates a move with the arguments in `given`; draws any required arguments missing from `given`.
    ///
    /// If `given` is nil, optional arguments are drawn too.
    private mutating func move(
        _ entry: ActionEntry,
        given: [(name: String, value: ArgumentValue)]? = nil
    ) -> Move? {
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
            if let value = given?.first(where: { $0.name == parameter.name }) {
                values.append(value)
                continue
            }
            let isOpen = given == nil || parameter.name == "to"
            guard parameter.required || isOpen && isWanted(parameter, of: entry, prefix) else { continue }
            if parameter.name == "text", let label, entry.labelKind == .message {
                values.append((parameter.name, .text("text \(label)")))
            } else if let kind = entry.labelKind(referredToBy: parameter), let subject = subjects[kind],
                situation.labels(kind).contains(subject), generator.below(2) == 0
            {
                values.append((parameter.name, .text(subject)))
            } else if let value = sets.value(of: parameter, in: entry, situation, &generator) {
                values.append((parameter.name, value))
            } else if parameter.required {
                return nil
            }
        }
        if entry.fullName == "user.sign_in", given == nil {
            guard let account = generator.pick(situation.accounts) else { return nil }
            values = [("user", account.user), ("key", account.key)]
        }
        return Move(.act(entry, Arguments(values, label: label)), clients: prefix)
    }

    private mutating func isWanted(_ parameter: Parameter, of entry: ActionEntry, _ prefix: [ClientID]) -> Bool {
        // If a client has no open conversation, `user.send` needs the argument `to`, which names the conversation.
        if entry.fullName == "user.send", parameter.name == "to" {
            let concerned = prefix.isEmpty ? clients : prefix
            return !concerned.allSatisfy(situation.hasScreen) || generator.below(4) == 0
        }
        // An action that has the parameter `frame`, `accept` or `json` requires one of several alternative arguments,
        // so these are drawn often. `for` is too, because most faults should end after some time.
        if ["frame", "accept", "json"].contains(parameter.name) { return generator.below(4) > 0 }
        if entry.actor == .network, parameter.name == "for" { return generator.below(3) > 0 }
        return generator.below(4) == 0
    }
}
