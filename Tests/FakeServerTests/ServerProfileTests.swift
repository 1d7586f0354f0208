import FakeServer
import SquallCore
import Testing

@Suite struct ServerProfileTests {
    @Test("Every field of the server profile can be set and read") func everyFieldReadsWhatItWrote() {
        for field in ServerProfile.fields {
            let fresh = ServerProfile()
            let other: ArgumentValue =
                switch field.get(fresh) {
                case .text(let text): .text(field.other(than: text))
                case .integer(let number): .integer(number + 1)
                case .duration(let span): .duration(span + .seconds(1))
                case .flag(let flag): .flag(!flag)
                case let value: value
                }
            var changed = fresh
            field.set(&changed, other)
            #expect(field.get(changed) == other, "\(field.name)")
            #expect(changed != fresh, "\(field.name)")
            var untouched = fresh
            field.set(&untouched, .list([]))
            field.set(&untouched, .integer(-1))
            #expect(untouched == fresh, "\(field.name)")
        }
    }

    @Test("Every field of the server profile has a distinct name that begins with server.")
    func namesAreUniqueAndInFull() {
        let names = ServerProfile.fields.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(names.allSatisfy { $0.hasPrefix("server.") })
        #expect(ServerProfile.fields.allSatisfy { !$0.meaning.isEmpty })
    }

    @Test(
        "The default values are those of the audited server",
        arguments: [
            ("server.replay.messages", ArgumentValue.integer(1000)),
            ("server.replay.age", .duration(.seconds(3600))),
            ("server.rate_limit.count", .integer(60)),
            ("server.rate_limit.window", .duration(.seconds(60))),
            ("server.page.size", .integer(50)),
            ("server.drain.notice", .duration(.seconds(1))),
            ("server.drain.retry_after", .duration(.seconds(5))),
            ("server.auth.key", .text("key-1")),
            ("server.max_message_size", .integer(262_144)),
            ("server.clock.epoch", .integer(1_767_225_600_000)),
            ("server.heartbeat.interval", .duration(.zero)),
            ("server.reply.delay", .duration(.zero)),
            ("server.ping.answered", .flag(true)),
        ]
    )
    func theDefaultsAreTheAudits(_ name: String, _ value: ArgumentValue) throws {
        let field = try #require(ServerProfile.fields.first { $0.name == name })
        #expect(field.get(ServerProfile()) == value)
    }
}

extension ProfileField {
    /// Returns another of the field's keywords, or a different string if the field is not limited to keywords.
    fileprivate func other(than text: String) -> String {
        guard case .word(let words) = kind else { return text + "x" }
        return words.first { $0 != text } ?? text
    }
}
