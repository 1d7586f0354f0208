package import Exploration
import ScenarioLanguage
import ScenarioModel
import SquallCore
import TemporalLogic
package import Trace

/// Converts the actions and events of a run to a scenario: proposes a script and expectations, runs the scenario, and
/// keeps the expectations that are met.
package struct SessionRecorder {
    /// A scenario that was generated from a recording.
    package struct Outcome: Sendable {
        /// The text of the scenario file.
        package var text: String
        /// How many actions and expectations the scenario contains.
        package var actions: Int
        package var expectations: Int
        /// Sentences that say what was omitted from the scenario, and why.
        package var leftOut: [String]
        /// Why the scenario does not pass; nil if it passes.
        package var failure: String?
        /// The error in the scenario, which was therefore not run; nil if it is valid.
        package var mistake: String?
    }

    private let recording: Recording
    private let origin: String
    private let replay: SessionReplay
    /// The recorded messages that the profile does not define, converted to steps; nil if there are none.
    private let dialogue: RecordedDialogue?
    private var script: SessionScript
    private var leftOut: [String] = []
    /// Whether the replay with Squall's own client had the same observable values as the recording.
    private var isSame = false
    private var difference: String?
    /// The error in the scenario; nil if it is valid.
    private var mistake: String?
    /// Why the scenario does not pass in live runs, apart from its expectations; nil if there is no such reason.
    private var liveFailure: String?

    /// The maximum number of runs in the search for unnecessary pauses.
    private static let maximumTries = 80

    /// Creates a recorder.
    ///
    /// - Parameters:
    ///   - recording: The recording of the run.
    ///   - head: A draft scenario with the profile, the clients and the settings of the run.
    ///   - origin: The command that made the recording, such as `squall serve`, for the comment at the top of the file.
    ///   - file: The path of the file for which the scenario is generated.
    /// - Throws: ``SquallError`` if the recording has no actions, or if the profile cannot be read.
    package init(_ recording: Recording, head: Draft, origin: String, file: String) throws(SquallError) {
        self.origin = origin
        replay = SessionReplay(file: file, seed: recording.header.seed)
        let dialogue = RecordedDialogue(recording)
        let (remaining, idleFaults) = (dialogue?.recording ?? recording).withoutIdleFaults
        self.recording = remaining
        self.dialogue = dialogue
        var head = head
        if dialogue?.isUnknown == true { head.profile = ProfileReader.unknown }
        let profile = try replay.read(head).profile
        script = SessionScript(
            self.recording,
            head: head,
            messages: dialogue?.actions ?? [],
            hasFrames: head.profile != ProfileReader.unknown,
            within: profile.expectWithin
        )
        leftOut = dialogue?.gaps ?? []
        let texts = script.removeReservedTexts()
        leftOut += texts.reserved.map { "\($0.name ?? "a step") with '${', which is reserved for values" }
        leftOut += Self.remarks(texts.others + script.removeReferences(to: idleFaults))
        guard script.steps.contains(where: { $0.move != nil }) else {
            throw .usage("there is nothing to record yet: no step was done, and no message was sent")
        }
    }

    /// Returns a remark for each action that was removed because it referred to an omitted action.
    private static func remarks(_ moves: [Move]) -> [String] {
        moves.map { "\($0.name ?? "a step"): it refers to what was left out" }
    }

    /// Generates the scenario, running it several dozen times in virtual time and a few times live over loopback.
    ///
    /// A recording cannot be repeated, so a scenario that turns out to be invalid is returned with its error.
    ///
    /// - Throws: ``SquallError`` if the scenario cannot be run; `CancellationError` if the task is cancelled.
    package mutating func record() async throws -> Outcome {
        do {
            return try await recordPlayed()
        } catch let error as SquallError where error.isOfScenarios {
            let first = error.message.split(separator: "\n").first ?? ""
            mistake = first.firstRange(of: "error: ").map { String(first[$0.upperBound...]) } ?? String(first)
            return Outcome(
                text: text(script.draft),
                actions: script.actionCount,
                expectations: 0,
                leftOut: leftOut,
                failure: nil,
                mistake: mistake
            )
        }
    }

    private mutating func recordPlayed() async throws -> Outcome {
        guard try replay.read(script.draft).allows(.sim) else {
            leftOut.append("expectations, which are tried in virtual time, where this scenario cannot be played")
            return Outcome(
                text: text(script.draft),
                actions: script.actionCount,
                expectations: 0,
                leftOut: leftOut,
                failure: nil
            )
        }
        try fitScript()
        try compare()
        try shortenPauses()
        var kept = Proposal.all(for: script, in: recording).map { Kept(proposal: $0) }
        let reserved = kept.indices.filter { ProposalWriter.of(kept[$0].proposal).contains("${") }
        remove(reserved.map { ($0, "'${' is reserved for values") }, from: &kept)
        var played = try keepProven(&kept)
        if try await keepLive(&kept) { played = try replay.play(draft(kept)) }
        return Outcome(
            text: text(draft(kept)),
            actions: script.actionCount,
            expectations: kept.count,
            leftOut: leftOut,
            failure: played.failure ?? liveFailure
        )
    }

    // MARK: - Building the script

    /// Runs the script with Squall's own client, replaces each wait whose event does not occur with a pause, and
    /// removes steps that have no effect.
    private mutating func fitScript() throws {
        for _ in 0...script.steps.count {
            try Task.checkCancellation()
            let played = try replay.play(script.draft)
            if let step = played.blockedMove.flatMap(script.step(ofMove:)), let anchor = script.steps[step].anchor {
                script.dropAnchor(step)
                leftOut.append("the wait for \(anchor), which did not occur with Squall's own client; now a pause")
                continue
            }
            guard let unmet = played.result.expectations.first(where: \.isUnmet),
                let step = played.move(at: unmet.location).flatMap(script.step(ofMove:)),
                let move = script.steps[step].move
            else { return }
            leftOut.append("\(move.name ?? "a step"): \(unmet.why ?? "it had no effect")")
            leftOut += Self.remarks(script.remove(step))
        }
    }

    private mutating func compare() throws {
        let sees = SessionRecorder.comparison(of: recording, hasOwnServer: script.hasOwnServer)
        let original = ShownSeries(recording, sees: sees)
        let again = ShownSeries(try replay.play(script.draft).run.recording, sees: sees)
        isSame = original == again
        difference = original.difference(from: again).map {
            """
            \($0.name) occurred \(Self.times($0.here)) in the recording and \(Self.times($0.there)) with Squall's own \
            client
            """
        }
    }

    private static func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }

    /// Returns a predicate that selects the names of the events and observables to compare between the recording and a
    /// replay with Squall's own client.
    private static func comparison(of recording: Recording, hasOwnServer: Bool) -> @Sendable (String) -> Bool {
        guard let client = recording.header.client, let plan = ForeignPlan(client) else { return { _ in true } }
        let sight = Observability(of: plan, hasOwnServer: hasOwnServer)
        return { sight.sees($0) }
    }

    /// Removes or rounds pauses as long as the observable values in the replay remain the same.
    private mutating func shortenPauses() throws {
        guard isSame else {
            for step in script.steps.indices { script.steps[step].roundPause() }
            return
        }
        let sees = SessionRecorder.comparison(of: recording, hasOwnServer: script.hasOwnServer)
        let original = ShownSeries(recording, sees: sees)
        func isEqual(_ candidate: SessionScript) throws -> Bool {
            let run = try replay.play(candidate.draft).run
            return run.recording.ending.isFinished && ShownSeries(run.recording, sees: sees) == original
        }
        var short = script
        for step in short.steps.indices { short.steps[step].shortenPause() }
        if try isEqual(short) { return script = short }
        var tries = 0
        for step in script.steps.indices {
            let (pause, keepsTime) = (script.steps[step].pause, script.steps[step].keepsTime)
            let tried = keepsTime ? [pause.rounded] : [.zero, pause.rounded].filter { $0 < pause }
            for pause in tried {
                guard tries < Self.maximumTries else { return }
                tries += 1
                try Task.checkCancellation()
                var candidate = script
                candidate.steps[step].pause = pause
                guard try isEqual(candidate) else { continue }
                script = candidate
                break
            }
        }
    }

    // MARK: - Selecting expectations

    /// A proposed expectation that is being tried.
    private struct Kept {
        var proposal: Proposal
        /// The number of times that the expectation's bound has been extended.
        var widened = 0
    }

    /// The factor by which a bound is extended, and the maximum number of extensions. Squall's own client may be slower
    /// than the recorded client, so it may miss a bound from the recording.
    private static let widening: (factor: Int64, times: Int) = (4, 2)

    private func draft(_ kept: [Kept]) -> Draft {
        var draft = script.draft
        if let playOn { draft.clauses.append(playOn) }
        draft.expectations = kept.map { ProposalWriter.of($0.proposal) }
        return draft
    }

    /// Keeps the expectations that pass in virtual time but could fail; returns the run in which all of them pass.
    private mutating func keepProven(_ kept: inout [Kept]) throws -> SessionReplay.Played {
        while true {
            try Task.checkCancellation()
            let played = try replay.play(draft(kept))
            let failed = played.verdicts.indices.filter { played.verdicts[$0] != .pass }
            guard failed.isEmpty else {
                let late = failed.filter { widen(&kept[$0], played.verdicts[$0]) }
                let refused = failed.filter { !late.contains($0) }
                remove(refused.map { ($0, "does not hold with Squall's own client") }, from: &kept)
                continue
            }
            let unproven = Set(ScenarioAudit.unproven(played.plan, played.run).map(\.place))
            guard !unproven.isEmpty else { return played }
            remove(unproven.sorted().map { ($0, "cannot fail in this run") }, from: &kept)
        }
    }

    /// Extends the bound of an expectation that failed. Returns false if the expectation has no bound or its bound has
    /// been extended too often already.
    private func widen(_ kept: inout Kept, _ verdict: CaseVerdict) -> Bool {
        guard script.isForeign, verdict == .fail, let within = kept.proposal.within,
            kept.widened < Self.widening.times
        else { return false }
        kept.widened += 1
        kept.proposal.within = (within * Self.widening.factor).roundedUp
        return true
    }

    /// Keeps the expectations that also pass in a live run; returns whether any was removed.
    private mutating func keepLive(_ kept: inout [Kept]) async throws -> Bool {
        var hasRemoved = false
        while !kept.isEmpty {
            let scenario = try replay.read(draft(kept))
            guard scenario.allows(.live) else { return hasRemoved }
            var options = SuiteOptions()
            (options.worlds, options.seed, options.jobs) = ([.live], replay.seed, 1)
            let suite = try await Suite.play([scenario], options)
            try Task.checkCancellation()
            guard let run = suite.runs.first(where: \.wasPlayed), run.verdict != .pass, !run.isInvalidatedByLateness
            else {
                return hasRemoved
            }
            let refused = scenario.expectations.indices.filter { place in
                let location = scenario.expectations[place].location
                return run.expectations.contains { $0.location == location && $0.verdict != .pass }
            }
            guard !refused.isEmpty else {
                liveFailure = "over sockets it is \(run.verdict.rawValue): \(run.cause?.why ?? "")"
                return hasRemoved
            }
            remove(refused.map { ($0, "does not hold over sockets") }, from: &kept)
            hasRemoved = true
        }
        return hasRemoved
    }

    private mutating func remove(_ refused: [(place: Int, why: String)], from kept: inout [Kept]) {
        for (place, why) in refused.sorted(by: { $0.place > $1.place }) {
            let gone = ProposalWriter.of(kept.remove(at: place).proposal)
            leftOut.append("\(gone.replacing("\n", with: ", ")): \(why)")
        }
    }

    // MARK: - Writing the file

    private func text(_ draft: Draft) -> String {
        replay.text(of: draft, ScenarioWriter.Head(name: name, comments: comments))
    }

    /// The name of the scenario, such as `Recorded: stall, post and heal`.
    private var name: String {
        var verbs = script.draft.skeleton.filter { !["server.rule", "server.respond"].contains($0) }.map {
            $0.split(separator: ".").last.map(String.init) ?? $0
        }
        .map { $0.replacing("_", with: " ") }
        if dialogue?.isUnknown == true {
            // A verb that consecutive steps share is listed only once.
            verbs = verbs.enumerated().filter { $0.offset == 0 || verbs[$0.offset - 1] != $0.element }.map(\.element)
        }
        guard let last = verbs.last else { return "Recorded" }
        let before = verbs.dropLast().prefix(Self.maximumVerbs)
        let ellipsis = verbs.count - 1 > before.count ? ", …" : ""
        return before.isEmpty
            ? "Recorded: \(last)" : "Recorded: \(before.joined(separator: ", "))\(ellipsis) and \(last)"
    }

    private static let maximumVerbs = 7

    /// The clause that extends the run until the time of the last recorded HTTP request; nil if that request came
    /// before the last step.
    ///
    /// Squall's own client does not make its requests at the same times as the recorded client.
    private var playOn: Draft.Clause? {
        guard let last = dialogue?.lastExchange else { return nil }
        let step = script.steps.last { $0.move != nil && $0.position > 0 }?.time ?? .zero
        guard last > step else { return nil }
        return Draft.Clause(key: "play_on", value: "\((last - step + .seconds(1)).roundedUp)")
    }

    private var comments: [String] {
        var lines = ["Recorded by squall \(SquallVersion.current) from \(origin)."]
        if script.isForeign {
            lines.append("The client was another program. Each expectation also holds with Squall's own client.")
        }
        if !script.hasOwnServer {
            lines.append(
                "The server was another program: its messages and the connections it ended were read from the wire."
            )
        }
        if dialogue?.isUnknown == true {
            lines.append(
                "Squall does not know the protocol: rules answer the client's messages as the server did, and 'say' "
                    + "steps send the recorded messages."
            )
        }
        if dialogue?.lastExchange != nil {
            lines.append(
                "HTTP requests were read from the wire: rules answer them, and only the recorded client makes them."
            )
        }
        if script.hasReadSends { lines.append("The user's messages were read from the wire, without their texts.") }
        let defects = recording.header.defects
        if !defects.isEmpty {
            let names = defects.joined(separator: ", ")
            lines.append("The recorded run had planted defects, and this file has none: \(names).")
        }
        if let mistake { lines.append("This file has a mistake, so it has not been played: \(mistake)") }
        if let difference { lines.append("The replay is not the same: \(difference).") }
        if !leftOut.isEmpty {
            lines += ["", "Left out:"] + leftOut.map { "  \($0)" }
        }
        return lines
    }
}

