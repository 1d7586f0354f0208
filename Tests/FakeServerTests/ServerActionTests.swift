import ChatWire
import FakeServer
import Faults
import SquallCore
import Testing

@Suite struct ServerActionTests {
    /// Creates an action; returns nil if the arguments are not valid.
    private func action(
        _ verb: String,
        _ values: [(name: String, value: ArgumentValue)] = [],
        label: String? = nil
    ) -> ServerAction? {
        try? ServerAction(verb: verb, Arguments(values, label: label))
    }

    /// Returns a valid value for parameters of this kind.
    private func example(_ kind: ParameterKind) -> ArgumentValue {
        switch kind {
        case .text, .label: .text("ab")
        case .integer(let range): .integer(range.lowerBound)
        case .duration: .duration(.seconds(1))
        case .flag: .flag(true)
        case .word(let words): .text(words.first ?? "")
        case .list(let kind): .list([example(kind)])
        case .json: .json("kept")
        }
    }

    /// Returns a valid value for the parameter.
    private func example(_ parameter: Parameter, of entry: ActionEntry) -> ArgumentValue {
        switch (entry.verb, parameter.name) {
        case ("respond", "request"): .text("GET /ab")
        case ("respond", "headers"): .json(["ETag": "ab"])
        default: example(parameter.kind)
        }
    }

    @Test("An action can be created if and only if its required parameters are present")
    func everyVerbIsMadeFromWhatItsEntryAsksFor() {
        for entry in ServerAction.actions {
            let needed = entry.parameters.filter { $0.required }.map { (name: $0.name, value: example($0, of: entry)) }
            let all = entry.parameters.map { (name: $0.name, value: example($0, of: entry)) }
            #expect(entry.actor == .server)
            // The parameters of `rule` are mutually exclusive (see `MessageRuleTests`).
            guard entry.verb != "rule" else { continue }
            #expect(action(entry.verb, all, label: "x") != nil, "\(entry.verb)")
            // These verbs require either of two parameters, so neither is marked as required.
            guard !["hold", "say", "auth"].contains(entry.verb) else { continue }
            #expect(action(entry.verb, needed) != nil, "\(entry.verb)")
            for missing in needed.indices {
                var fewer = needed
                fewer.remove(at: missing)
                #expect(action(entry.verb, fewer) == nil, "\(entry.verb) without \(needed[missing].name)")
            }
        }
    }

    @Test("Changing any parameter of an action changes the action") func everyParameterChangesSomething() {
        for entry in ServerAction.actions where entry.verb != "rule" {
            let all = entry.parameters.map { (name: $0.name, value: example($0, of: entry)) }
            for (index, parameter) in entry.parameters.enumerated() {
                var other = all
                switch parameter.kind {
                case .text: other[index].value = .text(parameter.name == "request" ? "GET /cd" : "cd")
                case .integer(let range): other[index].value = .integer(range.upperBound)
                case .duration: other[index].value = .duration(.seconds(2))
                case .flag: other[index].value = .flag(false)
                case .word(let words): other[index].value = .text(words.last ?? "")
                case .json:
                    other[index].value = .json(parameter.name == "headers" ? ["ETag": "cd"] : "reversed")
                case .label, .list: continue
                }
                // Each of these parameters conflicts with another one set here, so changing its value has no effect.
                guard
                    ["say.text", "hold.route", "auth.accept", "fail.count"]
                        .contains("\(entry.verb).\(parameter.name)") == false
                else { continue }
                #expect(action(entry.verb, all) != action(entry.verb, other), "\(entry.verb).\(parameter.name)")
            }
        }
    }

    @Test("Verbs and parameter names are unique, and every main parameter is one of the parameters")
    func verbsAreUniqueAndMainsExist() {
        let verbs = ServerAction.actions.map(\.verb)
        #expect(Set(verbs).count == verbs.count)
        for entry in ServerAction.actions {
            let names = entry.parameters.map(\.name)
            #expect(Set(names).count == names.count)
            if let main = entry.main { #expect(names.contains(main), "\(entry.verb)") }
            #expect(!entry.meaning.isEmpty && entry.meaning.hasSuffix("."))
            #expect(entry.parameters.allSatisfy { !$0.meaning.isEmpty })
        }
    }

    @Test("The server's verbs are those of the scenario language") func theVerbsAreThoseOfTheLanguage() {
        #expect(
            ServerAction.actions.map(\.verb).sorted() == [
                "account", "auth", "binary", "clear", "clock", "close", "crash", "delay", "disconnect", "down",
                "drain", "duplicate", "error", "fail", "fail_prompt", "group", "heartbeat", "history", "hold",
                "identify", "introduce", "limit", "pong", "post", "presence", "push", "reject", "release",
                "remove_conversation", "respond", "restart", "restrict", "rule", "say", "slow", "start", "stop",
                "stream",
                "swallow", "type",
                "up", "vanish",
            ]
        )
    }

