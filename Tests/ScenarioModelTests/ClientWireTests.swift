import ChatWire
import Faults
import SquallCore
import Testing
import WebSocketWire

@testable import ScenarioModel

/// Tests the observations derived from the connections of a foreign client (one that is not Squall's own).
@Suite struct ClientWireTests {
    private static let wire = WireProfile()
    private static func at(_ milliseconds: Int64) -> Instant { .zero + .milliseconds(milliseconds) }

    /// A client and a server connected through the tap.
    private struct Stage {
        var tap: ClientWire
        var seen: [String] = []

        init(standingInFor names: [String] = ClientWire.substitutes, reportsState: Bool = false) {
            tap = ClientWire(wire, standingInFor: names, reportsState: reportsState)
        }

        mutating func note(_ observations: [Observation]) {
            seen += observations.map { observation in
                let change: String =
                    switch observation.change {
                    case .happened(let fields): fields.members?.isEmpty == true ? "" : " \(fields)"
                    case .set(let value): " = \(value)"
                    default: " …"
                    }
                return "\(observation.name)\(observation.key.map { "[\($0)]" } ?? "")\(change)"
            }
        }

        /// Opens a WebSocket and completes its handshake. If `byByte` is true, the bytes pass one at a time.
        mutating func connect(_ link: LinkID, at now: Instant, byByte: Bool = false) throws {
            note(tap.accepted(link, at: now))
            var client = WebSocketConnection.client(
                host: "x",
                path: "/ws",
                key: [UInt8](repeating: 7, count: 16),
                masks: Seed(1).stream("masks")
            )
            let request = client.takeOutput()
            var parser = HTTPRequestParser()
            parser.append(request)
            guard case .head(let head)? = try parser.next() else { throw HTTPError.truncated }
            var server = try WebSocketConnection.server(accepting: head, remainder: [])
            let response = server.takeOutput()
            up(request, link, at: now, byByte: byByte)
            down(response, link, at: now, byByte: byByte)
            _ = client.receive(response)
            down(frame(.hello(version: "1", authVersion: 1)), link, at: now, byByte: byByte)
            client.send(.connect(.init(key: "key-1", session: nil)))
            up(client.takeOutput(), link, at: now, byByte: byByte)
            down(
                frame(.connected(.init(session: "s", resumed: true, lastSequence: 4))),
                link,
                at: now,
                byByte: byByte
            )
        }

        mutating func up(_ bytes: [UInt8], _ link: LinkID, at now: Instant, byByte: Bool = false) {
            for piece in byByte ? bytes.map({ [$0] }) : [bytes] { note(tap.upstream(piece, on: link, at: now)) }
        }

        mutating func down(_ bytes: [UInt8], _ link: LinkID, at now: Instant, byByte: Bool = false) {
            for piece in byByte ? bytes.map({ [$0] }) : [bytes] { note(tap.downstream(piece, on: link, at: now)) }
        }

        /// Sends a frame from the server.
        mutating func say(_ said: ServerFrame, _ link: LinkID, at now: Instant) {
            down(frame(said), link, at: now)
        }

        private func frame(_ frame: ServerFrame) -> [UInt8] {
            let payload = frame.encode(wire)
            return [0x81, UInt8(payload.count)] + payload
        }
    }

    /// A lost network path hides the end of a connection, so the connection is assumed to end when the next attempt
    /// begins.
    @Test("If the network path was lost, the next attempt ends the old connection")
    func aDarkConnectionEndsWithTheNextAttempt() throws {
        var stage = Stage()
        try stage.connect(Self.first, at: Self.at(0))
        stage.tap.stoppedReading(Self.first)
        stage.seen.removeAll()
        try stage.connect(Self.second, at: Self.at(5000))
        #expect(stage.seen.contains("connection.open_sockets = 1"))
        #expect(!stage.seen.contains("connection.open_sockets = 2"))
    }

