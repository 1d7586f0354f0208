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
}
