package import SquallCore
package import Trace

/// An expectation suggested by a recording: a value or event that the client reported after an action.
package struct Proposal: Hashable, Sendable {
    package enum Claim: Hashable, Sendable {
        /// The client reports this value for the observable.
        case state(ObservedName, JSON)
        /// The client reports these values for the observable, in this order.
        case states(ObservedName, [JSON])
        case event(EventName)
        /// The event occurs exactly this many times in the whole run.
        case count(EventName, Int)
        /// The given client, or every client if it is nil, shows each message in the conversation exactly once and in
        /// order.
        case delivered(conversation: String, ClientID?)
    }

    package var claim: Claim
    /// The action event from which `within` is measured; nil for an expectation about the whole run.
    package var after: EventName?
    package var within: TimeSpan?

    package init(_ claim: Claim, after: EventName? = nil, within: TimeSpan? = nil) {
        (self.claim, self.after, self.within) = (claim, after, within)
    }
}

extension Proposal {
    /// The maximum number of proposals made from a recording.
    private static let most = 24
    /// The factor by which the measured time is multiplied to obtain a bound. A bound exceeds the measured time by at
    /// least ``slack``.
    private static let factor: Int64 = 2
    private static let slack = TimeSpan.milliseconds(500)

    /// The observables that are visible to a user, most significant first.
    private static let shown = [
        "connection.state", "message.status", "toast.text", "banner.text", "alert.title", "unread", "badge.app",
        "upload.state", "view.conversation", "app.user", "auth.requires_reauth", "connection.transport",
        "header.typing", "peer.presence", "list.preview", "outbox.count",
    ]
    /// Events that every client causes. Proposals are based on them if the client reports no observables.
    private static let done = [
        "client.disconnected", "client.connected", "client.received.message", "server.received.message_ack",
        "server.received.sync", "server.received.text",
    ]

    /// The server actions that close connections.
    private static let ends = ["disconnect", "close", "crash", "restart", "stop"]

    /// Returns the expectations that a recording suggests for the script made from it.
    package static func all(for script: SessionScript, in recording: Recording) -> [Proposal] {
        var naming = EventNaming(labels: script.labels, clients: script.head.clients)
        let names = recording.events.map { naming.next($0) }
        let reports = recording.events.contains { $0.name == "connection.state" }
        var found: [(rank: Int, place: Int, proposal: Proposal)] = []
        func add(_ rank: Int, _ proposal: Proposal) { found.append((rank, found.count, proposal)) }

        let acts = script.steps.filter { $0.move != nil }
        var values: [ObservedName: JSON] = [:]
        var read = 0
        for (number, act) in acts.enumerated() {
            // Events after a `rule` or `respond` action are not consequences of the action, because its rule applies
            // from the start of the run. A `user: say` action is skipped, because the profile does not define its
            // message.
            guard recording.events.indices.contains(act.position), act.move?.is(.server, "rule") != true,
                act.move?.is(.server, "respond") != true,
                act.move?.is(.user, "say") != true
            else { continue }
            let trigger = recording.events[act.position]
            var after = names[act.position]
            if let verb = Self.ends.first(where: { act.move?.is(.server, $0) == true }),
                ["network.closed", "server.sent.close"].contains(trigger.name)
            {
                // The recording shows only that the server closed the connection, not the action that made it do so. In
                // the replay, a server action closes the connection, so the time is measured from that action's event.
                let ordinal = acts[...number].count { $0.move?.is(.server, verb) == true }
                after = EventName("server.\(verb)", ordinal: ordinal)
            }
            guard trigger.time == act.time, trigger.fields != nil, script.keys.contain(after.key, of: after.name) else {
                continue
            }
            for event in recording.events[read..<max(read, act.position)] { note(event, in: &values) }
            read = max(read, act.position)
            let end = acts.dropFirst(number + 1).first { $0.position > act.position }?.position
            let window = recording.events[act.position..<(end ?? recording.events.count)].dropFirst()
            for (rank, claim, time) in changes(in: window, from: values, script) {
                add(rank, Proposal(claim, after: after, within: bound(time - trigger.time)))
            }
            guard !reports else { continue }
            for name in done {
                guard
                    let event = window.first(where: { event in
                        event.name == name && script.keys.contain(names[event.index].key, of: name)
                    })
                else { continue }
                var happened = names[event.index]
                happened.ordinal = 1
                add(0, Proposal(.event(happened), after: after, within: bound(event.time - trigger.time)))
            }
        }
        for proposal in totals(of: recording, names, script) { add(shown.count, proposal) }
        let chosen = found.sorted { ($0.rank, $0.place) < ($1.rank, $1.place) }.prefix(most)
        var unique: [Proposal] = []
        for entry in chosen.sorted(by: { $0.place < $1.place }) where !unique.contains(entry.proposal) {
            unique.append(entry.proposal)
        }
        return unique
    }

