import ScenarioModel
import SquallCore

/// Maps actions to the actions on which their effect depends.
///
/// An action has little effect unless at least one of its required actions has been performed.
enum Requirements {
    private static let table: [String: Set<String>] = [
        "device.start": ["device.kill", "device.reboot"],
        "device.foreground": ["device.background"],
        "device.permission": ["device.token"],
        "device.disappear": ["user.open"],
        "server.start": ["server.stop", "server.crash"],
        "server.up": ["server.down"],
        "server.release": ["server.hold"],
        "server.fail_prompt": ["user.send"],
        "server.push": ["device.token"],
        "server.clear": [
            "server.swallow", "server.delay", "server.slow", "server.fail", "server.rule", "server.respond",
        ],
        "network.heal_all": Set(Registry.actions.filter { $0.labelKind == .fault }.map(\.fullName)),
        "user.reconnect": ["user.disconnect"],
        "user.leave": ["user.open"],
        "user.mark_read": ["server.post"],
        "user.load_earlier": ["server.history"],
        "user.delete": ["user.send"],
        "user.confirm_delete": ["user.delete"],
        "user.cancel_delete": ["user.delete"],
        "user.undo": ["user.confirm_delete"],
        "user.send_image": ["user.attach"],
        "user.cancel_image": ["user.attach"],
        "user.tap": ["device.token"],
        "user.reply": ["device.token"],
        "user.open_settings": ["device.permission"],
        "user.answer_prompt": ["user.send"],
        "device.kill_extension": ["user.share_message"],
        "user.portal_login": ["network.captive_portal"],
        "user.sign_in": ["server.account"],
        "user.retry": ["user.send"],
        "user.retry_all": ["user.send"],
        "user.stop": ["user.send", "user.execute"],
    ]

    /// Returns the names of the actions that `name` requires, at least one of which must have been performed; nil if
    /// `name` requires none.
    static func of(_ name: String) -> Set<String>? { table[name] }

    /// Returns the names of the actions that require the action `name`, sorted.
    static func followers(of name: String) -> [String] {
        table.filter { $0.value.contains(name) }.map(\.key).sorted()
    }

    /// The names in the table that are not actions in the registry; a test checks that there are none.
    static var unknown: [String] {
        let names = Set(Registry.actions.map(\.fullName))
        return Set(table.keys).union(table.values.joined()).subtracting(names).sorted()
    }
}
