import ChatWire
package import ScenarioModel
package import SquallCore

/// The state that the moves of a draft have led to so far, as far as it decides which moves may follow.
///
/// Generator and shrinker share it: the file reader accepts every move that it admits.
package struct Situation: Sendable {
    private let clients: [ClientID]
    /// The labels by what they label. Those of moves with an anchor may be used at any place.
    private var labels: [ActionEntry.LabelKind: Set<String>] = [:]
    /// The names that moves have given, whatever they name.
    private var given: Set<String> = []
    /// The clients on which a conversation has been opened.
    private var withScreen: Set<ClientID> = []
    /// The conversation that each client opened last.
    private var opened: [ClientID: ArgumentValue] = [:]
    /// The users who have their own key.
    package private(set) var accounts: [(user: ArgumentValue, key: ArgumentValue)] = []
    /// The clients on which a user with an account has signed in. Another key would make one user of two.
    private var signedIn: Set<ClientID> = []
    /// The keys that users have typed in.
    private var typed: [ArgumentValue] = []
    /// The device of each push token.
    private var holders: [ArgumentValue: ClientID] = [:]
    /// The clients whose app is in the background or not running.
    private var away: Set<ClientID> = []
    /// The conversations with messages from before the run.
    private var past: Set<String> = []
    /// Whether something has happened that a client may have seen.
    private var hasBegun = false

    package init(clients: [ClientID]) {
        self.clients = clients
    }

    /// The labels of one kind, in order of their names.
    package func labels(_ kind: ActionEntry.LabelKind) -> [String] {
        labels[kind, default: []].sorted()
    }

    package func hasScreen(_ client: ClientID) -> Bool { withScreen.contains(client) }

    /// Whether a move may follow.
    package func admits(_ move: Move) -> Bool {
        guard let (entry, arguments) = move.action else { return true }
        guard move.clients.allSatisfy(clients.contains) else { return false }
        if !move.clients.isEmpty, !entry.choosesClients { return false }
        for (label, kind) in move.used where !labels[kind, default: []].contains(label) { return false }
        if let label = arguments.label {
            if entry.labelKind == .message, label == "start" || label == "end" { return false }
            if given.contains(label) || move.defined.contains(where: { given.contains($0.label) }) { return false }
            // Each of several clients would create a message with the same label.
            if entry.actor == .user, move.clients.count != 1, clients.count > 1 { return false }
        }
        if move.is(.user, "send"), arguments["to"] == nil, move.anchor == nil,
            !withScreen.isSuperset(of: concerned(by: move))
        {
            return false
        }
        guard isPossible(move, entry, arguments) else { return false }
        return (try? Stimulus.make(entry, arguments, clients: move.clients)) != nil
    }

    /// Whether the world outside a harness could do this now.
    private func isPossible(_ move: Move, _ entry: ActionEntry, _ arguments: Arguments) -> Bool {
        switch entry.fullName {
        // The past and the user of each client are fixed before any client has shown anything.
        case "server.identify": !hasBegun
        // Two histories of one conversation would overlap, in a different order from the one in which they were stored.
        case "server.history": !hasBegun && !(arguments.text("conversation").map(past.contains) ?? true)
        // The user of a client is online or offline, whatever a script says.
        case "server.presence": !clients.contains { $0.name == arguments.text("user") }
        // A label would rename a message that is already in the list.
        case "server.push": arguments["back"] == nil || arguments.label == nil
        case "device.token":
            arguments["token"].map { token in
                concerned(by: move).count == 1 && concerned(by: move).allSatisfy { (holders[token] ?? $0) == $0 }
            } ?? false
        // The key of another user's account comes with a sign-in; typed in, it would make one user of two.
        case "server.account":
            !accounts.contains { $0.key == arguments["key"] } && !typed.contains(where: { $0 == arguments["key"] })
        case "user.set_key":
            !move.clients.contains(where: signedIn.contains) && (!move.clients.isEmpty || signedIn.isEmpty)
                && !accounts.contains { $0.key == arguments["key"] } && away.isDisjoint(with: concerned(by: move))
        case "user.sign_in":
            accounts.contains { $0.user == arguments["user"] && $0.key == arguments["key"] }
                && away.isDisjoint(with: concerned(by: move))
        // A user can forge a read report only for another user.
        case "user.forge_reading":
            !concerned(by: move).contains { $0.name == arguments.text("of") }
                && away.isDisjoint(with: concerned(by: move))
        // The view of a conversation appears when its user opens it.
        case "device.appear":
            move.anchor == nil && concerned(by: move).allSatisfy { opened[$0] == arguments["conversation"] }
        // Notifications are all that the user sees of an app in the background.
        case "user.tap", "user.reply": true
        default: entry.actor != .user || away.isDisjoint(with: concerned(by: move))
        }
    }

    /// The actions that come before a client has seen anything.
    static let preparations: Set<String> = [
        "server.history", "server.identify", "server.account", "server.group", "device.token",
    ]

    /// Applies a move.
    package mutating func take(_ move: Move) {
        guard let (entry, arguments) = move.action else { return hasBegun = true }
        hasBegun = hasBegun || !Self.preparations.contains(entry.fullName)
        if entry.fullName == "server.account", let user = arguments["user"], let key = arguments["key"] {
            accounts.append((user, key))
        }
        if entry.fullName == "server.history", let name = arguments.text("conversation") { past.insert(name) }
        if entry.fullName == "user.set_key", let key = arguments["key"] { typed.append(key) }
        if entry.fullName == "device.token", let token = arguments["token"] {
            holders[token] = concerned(by: move).first
        }
        switch entry.fullName {
        case "device.background": away.formUnion(concerned(by: move))
        case "device.kill" where arguments["down"] == nil, "device.reboot" where arguments["down"] == nil:
            away.formUnion(concerned(by: move))
            for client in concerned(by: move) { opened[client] = nil }
        case "device.foreground", "device.start", "device.kill", "device.reboot", "user.tap":
            away.subtract(concerned(by: move))
        default: break
        }
        if move.is(.user, "sign_in") { signedIn.formUnion(concerned(by: move)) }
        if move.is(.user, "open") {
            for client in concerned(by: move) { opened[client] = arguments["conversation"] }
        }
        for (label, kind) in move.defined {
            labels[kind, default: []].insert(label)
            if arguments.label != nil { given.insert(label) }
        }
        if let label = arguments.label { given.insert(label) }
        if entry.actor == .device {
            if entry.verb == "handoff" { labels[.fault, default: []].insert("handoff") }
            if entry.verb == "network" {
                for client in concerned(by: move) {
                    labels[.fault, default: []].insert(client == .only ? "offline" : "offline-\(client)")
                }
            }
        }
        if move.is(.user, "open") { withScreen.formUnion(concerned(by: move)) }
    }

    /// The clients that a move affects.
    package func concerned(by move: Move) -> [ClientID] { move.clients.isEmpty ? clients : move.clients }
}

