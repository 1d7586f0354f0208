import Foundation
import ScenarioModel
import SquallCore
import Testing
import Trace

@testable import Exploration
@testable import Squall

@Suite("Repeating scenarios with a perturbation at each place")
struct PerturbationTests {
    private static let baseline = """
        squall: 1
        name: a message and its reply
        script:
          - user: { open: stukov }
          - wait: { connection.state: connected }
          - user: { send: hello }
            as: hello
          - wait: { "message.status[hello]": delivered }
          - server: { post: stukov }
            as: reply
          - wait: 1s
        """

    /// Writes the scenario to a file, perturbs it, and returns the result along with the text of each finding.
    private static func perturb(
        _ text: String = baseline,
        _ change: (inout PerturbOptions) -> Void
    ) async throws -> (result: PerturbResult, texts: [String]) {
        let folder = NSTemporaryDirectory() + "perturbation-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = "\(folder)/baseline.yaml"
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        var options = PerturbOptions()
        options.jobs = 2
        options.folder = "\(folder)/found"
        change(&options)
        let scenarios = try Suite.load(SuiteSelection(paths: [file]))
        let result = try await Perturber(scenarios, options).play()
        let texts = try result.found.compactMap(\.path).map {
            try String(contentsOfFile: $0, encoding: .utf8).replacing(folder, with: "")
        }
        return (result, texts)
    }

    @Test("a list of kinds is parsed in any order, 'all' selects every kind, and an unknown kind is an error")
    func kinds() throws {
        let two = try PerturbationKind.list("drop, kill")
        #expect(two == [.kill, .drop])
        let all = try PerturbationKind.list("late,all")
        #expect(all == PerturbationKind.allCases)
        #expect(throws: PerturbationKind.UnknownKind(word: "dorp")) { try PerturbationKind.list("kill,dorp") }
    }

    @Test("a correct client keeps every invariant and ends in the same state after every perturbation")
    func sound() async throws {
        let (result, _) = try await Self.perturb { $0.kinds = PerturbationKind.allCases }
        #expect(result.found.map(\.why) == [])
        // There are six places to perturb: after each of the scenario's three steps, and at each of the client's three
        // state changes (to connecting, authenticating and connected).
        #expect(result.runs == 6 * PerturbationKind.allCases.count)
    }

    @Test(
        "a kill does not discard a command that the client has not processed or stored yet",
        arguments: [
            """
            squall: 1
            name: the user signs in while another user is signed in
            script:
              - device: { token: phone-1 }
              - server: { account: { user: anna, key: key-3 } }
              - wait: { connection.state: connected }
              - wait: 1s
              - network: { latency: 300ms }
              - user: { sign_in: { user: anna, key: key-3 } }
              - wait: { app.user: anna }
              - wait: 3s
            """,
            """
            squall: 1
            name: the user attaches an image while the app is starting
            script:
              - user: { open: stukov }
              - user: { attach: { file: photo.jpg, bytes: 1000 } }
              - wait: { preview.file: photo.jpg }
              - user: send_image
                as: photo
              - wait: 3s
            """,
        ]
    )
    func unstoredCommand(baseline: String) async throws {
        let (result, _) = try await Self.perturb(baseline) { $0.kinds = [.kill] }
        #expect(result.found.map(\.why) == [])
        #expect(result.runs > 0)
    }

    @Test("a message that the server has stored without sending it need not be shown after a perturbation")
    func unannouncedMessages() async throws {
        let baseline = """
            squall: 1
            name: the server stores messages twice without sending them
            script:
              - wait: { connection.state: connected }
              - user: open_list
              - wait: 1s
              - server: { history: { conversation: kerrigan, count: 3 } }
              - wait: 1s
              - server: { history: { conversation: kerrigan, count: 2 } }
              - wait: 1s
            """
        let (result, _) = try await Self.perturb(baseline) { $0.kinds = [.kill, .suspend] }
        #expect(result.found.map(\.why) == [])
    }