    /// Data sent while the path was lost is read late, so the time at which it is read means nothing.
    @Test("After a connection end that was read late, the next attempt has no backoff delay")
    func anEndThatWasReadLateDatesNoAttempt() throws {
        var stage = Stage()
        try stage.connect(Self.first, at: Self.at(0))
        stage.tap.stoppedReading(Self.first)
        stage.note(stage.tap.ended(Self.first, .fin, at: Self.at(6000)))
        stage.seen.removeAll()
        try stage.connect(Self.second, at: Self.at(6000))
        let began = stage.seen.first { $0.hasPrefix("client.attempt.began") }
        #expect(began?.contains("after") == false)
    }

    private static let first = LinkID(.only, 1)
    private static let second = LinkID(.only, 2)

    private static let opening = [
        #"client.attempt.began {"number":1}"#, "connection.open_sockets = 1", #"link.state = "opening""#,
        #"link.state = "open""#, #"client.received.hello {"version":"1","auth_version":1}"#,
        #"client.sent.connect {"session":null}"#, #"client.received.connected {"resumed":true,"last_sequence":4}"#,
        #"client.connected {"resumed":true}"#, #"link.state = "connected""#,
    ]

    @Test("The events of a connection are the same when its bytes arrive one by one", arguments: [false, true])
    func aConnectionIsReadAsItPasses(byByte: Bool) throws {
        var stage = Stage()
        try stage.connect(Self.first, at: .zero, byByte: byByte)
        #expect(stage.seen == Self.opening)
    }

