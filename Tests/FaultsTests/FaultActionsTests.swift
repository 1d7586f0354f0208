import Faults
import SquallCore
import Testing
import WebSocketWire

@Suite struct FaultActionsTests {
    private func fault(_ verb: String, _ values: [(name: String, value: ArgumentValue)]) -> Fault? {
        try? Fault(verb: verb, Arguments(values))
    }

    @Test("Every attribute of a fault is read from its arguments") func readsEveryAttribute() {
        let second = ArgumentValue.duration(.seconds(1))
        let both: (name: String, value: ArgumentValue) = ("stream", .text("upstream"))
        let cases: [(Fault?, Fault)] = [
            (
                fault("latency", [("delay", second), ("jitter", second), both, ("for", second)]),
                Fault(.latency(.init(delay: .seconds(1), jitter: .seconds(1), stream: .upstream)), for: .seconds(1))
            ),
            (fault("bandwidth", [("rate", .integer(7))]), Fault(.bandwidth(.init(rate: 7)))),
            (
                fault("slicer", [("average_size", .integer(7)), ("size_variation", .integer(2)), ("delay", second)]),
                Fault(.slicer(.init(averageSize: 7, sizeVariation: 2, delay: .seconds(1))))
            ),
            (
                fault("slow_close", [("delay", second), both]),
                Fault(.slowClose(.init(delay: .seconds(1), stream: .upstream)))
            ),
            (
                fault("limit_data", [("bytes", .integer(9)), ("then", .text("timeout"))]),
                Fault(.limitData(.init(bytes: 9, then: .timeout)))
            ),
            (fault("timeout", []), Fault(.timeout(.init(.zero)))),
            (fault("drop", [("side", .text("server"))]), Fault(.drop(.init(.server)))),
            (fault("reset_peer", [("after", second)]), Fault(.resetPeer(.init(after: .seconds(1))))),
            (fault("refuse", [("for", second)]), Fault(.refuse(.init()), for: .seconds(1))),
            (fault("accept_then_close", [("how", .text("rst"))]), Fault(.acceptThenClose(.init(.rst)))),
            (
                fault("cut", [("at_byte", .integer(5)), ("how", .text("rst")), both]),
                Fault(.cut(.init(atByte: 5, how: .rst, stream: .upstream)))
            ),
            (fault("stall", [("new", .text("refuse")), both]), Fault(.stall(.init(stream: .upstream, new: .refuse)))),
            (fault("blackhole", [both]), Fault(.blackhole(.init(stream: .upstream)))),
            (
                fault("half_open", [("answer", .text("reset")), ("how", .text("fin"))]),
                Fault(.halfOpen(.init(answer: .reset, how: .fin)))
            ),
            (
                fault(
                    "captive_portal",
                    [("form", .text("same_host")), ("status", .text("307")), ("until_login", .flag(true))]
                ),
                Fault(.captivePortal(.init(.sameHost, status: 307, untilLogin: true)))
            ),
            (fault("captive_portal", [("form", .text("511"))]), Fault(.captivePortal(.init(.networkAuthentication)))),
            (
                fault("upgrade_status", [("status", .integer(503)), ("retry_after", second)]),
                Fault(.upgradeStatus(.init(503, retryAfter: .seconds(1))))
            ),
            (
                fault("flap", [("up", second), ("down", second), ("outage", .text("refuse"))]),
                Fault(.flap(.init(up: .seconds(1), down: .seconds(1), outage: .refuse)))
            ),
        ]
        for (read, meant) in cases { #expect(read?.kind == meant.kind && read?.duration == meant.duration) }
        #expect(
            fault("bandwidth", [("rate", .integer(7)), ("toxicity", .integer(25))])?.toxicity == Ratio(25, of: 100)
        )
    }

    @Test("An argument of the wrong type or out of range is refused") func refusesWhatDoesNotFit() {
        #expect(fault("flood", []) == nil)
        #expect(fault("latency", []) == nil)
        #expect(fault("latency", [("delay", .duration(.milliseconds(-1)))]) == nil)
        #expect(fault("latency", [("delay", .integer(5))]) == nil)
        #expect(fault("slicer", [("average_size", .integer(0))]) == nil)
        #expect(fault("stall", [("stream", .text("sideways"))]) == nil)
        #expect(fault("captive_portal", [("status", .integer(304))]) == nil)
        #expect(fault("upgrade_status", [("status", .integer(101))]) == nil)
        #expect(fault("bandwidth", [("rate", .integer(.min))]) == nil)
        #expect(fault("refuse", [("for", .text("soon"))]) == nil)
        #expect(fault("bandwidth", [("rate", .integer(1)), ("toxicity", .integer(101))]) == nil)
        #expect(fault("heal", [("label", .text("x"))]) == nil)
    }

