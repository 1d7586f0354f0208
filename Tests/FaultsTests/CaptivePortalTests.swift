import Faults
import SquallCore
import Testing
import WebSocketWire

@Suite struct CaptivePortalTests {
    private let link = LinkID(.only, 1)

    /// Opens link 1 behind a captive portal, sends the client's request on it, and returns the relay's outputs.
    private func answer(
        _ portal: Fault.CaptivePortal,
        to request: String = "GET /health HTTP/1.1\r\nHost: chat.test\r\n\r\n"
    ) -> [RelayOutput] {
        var stage = Stage()
        _ = stage.begin(.captivePortal(portal), at: 0)
        #expect(stage.play(.accepted(link), at: 1) == ["network.accepted"])
        return stage.feed(.received(link, from: .client, Array(request.utf8)), at: .at(2))
    }

    /// Parses the response contained in the outputs; `rest` contains the remaining outputs.
    private func parse(_ outputs: [RelayOutput]) throws -> (head: HTTPResponseHead, body: String, rest: [String]) {
        var parser = HTTPResponseParser()
        var rest: [String] = []
        for output in outputs {
            if case .write(_, .client, let bytes) = output { parser.append(bytes) } else { rest.append(line(output)) }
        }
        parser.finish()
        var head: HTTPResponseHead?
        var body: [UInt8] = []
        while let event = try parser.next() {
            switch event {
            case .head(let found): head = found
            case .body(let bytes): body += bytes
            case .end: break
            }
        }
        return (try #require(head), String(decoding: body, as: UTF8.self), rest)
    }

    private let hit = "fault.hit[captive_portal] captive_portal"

    @Test(
        "The portal redirects to its own host with any redirect status",
        arguments: [301, 302, 303, 307, 308] as [Int64]
    )
    func redirectsToAnotherHost(_ status: Int64) throws {
        let got = try parse(answer(.init(.redirect, status: status)))
        #expect(got.head.status == Int(status))
        #expect(got.head.headers["Location"] == "http://portal.test/login")
        #expect(got.head.headers["Connection"] == "close")
        #expect(
            got.rest == ["network.answered \(status)", "network.closed network fin", "end 1 client fin", hit]
        )
    }

    @Test("The portal answers with its login page") func showsItsPage() throws {
        let got = try parse(answer(.init(.page)))
        #expect(got.head.status == 200)
        #expect(got.head.headers["Location"] == nil)
        #expect(got.body.contains("Network login"))
    }

    @Test("The portal answers 511 Network Authentication Required") func asksForAuthenticationOfTheNetwork() throws {
        let got = try parse(answer(.init(.networkAuthentication)))
        #expect(got.head.status == 511)
        #expect(got.head.reason == "Network Authentication Required")
    }

    @Test("The portal can redirect to the host of the request") func redirectsToTheSameHost() throws {
        let got = try parse(answer(.init(.sameHost, status: 307)))
        #expect(got.head.status == 307)
        #expect(got.head.headers["Location"] == "http://chat.test/login")
        let nameless = try parse(answer(.init(.sameHost), to: "GET / HTTP/1.0\r\n\r\n"))
        #expect(nameless.head.headers["Location"] == "/login")
    }

    @Test("The portal redirects upgrades and uploads too") func answersAnUpgradeAndAnUploadAlike() throws {
        let upgrade = "GET /ws HTTP/1.1\r\nHost: c\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"
        #expect(try parse(answer(.init(), to: upgrade)).head.status == 302)
        let upload = "POST /media HTTP/1.1\r\nHost: c\r\nContent-Length: 9999\r\n\r\nabc"
        #expect(try parse(answer(.init(), to: upload)).head.status == 302)
    }

    @Test("The portal answers HEAD without a body") func sendsNoBodyForAHead() throws {
        let outputs = answer(.init(.page), to: "HEAD / HTTP/1.1\r\nHost: c\r\n\r\n")
        var written: [UInt8] = []
        for case .write(_, _, let bytes) in outputs { written += bytes }
        #expect(String(decoding: written, as: UTF8.self).hasSuffix("\r\n\r\n"))
    }

    @Test("The portal gives the same answer however the request is split into chunks")
    func answersTheSameForAnyChunks() throws {
        let request = Array("GET /health HTTP/1.1\r\nHost: chat.test\r\n\r\n".utf8)
        var stage = Stage()
        _ = stage.begin(.captivePortal(.init()), at: 0)
        stage.play(.accepted(link), at: 1)
        for byte in request.dropLast() {
            #expect(stage.feed(.received(link, from: .client, [byte]), at: .at(2)) == [])
        }
        let last = stage.feed(.received(link, from: .client, [request[request.count - 1]]), at: .at(2))
        #expect(last == answer(.init()))
        // After responding, the portal discards all further bytes. Once the client has closed the connection, the relay
        // removes the link.
        #expect(stage.send("more", from: .client, at: 3) == [])
        #expect(stage.end(.client, .fin, at: 4) == [])
        #expect(stage.play(.accepted(link), at: 5) == ["network.accepted"])
    }

