import ChatWire
import FakeServer
import Faults
import ReferenceClient
import ScenarioModel
import SquallCore
import TestSupport
import Testing

@testable import Live

@Suite(.ownThread, .timeLimit(.minutes(20)))
struct LiveExchangeTests {
    private static let exchange = ExchangeID(.only, 1)

    /// Returns a run in which a request is sent after 1 s, and the server answers its first bytes with `answer`.
    private func run(
        _ request: ChatRequest = .health,
        answer: String? = nil,
        script: [(time: Instant, outputs: [TransportOutput])] = [],
        reaction: @escaping ScriptedRun.Reaction = { _, _ in [] }
    ) -> ScriptedRun {
        var run = ScriptedRun(
            until: .seconds(100),
            script: [(.seconds(1), [.client(.request(Self.exchange, request))])] + script,
            reaction: reaction
        )
        run.serverAnswer = { _ in answer.map { bytes($0) } }
        return run
    }

    static let requests: [ChatRequest] = [
        ChatRequest(method: "GET", target: "/health"),
        ChatRequest(method: "GET", target: "/messages?after=12&limit=50", authorization: "Bearer key-1"),
        ChatRequest(method: "GET", target: "/a b/ü/../c/%2F?q=\u{7F}#x", authorization: "  "),
        ChatRequest(method: "HEAD", target: "/health"),
        ChatRequest(method: "DELETE", target: "/messages/7", authorization: "Bearer key-1"),
        ChatRequest(method: "DELETE", target: "/messages/7", body: bytes("{}"), authorization: "Bearer key-1"),
        ChatRequest(
            method: "POST",
            target: "/messages",
            body: bytes("{\"text\":\"Hé\\n\"}"),
            authorization: "Bearer key-1"
        ),
        ChatRequest(method: "POST", target: "/read", authorization: "Bearer a\r\nX-Injected: yes"),
        ChatRequest(method: "PUT", target: "/profile", body: bytes("{\"name\":\"x\"}")),
        ChatRequest(method: "PATCH", target: "", body: bytes("[]")),
        ChatRequest(method: "POST", target: "/big", body: [UInt8](repeating: 0x7A, count: 300_000)),
        ChatRequest(method: "post now", target: "/", body: [0, 1, 2, 255]),
        ChatRequest(method: "", target: "*"),
    ]

    /// The simulated client writes these bytes, so libcurl must write exactly the same ones.
    @Test("libcurl sends the same bytes as the simulated client", arguments: requests)
    func libcurlWritesWhatTheBytesFunctionSays(_ request: ChatRequest) async throws {
        let expected = HTTPExchangeBytes.request(request, host: "chat.test")
        let collector = Collector()
        var run = run(request)
        run.serverAnswer = {
            collector.append($0)
            return collector.count == expected.count ? bytes("HTTP/1.1 204 No Content\r\n\r\n") : nil
        }
        let (outcome, _) = try await play(run)
        let seen = collector.bytes
        #expect(String(decoding: seen, as: UTF8.self) == String(decoding: expected, as: UTF8.self))
        #expect(seen == expected)
        #expect(outcome.texts(about: "client re") == ["client response 1 204 "])
    }

    @Test("A request is encoded as documented") func aRequestReadsAsDocumented() {
        let request = ChatRequest(
            method: "POST",
            target: "/messages",
            body: bytes("{\"text\":\"Hello.\"}"),
            authorization: "Bearer key-1"
        )
        let text = """
            POST /messages HTTP/1.1\r
            Host: chat.test\r
            Accept: application/json\r
            Authorization: Bearer key-1\r
            Connection: close\r
            Content-Type: application/json\r
            Content-Length: 17\r
            \r
            {"text":"Hello."}
            """
        #expect(String(decoding: HTTPExchangeBytes.request(request, host: "chat.test"), as: UTF8.self) == text)
    }

