package import ScenarioModel
package import SquallCore
import TemporalLogic
package import Trace

/// A recorded run without a perturbation (an injected short fault): the time of each step, and the values that the
/// clients reported.
package struct BaselineRun: Sendable {
    /// A point in the run at which a perturbation can be injected.
    package struct Place: Hashable, Sendable {
        package enum Reason: Hashable, Sendable {
            /// Immediately after this action in the script, at the same instant.
            case step(number: Int, action: String)
            /// At the end of the instant at which the connection entered this state.
            case state(String)
        }

        package var reason: Reason
        package var time: Instant
        package var device: DeviceState
        /// The number of steps that were completed before this point.
        fileprivate var played: Int
        /// Whether the perturbation begins after all other events at ``time``.
        fileprivate var isAfterInstant: Bool
    }

    package let places: [Place]
    private let draft: Draft
    private let script: PlayableScript
    private let played: [PlayableScript.Played]
    /// The final values of the observables.
    private let end: EndState
    private let recording: Recording
    package let features: Set<Feature>

    /// Returns the draft from which the unperturbed run's script is created. Each of its moves acts on a single client
    /// or group, so that it corresponds to one step; the expectations are removed.
    package static func draft(of draft: Draft) -> Draft {
        var draft = draft
        draft.body = draft.moves.flatMap { move in
            let isOne = move.clients.count <= 1 || draft.groups.contains { $0.members == move.clients }
            return isOne
                ? [move] : move.clients.map { Move(move.kind, clients: [$0], anchor: move.anchor) }
        }
        (draft.opening, draft.ending, draft.expectations) = ([], .none, [])
        return draft
    }

    /// Creates the script of the unperturbed run.
    ///
    /// `scenario` must have been read from `draft`'s file; returns nil if its steps do not correspond to the draft's
    /// moves.
    package static func script(_ draft: Draft, _ scenario: Scenario) -> PlayableScript? {
        let steps = Dictionary(grouping: scenario.script, by: \.location.line).sorted { $0.key < $1.key }.map(\.value)
        guard steps.count == draft.moves.count else { return nil }
        return PlayableScript(zip(draft.moves, steps).map { PlayableScript.Item($0, $1) }, of: scenario)
    }

    /// Creates the baseline from a run of the unperturbed script; returns nil if some steps were not performed.
    package init?(_ draft: Draft, _ script: PlayableScript, _ result: RunResult) {
        let played = script.played(result.steps)
        guard played.count == script.items.count else { return nil }
        (self.draft, self.script, self.played) = (draft, script, played)
        end = EndState(result.recording)
        recording = result.recording
        features = Feature.all(in: result.recording)
        // The members of a group receive the same actions, so only the first member is perturbed.
        let alike = Set(draft.groups.flatMap { $0.members.dropFirst() })
        places = Self.places(script, played, result.recording, without: alike)
    }

    private static func places(
        _ script: PlayableScript,
        _ played: [PlayableScript.Played],
        _ recording: Recording,
        without alike: Set<ClientID>
    ) -> [Place] {
        let clients = script.scenario.clients
        var watch = DeviceWatch(recording, clients: clients)
        var found: [Place] = []
        let end = played.map(\.time).max() ?? .zero
        for change in watch.changes where change.time <= end && !alike.contains(change.client) {
            found.append(
                Place(
                    reason: .state(change.state),
                    time: change.time,
                    device: DeviceState(clients: clients.count > 1 ? [change.client] : []),
                    played: played.count { $0.time <= change.time },
                    isAfterInstant: true
                )
            )
        }
        for (index, entry) in played.enumerated() {
            let move = script.items[entry.item].move
            guard let name = move.name else { continue }
            found.append(
                Place(
                    reason: .step(number: entry.item + 1, action: name),
                    time: entry.time,
                    device: DeviceState(clients: clients.count > 1 ? move.clients : []),
                    played: index + 1,
                    isAfterInstant: move.anchor != nil
                )
            )
        }
        // Order the injection points by time; at the same instant, steps come before state changes.
        found = found.enumerated().sorted { left, right in
            let (first, second) = (left.element, right.element)
            if first.time != second.time { return first.time < second.time }
            if first.isAfterInstant != second.isAfterInstant { return second.isAfterInstant }
            return left.offset < right.offset
        }.map(\.element)
        for index in found.indices {
            found[index].device = watch.state(at: found[index].time, of: found[index].device.clients)
        }
        return found
    }

    /// Returns the differences between the final values of the baseline and those of a run that was perturbed by a
    /// fault of the given kind at `place`.
    package func differences(
        of recording: Recording,
        after kind: PerturbationKind,
        at place: Place
    ) -> [EndDifference] {
        // A perturbation changes which frames get corrupted, so the final values are a matter of chance.
        guard !draft.moves.contains(where: { $0.is(.network, "corrupt") }) else { return [] }
        // If the notification to tap or the prompt to answer is missing, that step and all later ones do not have the
        // same effects as in the unperturbed run.
        guard Self.missedTouches(recording) <= Self.missedTouches(self.recording) else { return [] }
        let labels = Set(draft.moves.flatMap(\.allDefined))
        let differences = EndDifference.all(of: EndState(recording), from: end, kind, labels: labels)
        // If the server refuses a fixed number of requests, a perturbed client's additional requests use up some of the
        // refusals, so the actions that succeed are not the same as in the unperturbed run.
        let refusesCounted = draft.moves.contains { move in
            move.is(.server, "fail")
                && ["count", "nth"].contains { move.action?.arguments.integer($0) != nil }
        }
        // A perturbation prolongs any outage that the script is causing, because the script waits for the client to
        // recover. The client may then run out of attempts.
        guard refusesCounted || hasOutage(at: place.time) else { return differences }
        // A difference without an expected value means that the server did not store an item. Such differences are
        // ignored, as are different outcomes of actions.
        return differences.filter { $0.expected != nil && EndClass.of($0.name.name) != .outcome }
    }

    /// Returns whether, at this time in the unperturbed run, a fault was active or the server was stopped.
    private func hasOutage(at time: Instant) -> Bool {
        var active: Set<String> = []
        var isDown = false
        for event in recording.events.prefix(while: { $0.time <= time }) {
            switch event.name {
            case "fault.began": active.insert(event.key ?? "")
            case "fault.ended": active.remove(event.key ?? "")
            case "server.stopped": isDown = true
            case "server.started": isDown = false
            default: break
            }
        }
        return isDown || !active.isEmpty
    }

    private static func missedTouches(_ recording: Recording) -> Int {
        recording.events.count { ["client.notification_absent", "client.prompt_absent"].contains($0.name) }
    }

    /// Returns an entry for the corpus of an exploration: the moves of the unperturbed run, each at the time at which
    /// it was performed, followed by a fault-free period (calm).
    ///
    /// Returns nil if the draft has keys that a generated draft cannot have, or actions that the generator never draws.
    package var corpusEntry: Corpus.Entry? {
        guard draft.clauses.allSatisfy({ Self.ignoredKeys.contains($0.key) }),
            draft.moves.allSatisfy({ $0.action.map { Swarm.draws($0.entry) } ?? true })
        else { return nil }
        var timed = draft
        (timed.opening, timed.body, timed.ending) = ([], script.moves(played, after: 0), .calm)
        (timed.clauses, timed.groups) = ([], [])
        return Corpus.Entry(timed, recording)
    }

    /// The keys that affect only a scenario file's expectations, or whether the file is played in simulation or live.
    private static let ignoredKeys: Set = ["play_on", "within", "worlds", "why"]

    // MARK: - Perturbing

    /// Returns the script with a perturbation's moves (`added`) inserted at an injection point; nil if a move is
    /// invalid.
    ///
    /// Steps before that point are unchanged. If clients were connected at that point and the perturbation may have
    /// ended their connections, the remaining steps wait until they have reconnected.
    package func perturbed(at place: Place, by added: [Move]) -> PlayableScript? {
        let before = played.prefix(place.played)
        let kept = Set(before.map(\.item))
        var items = script.items.indices.filter(kept.contains).map { script.items[$0] }
        func add(_ moves: [Move]) -> Bool {
            let made = moves.compactMap { PlayableScript.Item($0) }
            items += made
            return made.count == moves.count
        }
        // If the injection point is within a pause or a `wait`, the remainder follows the perturbation.
        let last = before.last { script.items[$0.item].move.anchor == nil }?.time ?? .zero
        let start = place.isAfterInstant ? place.time + PlayableScript.instant : place.time
        guard add(start > last ? [.rest(start - last)] : []), add(added) else { return nil }
        let away = start - last
        items += recovery(of: place)
        let length = added.reduce(TimeSpan.zero) { $0 + ($1.rest ?? .zero) }
        let times = Dictionary(played.map { ($0.item, $0.time) }) { first, _ in first }
        var isFirst = true
        for index in script.items.indices where !kept.contains(index) {
            var item = script.items[index]
            if item.move.anchor == nil, isFirst {
                isFirst = false
                if let rest = item.move.rest, let shorter = PlayableScript.Item(.rest(rest - min(rest, away))) {
                    item = shorter
                }
            }
            let isCausedBefore = times[index].map { item.cause(ofStepAt: $0) <= place.time } ?? false
            for step in item.steps.indices { item.steps[step].postpone(by: length, afterEvent: isCausedBefore) }
            items.append(item)
        }
        return PlayableScript(items, of: script.scenario)
    }

    /// The maximum time that the script waits for a client to reconnect after the perturbation.
    private static let recoveryLimit = TimeSpan.seconds(60)
    /// The time after which a client is assumed to have noticed that its connection was closed.
    private static let notice = TimeSpan.milliseconds(200)

    private func recovery(of place: Place) -> [PlayableScript.Item] {
        let levels = place.device.connected.map { client in
            ObservablePredicate(ObservableReference("connection.state", of: .one(client)), .equals("connected"))
        }
        guard !levels.isEmpty, let notice = PlayableScript.Item(.rest(Self.notice)) else { return [] }
        let condition = Condition(event: nil, state: StateCondition(levels))
        let location = SourceLocation(file: script.scenario.file, line: 1, column: 1)
        let step = Step(.wait(condition, next: false, within: Self.recoveryLimit), location: location)
        return [notice, PlayableScript.Item(Move(.wait("", within: nil)), [step])]
    }

    /// Returns a draft whose file replays the perturbed run.
    ///
    /// Each condition after the injection point is replaced with the time at which, according to `result`, it was met
    /// or timed out.
    package func draft(of perturbed: PlayableScript, at place: Place, _ result: RunResult) -> Draft {
        let order = perturbed.played(result.steps)
        let kept = Set(played.prefix(place.played).map(\.item)).count
        var draft = draft
        draft.body = perturbed.moves(order, after: kept) + perturbed.calm.map(\.move)
        return draft
    }
}

extension BaselineRun.Place: CustomStringConvertible {
    package var description: String {
        switch reason {
        case .step(let number, let action): "after step \(number) (\(action)) at \(time)"
        case .state(let state): "when connection.state is \(state) at \(time)"
        }
    }
}