    @Test("An omitted parameter has its default") func defaultsOfParameters() {
        #expect(action("post", [("to", .text("a"))]) == .post(.init(to: "a")))
        #expect(
            action("swallow", [("frame", .text("confirm"))])
                == .addReplyRule(ReplyRule(.swallow, .frame(.confirm), count: 1))
        )
        #expect(
            action("delay", [("frame", .text("message")), ("by", .duration(.seconds(1)))])
                == .addReplyRule(ReplyRule(.delay(.seconds(1)), .frame(.message)))
        )
        #expect(
            action("hold", [("frame", .text("confirm"))])
                == .addReplyRule(ReplyRule(.hold("confirm"), .frame(.confirm)))
        )
        #expect(action("hold", [("route", .text("ws"))]) == .addReplyRule(ReplyRule(.hold("ws"), .route(.webSocket))))
        #expect(action("drain") == .drain(retryAfter: nil, notice: nil, down: nil))
        #expect(action("vanish") == .vanish(client: nil))
        #expect(
            action("restart", [("down", .duration(.seconds(3)))])
                == .restart(down: .seconds(3), keeping: true, notice: nil)
        )
        #expect(
            action("history", [("conversation", .text("a")), ("count", .integer(5))])
                == .history(ServerHistory(conversation: "a", count: 5, age: .seconds(86_400)))
        )
    }

    @Test(
        "An action with a value outside the declared range cannot be created",
        arguments: [
            ("dance", []),
            ("post", [("to", .text("a")), ("count", .integer(0))]),
            ("post", [("to", .text("a")), ("count", .integer(100_001))]),
            ("swallow", [("frame", .text("send"))]),
            ("reject", [("frame", .text("confirm")), ("code", .text("x"))]),
            ("presence", [("user", .text("a")), ("status", .text("gone"))]),
            ("close", [("code", .integer(999))]),
            ("close", [("code", .integer(5000))]),
            ("disconnect", [("how", .text("gently"))]),
            ("fail", [("route", .text("nowhere")), ("status", .integer(500))]),
            ("fail", [("route", .text("health")), ("status", .integer(200))]),
            ("restart", [("down", .duration(.zero)), ("state", .text("some"))]),
            ("release", [("label", .text("x")), ("order", .json("random"))]),
            ("release", [("label", .text("x")), ("order", .json([1, "2"]))]),
            ("release", [("label", .text("x")), ("order", .json(["a": 1]))]),
            ("binary", [("bytes", .text("abc"))]),
            ("binary", [("bytes", .text("xy"))]),
            ("hold", []),
            ("say", []),
            ("auth", []),
        ] as [(String, [(name: String, value: ArgumentValue)])]
    )
    func invalidActions(_ verb: String, _ values: [(name: String, value: ArgumentValue)]) {
        #expect(action(verb, values) == nil)
    }

    @Test(
        "An invalid argument is reported with its parameter, its value and the allowed values",
        arguments: [
            ("post", [("to", .text("a")), ("count", .integer(0))], "count", "1 to 100000"),
            ("post", [("to", .text("a")), ("count", .text("1"))], "count", "1 to 100000"),
            (
                "delay", [("frame", .text("pong")), ("by", .duration(.zero)), ("count", .integer(0))], "count",
                "1 to 100000"
            ),
            (
                "introduce", [("id", .text("a")), ("status", .text("gone"))], "status",
                "one of online, busy, idle, offline"
            ),
            ("disconnect", [("how", .text("gently"))], "how", "one of fin, rst"),
            ("binary", [("bytes", .text("abc"))], "bytes", "pairs of hexadecimal digits"),
            (
                "release", [("label", .text("x")), ("order", .json("random"))], "order",
                "kept, reversed or a list of positions"
            ),
            (
                "rule", [("on", .text("pong")), ("replies", .json([1]))], "replies",
                "a list of { frame: …, after_ms: 120 } or { text: … }"
            ),
            ("respond", [("request", .text("GET"))], "request", "a method and a target that begins with '/'"),
        ] as [(String, [(name: String, value: ArgumentValue)], String, String)]
    )
    func invalidArguments(
        _ verb: String,
        _ values: [(name: String, value: ArgumentValue)],
        _ name: String,
        _ range: String
    ) {
        let error = #expect(throws: InvalidArgument.self) { try ServerAction(verb: verb, Arguments(values)) }
        #expect(error == InvalidArgument(name: name, value: Arguments(values)[name], range: range))
    }

    @Test("A required argument that is missing is reported with its parameter") func missingArgument() {
        let error = #expect(throws: InvalidArgument.self) { try ServerAction(verb: "close", Arguments()) }
        #expect(error == InvalidArgument(name: "code", value: nil, range: "1000 to 4999"))
    }

    @Test("A negative duration counts as zero, except for the clock's skew") func noSpanIsNegative() {
        #expect(
            action("restart", [("down", .duration(.seconds(-3)))])
                == .restart(down: .zero, keeping: true, notice: nil)
        )
        #expect(action("clock", [("skew", .duration(.seconds(-3)))]) == .clock(skew: .seconds(-3)))
    }
}
