import Faults
import ScenarioModel
import Squall
import SquallCore

/// The actions that can be typed while a server is running; help and completion offer them.
struct TypableActions: Sendable {
    /// The actors whose actions the user can type.
    let actors: [Actor]
    /// The actions that can be performed on a running app and its network. Faults of the TLS handshake are included
    /// only if clients connect over TLS.
    let actions: [ActionEntry]
    /// The actions that can be typed as a bare word: they have no required parameter, and no other actor has an action
    /// with the same verb.
    let bare: [String]

    /// The actions available with Squall's own server.
    static let all = TypableActions([.network, .server, .device])
    /// The actions available with Squall's own server when clients connect over TLS.
    static let secured = TypableActions([.network, .server, .device], hasTLS: true)
    /// The actions available if the user supplies the server; such a server accepts no actions.
    static let upstream = TypableActions([.network, .device])

    private init(_ actors: [Actor], hasTLS: Bool = false) {
        let actions = Registry.actions.filter { action in
            ConductedRun.takes(action.actor, action.verb)
                && (hasTLS || !FaultCatalogue.isAboutHandshakes(action.verb))
        }
        self.actors = actors
        self.actions = actions.filter { $0.actor != .server || actors.contains(.server) }
        bare = self.actions.filter { action in
            // An action may need one of several parameters, none of which is required on its own.
            (try? Stimulus.make(action, Arguments([]), clients: [])) != nil
                && actions.count { $0.verb == action.verb } == 1
        }.map(\.verb).sorted()
    }

    /// The answer to `help`, at most 80 columns wide.
    var help: String {
        let hasServer = actors.contains(.server)
        let parts =
            [hasServer ? Self.ofAllActors : Self.ofTheNetwork, Self.networkSteps]
            + (hasServer ? [Self.serverSteps] : []) + [Self.commonSteps]
            + [hasServer ? Self.listOfAllActors : Self.listOfTheNetwork, Self.orders]
        return parts.joined(separator: "\n")
    }

    private static let ofAllActors = """
        Each line is a step of a script, for the server, the network or the phone's
        network.
        """
    private static let ofTheNetwork = "Each line is a step of a script, for the network or the phone's network."
    private static let networkSteps = """
          network: drop                        ends every connection; so does 'drop'
          network: { stall: { for: 10s } }     lets nothing pass for ten seconds
          { network: blackhole, as: tunnel }   until: network: { heal: tunnel }
        """
    private static let serverSteps = """
          server: { post: stukov }             sends a message from another user
          server: { restart: { down: 5s } }
          server: { swallow: confirm }
        """
    private static let commonSteps = """
          device: handoff                      changes the network without notice
          hold                                 freezes everything; then 'step' goes to
                                               the next event, 'release' for good
        """
    private static let listOfAllActors = """
        'explain network', 'server' and 'device' list all steps, 'explain stall' what
        one does. 'status' shows the active faults, the clients and the broken
        """
    private static let listOfTheNetwork = """
        'explain network' and 'device' list all steps, 'explain stall' what
        one does. 'status' shows the active faults, the clients and the broken
        """
    private static let orders = """
        invariants. 'verbose' prints every event, 'quiet' the notable ones. 'record
        tunnel.yaml' writes what was done so far as a scenario. 'quit' ends the run and
        judges it. At a prompt, the tab key completes a step, and the arrow keys bring
        earlier ones back.
        """
}