    private static func bound(_ time: TimeSpan) -> TimeSpan {
        max(time * factor, time + slack).roundedUp
    }

    private static func note(_ event: TraceEvent, in values: inout [ObservedName: JSON]) {
        guard case .set(let value) = event.observation.change else { return }
        values[ObservedName(client: event.client, name: event.name, key: event.key)] = value
    }

    /// Returns the values that changed in a sequence of consecutive events, with the time of each observable's last
    /// change.
    private static func changes(
        in window: ArraySlice<TraceEvent>,
        from values: [ObservedName: JSON],
        _ script: SessionScript
    ) -> [(rank: Int, claim: Claim, time: Instant)] {
        var order: [ObservedName] = []
        var seen: [ObservedName: [(value: JSON, time: Instant)]] = [:]
        for event in window where shown.contains(event.name) {
            let key = event.key.map { script.labels[$0] ?? $0 }
            guard script.keys.contain(key, of: event.name) else { continue }
            guard case .set(let value) = event.observation.change else { continue }
            let name = ObservedName(client: event.client, name: event.name, key: event.key)
            guard (seen[name]?.last?.value ?? values[name]) != value else { continue }
            if seen[name] == nil { order.append(name) }
            // If a value changes several times at one instant, only the last value is visible.
            if seen[name]?.last?.time == event.time { seen[name]?.removeLast() }
            seen[name, default: []].append((value, event.time))
        }
        return order.compactMap { name in
            guard let changes = seen[name], let last = changes.last else { return nil }
            var named = name
            named.key = name.key.map { script.labels[$0] ?? $0 }
            if script.head.clients.count == 1 { named.client = nil }
            let rank = shown.firstIndex(of: name.name) ?? shown.count
            guard changes.count > 1 else { return (rank, .state(named, last.value), last.time) }
            return (rank, .states(named, changes.map(\.value)), last.time)
        }
    }

    /// Returns expectations about the whole run: no message is lost or stored twice.
    private static func totals(
        of recording: Recording,
        _ names: [EventName],
        _ script: SessionScript
    ) -> [Proposal] {
        let clients = script.head.clients
        var proposals: [Proposal] = []
        // A message that the profile does not define must be sent as often in the replay as in the recording.
        var said: [EventName] = []
        let texts = script.hasFrames ? ["server.received.text"] : ["client.received.text", "server.received.text"]
        for name in names.reversed() where texts.contains(name.name) {
            guard script.keys.contain(name.key, of: name.name), !said.contains(where: { name.isSame(as: $0) }) else {
                continue
            }
            said.append(name)
        }
        for name in said.reversed() {
            var first = name
            first.ordinal = 1
            proposals.append(Proposal(.count(first, name.ordinal)))
        }
        var shown: [(client: ClientID?, conversation: String)] = []
        for event in recording.events where event.name == "conversation.messages" {
            guard let key = event.key, script.keys.contain(key, of: event.name),
                !shown.contains(where: { $0 == (event.client, key) })
            else { continue }
            shown.append((event.client, key))
        }
        let stored = recording.events.filter {
            $0.name == "server.stored" && script.keys.contain(names[$0.index].key, of: $0.name)
        }
        for (client, conversation) in shown
        where stored.contains(where: { $0.fields?["conversation"]?.stringValue == conversation }) {
            proposals.append(
                Proposal(.delivered(conversation: conversation, clients.count == 1 ? nil : client))
            )
        }
        for event in stored where event.fields?["origin"]?.stringValue == "client" {
            var name = names[event.index]
            name.ordinal = 1
            let count = stored.count { $0.key == event.key }
            proposals.append(Proposal(.count(name, count)))
        }
        return proposals
    }
}
