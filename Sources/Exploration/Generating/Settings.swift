import ScenarioModel
import SquallCore

/// Values of the profile that change what a client does, and of which a few are set in some drafts.
enum Settings {
    /// Each line is set as a whole.
    private static let groups: [[Draft.Setting]] = [
        [setting("heartbeat.interval", .seconds(10))],
        [setting("history.page", 5)],
        [setting("history.page", 10)],
        [setting("cache.per_conversation", 3)],
        [setting("reconnect.on_exhausted", "stop"), setting("reconnect.max_attempts", 3)],
        [setting("reconnect.on_exhausted", "breaker"), setting("reconnect.max_attempts", 3)],
        [setting("reconnect.on_exhausted", "poll"), setting("reconnect.max_attempts", 2)],
        [Draft.Setting("send.auto_retry", .flag(false))],
        [setting("server.work.span", .seconds(2))],
        [setting("server.work.span", .seconds(8))],
        [setting("server.reply.delay", .milliseconds(300))],
        [setting("server.rate_limit.count", 3), setting("server.rate_limit.window", .seconds(10))],
        [setting("server.heartbeat.interval", .seconds(15))],
        [setting("unread.clear_on", "visible")],
        [setting("unread.refresh", .seconds(20))],
        [setting("people.refresh", .seconds(20))],
        [setting("connect.compress_above", 64), setting("server.compress_above", 64)],
        [setting("server.max_message_size", 4096)],
        [Draft.Setting("times.shown", .flag(true))],
        [Draft.Setting("start.partners", .flag(true))],
        [Draft.Setting("switch.keep_dimmed", .flag(true))],
        [Draft.Setting("connect.proves_fresh", .flag(true)), setting("server.auth.window", .seconds(30))],
        [setting("server.hosts", "chat.test spare.test"), setting("connect.other_hosts", "spare.test")],
        [Draft.Setting("server.tls", .flag(true))],
        [setting("device.clock_skew", .seconds(90))],
    ]

    private static func setting(_ name: String, _ span: TimeSpan) -> Draft.Setting {
        Draft.Setting(name, .duration(span))
    }
    private static func setting(_ name: String, _ number: Int64) -> Draft.Setting {
        Draft.Setting(name, .integer(number))
    }
    private static func setting(_ name: String, _ text: String) -> Draft.Setting { Draft.Setting(name, .text(text)) }

    static func draw(_ generator: inout SeededGenerator) -> [Draft.Setting] {
        var settings: [Draft.Setting] = []
        let count = generator.pick([0, 0, 1, 2]) ?? 0
        for _ in 0..<count {
            let group = generator.pick(groups) ?? []
            guard group.allSatisfy({ Profile.field(named: $0.name) != nil }) else { continue }
            guard !group.contains(where: { new in settings.contains { $0.name == new.name } }) else { continue }
            settings += group
        }
        return settings
    }

    /// The names that no profile has, for the tests.
    static var unknown: [String] { groups.flatMap(\.self).map(\.name).filter { Profile.field(named: $0) == nil } }
}