    @Test("perturbations are placed at every step and every change of the connection state, in time order")
    func places() throws {
        let file = NSTemporaryDirectory() + "perturbation-\(UUID().uuidString).yaml"
        try Data(Self.baseline.utf8).write(to: URL(fileURLWithPath: file))
        defer { try? FileManager.default.removeItem(atPath: file) }
        let scenario = try #require(try Suite.load(SuiteSelection(paths: [file])).first)
        let options = PerturbOptions()
        let perturbed = PerturbedCase(scenario: scenario, options: options, quota: nil)
        guard
            case .played(let baseline, let script) = try perturbed.undisturbed(PerturbedCase.player(for: file, options))
        else {
            Issue.record("the baseline was not played")
            return
        }
        #expect(
            baseline.places.map { $0.description.prefix { $0 != ")" } } == [
                "after step 1 (user.open", "when connection.state is connecting at 0.000",
                "when connection.state is authenticating at 0.001", "after step 3 (user.send",
                "when connection.state is connected at 0.001", "after step 5 (server.post",
            ]
        )
        // The perturbation is inserted at the chosen place, and the steps before it are unchanged.
        let place = try #require(baseline.places.last)
        let added = try #require(PerturbationKind.drop.moves(place.device, script))
        let steps = try #require(baseline.perturbed(at: place, by: added)).scenario.script
        #expect(steps.prefix(5).map(\.location.line) == script.script.prefix(5).map(\.location.line))
        guard case .act(let stimulus) = steps[5].kind else {
            Issue.record("no action follows the last step")
            return
        }
        #expect(stimulus.name == "network.drop")
    }

    @Test("a handoff reveals a client that stays on a dead path and is reported at the first harmful step")
    func plantedDefect() async throws {
        let (result, texts) = try await Self.perturb {
            ($0.kinds, $0.defects) = ([.drop, .handoff], ["handoffUnnoticed"])
        }
        let found = try #require(result.found.first)
        #expect(found.cause.kind == .handoff)
        #expect(found.isConfirmed)
        #expect(found.place.hasPrefix("after step"))
        #expect(texts.first?.contains("- device: handoff") == true)
        #expect(texts.first?.contains("--defect handoffUnnoticed --seed 1") == true)
    }

    @Test("a client that drops a message sent while offline ends in a different state")
    func plantedLoss() async throws {
        let (result, texts) = try await Self.perturb {
            ($0.kinds, $0.defects) = ([.kill], ["promptDroppedOffline"])
        }
        #expect(result.found.map(\.cause.judge) == [PerturbedCause.end])
        #expect(result.found.map(\.isConfirmed) == [true])
        #expect(texts.first?.contains("- count: { of: \"server.stored[hello]\", at_least: 1 }") == true)
    }

    @Test("an action at a time after an event is not performed while the killed process is down")
    func postponedActions() async throws {
        let text = """
            squall: 1
            name: an action two seconds after a fault
            script:
              - user: { open: stukov }
              - wait: { connection.state: connected }
              - network: { stall: { for: 10s } }
                as: outage
              - at: fault.began[outage] + 1s
                user: { send: "hello", as: hello }
              - wait: { "message.status[hello]": delivered, within: 40s }
            """
        let (result, _) = try await Self.perturb(text) { $0.kinds = [.kill] }
        #expect(result.found.map(\.why) == [])
        #expect(result.runs > 3)
    }

    @Test("the findings are identical, byte for byte, for any number of parallel runs")
    func deterministic() async throws {
        func texts(jobs: Int) async throws -> [String] {
            try await Self.perturb {
                ($0.kinds, $0.defects) = ([.kill, .handoff], ["handoffUnnoticed"])
                ($0.jobs, $0.sample) = (jobs, 6)
            }.texts
        }
        let alone = try await texts(jobs: 1)
        #expect(!alone.isEmpty)
        let together = try await texts(jobs: 3)
        #expect(together == alone)
    }

    @Test("a sample contains at most as many runs as requested")
    func sample() async throws {
        let (result, _) = try await Self.perturb { $0.sample = 5 }
        #expect(result.runs == 5)
    }

    @Test("a scenario that fails without a perturbation is skipped with its reason")
    func failing() async throws {
        let (result, _) = try await Self.perturb(
            Self.baseline + "\n  - wait: { connection.state: idle, within: 1s }\n"
        ) { $0.kinds = [.drop] }
        #expect(result.runs == 0)
        #expect(result.skipped.first?.why.hasPrefix("without a perturbation, wait") == true)
    }
}

