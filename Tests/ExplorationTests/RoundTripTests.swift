import Foundation
import ScenarioLanguage
import ScenarioModel
import SquallCore
import TemporalLogic
import TestSupport
import Testing

@testable import Exploration

@Suite("Random drafts as scenario files")
struct RoundTripTests {
    /// Built-in profiles, some of which have their own frame templates.
    static let profiles = ["default", "chat-ux", "push", "flows", "array-frames", "op-frames", "text-frames"]

    /// Whether to test more drafts, as `make soak` does.
    private static let isSoak = ProcessInfo.processInfo.environment["SQUALL_SOAK"] == "1"

    static func generator(seed: UInt64 = 1) throws -> Generator {
        let named = try profiles.map {
            Generator.NamedProfile(name: $0, profile: try #require(try ProfileReader.profile(named: $0)))
        }
        return Generator(seed: Seed(seed), profiles: named)
    }

    @Test("Parsing the file of a random draft gives the same scenario as the draft", arguments: 1...8)
    func roundTrip(_ part: Int) throws {
        let generator = try Self.generator(seed: UInt64(part))
        for run in 1...(Self.isSoak ? 2_000 : 100) {
            let trial = generator.trial(run)
            let text = ScenarioWriter.text(of: trial.draft, trial.profile, .init(name: "draft", comments: ["a: #b"]))
            let meant = try #require(trial.draft.scenario(trial.profile))
            switch ScenarioReader.read(SourceText(file: "draft", text: text)) {
            case .failure(let mistakes): Issue.record("run \(run): \(mistakes)\n\(text)")
            case .success(let scenarios):
                let read = try #require(scenarios.first)
                #expect(scenarios.count == 1)
                #expect(read.profile == meant.profile, "run \(run)\n\(text)")
                #expect(read.clients == meant.clients)
                #expect(read.script.map(\.played) == meant.script.map(\.played), "run \(run)\n\(text)")
            }
        }
    }

    @Test("The generator draws every action of the registry")
    func everyActionIsDrawn() throws {
        let generator = try Self.generator()
        let profiles = [Generator.NamedProfile(name: "default", profile: Profile())]
        // No draft fills the disk, because most invariants do not allow for a full disk.
        var missing = Set(Registry.actions.map { "\($0.actor.rawValue).\($0.verb)" }).subtracting(["device.disk"])
        var run = 0
        while !missing.isEmpty, run < 4000 {
            run += 1
            missing.subtract(generator.trial(run).draft.skeleton)
        }
        #expect(missing == [])

        // The generator uses only the registry entries that it is given.
        let stall = try #require(Registry.action(of: .network, "stall"))
        let only = Generator(seed: Seed(1), profiles: profiles, actions: [stall])
        let storms = (1...100).map { only.trial($0).draft.body.compactMap(\.name) }
        #expect(Set(storms.joined()) == ["network.stall"])
    }

    @Test("For every action that enables another, some random run has the enabled action after it")
    func preparedActionsFollow() throws {
        let generator = try Self.generator()
        var missing: Set<String> = []
        for name in Registry.actions.map(\.fullName) where name != "server.history" {
            // Two actions are exempt: `server.history` precedes the first generated action, and `network.heal_all` is
            // only one of many ways to heal a fault.
            for follower in Requirements.followers(of: name) where follower != "network.heal_all" {
                missing.insert("\(name), \(follower)")
            }
        }
        for run in 1...2500 where !missing.isEmpty {
            let names = generator.trial(run).draft.skeleton
            for (name, next) in zip(names, names.dropFirst()) { missing.remove("\(name), \(next)") }
        }
        #expect(missing.sorted() == [])
    }

    @Test("Requirements and prologues refer only to actions and settings that exist")
    func themesExist() throws {
        #expect(Requirements.unknown == [])
        for prologue in Prologue.all {
            for case .act(let actor, let verb, _) in prologue.steps {
                #expect(Registry.action(of: actor, verb) != nil, "\(prologue.name): \(actor).\(verb)")
            }
            for setting in prologue.settings {
                #expect(Profile.field(named: setting.name) != nil, "\(prologue.name): \(setting.name)")
            }
        }
    }

    @Test("Every setting that drafts use exists in the profile")
    func settingsExist() {
        #expect(Settings.unknown == [])
    }

    @Test("A generated run depends only on the seed and the run's number")
    func runsAreIndependent() throws {
        let (one, other) = (try Self.generator(), try Self.generator())
        let backwards = (1...50).reversed().map { other.trial($0) }
        #expect((1...50).map { one.trial($0) } == backwards.reversed())
        #expect(try Self.generator(seed: 2).trial(1) != one.trial(1))
    }
}

extension Step {
    /// A description of the step's effect, regardless of where it is in the file and how it is written.
    fileprivate var played: String {
        switch kind {
        case .act(let stimulus):
            """
            \(stimulus.verb) \(stimulus.operation) \(stimulus.clients) \(stimulus.label ?? "") \
            \(String(describing: anchor))
            """
        case .pause(let span): "wait \(span)"
        case .wait(let condition, let next, let within): "wait \(condition) \(next) \(within)"
        }
    }
}

@Suite("Scenario files as drafts")
struct DraftReaderTests {
    @Test("each shipped case is still the same scenario after conversion to a draft and back")
    func givenScenarios() throws {
        let files = try FileManager.default.subpathsOfDirectory(atPath: Tool.package.path + "/Scenarios")
        var count = 0
        for path in files.sorted() where path.hasSuffix(".yaml") {
            let file = Tool.package.appendingPathComponent("Scenarios/\(path)")
            let source = SourceText(file: path, text: try String(contentsOf: file, encoding: .utf8))
            guard case .success(let cases) = ScenarioReader.read(source) else { continue }
            for meant in cases {
                let draft = try #require(ScenarioReader.draft(source, variant: meant.variant))
                let text = ScenarioWriter.text(of: draft, Profile(), .init(name: meant.name))
                guard case .success(let again) = ScenarioReader.read(SourceText(file: path, text: text)) else {
                    Issue.record("\(path) \(meant.variant ?? "") is refused:\n\(text)")
                    continue
                }
                let read = try #require(again.first)
                #expect(read.script.map(\.played) == meant.script.map(\.played), "\(path) \(meant.variant ?? "")")
                #expect(read.expectations.map(\.formula) == meant.expectations.map(\.formula), "\(path)")
                #expect(read.profile == meant.profile, "\(path)")
                #expect(read.clients == meant.clients, "\(path)")
                #expect(read.waivers == meant.waivers, "\(path)")
                #expect(read.playOn == meant.playOn && read.worlds == meant.worlds, "\(path)")
                count += 1
            }
        }
        #expect(count > 500)
    }
}
