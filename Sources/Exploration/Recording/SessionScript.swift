import ScenarioModel
package import SquallCore
package import Trace

/// A script that repeats the actions of a run, each after the event that preceded it.
///
/// A recording has exact times, but a user acts after seeing something happen. Each step therefore waits for the last
/// preceding event that a user may have waited for, and then pauses for the remaining recorded time.
package struct SessionScript: Sendable {
    package struct Step: Hashable, Sendable {
        /// The action; nil for the end of the recording.
        package var move: Move?
        /// The event (anchor) that the step waits for; nil if it only pauses.
        package var anchor: EventName?
        /// The recorded time from the previous step to the anchor event.
        package var waited: TimeSpan
        /// The time from the anchor, or from the previous step if there is none, to this step.
        package var pause: TimeSpan
        /// The number of events in the recording before the step.
        package var position: Int
        package var time: Instant
    }

    package var steps: [Step]
    /// The draft without its moves; it has the profile, the clients and the scenario file's other keys.
    package let head: Draft
    /// Labels, indexed by the keys that the recording's events use for unlabelled messages and files.
    package let labels: [String: String]
    /// Whether the steps include user messages that were derived from frames on the wire and whose original texts are
    /// unknown.
    package let hasReadSends: Bool
    /// Whether the recording was made with a client other than Squall's.
    package let isForeign: Bool
    /// Whether the recording was made with Squall's own server; otherwise the server's actions were derived from its
    /// frames.
    package let hasOwnServer: Bool
    private(set) var keys: NameableKeys
    let hasFrames: Bool
    private let within: TimeSpan

    /// Creates a script from a recording.
    ///
    /// - Parameters:
    ///   - head: The draft of the scenario that was run. Its profile, clients, settings and other keys are used; its
    ///     moves and expectations are ignored.
    ///   - within: The default time bound of a `wait`.
    ///   - messages: The actions for messages that the profile does not define, including the server's rules.
    ///   - hasFrames: Whether the profile defines the protocol's frames.
    package init(
        _ recording: Recording,
        head: Draft,
        messages: [PerformedAction] = [],
        hasFrames: Bool = true,
        within: TimeSpan
    ) {
        self.hasFrames = hasFrames
        self.within = within
        let isForeign = recording.header.client != nil
        self.isForeign = isForeign
        var head = head
        (head.opening, head.body, head.expectations, head.ending) = ([], [], [], .none)
        // The script covers the whole recorded run, so the replay must end when the script does.
        head.clauses.removeAll { $0.key == "play_on" }
        // Squall's own server always reports that it has started; an external server does not.
        let hasOwnServer = recording.events.contains { $0.name == "server.started" }
        self.hasOwnServer = hasOwnServer
        if !hasOwnServer {
            head.settings.removeAll { $0.name == "server.upstream" }
            head.clauses.removeAll { $0.key == "worlds" }
        }
        self.head = head
        let wire = WireActions(recording)
        let sends = isForeign ? wire.sends : []
        let actions = hasOwnServer ? [] : wire.actions(excluding: sends) + (isForeign ? wire.departures : [])
        hasReadSends = !sends.isEmpty
        // The sort is stable: actions at the same position keep their order.
        let all = (messages + recording.actions + (sends + actions).map(\.action)).enumerated().sorted { left, right in
            (left.element.position, left.offset) < (right.element.position, right.offset)
        }
        var labels = SessionLabels(all.map(\.element), in: recording, clients: head.clients)
        for read in sends + actions {
            if let key = read.key, let label = read.action.arguments.label { labels.name(key, label) }
        }
        self.labels = labels.names
        var naming = EventNaming(labels: labels.names, clients: head.clients)
        let names = recording.events.map { naming.next($0) }
        let keys = NameableKeys(labels.actions.map { ($0.actor, $0.verb, $0.arguments) })
        self.keys = keys

        // The script ends where the final fault-free period (calm) begins, because Squall appends that period in the
        // replay as well.
        let calm = recording.events.first { $0.name == RunRegistry.calmBegan }
        var steps: [Step] = []
        var (read, last) = Self.beginning(of: recording, clients: head.clients)
        func anchor(_ move: Move?, in window: Range<Int>, at time: Instant) -> Int? {
            func last(_ isChosen: (TraceEvent) -> Bool) -> Int? {
                window.last { index in
                    isChosen(recording.events[index]) && keys.contain(names[index].key, of: names[index].name)
                }
            }
            // An event that occurred at the same time as the action is the best anchor, because every other event is
            // earlier.
            if !isForeign, let index = last({ $0.time == time && $0.canBeAwaited }) { return index }
            // Before a client's message and before the end of the session, the step may also wait for a message that
            // the client has received.
            let isMessage = !hasFrames && move?.is(.user, "say") ?? true
            return last { $0.isAnchor(isForeign: isForeign) || isMessage && $0.name == "client.received.text" }
        }
        func add(_ move: Move?, at position: Int, _ time: Instant) {
            var step = Step(
                move: move,
                anchor: nil,
                waited: .zero,
                pause: time - last,
                position: position,
                time: time
            )
            if time > last, read < position, let index = anchor(move, in: read..<position, at: time) {
                step.anchor = names[index]
                step.waited = max(.zero, recording.events[index].time - last)
                step.pause = time - max(last, recording.events[index].time)
            }
            steps.append(step)
            (read, last) = (position, time)
        }
        for action in labels.actions {
            guard let move = Move(action) else { continue }
            add(move, at: action.position, action.time)
            // The first event at this position may record the action itself; the next step must not wait for it.
            if recording.events.indices.contains(action.position) { read = action.position + 1 }
        }
        if !steps.isEmpty { add(nil, at: calm?.index ?? recording.events.count, calm?.time ?? recording.end) }
        self.steps = steps
    }

    /// Returns the time at which the last client started, and the number of events up to then (`position`). Both are
    /// zero if not all clients started.
    private static func beginning(of recording: Recording, clients: [ClientID]) -> (position: Int, time: Instant) {
        var missing = Set(clients)
        for event in recording.events where event.name == "client.started" {
            if let client = event.client { missing.remove(client) }
            if missing.isEmpty { return (event.index + 1, event.time) }
        }
        return (0, .zero)
    }

    /// The script as a draft without expectations.
    package var draft: Draft {
        var draft = head
        for step in steps {
            if let anchor = step.anchor { draft.body.append(Move(.wait(quoted(anchor), within: bound(step)))) }
            if pause(step) > .zero { draft.body.append(.rest(pause(step))) }
            if let move = step.move { draft.body.append(move) }
        }
        return draft
    }

    /// Returns the index of the step that produced the draft's move with this number; nil if the draft has no such
    /// move.
    package func step(ofMove number: Int) -> Int? {
        var count = 0
        for (index, step) in steps.enumerated() {
            count += (step.anchor == nil ? 0 : 1) + (pause(step) > .zero ? 1 : 0) + (step.move == nil ? 0 : 1)
            if number < count { return index }
        }
        return nil
    }

    /// Removes an action that had no effect, and the actions that refer to its label, such as the `heal` of a fault.
    /// Their time is added to the following steps, and waits for events that only they could cause become pauses.
    ///
    /// - Returns: The other actions that were removed.
    package mutating func remove(_ index: Int) -> [Move] {
        guard let gone = take(index) else { return [] }
        return removeReferences(to: gone.allDefined)
    }

    /// Removes the actions that refer to labels that no step defines any more.
    ///
    /// - Returns: The actions that were removed.
    package mutating func removeReferences(to labels: [String]) -> [Move] {
        let missing = Set(labels).subtracting(steps.compactMap(\.move).flatMap(\.allDefined))
        keys = NameableKeys(steps.compactMap { $0.move?.action }.map { ($0.entry.actor, $0.entry.verb, $0.arguments) })
        for index in steps.indices {
            if let anchor = steps[index].anchor, !keys.contain(anchor.key, of: anchor.name) { dropAnchor(index) }
        }
        var others: [Move] = []
        while let next = steps.firstIndex(where: { $0.move?.used.contains { missing.contains($0.label) } == true }),
            let move = steps[next].move
        {
            others += [move] + remove(next)
        }
        return others
    }

    /// Removes the actions whose texts contain `${`, which scenarios reserve for values from a `with:` table, along
    /// with any actions that refer to them.
    ///
    /// - Returns: The actions with such texts, and the actions that were removed with them.
    package mutating func removeReservedTexts() -> (reserved: [Move], others: [Move]) {
        var (reserved, others): ([Move], [Move]) = ([], [])
        while let index = steps.firstIndex(where: { $0.move?.hasReservedText == true }), let move = steps[index].move {
            reserved.append(move)
            others += remove(index)
        }
        return (reserved, others)
    }

    /// Removes an action and adds its time to the following step. Returns the action.
    private mutating func take(_ index: Int) -> Move? {
        guard steps.indices.contains(index), let move = steps[index].move else { return nil }
        let gone = steps.remove(at: index)
        guard steps.indices.contains(index) else { return move }
        if steps[index].anchor == nil {
            steps[index].anchor = gone.anchor
            steps[index].waited = gone.waited
            steps[index].pause = gone.pause + steps[index].pause
        } else {
            steps[index].waited = gone.waited + gone.pause + steps[index].waited
        }
        return move
    }

    /// Replaces a step's wait for its anchor event with a pause of the same duration.
    package mutating func dropAnchor(_ index: Int) {
        guard steps.indices.contains(index), steps[index].anchor != nil else { return }
        steps[index].anchor = nil
        steps[index].pause = steps[index].waited + steps[index].pause
        steps[index].waited = .zero
    }

    /// Returns the step's pause as the scenario states it. In a run in simulation, every digit counts; the times of a
    /// real client vary by more than a millisecond, so fractions of one are left out.
    private func pause(_ step: Step) -> TimeSpan {
        let millisecond = TimeSpan.milliseconds(1)
        guard isForeign else { return step.pause }
        return millisecond * (step.pause.nanoseconds / millisecond.nanoseconds)
    }

    private func quoted(_ anchor: EventName) -> String {
        let text = "\(anchor)"
        return anchor.key == nil ? text : String(decoding: JSON.string(text).encode(), as: UTF8.self)
    }

    /// Returns the `within` of the step's `wait`; nil if the default is long enough.
    private func bound(_ step: Step) -> String? {
        let needed = step.waited * 2
        return needed > within ? "\(needed.roundedUp)" : nil
    }
}

