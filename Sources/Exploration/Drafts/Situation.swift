import ChatWire
package import ScenarioModel
package import SquallCore

/// The state after a sequence of moves (steps of a draft). It determines which moves are possible next.
///
/// The generator and the shrinker both use this type. Every move that a situation allows is accepted when read from a
/// scenario file.
package struct Situation: Sendable {
    private let clients: [ClientID]
    /// The labels of each kind of object. Labels defined by moves with an anchor can be used anywhere in the script.
    private var labels: [ActionEntry.LabelKind: Set<String>] = [:]
    /// All labels defined so far, of any kind.
    private var given: Set<String> = []
    /// The clients on which a conversation has been opened at least once.
    private var withScreen: Set<ClientID> = []
    /// The conversation that each client has opened most recently.
    private var opened: [ClientID: ArgumentValue] = [:]
    /// The users that have their own login key, each paired with that key.
    package private(set) var accounts: [(user: ArgumentValue, key: ArgumentValue)] = []
    /// The clients on which a user with an account has signed in. Entering another user's key there would give the
    /// client two users.
    private var signedIn: Set<ClientID> = []
    /// The keys that users have entered with `user.set_key`.
    private var typed: [ArgumentValue] = []
    /// For each push token, the client whose device has the token.
    private var holders: [ArgumentValue: ClientID] = [:]
    /// The clients whose app is in the background or not running, and those whose screen is locked.
    private var inBackground: Set<ClientID> = []
    private var locked: Set<ClientID> = []
    /// The clients whose users cannot use the app and can only act on its notifications.
    private var away: Set<ClientID> { inBackground.union(locked) }
    /// The conversations that have messages from before the run (`server.history`).
    private var past: Set<String> = []
    /// Whether the script contains a move whose effect a client may have observed.
    private var hasBegun = false

    package init(clients: [ClientID]) {
        self.clients = clients
    }

    /// Returns the labels of one kind, sorted.
    package func labels(_ kind: ActionEntry.LabelKind) -> [String] {
        labels[kind, default: []].sorted()
    }

    package func hasScreen(_ client: ClientID) -> Bool { withScreen.contains(client) }

    /// Returns whether `move` is possible in this situation.
    package func admits(_ move: Move) -> Bool {
        guard let (entry, arguments) = move.action else { return true }
        guard move.clients.allSatisfy(clients.contains) else { return false }
        if !move.clients.isEmpty, !entry.choosesClients { return false }
        for (label, kind) in move.used where !labels[kind, default: []].contains(label) { return false }
        if let label = arguments.label {
            if entry.labelKind == .message, label == "start" || label == "end" { return false }
            if given.contains(label) || move.defined.contains(where: { given.contains($0.label) }) { return false }
            // If there are several clients, a user action with a label must name one of them. Otherwise every client
            // would create a message with the same label.
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

    /// Returns whether the action could happen in this state with a real app and server, outside a test harness.
    private func isPossible(_ move: Move, _ entry: ActionEntry, _ arguments: Arguments) -> Bool {
        switch entry.fullName {
        // The user of each client must be set before any client observes anything.
        case "server.identify": !hasBegun
        // A conversation can have only one history. Two would overlap, so the client would display their messages in a
        // different order from that in which they were stored.
        case "server.history": !hasBegun && !(arguments.text("conversation").map(past.contains) ?? true)
        // The presence of a user who has a client is determined by that client, not by the script.
        case "server.presence": !clients.contains { $0.name == arguments.text("user") }
        // With `back`, the push is about an earlier message, so a label on the push would give that message a second
        // label.
        case "server.push": arguments["back"] == nil || arguments.label == nil
        case "device.token":
            arguments["token"].map { token in
                concerned(by: move).count == 1 && concerned(by: move).allSatisfy { (holders[token] ?? $0) == $0 }
            } ?? false
        // Only `sign_in` may use an account's key. If a user entered that key with `set_key`, the client would have two
        // users.
        case "server.account":
            !accounts.contains { $0.key == arguments["key"] } && !typed.contains(where: { $0 == arguments["key"] })
        case "user.set_key":
            !move.clients.contains(where: signedIn.contains) && (!move.clients.isEmpty || signedIn.isEmpty)
                && !accounts.contains { $0.key == arguments["key"] } && away.isDisjoint(with: concerned(by: move))
        case "user.sign_in":
            accounts.contains { $0.user == arguments["user"] && $0.key == arguments["key"] }
                && away.isDisjoint(with: concerned(by: move))
        // A user can only forge another user's read receipts.
        case "user.forge_reading":
            !concerned(by: move).contains { $0.name == arguments.text("of") }
                && away.isDisjoint(with: concerned(by: move))
        // A conversation's view appears only after the user has opened the conversation.
        case "device.appear":
            move.anchor == nil && concerned(by: move).allSatisfy { opened[$0] == arguments["conversation"] }
        // The user can act on notifications even when the app is in the background.
        case "user.tap", "user.reply": true
        default: entry.actor != .user || away.isDisjoint(with: concerned(by: move))
        }
    }

    /// The actions that prepare a run, all of which may be performed before a client observes anything.
    static let preparations: Set<String> = [
        "server.history", "server.identify", "server.account", "server.group", "device.token",
    ]

    /// Updates the state after a move has been performed.
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
        case "device.background": inBackground.formUnion(concerned(by: move))
        case "device.lock": locked.formUnion(concerned(by: move))
        case "device.unlock": locked.subtract(concerned(by: move))
        case "device.kill" where arguments["down"] == nil, "device.reboot" where arguments["down"] == nil:
            inBackground.formUnion(concerned(by: move))
            for client in concerned(by: move) { opened[client] = nil }
        case "device.foreground", "device.start", "device.kill", "device.reboot", "user.tap":
            inBackground.subtract(concerned(by: move))
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

    /// Returns the clients that a move affects.
    package func concerned(by move: Move) -> [ClientID] { move.clients.isEmpty ? clients : move.clients }
}

extension Draft {
    /// Returns the draft without moves that the preceding moves make impossible, such as a retry of a message that was
    /// not sent.
    ///
    /// - Parameter profile: The profile that the draft names, without the draft's settings.
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

    /// Returns the draft without moves and expectations that refer to lost labels, that is, labels defined by
    /// `original` but not by this draft.
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
        // Repeat until no move refers to a label that a removed move defined.
        return draft.body.count == body.count ? draft : draft.withoutLostLabels(of: original)
    }

    /// Returns the draft without moves that need TLS, a message type or a frame that the profile does not support.
    private func playable(_ profile: Profile) -> Draft {
        var steps: [Step] = []
        for (index, move) in moves.enumerated() {
            guard let (entry, arguments) = move.action,
                let made = try? Stimulus.make(entry, arguments, clients: move.clients)
            else { continue }
            let location = SourceLocation(file: "", line: index + 1, column: 1)
            steps += made.map { Step(.act($0), location: location) }
        }
        let scenario = Scenario(file: "", name: "", profile: profile, clients: clients, script: steps)
        var refused = Set(
            (scenario.handshakesWithoutTLS + scenario.faultsOfUnknownTypes.map(\.location)
                + scenario.unsupportedFrames.map(\.location)).map(\.line)
        )
        // If messages cannot contain images in this protocol, remove the moves that send images.
        if !profile.wire.hasField(.mediaURL, in: .send, by: .client) {
            for (index, move) in moves.enumerated() where move.is(.user, "send_image") { refused.insert(index + 1) }
        }
        guard !refused.isEmpty else { return self }
        var draft = self
        draft.opening = opening.enumerated().filter { !refused.contains($0.offset + 1) }.map(\.element)
        draft.body = body.enumerated().filter { !refused.contains($0.offset + opening.count + 1) }.map(\.element)
        // Also remove moves that depended on a removed move.
        return draft.legalised(profile)
    }
}
