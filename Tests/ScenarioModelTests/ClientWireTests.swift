import ChatWire
import Faults
import SquallCore
import Testing
import WebSocketWire

@testable import ScenarioModel

/// What is read from a foreign client's connections while they pass.
@Suite struct ClientWireTests {
    private static let wire = WireProfile()
    private static func at(_ milliseconds: Int64) -> Instant { .zero + .milliseconds(milliseconds) }

    /// A client and a server that talk through a tap.
    private struct Stage {
        var tap: ClientWire
        var seen: [String] = []

        init(standingInFor names: [String] = ClientWire.standIns, reportsState: Bool = false) {
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

        /// Opens a WebSocket and has it accepted, byte by byte where asked for.
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

        private func frame(_ frame: ServerFrame) -> [UInt8] {
            let payload = frame.encode(wire)
            return [0x81, UInt8(payload.count)] + payload
        }
    }

    /// A path that is dark ends when nobody sees it: the next call ends what led nowhere.
    @Test func whatWentDarkIsGivenUpWithTheNextCall() throws {
        var stage = Stage()
        try stage.connect(Self.first, at: Self.at(0))
        stage.tap.wentDark(Self.first)
        stage.seen.removeAll()
        try stage.connect(Self.second, at: Self.at(5000))
        #expect(stage.seen.contains("connection.open_sockets = 1"))
        #expect(!stage.seen.contains("connection.open_sockets = 2"))
    }

