import FakeServer
import ScenarioModel
import SquallCore
import TemporalLogic

/// Draws profile values that change the behaviour of a client; most drafts change a few values.
enum Settings {
    /// Groups of settings that are applied together.
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

    /// Draws settings for a run, including the settings of the theme's prologue.
    ///
    /// - Parameter profile: The profile that the settings change.
    static func draw(
        _ profile: Profile,
        for theme: Theme,
        _ roster: Roster,
        _ generator: inout SeededGenerator
    ) -> [Draft.Setting] {
        var settings = theme.prologue?.settings ?? []
        if roster.clients.count > 1, generator.below(2) == 0 {
            settings.append(Draft.Setting("server.presence.announced", .flag(true)))
        }
        let count = generator.pick([0, 0, 1, 2]) ?? 0
        for _ in 0..<count {
            let group = generator.pick(groups) ?? []
            guard group.allSatisfy({ Profile.field(named: $0.name) != nil }) else { continue }
            guard !group.contains(where: { new in settings.contains { $0.name == new.name } }) else { continue }
            settings += group
        }
        let others = generator.pick([0, 0, 1, 3]) ?? 0
        for _ in 0..<others {
            guard let setting = any(profile, &generator), !settings.contains(where: { $0.name == setting.name })
            else { continue }
            settings.append(setting)
        }
        return endsLiveConnections(profile, with: settings)
            ? settings.filter { !$0.name.contains("heartbeat.") } : settings
    }

    /// Returns whether a server with these settings drops every idle client, because the client's pings are further
    /// apart than the server's silence limit. Such a client is connected only part of the time.
    private static func endsLiveConnections(_ profile: Profile, with settings: [Draft.Setting]) -> Bool {
        var draft = Draft(profile: "")
        draft.settings = settings
        let tuned = draft.tuned(profile)
        let limit = tuned.server.heartbeat.silenceLimit
        guard limit > .zero else { return false }
        let interval = Scenario(file: "", name: "", profile: tuned).invariantSettings.pingInterval
        return interval.map { $0 >= limit } ?? true
    }

    // MARK: - Any field

    /// The prefixes of profile fields that are never changed: texts, the server's address, and values that invariants
    /// rely on.
    private static let kept = [
        "clock.", "wire.", "text.", "label.", "expect.", "server.upstream", "server.auth.", "server.reply.", "connect.",
        "server.clock.", "device.epoch", "device.sleep_tolerance", "server.close.", "server.tls", "server.hosts",
        "device.clock_skew",
    ]

    private static let fields = Profile.fields.filter { field in
        !kept.contains { field.name.hasPrefix($0) } && field.kind != .text
    }

    /// Draws a different value for a random field that is a flag, a word, a number or a duration.
    private static func any(_ profile: Profile, _ generator: inout SeededGenerator) -> Draft.Setting? {
        guard let field = generator.pick(fields) else { return nil }
        switch (field.kind, field.get(profile)) {
        case (.flag, .flag(let isOn)): return Draft.Setting(field.name, .flag(!isOn))
        case (.word(let words), _): return generator.pick(words).map { Draft.Setting(field.name, .text($0)) }
        case (.integer(let range), .integer(let value)):
            let candidates = [1, 2, 3, 5, value / 4, value / 2, value * 2].filter(range.contains)
            return generator.pick(candidates).map { Draft.Setting(field.name, .integer($0)) }
        case (.duration, .duration(let span)):
            let usual = span > .zero ? span : .seconds(20)
            let quarter = TimeSpan(nanoseconds: max(usual.nanoseconds / 4, 1_000_000))
            let candidates = [quarter, TimeSpan(nanoseconds: usual.nanoseconds / 2), usual, usual + usual]
            return generator.pick(candidates).map { Draft.Setting(field.name, .duration($0)) }
        default: return nil
        }
    }

    /// The names in the groups that are not profile fields; a test checks that there are none.
    static var unknown: [String] { groups.flatMap(\.self).map(\.name).filter { Profile.field(named: $0) == nil } }
}
