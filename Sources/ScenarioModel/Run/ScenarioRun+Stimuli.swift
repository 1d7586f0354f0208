import ChatWire
import FakeServer
import Faults
import ReferenceClient
import SquallCore
import Trace

// Applies the script's stimuli to the clients, the server and the network.

extension ScenarioRun {
    mutating func perform(_ stimulus: Stimulus, cause: Int?, at now: Instant) {
        recorder.note(
            PerformedAction(
                stimulus.actor,
                stimulus.verb,
                stimulus.arguments,
                clients: stimulus.clients,
                position: recorder.events.count,
                time: now
            )
        )
        switch stimulus.operation {
        case .client(let command):
            for index in hosts.indices where stimulus.clients.isEmpty || stimulus.clients.contains(hosts[index].id) {
                let id = hosts[index].id
                let observation = Observation.happened(stimulus.name, key: stimulus.label, by: .injected)
                let cause = record(observation, of: id, cause: cause, at: now)
                let command = own(command, of: id, among: stimulus).renamingMessages { self.id(of: $0, for: id) }
                perform(command, on: index, cause: cause, at: now)
            }
        case .server(let action):
            let observation = Observation.happened(stimulus.name, key: stimulus.label, by: .injected)
            let cause = record(observation, of: nil, cause: cause, at: now)
            perform(server.handle(.action(action), at: now), cause: cause, at: now)
        case .begin(let fault):
            let clients = stimulus.clients.isEmpty ? nil : stimulus.clients
            perform(
                relay.handle(.begin(fault, label: stimulus.label, clients: clients), at: now),
                cause: cause,
                at: now
            )
        case .heal(let label):
            perform(relay.handle(.heal(label: label), at: now), cause: cause, at: now)
        case .healAll:
            perform(relay.handle(.healAll, at: now), cause: cause, at: now)
        case .replayLogin:
            for client in stimulus.clients.isEmpty ? clients : stimulus.clients {
                perform(relay.handle(.replayLogin(client), at: now), cause: cause, at: now)
            }
        }
    }

    /// Returns the command with the client's own push token. If there are several clients, the client's name is
    /// appended to the token, because two devices never share a token.
    private func own(_ command: ClientCommand, of id: ClientID, among stimulus: Stimulus) -> ClientCommand {
        guard case .token(let token) = command, hosts.count > 1, stimulus.clients.count != 1 else { return command }
        return .token("\(token)-\(id)")
    }

    mutating func perform(_ command: ClientCommand, on index: Int, cause: Int, at now: Instant) {
        let id = hosts[index].id
        switch command {
        case .background, .foreground:
            hosts[index].isInForeground = command == .foreground
            feed(.command(command), to: id, cause: cause, at: now)
        case .lock, .unlock:
            hosts[index].isLocked = command == .lock
            if command == .unlock { hosts[index].areKeysLocked = false }
            feed(.command(command), to: id, cause: cause, at: now)
        case .disk(let isFull): hosts[index].isDiskFull = isFull
        case .openList:
            hosts[index].hasList = hosts[index].hasList || hosts[index].isRunning
            feed(.command(command), to: id, cause: cause, at: now)
        case .start:
            if case .down = hosts[index].process { launch(index, at: now) }
        case .kill(let down):
            kill(index, until: down.map { now + $0 }, cause: cause, at: now)
        case .share:
            share(command, on: index, cause: cause, at: now)
        case .reboot(let down):
            serve(id, at: now) { service, _ in service.stop() }
            hosts[index].isOn = false
            hosts[index].areKeysLocked = hosts[index].isLocked
            killExtensions(of: index, cause: cause, at: now)
            kill(index, until: down.map { now + $0 }, cause: cause, at: now)
        case .shareMessage(let draft, let label): share(draft, label: label, on: index, cause: cause, at: now)
        case .killExtension: killExtensions(of: index, cause: cause, at: now)
        case .token(let token): give(token: token, to: index, cause: cause, at: now)
        case .permission(let permission): permit(permission, on: index, cause: cause, at: now)
        case .answerPrompt(let permission): answerPrompt(permission, on: index, cause: cause, at: now)
        case .tap(let label, _): tap(label, on: index, cause: cause, at: now)
        case .reply: reply(command, on: index, cause: cause, at: now)
        case .suspend(let span, let order):
            guard hosts[index].isRunning else { return }
            hosts[index].process = .suspended(until: now + span, order: hasForeign ? nil : order)
            stepForeign(index, at: now) { $0.pause(at: now) }
            record(.happened("client.suspended", by: .injected), of: id, cause: cause, at: now)
        case .network(let reachable):
            guard reachable != hosts[index].networkReachable else {
                feed(.command(command), to: id, cause: cause, at: now)
                return
            }
            hosts[index].networkReachable = reachable
            // Without a network, nothing leaves the device, not even the FIN of its connections.
            let label = Self.offlineLabel(of: id)
            let change =
                reachable
                ? RelayInput.heal(label: label) : .begin(Self.noPath, label: label, clients: [id])
            perform(relay.handle(change, at: now), cause: cause, at: now)
            serve(id, at: now) { $0.networkChanged(hasNetwork: $1, at: now) }
            resumePushes(index, at: now)
            findDeadline(of: index)
            feed(.command(command), to: id, cause: cause, at: now)
        case .handoff:
            // Connections on the old network path are lost silently. The new path has no fault.
            let label = "handoff"
            perform(relay.handle(.begin(Self.noPath, label: label, clients: [id]), at: now), cause: cause, at: now)
            perform(relay.handle(.heal(label: label), at: now), cause: cause, at: now)
            serve(id, at: now) { $0.networkChanged(hasNetwork: $1, at: now) }
            feed(.command(command), to: id, cause: cause, at: now)
        case .portalLogin:
            perform(relay.handle(.login(id), at: now), cause: cause, at: now)
            feed(.command(command), to: id, cause: cause, at: now)
        default:
            feed(.command(command), to: id, cause: cause, at: now)
        }
    }

    /// The fault of a lost network path: connections on it are lost without notice.
    static let noPath = Fault(.blackhole(Fault.Blackhole()))

    private static func offlineLabel(of client: ClientID) -> String {
        client == .only ? "offline" : "offline-\(client)"
    }
}
