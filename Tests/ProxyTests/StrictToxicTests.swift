import Faults
import Proxy
import SquallCore
import TestSupport
import Testing

/// Tests that Squall's own toxics reject misspelt, missing and out-of-range values, and that those from Toxiproxy are
/// as lenient as in the original.
@Suite(.ownThread, .timeLimit(.minutes(20)))
struct StrictToxicTests {
    /// Invalid toxics of Squall's own types, with the expected messages.
    private static let mistakes: [(toxic: String, reason: String)] = [
        (
            #"{"type":"frames","attributes":{"acton":"drop","typ":"confirm"}}"#,
            "frames has no attribute 'acton'; did you mean 'action'?"
        ),
        (
            #"{"type":"frames","attributes":{"action":"drop","typ":"confirm"}}"#,
            "frames has no attribute 'typ'; did you mean 'type'?"
        ),
        (
            #"{"type":"blackhole","attributes":{"everything":1}}"#,
            "blackhole has no attribute 'everything'; it has none"
        ),
        (#"{"type":"cut","attributes":{"how":"rst"}}"#, "cut needs 'at_byte': The number of bytes"),
        (#"{"type":"cut"}"#, "cut needs 'at_byte'"),
        (#"{"type":"cut","attributes":{"at":5}}"#, "cut has no attribute 'at'; it has at_byte, how"),
        (#"{"type":"cut","attributes":{"at_byte":-1}}"#, "at_byte is 0 to 1000000000000, not -1"),
        (#"{"type":"flap"}"#, "flap needs 'up'"),
        (#"{"type":"flap","attributes":{"up":100}}"#, "flap needs 'down'"),
        (#"{"type":"flap","attributes":{"up":null,"down":5}}"#, "flap needs 'up'"),
        (#"{"type":"flap","attributes":{"up":0,"down":5}}"#, "up is 1 or more milliseconds, not 0"),
        (#"{"type":"frames","attributes":{"nth":3}}"#, "frames needs 'action'"),
        (#"{"type":"frames","attributes":{"action":"drop","nth":0}}"#, "nth is 1 to 1000000000, not 0"),
        (#"{"type":"frames","attributes":{"action":"delay","delay":-5}}"#, "delay is 0 or more milliseconds, not -5"),
        (#"{"type":"frames","attributes":{"action":"close","code":-5}}"#, "code is 1000 to 4999, not -5"),
        (
            #"{"type":"frames","attributes":{"action":"close","code":1005}}"#,
            "code is one that a close frame may carry (RFC 6455 section 7.4), not 1005"
        ),
        (#"{"type":"upgrade_status","attributes":{"status":999}}"#, "status is 200 to 599, not 999"),
        (
            #"{"type":"captive_portal","attributes":{"status":200}}"#,
            "status is one of 301, 302, 303, 307, 308, not 200"
        ),
        (#"{"type":"certificate"}"#, "certificate needs 'kind'"),
        (#"{"type":"drop","toxicity":7}"#, "toxicity must be from 0 to 1, not 7"),
        (#"{"type":"drop","onyl":{"connections":[1]}}"#, "a toxic has no attribute 'onyl'; did you mean 'only'?"),
    ]

    @Test("An invalid toxic is refused with the reason and changes no toxic")
    func aSlipIsRefusedAndChangesNothing() throws {
        try Bench.with { bench in
            _ = try bench.proxy(to: 1)
            for (toxic, reason) in Self.mistakes {
                let reply = try bench.call("POST", "/proxies/p/toxics", toxic)
                #expect(reply.status == 400 && reply["status"] == 400, "\(toxic)")
                let text = reply["error"].stringValue ?? ""
                #expect(text.hasPrefix("bad request body: \(reason)"), "\(toxic): \(text)")
            }
            #expect(try bench.call("GET", "/proxies/p/toxics").json == [])
        }
    }

    @Test("An update is validated like a creation and may omit attributes") func updates() throws {
        try Bench.with { bench in
            _ = try bench.proxy(to: 1)
            try bench.toxic("flap", #"{"up":60000,"down":60000}"#)
            let path = "/proxies/p/toxics/flap"
            let before = try bench.call("GET", path).json
            for change in [
                #"{"attributes":{"upp":5}}"#, #"{"attributes":{"up":0}}"#, #"{"toxicity":7}"#,
                #"{"attribute":{"up":5}}"#,
            ] {
                #expect(try bench.call("PATCH", path, change).status == 400, "\(change)")
            }
            #expect(try bench.call("GET", path).json == before)
            #expect(try bench.call("PATCH", path, #"{"attributes":{"down":5}}"#)["attributes"]["down"] == 5)
        }
    }

    @Test("The toxics in a config file are validated like toxics in requests") func theFileIsReadAsStrictly() {
        for (toxic, reason) in Self.mistakes {
            let file = #"[{"name":"p","upstream":"127.0.0.1:1","toxics":[{"type":"noop"},\#(toxic)]}]"#
            let mistake = #expect(throws: ProxyFile.Mistake.self) { try ProxyFile(Array(file.utf8)) }
            let text = mistake?.description ?? ""
            #expect(text.hasPrefix("proxies[0].toxics[1]"), "\(toxic): \(text)")
            // An unknown key is reported with the same message and suggestion as in a scenario file.
            let help = reason.split(separator: "; ").last.map(String.init) ?? ""
            #expect(
                reason.contains("has no attribute") ? text.contains("unknown key") : text.contains(reason),
                "\(text)"
            )
            if help.hasPrefix("did you mean") { #expect(text.hasSuffix(help)) }
        }
    }

    /// The toxic types that Toxiproxy does not have.
    private static let types = FaultCatalogue.verbs.filter { verb in
        !["latency", "bandwidth", "slow_close", "timeout", "reset_peer", "slicer", "limit_data"].contains(verb)
    }

    /// Returns the required attributes of a type, each with a valid value.
    private func attributes(of type: String) -> JSON {
        let required = (FaultCatalogue.parameters(of: type) ?? []).filter(\.isRequired)
        return .object(
            required.map { parameter in
                let value: JSON =
                    switch parameter.values {
                    case .integers(let range): .integer(max(range.lowerBound, 1))
                    case .words(let words): .string(words.first ?? "")
                    default: 1000
                    }
                return JSONMember(parameter.name, value)
            }
        )
    }

    @Test("The attributes that the API reports for a toxic create the same toxic again", arguments: types)
    func shownAttributesMakeTheSame(_ type: String) throws {
        try Bench.with { bench in
            _ = try bench.proxy(to: 1)
            let toxic = #"{"type":"\#(type)","attributes":\#(attributes(of: type))}"#
            let first = try bench.call("POST", "/proxies/p/toxics", toxic)
            #expect(first.status == 200, "\(toxic): \(first.body)")
            try bench.call("DELETE", "/proxies/p/toxics/\(type)_downstream")
            let again = try bench.call("POST", "/proxies/p/toxics", first.body)
            #expect(again.status == 200 && again.json == first.json, "\(again.body)")
        }
    }

    @Test("Toxic types that Toxiproxy also has accept the same invalid input as Toxiproxy")
    func toxiproxysOwnAreAsLenientAsThere() throws {
        try Bench.with { bench in
            _ = try bench.proxy(to: 1)
            for toxic in [
                #"{"type":"latency","attributes":{"latancy":5}}"#, #"{"type":"slicer","attributes":{}}"#,
                #"{"type":"limit_data","attributes":{"bytes":-5}}"#, #"{"type":"timeout","toxicity":7,"colour":"red"}"#,
            ] {
                #expect(try bench.call("POST", "/proxies/p/toxics", toxic).status == 200, "\(toxic)")
            }
        }
    }
}