    /// What was written meanwhile is read late: it dates nothing.
    @Test func anEndThatWasReadLateDatesNoAttempt() throws {
        var stage = Stage()
        try stage.connect(Self.first, at: Self.at(0))
        stage.tap.wentDark(Self.first)
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

    @Test(arguments: [false, true]) func aConnectionIsReadAsItPasses(byByte: Bool) throws {
        var stage = Stage()
        try stage.connect(Self.first, at: .zero, byByte: byByte)
        #expect(stage.seen == Self.opening)
    }

    @Test func theDistanceOfAnAttemptIsThatFromTheEndBefore() throws {
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

    @Test func whatMayHaveBeenHiddenHasNoDistance() throws {
        var stage = Stage()
        try stage.connect(Self.first, at: .zero)
        stage.note(stage.tap.ended(Self.first, .fin, at: Self.at(100)))
        stage.tap.wasHidden()
        stage.seen = []
        try stage.connect(Self.second, at: Self.at(1_300))
        #expect(stage.seen.first == #"client.attempt.began {"number":1}"#)
    }

    @Test func whatAKilledProcessLeavesBehindIsNotItsSuccessors() throws {
        var stage = Stage()
        try stage.connect(Self.first, at: .zero)
        stage.seen = []
        stage.note(stage.tap.killed())
        #expect(stage.seen == [#"link.state = "none""#, "connection.open_sockets = 0"])
        stage.seen = []
        #expect(stage.tap.killed().isEmpty, "there is nothing left to tell of")
        stage.note(stage.tap.ended(Self.first, .fin, at: Self.at(4_000)))
        #expect(stage.seen.isEmpty)
        try stage.connect(Self.second, at: Self.at(4_001))
        #expect(stage.seen.first == #"client.attempt.began {"number":1}"#)
    }

    @Test func attemptsBesideAnOpenSocketHaveNoDistance() throws {
        var stage = Stage()
        try stage.connect(Self.first, at: .zero)
        stage.seen = []
        try stage.connect(Self.second, at: Self.at(500))
        #expect(stage.seen.prefix(2) == [#"client.attempt.began {"number":1}"#, "connection.open_sockets = 2"])
    }

    @Test func anEndFromAfarIsSeenOnceItHasCrossed() throws {
        var stage = Stage()
        try stage.connect(Self.first, at: .zero)
        stage.seen = []
        stage.tap.endedFromAfar(Self.first, .fin, at: Self.at(100))
        #expect(stage.tap.nextDeadline == Self.at(101))
        stage.note(stage.tap.due(at: Self.at(100)))
        #expect(stage.seen.isEmpty)
        stage.note(stage.tap.due(at: Self.at(101)))
        #expect(stage.seen.first == #"client.disconnected {"failure":"end_of_stream"}"#)
        #expect(stage.tap.nextDeadline == nil)
    }

    @Test func aClientThatTellsItsStateIsConnectedWhenItSaysSo() throws {
        var stage = Stage(reportsState: true)
        try stage.connect(Self.first, at: .zero)
        #expect(!stage.seen.contains { $0.hasPrefix("client.connected") })
        stage.seen = []
        stage.note(stage.tap.reported("connected"))
        stage.note(stage.tap.reported("connected"))
        stage.tap.endedFromAfar(Self.first, .rst, at: Self.at(100))
        stage.note(stage.tap.reported("reconnecting"))
        #expect(stage.seen == [#"client.connected {"resumed":true}"#, #"client.disconnected {"failure":"reset"}"#])
    }

    @Test func whatTheClientShowsItselfIsNotStoodInFor() throws {
        var stage = Stage(standingInFor: ["connection.open_sockets"])
        try stage.connect(Self.first, at: .zero)
        #expect(!stage.seen.contains { $0.hasPrefix("client.attempt") || $0.hasPrefix("client.connected") })
        #expect(stage.seen.contains("connection.open_sockets = 1"))
    }

    /// One that asks for a WebSocket and is given it, and no more.
    private static func open(_ link: LinkID, in stage: inout Stage) {
        stage.note(stage.tap.accepted(link, at: .zero))
        stage.up(Array("GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n\r\n".utf8), link, at: .zero)
        stage.down(Array("HTTP/1.1 101 x\r\nUpgrade: websocket\r\n\r\n".utf8), link, at: .zero)
    }

    /// The state told is that of a WebSocket which is there, and of several that of the newest.
    @Test(arguments: [false, true]) func anEndLeavesTheStateOfWhatIsLeft(isLeftOlder: Bool) throws {
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

    /// A connection that was refused a WebSocket may be asked again for one: that is another attempt.
    @Test func anUpgradeAskedForAgainOnOneConnectionIsAnotherAttempt() {
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

    /// Whether somebody is left to read it is known a moment later.
    @Test(arguments: [false, true]) func anAnswerToAClientThatHasEndedItsDirectionIsSeenIfItIsThere(isGone: Bool) {
        var stage = Stage()
        stage.note(stage.tap.accepted(Self.first, at: .zero))
        stage.up(Self.health, Self.first, at: .zero)
        stage.note(stage.tap.ended(Self.first, .fin, at: .zero))
        stage.seen = []
        stage.down(Self.healthy, Self.first, at: Self.at(100))
        stage.tap.endedFromAfar(Self.first, .fin, at: Self.at(100))
        if isGone { stage.note(stage.tap.ended(Self.first, .rst, at: Self.at(100))) }
        stage.note(stage.tap.due(at: Self.at(101)))
        #expect(stage.seen == (isGone ? [] : [Self.answered]))
        stage.seen = []
        stage.down(Self.healthy, Self.first, at: Self.at(102))
        stage.note(stage.tap.due(at: Self.at(110)))
        #expect(stage.seen.isEmpty, "both directions have ended")
    }

    /// What was asked before the end from afar was seen is asked all the same.
    @Test func whatIsAskedOfAServerThatHasEndedItsDirectionIsSeen() {
        var stage = Stage()
        stage.note(stage.tap.accepted(Self.first, at: .zero))
        stage.tap.endedFromAfar(Self.first, .fin, at: .zero)
        stage.note(stage.tap.due(at: Self.at(1)))
        stage.up(Self.health, Self.first, at: Self.at(2))
        #expect(stage.seen == [#"client.requested.health {"method":"GET","target":"/health"}"#])
    }

    @Test func requestsAndTheirAnswersAreNamedByTheirRoute() {
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

    @Test func noBytesCrashIt() {
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
        }
    }
}

extension WebSocketConnection {
    fileprivate mutating func send(_ frame: ClientFrame) {
        _ = sendText(String(decoding: frame.encode(WireProfile()), as: UTF8.self))
    }
}
