import ChatWire
import ScenarioLanguage
import ScenarioModel
import SquallCore
import TemporalLogic
import Testing

/// Tests the profiles shipped with Squall and the names of their settings.
@Suite struct ProfileTests {
    @Test("Every shipped profile can be parsed", arguments: ProfileReader.names)
    func loads(_ name: String) throws {
        let profile = try #require(try ProfileReader.profile(named: name))
        #expect(profile.name == name)
        #expect(profile.wire.problems.isEmpty)
    }

    @Test("Looking up an unknown profile name returns nil")
    func unknownOnes() throws {
        #expect(try ProfileReader.profile(named: "chat") == nil)
    }

    @Test("Every shipped profile differs from every other shipped profile")
    func differFromEachOther() throws {
        let profiles = try ProfileReader.names.compactMap { try ProfileReader.profile(named: $0) }
        #expect(profiles.count == ProfileReader.names.count)
        #expect(profiles.first == Profile(name: "default"))
        for (index, profile) in profiles.enumerated().dropFirst() {
            for other in profiles[..<index] {
                var renamed = profile
                renamed.name = other.name
                #expect(renamed != other, "\(profile.name) is \(other.name) by another name")
            }
        }
    }

    @Test("The names of the settings in a profile are unique")
    func valuesHaveDifferentNames() {
        let names = Profile.fields.map(\.name)
        #expect(Set(names).count == names.count)
    }

    /// Returns a value of the field's kind that differs from the default value.
    private static func other(than value: ArgumentValue, _ kind: ParameterKind) throws -> (
        text: String, value: ArgumentValue
    ) {
        switch (kind, value) {
        case (.integer(let range), .integer(let number)):
            let other = number < range.upperBound ? number + 1 : number - 1
            return (String(other), .integer(other))
        case (.duration, .duration(let span)):
            let other = span + .seconds(1)
            return ("\(other.nanoseconds)ns", .duration(other))
        case (.flag, .flag(let flag)): return (flag ? "off" : "on", .flag(!flag))
        case (.word(let words), .text(let word)):
            let other = try #require(words.first { $0 != word })
            return (other, .text(other))
        // `/other` is prepended rather than appended, because a path can end with a placeholder.
        case (.text, .text(let text)): return ("\"/other\(text)\"", .text("/other\(text)"))
        default: throw WrongKind()
        }
    }

    private struct WrongKind: Error {}

    @Test("Every setting of a profile can be set and read", arguments: Profile.fields.map(\.name))
    func canBeSetAndAskedFor(_ name: String) throws {
        let field = try #require(Profile.field(named: name))
        // `server.upstream` is the only string setting whose value must follow a particular syntax.
        let (text, value) =
            name == "server.upstream"
            ? ("ws://localhost:8080", ArgumentValue.text("ws://localhost:8080"))
            : try Self.other(than: field.get(Profile()), field.kind)
        let changed = try scenario("set: { \(name): \(text) }").profile
        #expect(field.get(changed) == value)
        #expect(changed[name] == value)
        var expected = Profile(name: "default")
        field.set(&expected, value)
        #expect(changed == expected)
        if name.hasPrefix("server.") {
            #expect(try scenario("server: { \(name.dropFirst(7)): \(text) }").profile == expected)
        }
    }
}
