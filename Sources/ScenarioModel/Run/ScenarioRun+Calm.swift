import ChatWire
import FakeServer
import Faults
import ReferenceClient
import SquallCore
import Trace

// The calm at the end of a run, and the comparison of clients and server in it.

extension ScenarioRun {
    /// Heals everything that the script has done to the network, the server and the devices.
    mutating func calmDown(at now: Instant) {
        let cause = record(.happened(RunRegistry.calmBegan, by: .injected), of: nil, at: now)
        perform(relay.handle(.healAll, at: now), cause: cause, at: now)
        perform(server.calmDown(to: plan.scenario.profile.server, at: now), cause: cause, at: now)
        for index in hosts.indices {
            if !hosts[index].networkReachable { order("network", .network(reachable: true), of: index, cause, at: now) }
            if case .down = hosts[index].process { order("start", .start, of: index, cause, at: now) }
            wake(index, at: now)
            if !hosts[index].isInForeground { order("foreground", .foreground, of: index, cause, at: now) }
        }
        settle(at: now)
    }

    /// Performs a command of the device and records it as the script's would be.
    private mutating func order(_ verb: String, _ command: ClientCommand, of index: Int, _ cause: Int, at now: Instant) {
        let event = record(.happened("device.\(verb)", by: .injected), of: hosts[index].id, cause: cause, at: now)
        perform(command, on: index, cause: event, at: now)
    }

    /// Compares each client with the server; returns whether they agree.
    ///
    /// A comparison is recorded once it decides something: that all agree, or that the calm is over.
    mutating func compareClients(isLast: Bool, at now: Instant) -> Bool {
        let found = hosts.indices.map { index in
            hosts[index].isRunning ? comparison(of: hosts[index].id).differences() : nil
        }
        let agreed = found.allSatisfy { $0?.isEmpty ?? true }
        guard agreed || isLast else { return false }
        for (index, differences) in found.enumerated() {
            guard let differences else { continue }
            let fields: JSON = ["differences": .array(differences.map(JSON.string))]
            record(.happened(RunRegistry.compared, fields, by: .observed), of: hosts[index].id, at: now)
        }
        return agreed
    }

    private func comparison(of client: ClientID) -> Comparison {
        let truth = server.truth(for: client) { messageName(of: $0) }
        let limit = plan.scenario.profile.client.connect.maxMessageSize
        return Comparison(truth: truth, shown: shown, client: client, showsWholeTexts: limit == 0)
    }
}
