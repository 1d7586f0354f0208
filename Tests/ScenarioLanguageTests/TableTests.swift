import ChatWire
import FakeServer
import ReferenceClient
import ScenarioLanguage
import ScenarioModel
import SquallCore
import TemporalLogic
import Testing

/// Tests tables: `with` creates several cases from one file.
@Suite struct TableTests {
    @Test("Each row of a table gives one case")
    func listOfMappings() {
        let cases = scenarios(
            """
            with:
              - { kind: drop, name: "cut in order" }
              - { kind: reset_peer }
            script:
              - network: ${kind}
            """
        )
        #expect(cases.map(\.variant) == ["cut in order", "reset_peer"])
        #expect(cases.map { $0.script.first?.stimulus?.verb } == ["drop", "reset_peer"])
        #expect(cases.allSatisfy { $0.name == "A test" })
    }

    @Test("Lists of values give one case per combination")
    func listsAreCombined() {
        let cases = scenarios(
            """
            with: { kind: [drop, reset_peer], after: [1s, 5s] }
            script:
              - wait: ${after}
              - network: ${kind}
            """
        )
        #expect(cases.map(\.variant) == ["drop, 1s", "drop, 5s", "reset_peer, 1s", "reset_peer, 5s"])
    }

    @Test("The name of a case can contain values from its row")
    func namesMadeOfValues() {
        let cases = scenarios(
            """
            with: { kind: [drop, stall], name: "a ${kind}" }
            script:
              - network: ${kind}
            """
        )
        #expect(cases.map(\.variant) == ["a drop", "a stall"])
    }

    /// If a row produces several cases, the row's name alone does not identify each case.
    @Test("Several cases of one row are named by the row's name and their values")
    func namesOfRowsThatAreSeveralCases() {
        let cases = scenarios(
            """
            with:
              - { kind: drop, order: { permutations of: [0, 1] }, name: dropped }
              - { kind: stall, order: [1, 0], name: stalled }
            script:
              - network: ${kind}
              - server: { hold: confirm }
              - server: { release: { label: confirm, order: "${order}" } }
            """
        )
        #expect(cases.map(\.variant) == ["dropped, 0 1", "dropped, 1 0", "stalled"])
    }

    @Test(
        "'permutations of' creates a case for every order",
        arguments: [
            "with:\n  order: permutations of [0, 1, 2]",
            "with: { order: { permutations of: [0, 1, 2] } }",
            "with:\n  - order: permutations of [0, 1, 2]",
        ]
    )
    func permutations(_ table: String) {
        let cases = scenarios(
            """
            \(table)
            script:
              - server: { hold: confirm }
              - server: { release: { label: confirm, order: "${order}" } }
            """
        )
        #expect(cases.map(\.variant) == ["0 1 2", "0 2 1", "1 0 2", "1 2 0", "2 0 1", "2 1 0"])
        #expect(cases[3].script[1].stimulus?.operation == .server(.release(label: "confirm", .positions([1, 2, 0]))))
    }

    /// If a placeholder is the entire value, its replacement keeps its type, whether or not the placeholder is quoted.
    /// Within a longer string, it is replaced with text.
    @Test("A placeholder that is the whole text keeps the type of its value")
    func kindsOfValues() {
        let cases = scenarios(
            """
            with:
              - { count: 3, who: [a, b], flag: on, text: "5", bound: 9s }
            name2: 1
            """.replacing("\nname2: 1", with: "") + """

                set: { send.auto_retry: "${flag}", reconnect.max_attempts: "${count}" }
                within: ${bound}
                tags: ${who}
                script:
                  - server: { post: { to: "c-${count}", count: "${count}", text: "${text}" } }
                """
        )
        #expect(cases.first?.profile.client.send.autoRetry == true)
        #expect(cases.first?.profile.client.reconnect.maxAttempts == 3)
        #expect(cases.first?.tags == ["a", "b"])
        let post = ServerAction.Post(to: "c-3", count: 3, text: "5")
        #expect(cases.first?.script.first?.stimulus?.operation == .server(.post(post)))
    }

    @Test("A placeholder can stand for a whole mapping or list")
    func valuesMayBeWholeParts() {
        let cases = scenarios(
            """
            with:
              - trouble: { blackhole: { for: 5s } }
                then: { connection.state: reconnecting }
              - trouble: drop
                then: client.disconnected
            script:
              - network: ${trouble}
            expect:
              - eventually: ${then}
            """
        )
        #expect(cases.map { $0.script.first?.stimulus?.verb } == ["blackhole", "drop"])
        #expect(
            cases.map { $0.expectations.first?.formula } == [
                .eventually(
                    .state(ObservablePredicate(ObservableReference("connection.state"), .equals("reconnecting")))
                ),
                .eventually(.event(EventPattern("client.disconnected"))),
            ]
        )
    }

    @Test("A placeholder can stand for a key")
    func keysMayHoldValues() {
        let cases = scenarios(
            """
            with: [{ verb: open }, { verb: mark_read }]
            script:
              - user: { "${verb}": stukov }
            """
        )
        #expect(cases.map { $0.script.first?.stimulus?.verb } == ["open", "mark_read"])
    }

    @Test("An error in a value of a table is reported once, at the value, with its case")
    func mistakesInValues() throws {
        let source = SourceText(
            file: "t.yaml",
            text: """
                squall: 1
                name: n
                with: { kind: [drop, stal], wait: [1s, 2s] }
                script:
                  - wait: ${wait}
                  - network: ${kind}
                """
        )
        guard case .failure(let mistakes) = ScenarioReader.read(source) else {
            Issue.record("it is read")
            return
        }
        #expect(mistakes.diagnostics.map(\.location.description) == ["t.yaml:3:22"])
        #expect(mistakes.diagnostics.first?.variant == "stal, 1s")
    }
}