extension Move {
    /// Whether the action's label or any of its arguments contains `${`.
    fileprivate var hasReservedText: Bool {
        guard let arguments = action?.arguments else { return false }
        return arguments.label?.contains("${") == true || arguments.values.contains { $0.value.hasReservedText }
    }

    /// Creates the move that performs a recorded action; returns nil if the registry has no such action.
    fileprivate init?(_ action: PerformedAction) {
        guard let entry = Registry.action(of: action.actor, action.verb) else { return nil }
        // If the arguments name the clients, the step has no client prefix.
        let isNamed = action.arguments["client"] != nil || action.arguments["clients"] != nil
        self.init(.act(entry, action.arguments), clients: isNamed || action.clients == [.only] ? [] : action.clients)
    }
}

extension ArgumentValue {
    fileprivate var hasReservedText: Bool {
        switch self {
        case .text(let text): text.contains("${")
        case .list(let items): items.contains { $0.hasReservedText }
        case .json(let value): String(decoding: value.encode(), as: UTF8.self).contains("${")
        case .integer, .duration, .flag: false
        }
    }
}

extension TimeSpan {
    private static let round: [TimeSpan] =
        [500, 1_000, 2_000, 3_000, 5_000, 10_000, 15_000, 20_000, 30_000, 45_000].map { .milliseconds($0) }

    /// The duration rounded up to a common length: 500ms, 1s, 2s, 5s, 10s, 30s, or whole minutes.
    package var roundedUp: TimeSpan {
        if let length = Self.round.first(where: { $0 >= self }) { return length }
        let minute = TimeSpan.seconds(60)
        return minute * ((nanoseconds + minute.nanoseconds - 1) / minute.nanoseconds)
    }

    /// The duration rounded to two significant digits, but no finer than a millisecond.
    package var rounded: TimeSpan {
        var unit: Int64 = 1_000_000
        while nanoseconds / unit >= 100 { unit *= 10 }
        return TimeSpan(nanoseconds: (nanoseconds + unit / 2) / unit * unit)
    }
}