@Suite("Comparing the ends of two runs")
struct EndStateTests {
    private static func end(_ values: [(String, String?, JSON)], killed: Bool = false) -> EndState {
        var recorder = TraceRecorder()
        func add(_ observation: Observation) {
            recorder.record(observation, client: .only, at: .zero, cause: nil)
        }
        add(.set("connection.state", to: "connected", by: .reported))
        for (name, key, value) in values { add(.set(name, key: key, to: value, by: .reported)) }
        if killed { add(.happened("client.killed", by: .injected)) }
        let header = TraceHeader(
            language: 1,
            tool: "",
            scenario: "",
            variant: nil,
            profile: "",
            seed: Seed(1),
            clock: .sim,
            defects: []
        )
        return EndState(recorder.recording(header, end: .zero))
    }

    private static func differences(
        _ name: String,
        of key: String? = nil,
        _ expected: JSON,
        _ found: JSON,
        after kind: PerturbationKind
    ) -> [String] {
        EndDifference.all(
            of: end([(name, key, found)]),
            from: end([(name, key, expected)]),
            kind,
            labels: ["hello"]
        ).map(\.name.name)
    }

    @Test("an observable without a comparison class must be equal after every kind of perturbation")
    func lasting() {
        for kind in PerturbationKind.allCases {
            #expect(Self.differences("app.user", "anna", nil, after: kind) == ["app.user"])
            #expect(Self.differences("app.user", "anna", "anna", after: kind) == [])
        }
    }

    @Test("the screen must be equal after every perturbation except a kill")
    func screen() {
        #expect(Self.differences("view.phase", "rows", "error", after: .drop) == ["view.phase"])
        #expect(Self.differences("view.phase", "rows", "error", after: .kill) == [])
    }

    @Test("a message that would otherwise be delivered may fail only after a long perturbation")
    func outcome() {
        let status = "message.status"
        #expect(Self.differences(status, of: "hello", "delivered", "failed", after: .drop) == [status])
        #expect(Self.differences("message.status", of: "hello", "delivered", "failed", after: .blackhole) == [])
        #expect(Self.differences("message.status", of: "hello", "failed", "delivered", after: .drop) == [])
    }

    @Test("a message without a label is not compared, because a scenario file cannot name it")
    func unlabelled() {
        #expect(Self.differences("message.status", of: "m1-000001", "delivered", "failed", after: .drop) == [])
    }

    @Test("the loaded rows may differ after a perturbation but must not be empty")
    func extent() {
        let rows = "view.rows"
        #expect(Self.differences(rows, ["a", "b"], [], after: .drop) == [rows])
        #expect(Self.differences(rows, ["a", "b"], ["b", "c"], after: .drop) == [])
    }

    @Test("the messages of a conversation that the user has left are not compared")
    func extentOfAConversation() {
        func differences(viewing view: JSON) -> [String] {
            let messages = "conversation.messages"
            return EndDifference.all(
                of: Self.end([("view.conversation", nil, view), (messages, "stukov", [])]),
                from: Self.end([("view.conversation", nil, view), (messages, "stukov", ["m1"])]),
                .drop,
                labels: []
            ).map(\.name.name)
        }
        #expect(differences(viewing: "stukov") == ["conversation.messages"])
        #expect(differences(viewing: "kerrigan") == [])
    }

    @Test("the values of a killed process are not part of its end state")
    func killed() {
        #expect(Self.end([("app.user", nil, "anna")], killed: true).values.isEmpty)
    }

    @Test("every observable in the table of comparison classes exists in the registry")
    func names() {
        let names = Registry.observables.map(\.name)
        for (_, patterns) in EndClass.table {
            for pattern in patterns {
                #expect(names.contains { pattern.hasSuffix(".") ? $0.hasPrefix(pattern) : $0 == pattern }, "\(pattern)")
            }
        }
        for (followed, followers) in EndClass.followers {
            #expect(Set(followers + [followed]).isSubset(of: names), "\(followed)")
        }
    }
}
