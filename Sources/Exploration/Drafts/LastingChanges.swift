import FakeServer
package import ScenarioModel
package import SquallCore

/// The changes to the server and the devices that last until another step undoes them.
///
/// Faults of the network are not included, because the trace records when they begin and end. Rules that apply to a
/// limited number of frames or requests are not included either, because they end by themselves.
package struct LastingChanges: Hashable, Sendable {
    package struct Change: Hashable, Sendable {
        /// The step that made the change.
        package let step: Move
        /// The step that undoes it.
        package let undo: Move
        /// The name of the changed setting. A later change of the same setting replaces this one.
        fileprivate let setting: String
    }

    /// The changes in force, oldest first.
    package private(set) var all: [Change] = []
    private let profile: Profile

    package init(of steps: [Move], _ profile: Profile) {
        self.profile = profile
        for step in steps {
            guard let (setting, undo) = effect(of: step) else { continue }
            all.removeAll { $0.setting == setting || Self.isForAll(step) && $0.setting.hasPrefix(Self.networkOfOne) }
            if let undo { all.append(Change(step: step, undo: undo, setting: setting)) }
        }
    }

    /// The beginning of the setting's name if a step changes the network of some clients only.
    private static let networkOfOne = "network of "

    /// Returns whether a step sets the network of all clients, which replaces what was set for some of them.
    private static func isForAll(_ step: Move) -> Bool { step.is(.device, "network") && step.clients.isEmpty }

    /// Returns the setting that a step changes, and the step that undoes the change; `undo` is nil if the step itself
    /// restores the original state. Returns nil if the step changes nothing that lasts.
    private func effect(of step: Move) -> (setting: String, undo: Move?)? {
        guard let (entry, arguments) = step.action else { return nil }
        func undo(_ verb: String, _ values: [(name: String, value: ArgumentValue)] = []) -> Move? {
            Move(entry.actor, verb, values, clients: step.clients)
        }
        switch (entry.actor, entry.verb) {
        case (.server, "limit"):
            let usual = profile.server.rateLimit
            let isUsual =
                arguments.duration("per") == usual.window
                && (usual.window == .zero || arguments.integer("count") == Int64(usual.count))
            let values: [(name: String, value: ArgumentValue)] = [
                ("count", .integer(usual.window == .zero ? 0 : Int64(usual.count))), ("per", .duration(usual.window)),
            ]
            return ("limit", isUsual ? nil : undo("limit", values))
        case (.server, "auth"):
            if let key = arguments.text("key") {
                let usual = profile.server.auth.key
                return ("key", key == usual ? nil : undo("auth", [("key", .text(usual))]))
            }
            return ("logins", arguments.flag("accept") == true ? nil : undo("auth", [("accept", .flag(true))]))
        case (.server, "pong"):
            let usual = profile.server.ping.answered
            return ("pong", arguments.flag("on") == usual ? nil : undo("pong", [("on", .flag(usual))]))
        case (.server, "heartbeat"):
            let usual = profile.server.heartbeat.interval > .zero
            let isUsual = arguments.flag("on") == usual && arguments.duration("every") == nil
            return ("heartbeat", isUsual ? nil : undo("heartbeat", [("on", .flag(usual))]))
        case (.server, "stop"), (.server, "crash"), (.server, "restart"), (.server, "drain"), (.server, "start"):
            let staysDown = ["stop", "crash"].contains(entry.verb) && arguments.duration("down") == nil
            return ("server", staysDown ? undo("start") : nil)
        case (.server, "down"), (.server, "up"):
            guard let host = arguments["host"] else { return nil }
            return ("host \(host.formText)", entry.verb == "up" ? nil : undo("up", [("host", host)]))
        case (.server, "hold"):
            guard let label = step.defined.first?.label else { return nil }
            return ("hold \(label)", undo("release", [("label", .text(label))]))
        case (.server, "release"): return arguments.text("label").map { ("hold \($0)", nil) }
        case (.server, "delay"), (.server, "slow"), (.server, "fail"), (.server, "rule"):
            guard arguments.integer("count") == nil, arguments.integer("nth") == nil else { return nil }
            return ("rules", undo("clear"))
        case (.server, "clear"): return ("rules", nil)
        case (.device, "network"):
            let isOn = arguments.text("state") != "off"
            let names = step.clients.map(\.name).joined(separator: ", ")
            let setting = step.clients.isEmpty ? "network" : Self.networkOfOne + names
            return (setting, isOn ? nil : undo("network", [("state", .text("on"))]))
        default: return nil
        }
    }
}

extension ArgumentValue {
    /// The value as a user would type it into a form.
    package var formText: String {
        switch self {
        case .text(let text): text
        case .integer(let number): String(number)
        case .duration(let span): "\(span)"
        case .flag(let flag): String(flag)
        case .list(let items): items.map(\.formText).joined(separator: ", ")
        case .json(let json): json.description
        }
    }
}