extension Draft {
    /// The draft without the moves that nothing in it makes possible, such as a retry of a message that is not sent.
    ///
    /// - Parameter profile: The profile of the draft's name, without the draft's settings.
    package func legalised(_ profile: Profile) -> Draft {
        var draft = self
        var situation = Situation(clients: clients)
        for move in moves where move.anchor != nil { situation.take(move) }
        func kept(_ moves: [Move]) -> [Move] {
            moves.filter { move in
                guard move.anchor == nil else { return true }
                guard situation.admits(move) else { return false }
                situation.take(move)
                return true
            }
        }
        draft.opening = kept(opening)
        draft.body = kept(body)
        return draft.playable(tuned(profile))
    }

    /// The draft without what refers to labels that the original defines and this draft no longer does.
    func withoutLostLabels(of original: Draft) -> Draft {
        let kept = Set(moves.flatMap(\.allDefined))
        let lost = Set(original.moves.flatMap(\.allDefined)).subtracting(kept)
        guard !lost.isEmpty else { return self }
        func isWhole(_ text: String?) -> Bool {
            guard let text else { return true }
            return !lost.contains { text.contains("[\($0)]") }
        }
        var draft = self
        draft.body = body.filter { move in
            guard isWhole(move.anchor), move.used.allSatisfy({ !lost.contains($0.label) }) else { return false }
            if case .wait(let condition, _) = move.kind { return isWhole(condition) }
            return true
        }
        draft.expectations = expectations.filter(isWhole)
        // Also removes what referred to a move that is gone now.
        return draft.body.count == body.count ? draft : draft.withoutLostLabels(of: original)
    }

    /// The draft without the moves that need TLS, a type of message or a frame that the profile does not have.
    private func playable(_ profile: Profile) -> Draft {
        var steps: [Step] = []
        for (place, move) in moves.enumerated() {
            guard let (entry, arguments) = move.action,
                let made = try? Stimulus.make(entry, arguments, clients: move.clients)
            else { continue }
            let location = SourceLocation(file: "", line: place + 1, column: 1)
            steps += made.map { Step(.act($0), location: location) }
        }
        let scenario = Scenario(file: "", name: "", profile: profile, clients: clients, script: steps)
        var refused = Set(
            (scenario.handshakesWithoutTLS + scenario.faultsOfUnknownTypes.map(\.location)
                + scenario.unspoken.map(\.location)).map(\.line)
        )
        // A message cannot carry an image in every protocol.
        if !profile.wire.tells(.mediaURL, in: .send, by: .client) {
            for (place, move) in moves.enumerated() where move.is(.user, "send_image") { refused.insert(place + 1) }
        }
        guard !refused.isEmpty else { return self }
        var draft = self
        draft.opening = opening.enumerated().filter { !refused.contains($0.offset + 1) }.map(\.element)
        draft.body = body.enumerated().filter { !refused.contains($0.offset + opening.count + 1) }.map(\.element)
        // Also removes what referred to a move that is gone now.
        return draft.legalised(profile)
    }
}