    @Test("The backoff delay of an attempt is measured from the end of the previous connection")
    func theDistanceOfAnAttemptIsThatFromTheEndBefore() throws {
        var stage = Stage()
        try stage.connect(Self.first, at: .zero)
        stage.seen = []
        stage.note(stage.tap.ended(Self.first, .rst, at: Self.at(100)))
        #expect(
            stage.seen == [
                #"client.disconnected {"failure":"reset"}"#, #"link.state = "none""#, "connection.open_sockets = 0",
            ]
        )
        stage.seen = []
        try stage.connect(Self.second, at: Self.at(1_300))
        #expect(stage.seen.first == #"client.attempt.began {"number":1,"after":1200000000}"#)
    }

    @Test("An attempt after an unobserved period has no backoff delay")
    func anAttemptAfterHiddenTimeHasNoDistance() throws {
        var stage = Stage()
        try stage.connect(Self.first, at: .zero)
        stage.note(stage.tap.ended(Self.first, .fin, at: Self.at(100)))
        stage.tap.becameUnobservable()
        stage.seen = []
        try stage.connect(Self.second, at: Self.at(1_300))
        #expect(stage.seen.first == #"client.attempt.began {"number":1}"#)
    }

    @Test("The connections of a killed process do not count for the next process")
    func connectionsOfAKilledProcessAreDropped() throws {
        var stage = Stage()
        try stage.connect(Self.first, at: .zero)
        stage.seen = []
        stage.note(stage.tap.killed())
        #expect(stage.seen == [#"link.state = "none""#, "connection.open_sockets = 0"])
        stage.seen = []
        #expect(stage.tap.killed().isEmpty, "nothing is left to report")
        stage.note(stage.tap.ended(Self.first, .fin, at: Self.at(4_000)))
        #expect(stage.seen.isEmpty)
        try stage.connect(Self.second, at: Self.at(4_001))
        #expect(stage.seen.first == #"client.attempt.began {"number":1}"#)
    }

    @Test("An attempt while another socket is open has no backoff delay")
    func attemptsBesideAnOpenSocketHaveNoDistance() throws {
        var stage = Stage()
        try stage.connect(Self.first, at: .zero)
        stage.seen = []
        try stage.connect(Self.second, at: Self.at(500))
        #expect(stage.seen.prefix(2) == [#"client.attempt.began {"number":1}"#, "connection.open_sockets = 2"])
    }

    @Test("A frame on a connection other than the newest is reported with its connection number")
    func framesOfAnOlderConnectionNameIt() throws {
        var stage = Stage()
        try stage.connect(Self.first, at: .zero)
        try stage.connect(Self.second, at: Self.at(500))
        stage.seen = []
        stage.say(.ping(id: "p-1"), Self.first, at: Self.at(600))
        stage.say(.ping(id: "p-2"), Self.second, at: Self.at(600))
        #expect(stage.seen.count == 2)
        #expect(stage.seen.first?.contains(#""link":1"#) == true)
        #expect(stage.seen.last?.contains("link") == false)
    }

    @Test("The server's FIN is observed after the delay of the network")
    func anEndFromAfarIsSeenOnceItHasCrossed() throws {
        var stage = Stage()
        try stage.connect(Self.first, at: .zero)
        stage.seen = []
        stage.tap.endedByPeer(Self.first, .fin, at: Self.at(100))
        #expect(stage.tap.nextDeadline == Self.at(101))
        stage.note(stage.tap.due(at: Self.at(100)))
        #expect(stage.seen.isEmpty)
        stage.note(stage.tap.due(at: Self.at(101)))
        #expect(stage.seen.first == #"client.disconnected {"failure":"end_of_stream"}"#)
        #expect(stage.tap.nextDeadline == nil)
    }

    @Test("A client that reports its own state is connected when it reports connected")
    func aClientThatTellsItsStateIsConnectedWhenItSaysSo() throws {
        var stage = Stage(reportsState: true)
        try stage.connect(Self.first, at: .zero)
        #expect(!stage.seen.contains { $0.hasPrefix("client.connected") })
        stage.seen = []
        stage.note(stage.tap.reported("connected"))
        stage.note(stage.tap.reported("connected"))
        stage.tap.endedByPeer(Self.first, .rst, at: Self.at(100))
        stage.note(stage.tap.reported("reconnecting"))
        #expect(stage.seen == [#"client.connected {"resumed":true}"#, #"client.disconnected {"failure":"reset"}"#])
    }

    @Test("Observables that the client reports itself are not derived from the wire")
    func reportedObservablesAreNotDerived() throws {
        var stage = Stage(standingInFor: ["connection.open_sockets"])
        try stage.connect(Self.first, at: .zero)
        #expect(!stage.seen.contains { $0.hasPrefix("client.attempt") || $0.hasPrefix("client.connected") })
        #expect(stage.seen.contains("connection.open_sockets = 1"))
    }

    /// Opens a WebSocket without sending a frame on it.
    private static func open(_ link: LinkID, in stage: inout Stage) {
        stage.note(stage.tap.accepted(link, at: .zero))
        stage.up(Array("GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n\r\n".utf8), link, at: .zero)
        stage.down(Array("HTTP/1.1 101 x\r\nUpgrade: websocket\r\n\r\n".utf8), link, at: .zero)
    }

    /// The reported state is that of the most recently opened WebSocket that is still open.
    @Test("After one of two connections ends, the state is that of the remaining WebSocket", arguments: [false, true])
    func anEndLeavesTheStateOfWhatIsLeft(isLeftOlder: Bool) throws {
        var stage = Stage()
        if isLeftOlder {
            Self.open(Self.second, in: &stage)
            try stage.connect(Self.first, at: .zero)
        } else {
            try stage.connect(Self.first, at: .zero)
            Self.open(Self.second, in: &stage)
        }
        stage.note(stage.tap.ended(Self.first, .fin, at: Self.at(1)))
        #expect(stage.seen.last { $0.hasPrefix("link.state") } == #"link.state = "open""#)
        stage.note(stage.tap.ended(Self.second, .fin, at: Self.at(2)))
        #expect(stage.seen.last { $0.hasPrefix("link.state") } == #"link.state = "none""#)
    }

    /// After an upgrade is rejected, the client may repeat the request on the same connection.
    @Test("A repeated upgrade request on the same connection counts as another attempt")
    func anUpgradeAskedForAgainOnOneConnectionIsAnotherAttempt() {
        var stage = Stage()
        let upgrade = Array("GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n\r\n".utf8)
        stage.note(stage.tap.accepted(Self.first, at: .zero))
        stage.up(upgrade, Self.first, at: .zero)
        stage.down(Array("HTTP/1.1 503 x\r\nContent-Length: 2\r\n\r\nno".utf8), Self.first, at: .zero)
        stage.seen = []
        stage.up(upgrade, Self.first, at: Self.at(10))
        stage.down(Array("HTTP/1.1 101 x\r\nUpgrade: websocket\r\n\r\n".utf8), Self.first, at: Self.at(10))
        #expect(
            stage.seen == [
                #"client.attempt.failed {"failure":"http_503"}"#, #"client.attempt.began {"number":2}"#,
                "connection.open_sockets = 1", #"link.state = "open""#,
            ]
        )
    }

    private static let health = Array("GET /health HTTP/1.1\r\nHost: x\r\n\r\n".utf8)
    private static let healthy = Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}".utf8)
    private static let answered = #"client.answered.health {"status":200}"#

    /// A reset shortly after the response shows that the client did not read it.
    @Test(
        "A response to a half-closed client is observed unless the client has closed its socket",
        arguments: [false, true]
    )
    func anAnswerToAClientThatHasEndedItsDirectionIsSeenIfItIsThere(isGone: Bool) {
        var stage = Stage()
        stage.note(stage.tap.accepted(Self.first, at: .zero))
        stage.up(Self.health, Self.first, at: .zero)
        stage.note(stage.tap.ended(Self.first, .fin, at: .zero))
        stage.seen = []
        stage.down(Self.healthy, Self.first, at: Self.at(100))
        stage.tap.endedByPeer(Self.first, .fin, at: Self.at(100))
        if isGone { stage.note(stage.tap.ended(Self.first, .rst, at: Self.at(100))) }
        stage.note(stage.tap.due(at: Self.at(101)))
        #expect(stage.seen == (isGone ? [] : [Self.answered]))
        stage.seen = []
        stage.down(Self.healthy, Self.first, at: Self.at(102))
        stage.note(stage.tap.due(at: Self.at(110)))
        #expect(stage.seen.isEmpty, "both directions have ended")
    }

    /// The client may send a request before it has received the server's FIN.
    @Test("A request sent after the server's FIN is observed")
    func aRequestToAHalfClosedServerIsSeen() {
        var stage = Stage()
        stage.note(stage.tap.accepted(Self.first, at: .zero))
        stage.tap.endedByPeer(Self.first, .fin, at: .zero)
        stage.note(stage.tap.due(at: Self.at(1)))
        stage.up(Self.health, Self.first, at: Self.at(2))
        #expect(stage.seen == [#"client.requested.health {"method":"GET","target":"/health"}"#])
    }

    @Test("Events of HTTP requests and responses are named after their route")
    func requestsAndTheirAnswersAreNamedByTheirRoute() {
        var stage = Stage()
        stage.note(stage.tap.accepted(Self.first, at: .zero))
        stage.up(Array("GET /health HTTP/1.1\r\nHost: x\r\n\r\n".utf8), Self.first, at: .zero)
        stage.down(Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}".utf8), Self.first, at: .zero)
        stage.note(stage.tap.ended(Self.first, .fin, at: .zero))
        #expect(
            stage.seen == [
                #"client.requested.health {"method":"GET","target":"/health"}"#,
                #"client.answered.health {"status":200}"#,
            ]
        )
    }

    @Test("Random bytes on one connection do not affect the observation of the next connection")
    func noBytesCrashIt() throws {
        var generator = Seed(5).stream("wire")
        for round in 0..<500 {
            var stage = Stage()
            stage.note(stage.tap.accepted(Self.first, at: .zero))
            if round.isMultiple(of: 2) {
                stage.up(Array("GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n\r\n".utf8), Self.first, at: .zero)
                let compressed = round.isMultiple(of: 4) ? "Sec-WebSocket-Extensions: permessage-deflate\r\n" : ""
                stage.down(
                    Array("HTTP/1.1 101 x\r\nUpgrade: websocket\r\n\(compressed)\r\n".utf8),
                    Self.first,
                    at: .zero
                )
            }
            for _ in 0..<8 {
                let count = Int(truncatingIfNeeded: generator.next() % 40)
                let noise = (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
                stage.up(noise, Self.first, at: .zero)
                stage.down(noise, Self.first, at: .zero)
            }
            stage.note(stage.tap.ended(Self.first, .rst, at: Self.at(1)))
            try stage.connect(Self.second, at: Self.at(1000))
            #expect(stage.seen.suffix(3) == Self.opening.suffix(3), "round \(round)")
        }
    }
}

extension WebSocketConnection {
    fileprivate mutating func send(_ frame: ClientFrame) {
        _ = sendText(String(decoding: frame.encode(WireProfile()), as: UTF8.self))
    }
}
