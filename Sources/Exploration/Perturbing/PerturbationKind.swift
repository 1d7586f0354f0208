package import ScenarioModel
package import SquallCore
import TemporalLogic

/// A kind of short fault that is injected at one point in a scenario and ends before the scenario continues.
package enum PerturbationKind: String, Hashable, Sendable, CaseIterable {
    /// The process is killed and started again.
    case kill
    /// The app moves to the background, its process is suspended, and the app returns to the foreground.
    case suspend
    /// Every open connection is closed.
    case drop
    /// No bytes arrive for longer than the client's dead-connection timeout; connections open at that time stay dead.
    case blackhole
    /// The phone switches to another network.
    case handoff
    /// The next message from the server is delivered twice.
    case duplicate
    /// The next message from the server is delayed so that later messages overtake it.
    case late

    /// Parses a list such as `kill,drop`, in any order, or `all`. The result is in the order of the enum's cases.
    ///
    /// - Throws: ``UnknownKind`` for the first word that is not a kind.
    package static func list(_ text: String) throws(UnknownKind) -> [PerturbationKind] {
        var chosen: Set<PerturbationKind> = []
        for word in text.split(separator: ",", omittingEmptySubsequences: false) {
            let name = word.filter { !$0.isWhitespace }
            if name == "all" {
                chosen.formUnion(allCases)
            } else if let kind = PerturbationKind(rawValue: name) {
                chosen.insert(kind)
            } else {
                throw UnknownKind(word: name)
            }
        }
        return allCases.filter(chosen.contains)
    }

    package struct UnknownKind: Error, Hashable {
        package var word: String
    }
}

/// The state of the devices when a perturbation begins, which determines the perturbation's moves.
package struct DeviceState: Hashable, Sendable {
    /// What the app's screen shows; the user restores it after the process has been killed.
    package struct Screen: Hashable, Sendable {
        package var client: ClientID
        package var hasList = false
        package var conversation: String?
    }

    /// The clients that the perturbation affects; empty for all clients.
    package var clients: [ClientID] = []
    /// Whether every affected client has a running process.
    package var isRunning = true
    package var isInForeground = true
    /// Whether the screen shows a preview, a dialog or typed text, or the user is signing out. All of these are lost
    /// when the process is killed.
    package var hasDraft = false
    /// Whether the disk of an affected client has ever been full.
    package var hadFullDisk = false
    /// The screens of the affected clients.
    package var screens: [Screen] = []
    /// The time since the most recent action by any user; nil if there has been none.
    package var touched: TimeSpan?
    /// The affected clients whose `connection.state` is connected.
    package var connected: [ClientID] = []
}

extension PerturbationKind {
    private static let downtime = TimeSpan.seconds(2)
    private static let suspension = TimeSpan.seconds(30)
    private static let lateness = TimeSpan.seconds(3)
    /// The duration of a blackhole if neither the client nor the server sends pings.
    private static let longSilence = TimeSpan.seconds(60)
    private static let margin = TimeSpan.seconds(5)

    /// Returns the moves (steps) that begin and end the perturbation; nil if it cannot be applied while the devices are
    /// in this state.
    package func moves(_ device: DeviceState, _ scenario: Scenario) -> [Move]? {
        var moves: [Move] = []
        func add(
            _ actor: Actor,
            _ verb: String,
            _ values: [(name: String, value: ArgumentValue)] = [],
            label: String? = nil
        ) {
            guard let move = Move(actor, verb, values, label: label, clients: device.clients) else { return }
            moves.append(move)
        }
        switch self {
        case .kill:
            // A kill would discard the preview, dialog or typed text, so a later step that uses it would have no
            // effect. It would also discard any data that could not be written because the disk was full.
            guard device.isRunning, !device.hasDraft, !device.hadFullDisk else { return nil }
            // A kill may lose an action that the user performed less than `storing` ago, so wait until that much time
            // has passed.
            let storing = scenario.invariantSettings.writeTime + .milliseconds(1)
            if let touched = device.touched, touched < storing { moves.append(.rest(storing - touched)) }
            add(.device, "kill")
            moves.append(.rest(Self.downtime))
            add(.device, "start")
            // Once the process has started, and no earlier, the user can return to the screens that were open before
            // the kill.
            moves.append(.rest(.milliseconds(1)))
            for screen in device.screens {
                let only = scenario.clients.count > 1 ? [screen.client] : []
                if screen.hasList, let move = Move(.user, "open_list", clients: only) { moves.append(move) }
                guard let name = screen.conversation else { continue }
                if let move = Move(.user, "open", [("conversation", .text(name))], clients: only) { moves.append(move) }
            }
        case .suspend:
            guard device.isRunning else { return nil }
            if device.isInForeground { add(.device, "background") }
            moves.append(.rest(.seconds(1)))
            add(.device, "suspend", [("for", .duration(Self.suspension))])
            moves.append(.rest(Self.suspension + .milliseconds(1)))
            if device.isInForeground { add(.device, "foreground") }
        case .drop: add(.network, "drop")
        case .blackhole:
            let noticed = scenario.invariantSettings.deadTime ?? Self.longSilence
            add(.network, "blackhole", label: Self.label)
            moves.append(.rest(noticed + Self.margin))
            // `heal` is not restricted to clients: its label identifies the fault.
            if let heal = Move(.network, "heal", [("label", .text(Self.label))]) { moves.append(heal) }
        case .handoff: add(.device, "handoff")
        case .duplicate: add(.network, "frames", Self.next("duplicate"), label: Self.label)
        case .late:
            add(.network, "frames", Self.next("delay") + [("delay", .duration(Self.lateness))], label: Self.label)
            moves.append(.rest(Self.lateness))
        }
        return moves
    }

    private static func next(_ action: String) -> [(name: String, value: ArgumentValue)] {
        [("action", .text(action)), ("count", .integer(1)), ("stream", .text("downstream"))]
    }

    /// The label of the fault that the perturbation injects.
    package static let label = "perturbation"
}