    @Test("The portal resets a connection that does not begin with an HTTP request") func resetsWhatIsNoHTTP() {
        let endless = String(repeating: "x", count: 20_000)
        for garbage in ["\u{16}\u{03}\u{01}\r\n", "hello\r\n\r\n", "GET / HTTP/2.0\r\n\r\n", endless] {
            #expect(answer(.init(), to: garbage).map(line) == ["network.closed network rst", "end 1 client rst", hit])
        }
    }

    @Test("The portal closes a connection that ends before its request is complete")
    func endsAConnectionThatEndsBeforeItsRequest() {
        var stage = Stage()
        _ = stage.begin(.captivePortal(.init()), at: 0)
        stage.play(.accepted(link), at: 1)
        _ = stage.send("GET /", from: .client, at: 2)
        #expect(stage.end(.client, .fin, at: 3) == ["network.closed client fin", "end 1 client fin"])
    }

    @Test("captive_portal takes precedence over accept_then_close and upgrade_status")
    func standsNearerToTheClientThanOtherFaults() {
        var stage = Stage()
        _ = stage.begin(.upgradeStatus(.init(503)), at: 0)
        _ = stage.begin(.upgradeStatus(.init(429)), at: 0)
        _ = stage.begin(.acceptThenClose(.init()), as: "close", at: 0)
        _ = stage.begin(.captivePortal(.init()), as: "wifi", at: 0)
        let upgrade = "GET / HTTP/1.1\r\nUpgrade: websocket\r\n\r\n"
        stage.play(.accepted(LinkID(.only, 1)), at: 1)
        #expect(stage.send(upgrade, from: .client, link: 1, at: 2).first == "network.answered 302")
        stage.play(.heal(label: "wifi"), at: 3)
        #expect(
            stage.play(.accepted(LinkID(.only, 2)), at: 4).suffix(2) == [
                "end 2 client fin", "fault.hit[close] accept_then_close",
            ]
        )
        stage.play(.heal(label: "close"), at: 5)
        stage.play(.accepted(LinkID(.only, 3)), at: 6)
        // Both active faults would reject the upgrade; the one that began first takes precedence.
        #expect(stage.send(upgrade, from: .client, link: 3, at: 7).first == "network.upgrade.refused 503")
    }

    @Test("captive_portal with form reset resets every new connection") func resetsEveryConnectionInThatForm() {
        var stage = Stage()
        _ = stage.begin(.captivePortal(.init(.reset)), at: 0)
        #expect(
            stage.play(.accepted(link), at: 1) == [
                "network.accepted", "network.closed network rst", "end 1 client rst", hit,
            ]
        )
    }

    @Test("captive_portal resets the connections that are open when it begins") func resetsOpenConnections() {
        var stage = Stage.connected()
        #expect(
            stage.begin(.captivePortal(.init()), as: "wifi", at: 10) == [
                "fault.began[wifi] captive_portal", "network.closed network rst", "end 1 client rst",
                "end 1 server rst", "fault.hit[wifi] captive_portal",
            ]
        )
    }

    @Test("The portal accepts connections even if the server is not listening") func answersThoughTheServerIsDown() {
        var stage = Stage()
        stage.play(.upstreamListening(false), at: 0)
        #expect(
            stage.begin(.captivePortal(.init()), at: 1) == [
                "fault.began[captive_portal] captive_portal", "accept open",
            ]
        )
        #expect(stage.play(.healAll, at: 2) == ["fault.ended[captive_portal] captive_portal", "accept refusing"])
    }

    @Test("A latency delays both the request to the portal and the portal's answer")
    func standsBehindTheFaultsOfTheBytes() {
        var stage = Stage()
        _ = stage.begin(.captivePortal(.init()), at: 0)
        _ = stage.begin(.latency(.init(delay: .milliseconds(100))), at: 0)
        stage.play(.accepted(link), at: 0)
        _ = stage.send("GET / HTTP/1.1\r\nHost: c\r\n\r\n", from: .client, at: 0)
        let lines = stage.wait(until: 1000)
        #expect(lines.first == "0.100 network.answered 302")
        #expect(lines.last == "0.200 end 1 client fin")
    }

    @Test("A login ends the portal only for the client that logged in") func aLoginEndsItForThatClient() {
        let anna = ClientID("anna")
        let ben = ClientID("ben")
        var stage = Stage(clients: [anna, ben])
        stage.play(.upstreamListening(false), at: 0)
        _ = stage.begin(.captivePortal(.init(untilLogin: true)), as: "wifi", at: 0)
        #expect(stage.play(.login(anna), at: 1) == ["anna.fault.lifted[wifi] captive_portal", "accept anna refusing"])
        #expect(stage.play(.login(anna), at: 2) == [])
        #expect(
            stage.play(.login(ben), at: 3)
                == ["ben.fault.lifted[wifi] captive_portal", "fault.ended[wifi] captive_portal", "accept ben refusing"]
        )
        stage.play(.upstreamListening(true), at: 4)
        #expect(stage.play(.accepted(LinkID(anna, 1)), at: 5) == ["anna.network.accepted", "connect anna~1"])
    }

    @Test("A login does not end a portal without until_login") func aLoginDoesNothingToOneThatDoesNotAskForIt() {
        var stage = Stage()
        _ = stage.begin(.captivePortal(.init()), at: 0)
        #expect(stage.play(.login(.only), at: 1) == [])
        #expect(stage.play(.accepted(link), at: 2) == ["network.accepted"])
    }
}

