import Packets
import SquallCore
import Testing

struct TermTests {
    private func ratio(_ numerator: UInt32, _ denominator: UInt32) throws -> Ratio {
        try #require(Ratio(numerator, of: denominator))
    }

    @Test("All fault terms are parsed") func readsAllTerms() throws {
        let faults = try PacketFaults(
            terms: """
                loss 0.5% 25% duplicate 1% corrupt 0.000001% reorder 2% 50% gap 5 delay 50ms 1.5ms 10% \
                distribution normal rate 1.5mbit limit 20 drop 9,1-3,2-4 ordered
                """
        )
        var expected = PacketFaults()
        expected.loss = .random(PacketChance(try ratio(5, 1000), correlation: try ratio(1, 4)))
        expected.duplicate = PacketChance(try ratio(1, 100))
        expected.corrupt = PacketChance(try ratio(1, 100_000_000))
        expected.reorder = PacketChance(try ratio(2, 100), correlation: try ratio(1, 2))
        expected.gap = 5
        expected.delay = PacketDelay(
            .milliseconds(50),
            jitter: .microseconds(1500),
            correlation: try ratio(1, 10),
            distribution: .normal
        )
        (expected.rate, expected.limit, expected.keepsOrder) = (1_500_000, 20, true)
        expected.drop = [1...4, 9...9]
        #expect(faults == expected)
    }

    @Test("A later term replaces an earlier term of the same kind") func aLaterTermReplacesAnEarlierOne() throws {
        #expect(
            try PacketFaults(terms: "loss 5% 20% delay 9ms loss 1%") == PacketFaults(terms: "loss random 1% delay 9ms")
        )
    }

    @Test(
        "gemodel has defaults for omitted probabilities",
        arguments: [
            ("gemodel 1%", 1 as UInt32, 99 as UInt32, 100 as UInt32, 0 as UInt32),
            ("gemodel 1% 10%", 1, 10, 100, 0), ("gemodel 1% 10% 70%", 1, 10, 70, 0),
            ("gemodel 1% 10% 70% 3%", 1, 10, 70, 3),
        ]
    )
    func readsGilbertElliott(_ terms: String, _ bad: UInt32, _ good: UInt32, _ inBad: UInt32, _ inGood: UInt32) throws {
        let loss = LossModel.gilbertElliott(
            toBad: try ratio(bad, 100),
            toGood: try ratio(good, 100),
            lossInBad: try ratio(inBad, 100),
            lossInGood: try ratio(inGood, 100)
        )
        #expect(try PacketFaults(terms: "loss \(terms)").loss == loss)
    }

    @Test(
        "A rate is parsed in bits or bytes with its unit",
        arguments: [
            ("512kbit", 512_000 as UInt64), ("10Mbit", 10_000_000), ("1gbit", 1_000_000_000), ("9bit", 9),
            ("1mbps", 8_000_000),
            ("0.5kbps", 4_000),
        ]
    )
    func readsRates(_ text: String, _ bits: UInt64) throws {
        #expect(try PacketFaults(terms: "rate \(text)").rate == bits)
    }

    @Test(
        "A time is parsed with nanosecond precision",
        arguments: [
            ("50ms", 50_000_000 as Int64), ("1.5s", 1_500_000_000), ("200us", 200_000), ("7ns", 7), ("0.000001ms", 1),
            ("3600s", 3_600_000_000_000),
        ]
    )
    func readsTimes(_ text: String, _ nanoseconds: Int64) throws {
        #expect(try PacketFaults(terms: "delay \(text)").delay.delay.nanoseconds == nanoseconds)
    }

    @Test(
        "An invalid fault term is refused with the reason",
        arguments: [
            ("loss 5", "loss: '5' is not a percentage: write it as in 5%"),
            ("loss 101%", "loss: '101%' is not a percentage from 0% to 100% with at most six decimals"),
            ("loss -1%", "loss: '-1%' is not a percentage from 0% to 100% with at most six decimals"),
            ("loss 5% 1.%", "loss's correlation: '1.%' is not a percentage from 0% to 100% with at most six decimals"),
            ("delay 50", "delay: '50' is not a time of at most an hour with a unit, as in 50ms, 1.5s or 200us"),
            ("delay 3601s", "delay: '3601s' is not a time of at most an hour with a unit, as in 50ms, 1.5s or 200us"),
            ("rate 10", "rate: '10' is not a rate with a unit, as in 512kbit or 10mbit (bits), or 1mbps (bytes)"),
            (
                "rate 0kbit",
                "rate: '0kbit' is not a rate with a unit, as in 512kbit or 10mbit (bits), or 1mbps (bytes)"
            ),
            ("limit 0", "limit: '0' is not an integer from 1 to 10000000"),
            ("drop 0", "drop: '0' is not a list of packet numbers, as in 1 or 3,7-9"),
            ("drop 9-7", "drop: '9-7' is not a list of packet numbers, as in 1 or 3,7-9"),
            ("reorder 5%", "reorder: needs a delay or a rate, because only delayed packets can be overtaken"),
            ("delay 5ms distribution normal", "distribution: needs a jitter: delay TIME JITTER"),
            (
                "delay 5ms 1ms distribution pareto",
                "distribution: 'pareto' is unknown; the distributions are uniform and normal"
            ),
            ("lose 5%", "'lose' is not a term; the terms are: \(PacketFaults.grammar)"),
            ("loss", "loss: missing value; the terms are: \(PacketFaults.grammar)"),
        ]
    )
    func saysWhatIsWrong(_ terms: String, _ words: String) {
        #expect(throws: TermError.self) { try PacketFaults(terms: terms) }
        do { _ = try PacketFaults(terms: terms) } catch { #expect("\(error)" == words) }
    }

    @Test("A random list of terms is either parsed or refused with an error that quotes one of the terms")
    func survivesAnything() {
        var generator = SeededGenerator(state: 5)
        let words = [
            "loss", "delay", "5%", "1ms", "99999999999999999999s", "gemodel", "rate", "drop", "1-", "-", ".", "%", "é%",
            "gap", "10mbit",
        ]
        var read = 0
        for _ in 0..<5000 {
            let terms = (0...generator.below(6)).map { _ in words[Int(generator.below(UInt64(words.count)))] }
            do {
                let faults = try PacketFaults(terms: terms.joined(separator: " "))
                #expect(faults != PacketFaults(), "\(terms)")
                read += 1
            } catch {
                let message = "\(error)"
                #expect(terms.contains { message.hasPrefix($0) || message.contains("'\($0)'") }, "\(terms): \(message)")
            }
        }
        #expect(read > 0)
    }
}