    @Test("A response has its header fields in order, with lower-case names")
    func aResponseComesBackWithLowerCaseHeadersInOrder() async throws {
        let collector = ResponseCollector()
        let run = run(
            answer: "HTTP/1.1 200 OK\r\nX-B:  two \r\nX-A: one\r\nContent-Length: 2\r\nX-B: three\r\n\r\n{}",
            reaction: { input, _ in
                if case .client(_, .response(_, let response)) = input { collector.set(response) }
                return []
            }
        )
        let (outcome, real) = try await play(run)
        let response = try #require(collector.response)
        #expect(
            response
                == ChatResponse(
                    status: 200,
                    headers: [("x-b", "two"), ("x-a", "one"), ("content-length", "2"), ("x-b", "three")],
                    body: bytes("{}")
                )
        )
        // The exchange has its own connection, which the client closes once the response is complete.
        #expect(outcome.texts(about: "relay accepted") == ["relay accepted client~1"])
        #expect(outcome.texts.contains("relay ended client~1 client fin"))
        #expect(outcome.texts.contains("server ended client~1 fin"))
        #expect(outcome.texts(about: "rst").isEmpty)
        #expect(real < .seconds(120))
    }

    @Test(
        "A response is not a failure, whatever its status",
        arguments: [
            ("HTTP/1.1 302 Found\r\nLocation: http://portal.test/\r\nContent-Length: 0\r\n\r\n", "302 "),
            ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Created\r\nContent-Length: 1\r\n\r\nx", "201 x"),
            (
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\nX-Late: 1\r\n\r\n",
                "200 abcde"
            ),
            ("HTTP/1.1 204 No Content\r\n\r\n", "204 "),
            ("HTTP/1.1 503 Service Unavailable\r\nContent-Length: 4\r\n\r\nbusy", "503 busy"),
        ]
    )
    func everyStatusIsAResponse(_ answer: String, _ expected: String) async throws {
        let (outcome, _) = try await play(run(answer: answer))
        #expect(outcome.texts(about: "client re") == ["client response 1 \(expected)"])
    }

    @Test("A response body without a length ends with the connection")
    func aBodyWithoutALengthEndsWithTheConnection() async throws {
        let run = run(answer: "HTTP/1.1 200 OK\r\n\r\nall of it") { input, _ in
            if case .server(.received(let link, _)) = input { [.server(.end(link, .fin))] } else { [] }
        }
        // After the server has answered, the run calls the reaction, which sends a FIN.
        let (outcome, _) = try await play(run)
        #expect(outcome.texts(about: "client re") == ["client response 1 200 all of it"])
    }

    @Test(
        "A missing, malformed or incomplete response is a failure",
        arguments: [
            ("", LinkEnd.fin, "end_of_stream"),
            ("", .rst, "reset"),
            ("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf", .fin, "end_of_stream"),
            ("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf", .rst, "reset"),
            ("HTTP/1.1 200 OK\r\nContent-Le", .fin, "end_of_stream"),
            ("garbage, no HTTP at all\r\n\r\n", .fin, "end_of_stream"),
            // libcurl accepts the following two invalid responses, so Squall itself has to reject them.
            ("HTTP/1.1 200 OK\r\nConte/t-Length: 2\r\n\r\n{}", .fin, "end_of_stream"),
            ("HTTP/1.1 200 OK\r\nContent-Length: 2K\n\r\n{}", .fin, "end_of_stream"),
        ]
    )
    func incompleteResponses(_ answer: String, _ end: LinkEnd, _ failure: String) async throws {
        let run = run(answer: answer) { input, _ in
            if case .server(.received(let link, _)) = input { [.server(.end(link, end))] } else { [] }
        }
        let (outcome, _) = try await play(run)
        #expect(outcome.texts(about: "client re") == ["client request failed 1 \(failure)"])
    }

    @Test("A refused connection fails the request as refused") func aRefusedConnectionIsRefused() async throws {
        var run = run()
        run.script.insert((.zero, [.relay(.acceptMode(.only, .refusing))]), at: 0)
        let (outcome, _) = try await play(run)
        #expect(outcome.texts(about: "client re") == ["client request failed 1 refused"])
    }

    @Test("A connection that is accepted and reset fails the request as reset")
    func acceptedAndResetIsAReset() async throws {
        var run = run { input, _ in
            if case .relay(.accepted(let link)) = input { [.relay(.end(link, side: .client, .rst))] } else { [] }
        }
        run.relayForwards = false
        let (outcome, _) = try await play(run)
        #expect(outcome.texts(about: "client re") == ["client request failed 1 reset"])
    }

    @Test("A request into a blackhole ends only when the client cancels the request")
    func aRequestIntoABlackholeWaitsForItsClientAlone() async throws {
        var run = run(script: [
            (.seconds(50), [.relay(.acceptMode(.only, .open))]),
            (.seconds(60), [.client(.cancel(Self.exchange)), .client(.request(ExchangeID(.only, 2), .health))]),
        ])
        run.script.insert((.zero, [.relay(.acceptMode(.only, .dropping))]), at: 0)
        run.serverAnswer = { _ in bytes("HTTP/1.1 204 No Content\r\n\r\n") }
        let (outcome, real) = try await play(run)
        #expect(outcome.texts(about: "client re") == ["client response 2 204 "])
        #expect(outcome.texts(about: "relay accepted") == ["relay accepted client~1"])
        #expect(real < .seconds(120))
    }

    @Test("The clock leaps while a response is held for 90 s")
    func anAnswerHeldForMinutesCountsAsIdle() async throws {
        let run = run(script: [
            (.seconds(90), [.server(.write(firstLink, bytes("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")))])
        ])
        let (outcome, real) = try await play(run)
        #expect(outcome.texts(about: "client re") == ["client response 1 200 "])
        #expect(outcome.lateness == .zero)
        #expect(real < .seconds(120))
    }

    @Test("A cancelled exchange ends its connection with FIN")
    func aCancelledExchangeEndsItsConnectionInOrder() async throws {
        let run = run(script: [(.seconds(30), [.client(.cancel(Self.exchange))])])
        let (outcome, _) = try await play(run)
        #expect(outcome.texts(about: "client re").isEmpty)
        #expect(
            outcome.texts(about: "ended") == [
                "relay ended client~1 client fin", "server ended client~1 fin", "relay ended client~1 server fin",
            ]
        )
    }

    @Test("The clock leaps while an upload is stalled, and the upload completes later")
    func aStalledUploadCountsAsIdleAndGoesOn() async throws {
        let size = 3_000_000
        let request = ChatRequest(method: "POST", target: "/big", body: [UInt8](repeating: 0x61, count: size))
        let whole = HTTPExchangeBytes.request(request, host: "chat.test").count
        let collector = Collector()
        var run = run(
            request,
            script: [
                (.seconds(90), [.relay(.readMode(firstLink, side: .client, .none))])
            ]
        ) { input, _ in
            if case .relay(.accepted(let link)) = input {
                [.relay(.readMode(link, side: .client, .unread))]
            } else {
                []
            }
        }
        run.serverAnswer = {
            collector.append($0)
            return collector.count == whole ? bytes("HTTP/1.1 204 No Content\r\n\r\n") : nil
        }
        let (outcome, real) = try await play(run)
        #expect(outcome.time(of: "client response 1 204 ") ?? .zero >= .seconds(90))
        #expect(outcome.lateness == .zero)
        #expect(real < .seconds(120))
    }

    @Test("Concurrent exchanges use separate connections") func manyExchangesAtOnceHaveAConnectionEach() async throws {
        var run = ScriptedRun(
            until: .seconds(10),
            script: [
                (.seconds(1), (1...40).map { .client(.request(ExchangeID(.only, $0), .health)) })
            ]
        )
        run.serverAnswer = { _ in bytes("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok") }
        let (outcome, _) = try await play(run)
        #expect(outcome.texts(about: "client response").count == 40)
        #expect(outcome.texts(about: "relay accepted").count == 40)
        #expect(outcome.texts(about: "rst").isEmpty)
    }
}