extension SessionScript {
    fileprivate var actionCount: Int { steps.count { $0.move != nil } }
}

extension SessionScript.Step {
    /// The longest pause that counts as a user's reaction time.
    private static let reaction = TimeSpan.seconds(5)
    /// The shortest time between two messages that is kept in the scenario; a shorter time is attributed to processing.
    private static let shortest = TimeSpan.milliseconds(50)

    /// Whether the step's timing must be kept, because the step is a message from the server.
    fileprivate var keepsTime: Bool { move?.is(.server, "say") == true }

    /// Removes the pause if it is a user's reaction time; otherwise rounds it. If the recording ends without an event
    /// to wait for, keeps a pause of at most `reaction`, during which the effects of the last action can occur.
    fileprivate mutating func roundPause() {
        guard !keepsTime else { return shortenPause() }
        guard move != nil else {
            pause = anchor == nil ? min(pause, Self.reaction).rounded : .zero
            return
        }
        let isReaction = anchor != nil && pause <= Self.reaction
        pause = isReaction ? .zero : pause.rounded
    }

    /// Removes the pause if the step can instead wait for an event (its anchor); otherwise rounds the pause.
    fileprivate mutating func shortenPause() {
        guard !keepsTime else {
            pause = pause < Self.shortest ? .zero : pause.rounded
            return
        }
        pause = anchor == nil && move != nil ? pause.rounded : .zero
    }
}