    @Test(
        "Random arguments create a fault or return nil, and no created fault traps",
        arguments: 0..<40 as Range<UInt64>
    )
    func noValueTraps(_ seed: UInt64) {
        var generator = SeededGenerator(state: seed)
        let integers: [Int64] = [.min, -1, 0, 1, 302, 503, 1_000_000, .max]
        let spans: [TimeSpan] = [TimeSpan(nanoseconds: .min), .zero, .milliseconds(1), .seconds(9), .forever]
        let words = ["", "fin", "rst", "both", "upstream", "reset", "page", "511", "timeout", "refuse", "x"]
        func value() -> ArgumentValue {
            switch generator.below(6) {
            case 0: .integer(integers[Int(generator.below(UInt64(integers.count)))])
            case 1, 2: .duration(spans[Int(generator.below(UInt64(spans.count)))])
            case 3: .flag(generator.below(2) == 0)
            case 4: .list([.text("client"), .integer(1)])
            default: .text(words[Int(generator.below(UInt64(words.count)))])
            }
        }
        func fitting(_ kind: ParameterKind) -> ArgumentValue {
            switch kind {
            case .integer: .integer(integers[Int(generator.below(UInt64(integers.count)))])
            case .duration: .duration(spans[Int(generator.below(UInt64(spans.count)))])
            case .word(let words): .text(words[Int(generator.below(UInt64(words.count)))])
            case .flag: .flag(generator.below(2) == 0)
            default: value()
            }
        }
        var begun = 0
        for action in Fault.actions {
            for _ in 0..<20 {
                var values: [(name: String, value: ArgumentValue)] = []
                for parameter in action.parameters where parameter.required || generator.below(2) == 0 {
                    values.append((parameter.name, generator.below(8) == 0 ? value() : fitting(parameter.kind)))
                }
                guard let fault = fault(action.verb, values) else { continue }
                begun += 1
                var stage = Stage.connected(seed: seed)
                stage.play(.begin(fault, label: nil, clients: nil), at: 1)
                stage.connect(2, at: 2)
                for link in 1...2 {
                    _ = stage.send("GET / HTTP/1.1\r\n\r\n", from: .client, link: link, at: 3)
                    _ = stage.send("answer", from: .server, link: link, at: 4)
                    _ = stage.end(.server, .fin, link: link, at: 5)
                }
                _ = stage.wait(until: 100)
                stage.play(.healAll, at: 200)
            }
        }
        #expect(begun > 50)
    }

    @Test("Verbs, parameters and registry entries of faults are unique and documented")
    func actionsAndEntriesAreDistinct() {
        let verbs = Fault.actions.map(\.verb)
        #expect(Set(verbs).count == verbs.count)
        #expect(verbs == FaultCatalogue.verbs + ["heal", "heal_all", "replay_login"])
        for action in Fault.actions {
            #expect(action.actor == .network)
            #expect(!action.meaning.isEmpty)
            let names = action.parameters.map(\.name)
            #expect(Set(names).count == names.count)
            if let main = action.main { #expect(names.contains(main)) }
        }
        let names = Fault.registry.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(
            Fault.registry.filter { $0.kind == .fault }.map(\.name) == Fault.actions.filter(\.takesLabel).map(\.verb)
        )
    }

    private static func optional(of name: String) -> [String] {
        ["fault.began", "fault.hit", "fault.ended", "fault.turned"].contains(name) ? ["clients"] : []
    }

    @Test("Every event of the relay is in the registry with exactly its fields") func everyEventIsRegistered() {
        var stage = Stage.connected()
        var seen: Set<String> = []
        func take(_ outputs: [RelayOutput]) {
            for case .observe(let observation, _) in outputs {
                guard case .happened(let fields) = observation.change else { continue }
                let members = fields.members ?? []
                let names = members.map(\.name)
                let entry = Fault.registry.first { $0.kind == .event && $0.name == observation.name }
                // The field that lists the affected clients is omitted if the fault affects all clients.
                let rest = Self.optional(of: observation.name).filter { !names.contains($0) }
                #expect(entry?.fields.map(\.name) == names + rest)
                #expect(
                    zip(entry?.fields ?? [], members).allSatisfy { $0.kind.problem(with: $1.value) == nil },
                    "\(observation)"
                )
                #expect((entry?.key == nil) == (observation.key == nil))
                #expect(entry?.provenance == observation.provenance)
                seen.insert(observation.name)
            }
        }
        let request = Array("GET / HTTP/1.1\r\nUpgrade: websocket\r\n\r\n".utf8)
        func begin(_ kind: Fault.Kind) { take(stage.feed(.begin(Fault(kind), label: nil, clients: nil), at: .zero)) }
        begin(.upgradeStatus(.init(503)))
        take(stage.feed(.accepted(LinkID(.only, 2)), at: .zero))
        take(stage.feed(.received(LinkID(.only, 2), from: .client, request), at: .zero))
        begin(.blackhole(.init()))
        take(stage.feed(.received(LinkID(.only, 1), from: .client, request), at: .zero))
        take(stage.feed(.healAll, at: .zero))
        begin(.captivePortal(.init(untilLogin: true)))
        take(stage.feed(.accepted(LinkID(.only, 3)), at: .zero))
        take(stage.feed(.received(LinkID(.only, 3), from: .client, request), at: .zero))
        take(stage.feed(.login(.only), at: .zero))
        begin(.flap(.init(up: .seconds(1), down: .seconds(1))))
        take(stage.feed(.timer, at: .at(1000)))
        stage.relay = Relay(seed: Seed(1), clients: [.only], followsStreams: true, recordsLogins: true)
        stage.connect(1)
        begin(.frames(.init(.drop)))
        let frame = WebSocketFrame(.text, maskKey: 1, payload: [0x61]).encode()
        let ping = WebSocketFrame(.ping, maskKey: 1).encode()
        take(stage.feed(.received(LinkID(.only, 1), from: .client, request + frame + ping), at: .zero))
        var packed = WebSocketFrame(.text, maskKey: 1, payload: [0x61])
        packed.header.rsv1 = true
        take(stage.feed(.received(LinkID(.only, 1), from: .client, packed.encode()), at: .zero))
        take(stage.feed(.handshakeFailed(.only, .fails), at: .at(1000)))
        take(stage.feed(.replayLogin(.only), at: .zero))
        let names = Fault.registry.filter { $0.kind == .event }.map(\.name)
        #expect(seen == Set(names))
    }
}