struct ReachTests {
    @Test(
        "A service is parsed into name, port, protocol and upstream",
        arguments: [
            ("8080", "server.test", 8080 as UInt16, false, "127.0.0.1:8080"),
            ("8474=127.0.0.1:8080", "server.test", 8474, false, "127.0.0.1:8080"),
            ("8474=8080", "server.test", 8474, false, "127.0.0.1:8080"),
            ("api.example.org:443", "api.example.org", 443, false, "api.example.org:443"),
            ("API.test:443=localhost:8443", "api.test", 443, false, "localhost:8443"),
            ("localhost:8080", "server.test", 8080, false, "localhost:8080"),
            ("[::1]:8080", "server.test", 8080, false, "[::1]:8080"),
            ("udp:5353", "server.test", 5353, true, "127.0.0.1:5353"),
            ("udp:dns.test:53=[fd00::1]:5353", "dns.test", 53, true, "[fd00::1]:5353"),
        ]
    )
    func reads(_ text: String, _ name: String, _ port: UInt16, _ isDatagram: Bool, _ upstream: String) throws {
        let route = try ServiceRoute(text)
        #expect((route.name, route.port, route.isDatagram, route.upstream) == (name, port, isDatagram, upstream))
    }

    @Test(
        "A malformed service argument is refused",
        arguments: [
            "", "0", "65536", "x", "a:b", "80=", "=80", "80=1=2", "a b:80", "::1:80", "localhost:80=localhost:8080",
            "10.0.0.1:80=8080", ":80", "Listen.test:1=80",
        ]
    )
    func refuses(_ text: String) {
        #expect(throws: TermError.self) { try ServiceRoute(text) }
    }

    @Test(
        "A listening address is parsed, and defaults to loopback",
        arguments: [
            ("9000=localhost:80", "127.0.0.1:9000"), ("0=80", "127.0.0.1:0"), ("0.0.0.0:9000=80", "0.0.0.0:9000"),
            ("[::1]:9000=80", "[::1]:9000"),
        ]
    )
    func readsWhereToListen(_ text: String, _ address: String) throws {
        #expect(try Listening(text).address == address)
    }

    @Test(
        "A malformed listening address is refused",
        arguments: [
            "", "=80", "70000=80", "-1=80", "web=80", "::1:9000=80", "localhost:=80", "localhost:x=80",
        ]
    )
    func refusesNowhereToListen(_ text: String) {
        #expect(throws: TermError.self) { try Listening(text) }
    }

    @Test("Each host name of an address plan has its own address") func givesEachNameAnAddress() throws {
        let plan = try AddressPlan([
            ServiceRoute("80"), ServiceRoute("a.test:80=1"), ServiceRoute("81"), ServiceRoute("udp:80"),
            ServiceRoute("b.test:80=2"),
        ])
        #expect(plan.names == ["server.test", "a.test", "b.test"])
        #expect((plan.host(of: "server.test"), plan.host(of: "b.test"), plan.host(of: "c.test")) == (2, 4, nil))
        #expect(
            plan.hosts(before: "127.0.0.1 localhost\n", withIPv6: true) == """
                10.77.0.2\tserver.test
                fd77::2\tserver.test
                10.77.0.3\ta.test
                fd77::3\ta.test
                10.77.0.4\tb.test
                fd77::4\tb.test
                127.0.0.1 localhost

                """
        )
    }

    @Test("Two services with the same name and port are refused") func refusesTheSamePlaceTwice() {
        #expect(throws: TermError.self) { try AddressPlan([ServiceRoute("80=1"), ServiceRoute("80=2")]) }
    }
}
