import ChatWire
import FakeServer
import Faults
import SquallCore
import Testing
import WebSocketWire

/// Tests `server: respond`, which answers HTTP requests.
@Suite struct RespondTests {
    /// Sends a request and returns the connection.
    private static func ask(_ stage: inout Stage, _ method: String, _ target: String, body: String = "") -> LinkID {
        let headers: HTTPHeaders = ["Host": "chat.test", "Content-Length": String(body.utf8.count)]
        let id = stage.dial("anna")
        stage.send(
            HTTPRequestHead(method: method, target: target, headers: headers).encode() + Array(body.utf8),
            on: id
        )
        return id
    }

    /// Sends a request and returns the status of its immediate response; nil if there is none.
    private static func status(_ stage: inout Stage, _ method: String, _ target: String, body: String = "") -> Int? {
        let id = ask(&stage, method, target, body: body)
        return stage.response(id)?.status
    }

    private static func text(_ response: ChatResponse?) -> String? {
        response.map { String(decoding: $0.body, as: UTF8.self) }
    }

    @Test(
        "The body of a response contains the values of the request's target and JSON body",
        arguments: [
            ("GET /prices?symbol={s}", "GET", "/prices?symbol=EUR", "", #"{"of":"{s}"}"#, #"{"of":"EUR"}"#),
            ("GET /a/{b}/c", "GET", "/a/x/c", "", #""got {b}""#, "got x"),
            ("POST /add", "POST", "/add", #"{"a":20}"#, #"{"sum":"{a}"}"#, #"{"sum":20}"#),
        ]
    )
    func filled(
        _ request: String,
        _ method: String,
        _ target: String,
        _ sent: String,
        _ body: String,
        _ answer: String
    ) throws {
        var stage = Stage()
        let values: [(name: String, value: ArgumentValue)] = [
            ("request", .text(request)), ("body", .json(try JSON.decode(body))),
        ]
        try stage.act("respond", values, label: "asked")
        let id = Self.ask(&stage, method, target, body: sent)
        #expect(Self.text(stage.response(id)) == answer)
        #expect(stage.response(id)?.status == 200)
        #expect(stage.named("server.received.request").map(\.key) == ["asked"])
        #expect(stage.named("server.sent.response").map(\.key) == ["asked"])
    }

    @Test("A request with another method, target or body is not answered by the rule")
    func others() throws {
        var stage = Stage()
        try stage.act(
            "respond",
            [("request", .text("POST /a")), ("match", .json(["n": 1])), ("status", .integer(201))]
        )
        #expect(Self.status(&stage, "GET", "/a", body: #"{"n":1}"#) == 404)
        #expect(Self.status(&stage, "POST", "/ab", body: #"{"n":1}"#) == 404)
        #expect(Self.status(&stage, "POST", "/a", body: #"{"n":2}"#) == 404)
        #expect(Self.status(&stage, "POST", "/a", body: #"{"n":1,"m":2}"#) == 201)
    }

    @Test("A rule with a count is followed by the next rule for the same requests, and `clear` removes all")
    func counted() throws {
        var stage = Stage()
        try stage.act("respond", [("request", .text("GET /a")), ("status", .integer(503)), ("count", .integer(1))])
        try stage.act("respond", [("request", .text("GET /a")), ("status", .integer(204))])
        #expect(Self.status(&stage, "GET", "/a") == 503)
        #expect(Self.status(&stage, "GET", "/a") == 204)
        #expect(Self.status(&stage, "GET", "/a") == 204)
        try stage.act("clear")
        #expect(Self.status(&stage, "GET", "/a") == 404)
    }

    @Test("A response has its headers, the length of its body, and its delay")
    func delayed() throws {
        var stage = Stage()
        let values: [(name: String, value: ArgumentValue)] = [
            ("request", .text("GET /a")), ("headers", .json(["ETag": "v1"])), ("body", .json("Grüße")),
            ("after", .duration(.seconds(2))),
        ]
        try stage.act("respond", values)
        let id = Self.ask(&stage, "GET", "/a")
        stage.advance(.milliseconds(1999))
        #expect(stage.response(id) == nil)
        stage.advance(.milliseconds(1))
        let response = try #require(stage.response(id))
        #expect(Self.text(response) == "Grüße")
        #expect(response.headers.first { $0.name == "etag" }?.value == "v1")
        #expect(response.headers.first { $0.name == "content-length" }?.value == "7")
    }

    @Test(
        "A request that is not a method and a path, or headers that are not an object of strings, are refused",
        arguments: [
            ("/a", "{}"), ("GET", "{}"), ("get /a", "{}"), ("GET a", "{}"), ("GET /a", "[]"), ("GET /a", #"{"a":1}"#),
            ("GET /a", #"{"a b":"c"}"#), ("GET /a", #"{"a":"b\r\nc: d"}"#),
        ]
    )
    func refused(_ request: String, _ headers: String) throws {
        let values: [(name: String, value: ArgumentValue)] = [
            ("request", .text(request)), ("headers", .json(try JSON.decode(headers))),
        ]
        #expect(throws: InvalidArgument.self) { try ServerAction(verb: "respond", Arguments(values)) }
    }
}
