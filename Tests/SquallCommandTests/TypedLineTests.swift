import ScenarioModel
import Testing

@testable import SquallCommand

@Suite struct TypedLineTests {
    @Test(
        "A single typed word selects an action if exactly one actor has an action with that name",
        arguments: [("drop", "network: drop"), ("  handoff", "device: handoff"), ("drain", "server: drain")]
    )
    func bareWords(_ line: String, _ step: String) {
        #expect(TypedLine(line) == .step(step))
    }

    @Test("A typed line that is not a single action word is passed on unchanged")
    func others() {
        for line in ["network: drop", "{ network: drop, as: gap }", "drop: 5"] {
            #expect(TypedLine(line) == .step(line))
        }
        #expect(TypedLine("   ") == .nothing)
        #expect(TypedLine("exit") == .quit)
        #expect(TypedLine("?") == .help)
        #expect(TypedLine("status") == .status)
        #expect(TypedLine("hold") == .order(.hold))
        #expect(TypedLine(" step") == .order(.step))
        #expect(TypedLine("server: { release: held }") == .step("server: { release: held }"))
        #expect(TypedLine("record") == .record(nil))
        #expect(TypedLine("record  my tunnel.yaml ") == .record("my tunnel.yaml"))
        #expect(TypedLine("record 'a b.yaml'") == .record("a b.yaml"))
        #expect(TypedLine("recording") == .unknown("recording"))
        #expect(TypedLine("explain  stall ") == .explain("stall"))
    }

    @Test(
        "An unknown word is answered with a word that can be typed, without a dash",
        arguments: [
            ("dorp", "there is no 'dorp'; did you mean 'drop'?"),
            ("statsu", "there is no 'statsu'; did you mean 'status'?"),
            ("send", "the client is your app: do 'send' there"),
            ("xyzzy", "there is no 'xyzzy'; type a step, such as network: drop, or 'help'"),
        ]
    )
    func unknownWord(_ word: String, _ answer: String) {
        #expect(TypedLine("\(word) ") == .unknown(word))
        #expect(TypedLine.answer(toUnknown: word) == answer)
    }

    @Test(
        "Usual words for faults and commands are answered with the line to type",
        arguments: [
            ("rate limit", "there is no 'rate limit'; type 'server: { limit: { count: 1, per: 1m } }'"),
            ("half open", "there is no 'half open'; type 'half_open'"),
            ("heal all", "there is no 'heal all'; type 'heal_all'"),
            ("offline", "there is no 'offline'; type 'device: { network: off }'"),
            ("pause", "there is no 'pause'; type 'hold'"), ("resume", "there is no 'resume'; type 'release'"),
        ]
    )
    func usualWords(_ line: String, _ answer: String) {
        #expect(TypedLine(line) == .unknown(line))
        #expect(TypedLine.answer(toUnknown: line) == answer)
    }

    @Test("The command 'explain' without a word asks for one")
    func explainNothing() {
        #expect(TypedLine("explain") == .explain(""))
        #expect(HeldView.explanation(of: "").contains("explain stall"))
    }

    @Test("A line of more than 64 KiB is refused without being parsed")
    func longLine() {
        let longest = String(repeating: "é", count: TypedLine.longest / 2)
        #expect(TypedLine("\(longest)x") == .tooLong)
        #expect(TypedLine(longest) == .unknown(longest))
        #expect(HoldLine("\(longest)x") == .tooLong)
        #expect(HoldLine("status") == .question(.status))
    }

    @Test(
        "Words after a command or an action are answered with a line that works",
        arguments: [
            ("drop 5s", "'drop 5s' is not a step; did you mean 'network: drop'?"),
            ("stall  5s", "'stall 5s' is not a step; did you mean 'network: { stall: 5s }'?"),
            ("network drop", "'network drop' is not a step; did you mean 'network: drop'?"),
            ("network stall 5s", "'network stall 5s' is not a step; did you mean 'network: { stall: 5s }'?"),
            ("heal tunnel", "'heal tunnel' is not a step; did you mean 'explain heal'?"),
            ("help stall", "'help stall' is not a step; did you mean 'explain stall'?"),
            ("quit now", "'quit now' is not a step; did you mean 'quit'?"),
            ("send hello", "the client is your app: do 'send' there"),
            ("portal_login", "type 'user: portal_login'"),
        ]
    )
    func furtherWords(_ line: String, _ answer: String) {
        #expect(TypedLine(line) == .unknown(line))
        let works: Set = ["network: drop", "network: { stall: 5s }"]
        #expect(TypedLine.answer(toUnknown: line) { works.contains($0) } == answer)
    }

    @Test("Help, completion and corrections offer no step of the server if the server is the user's own")
    func withTheUsersServer() {
        let actions = TypableActions.upstream
        #expect(!actions.help.contains("server:") && actions.help.contains("network: drop"))
        #expect(TypableActions.all.help.contains("server: { post: stukov }"))
        for help in [actions.help, TypableActions.all.help] {
            #expect(help.split(separator: "\n").allSatisfy { $0.count <= 80 })
        }
        let words = StepCompletion.words(after: "", among: actions).words
        #expect(words.contains("network: ") && words.contains("drop"))
        #expect(!words.contains("server: ") && !words.contains("drain"))
        #expect(StepCompletion.words(after: "server: po", among: actions).words.isEmpty)
        #expect(
            TypedLine.answer(toUnknown: "post stukov", among: actions) == "the server is your own: do 'post' there"
        )
    }
}