@Suite struct UpgradeStatusTests {
    private let link = LinkID(.only, 1)
    private let upgrade = "GET /ws HTTP/1.1\r\nHost: c\r\nUpgrade: WebSocket\r\nConnection: Upgrade\r\n\r\n"

    @Test("upgrade_status answers an upgrade request in place of the server") func answersUpgradesInTheServersPlace() {
        var stage = Stage()
        _ = stage.begin(.upgradeStatus(.init(503, retryAfter: .milliseconds(2500))), at: 0)
        stage.play(.accepted(link), at: 1)
        #expect(
            stage.send(upgrade, from: .client, at: 2) == [
                "network.upgrade.refused 503", "network.closed network fin",
                "write 1 client HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n"
                    + "Retry-After: 3\r\n\r\n",
                "end 1 client fin", "fault.hit[upgrade_status] upgrade_status",
            ]
        )
    }

    @Test("upgrade_status forwards other requests to the server") func letsOtherRequestsPass() {
        var stage = Stage()
        _ = stage.begin(.upgradeStatus(.init(503)), at: 0)
        #expect(stage.play(.accepted(link), at: 1) == ["network.accepted"])
        #expect(stage.send("GET /sync HTTP/1.1\r\n", from: .client, at: 2) == [])
        #expect(stage.send("Host: c\r\n\r\n", from: .client, at: 3) == ["connect 1"])
        #expect(
            stage.play(.upstreamOpened(link), at: 4)
                == ["write 1 server GET /sync HTTP/1.1\r\n", "write 1 server Host: c\r\n\r\n"]
        )
        #expect(stage.send("OK", from: .server, at: 5) == ["write 1 client OK"])
    }

    @Test("upgrade_status forwards bytes that are not HTTP to the server") func leavesTheJudgingOfGarbageToTheServer() {
        var stage = Stage()
        _ = stage.begin(.upgradeStatus(.init(503)), at: 0)
        stage.play(.accepted(link), at: 1)
        #expect(stage.send("garbage\r\n", from: .client, at: 2) == ["connect 1"])
        #expect(stage.play(.upstreamOpened(link), at: 3) == ["write 1 server garbage\r\n"])
    }

    @Test("upgrade_status forwards an incomplete request and its FIN to the server")
    func aConnectionThatEndsBeforeItsRequestIsTheServersToo() {
        var stage = Stage()
        _ = stage.begin(.upgradeStatus(.init(503)), at: 0)
        stage.play(.accepted(link), at: 1)
        _ = stage.send("GET", from: .client, at: 2)
        #expect(stage.end(.client, .fin, at: 3) == ["network.closed client fin", "connect 1"])
        #expect(stage.play(.upstreamOpened(link), at: 4) == ["write 1 server GET", "end 1 server fin"])
    }

    @Test("upgrade_status does not affect open connections") func leavesOpenConnectionsAlone() {
        var stage = Stage.connected()
        #expect(stage.begin(.upgradeStatus(.init(429)), at: 0) == ["fault.began[upgrade_status] upgrade_status"])
        #expect(stage.send(upgrade, from: .client, at: 1) == ["write 1 server \(upgrade)"])
    }

    @Test("A drop does not open a pending connection to the server") func dropBehindPortal() {
        var stage = Stage()
        _ = stage.begin(.upgradeStatus(.init(503)), at: 0)
        stage.play(.accepted(link), at: 1)
        _ = stage.send("GET", from: .client, at: 2)
        let lines = stage.begin(.drop(.init()), at: 3)
        #expect(lines.contains("end 1 client fin"))
        #expect(!lines.contains("connect 1"))
    }
}
