import Panel
import Proxy
import SquallCore
import Testing

@testable import SquallCommand

@Suite("The API calls that the proxy's panel offers")
struct ProxyActionsTests {
    private static let actions = ProxyActions()

    private static func curl(_ json: JSON) throws -> String {
        actions.call(for: try #require(PanelForm(json, of: actions.catalogue))).curl(at: "localhost:8474")
    }

    @Test("The form of a toxic gives an API call with the attributes that were filled in")
    func toxic() throws {
        let form: JSON = [
            "action": "toxic.add.latency", "client": "redis",
            "fields": [
                "latency": "300", "stream": "upstream", "toxicity": "0.5", "only": #"{"every": 2}"#, "name": "",
            ],
        ]
        #expect(
            try Self.curl(form)
                == "curl -X POST http://localhost:8474/proxies/redis/toxics "
                + #"-d '{"type":"latency","stream":"upstream","toxicity":0.5,"only":{"every":2},"attributes":{"latency":300}}'"#
        )
    }

    @Test("Names in paths are percent-encoded, and quotes are escaped for the shell")
    func quoting() throws {
        let form: JSON = ["action": "toxic.remove", "client": "it's /a b", "fields": ["toxic": "ü"]]
        #expect(
            try Self.curl(form) == "curl -X DELETE http://localhost:8474/proxies/it%27s%20%2Fa%20b/toxics/%C3%BC"
        )
        let create: JSON = [
            "action": "proxy.create", "fields": ["name": "it's", "upstream": "[::1]:80"],
        ]
        #expect(
            try Self.curl(create)
                == "curl -X POST http://localhost:8474/proxies "
                + #"-d '{"name":"it'\''s","listen":"127.0.0.1:0","upstream":"[::1]:80"}'"#
        )
    }

    @Test("Every toxic type has a button, and its form gives a valid call when the required fields are filled in")
    func everyToxic() throws {
        for entry in ToxicEntry.all {
            let action = try #require(Self.actions.catalogue["toxic.add.\(entry.name)"])
            let fields = action.fields.filter(\.required).map { ($0.name, example(of: $0)) }
            let call = Self.actions.call(
                for: PanelForm(action, fields: Dictionary(uniqueKeysWithValues: fields), client: "redis")
            )
            #expect(ToxicEntry.validationMessage(in: try #require(call.body)) == nil, "\(entry.name)")
        }
    }

    private func example(of parameter: Parameter) -> String {
        switch parameter.kind {
        case .integer(let range): "\(max(range.lowerBound, min(range.upperBound, 500)))"
        case .word(let words): words.first ?? ""
        default: "x"
        }
    }

    @Test("A text entered in place of a number is sent to the API, which reports the mistake")
    func mistake() throws {
        let action = try #require(Self.actions.catalogue["toxic.add.latency"])
        let call = Self.actions.call(for: PanelForm(action, fields: ["latency": "soon"], client: "redis"))
        let mistake = ToxicEntry.validationMessage(in: try #require(call.body))
        #expect(mistake?.contains("latency") == true)
    }
}
