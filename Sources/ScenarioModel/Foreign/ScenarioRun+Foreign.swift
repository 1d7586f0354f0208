import Adapter
import ChatWire
import FakeServer
import Faults
package import SquallCore
import TemporalLogic
import Trace

// Support for foreign clients (clients that are not Squall's own).

extension ScenarioRun {
    /// Applies `step` to a host's foreign client, and performs the resulting effects. Does nothing for Squall's own
    /// client.
    mutating func stepForeign(_ index: Int, at now: Instant, _ step: (inout ForeignHost) -> [ForeignHost.Effect]) {
        perform(hosts[index].withForeign(step) ?? [], of: index, at: now)
        findDeadline(of: index)
    }

    /// Handles the start, the output or the end of a foreign client's process.
    mutating func takeForeign(_ id: ClientID, _ input: ForeignInput, at now: Instant) {
        guard hasForeign, let index = index(of: id) else { return }
        switch input {
        case .started(let addresses, let isReused):
            guard hosts[index].isStarting else { return }
            stepForeign(index, at: now) { $0.started(addresses, isReused: isReused, at: now) }
        case .exhausted(let connections, let descriptors):
            let owner = id == .only ? "the client" : "\(id)"
            let reason =
                """
                \(owner) has \(connections) connections open, and Squall, which may have \(descriptors) \
                descriptors (ulimit -n), cannot take another
                """
            abandon(reason, at: now)
        case .couldNotStart, .output, .errors, .outputClosed, .exited, .gone:
            let isStored = isStored
            stepForeign(index, at: now) { $0.take(input, at: now, isStored: isStored) }
        }
    }

    /// Handles the deadlines of a foreign client; returns `false` if none has passed.
    mutating func foreignDue(_ index: Int, at now: Instant) -> Bool {
        guard hasForeign else { return false }
        if let due = hosts[index].programDeadline, due <= now {
            let isStored = isStored
            stepForeign(index, at: now) { $0.due(at: now, isStored: isStored) }
            return true
        }
        // Resume a frozen process before its device delivers anything to the client.
        guard case .suspended(let until, _) = hosts[index].process, until <= now else { return false }
        wake(index, at: now)
        return true
    }

    mutating func perform(_ effects: [ForeignHost.Effect], of index: Int, at now: Instant) {
        let id = hosts[index].id
        for effect in effects {
            switch effect {
            case .output(let output): outputs.append(.foreign(id, output))
            case .record(let observation): record(observation, of: id, at: now)
            case .relay(let input): take(input, at: now)
            case .run: run(index, at: now)
            case .kill: outputs.append(.kill(id))
            case .abandon(let reason): abandon(reason, at: now)
            }
        }
    }

    // MARK: - The clients' clocks

    /// Returns the combined state of the clients' clocks.
    package func clientClocks(at now: Instant) -> ClientClocks {
        guard isDriving else { return .real }
        return hosts.reduce(.real) { $0.and($1.foreign?.clocks(at: now) ?? .real) }
    }

    /// Sends all clients the run's time; returns the actions that the world must perform.
    package mutating func advanceClients(to now: Instant) -> [TransportOutput] {
        outputs.removeAll(keepingCapacity: true)
        guard !isOver else { return [] }
        for index in hosts.indices { stepForeign(index, at: now) { $0.advance(to: now) } }
        endStep(at: now)
        return outputs
    }

    /// Whether the run's deadlines must wait until a client's clock has reached the run's.
    func isAhead(at now: Instant) -> Bool { isDriving && clientClocks(at: now).holdsDeadlines }

    private var isDriving: Bool { hasForeign && plan.client.foreign?.clock == .virtual }

    /// A closure that returns whether the fake server or the upstream server has stored the message with a given id.
    private var isStored: (String) -> Bool {
        let (server, serverWire) = (server, serverWire)
        return { server.hasStored($0) || serverWire.hasStored($0) }
    }

    // MARK: - The wire

    /// Parses input from a foreign client; returns `true` if the input is held back and reaches the relay later.
    mutating func watch(_ input: RelayInput, at now: Instant) -> Bool {
        guard let index = input.client.flatMap(index) else { return false }
        var isHeldBack = false
        stepForeign(index, at: now) { host in
            let watched = host.watch(input, at: now)
            isHeldBack = watched.isHeldBack
            return watched.effects
        }
        return isHeldBack
    }

    /// Observes output that is sent to a foreign client.
    mutating func watch(_ output: RelayOutput, at now: Instant) {
        guard let index = output.client.flatMap(index) else { return }
        stepForeign(index, at: now) { $0.watch(output, at: now) }
    }

    // MARK: - End of the run

    /// Returns the outcome of the script. If a `wait` timed out, the outcome mentions the unanswered `send` commands as
    /// a possible reason.
    func explained(_ script: RunEnding.Script) -> RunEnding.Script {
        guard hasForeign, case .stuck(let location, let why, let due) = script,
            case .wait(let condition, _, _)? = plan.scenario.script.first(where: { $0.location == location })?.kind
        else { return script }
        let labels = Expectation(.never(condition), location: location).keys
        let reasons = hosts.compactMap(\.foreign).flatMap { $0.client.reasonsForMissingIDs(among: labels) }
        return .stuck(at: location, why: (reasons + [why]).joined(separator: "; "), by: due)
    }

    /// Marks clients as failed if they closed their standard output shortly before the run ended, because the run does
    /// not wait for them to exit.
    mutating func failClosedOutputs(at now: Instant) {
        guard end.abandonReason == nil, !end.isInterrupted else { return }
        let isStored = isStored
        for index in hosts.indices {
            stepForeign(index, at: now) { $0.failIfOutputClosed(at: now, isStored: isStored) }
        }
    }

    /// Records the last lines that each foreign client's process wrote to standard error.
    mutating func recordLastErrors(at now: Instant) {
        for host in hosts {
            for line in host.foreign?.lastErrors ?? [] {
                record(
                    .happened("client.log", ["text": .string("stderr: \(line)")], by: .reported),
                    of: host.id,
                    at: now
                )
            }
        }
    }
}
