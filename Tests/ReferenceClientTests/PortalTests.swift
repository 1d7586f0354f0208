import ChatWire
import Faults
import ReferenceClient
import SquallCore
import Testing
import WebSocketWire

@Suite struct PortalTests {
    private static let elsewhere = "http://portal.test/login"
    private static let html = [(name: "content-type", value: "text/html; charset=utf-8")]

    private func atUpgrade(_ driver: inout Driver) {
        driver.start()
        driver.open()
    }

    @Test(
        "A redirect of the upgrade to another host is treated as a captive portal",
        arguments: [301, 302, 303, 307, 308]
    )
    func redirectOfTheUpgradeToAnotherHostIsAPortal(status: Int) {
        var driver = Driver()
        atUpgrade(&driver)
        driver.refuseUpgrade(status, ["Location": Self.elsewhere])
        #expect(driver.state == "captive_portal")
        #expect(driver["network.captive"] == true)
        #expect(driver.text("alert.title") == "Network Login Required")
        #expect(driver.text("alert.text")?.contains("Safari") == true)
        #expect(driver["connection.attempt"] == 0)
        driver.advance(by: .seconds(3600))
        #expect(driver.attempts.count == 1)
    }

    @Test("An upgrade answered by a login page, status 511 or a scheme-relative redirect is a captive portal")
    func loginPageAnd511InPlaceOfTheUpgradeArePortals() {
        for (status, headers) in [
            (200, ["Content-Type": "text/html"]), (511, [:]), (302, ["Location": "//portal.test/login"]),
        ] as [(Int, HTTPHeaders)] {
            var driver = Driver()
            atUpgrade(&driver)
            driver.refuseUpgrade(status, headers, body: "<html></html>")
            #expect(driver.state == "captive_portal", "\(status)")
        }
    }

    @Test(
        "A redirect of the upgrade to the same host is a failed attempt, not a captive portal",
        arguments: [
            "http://chat.test/login", "http://CHAT.TEST:8080/login", "/login", "login?next=http://portal.test/",
            "?x=//y",
        ]
    )
    func redirectThatStaysIsNoPortal(location: String) {
        var driver = Driver()
        atUpgrade(&driver)
        driver.refuseUpgrade(302, ["Location": location])
        #expect(driver.state == "reconnecting")
        #expect(driver.text("connection.last_error") == "http_302")
        #expect(driver["connection.attempt"] == 1)
        #expect(driver.history("network.captive") == ["false"])
    }

    @Test("A connection lost during the upgrade causes a probe of /health")
    func anOddAnswerToTheUpgradeIsProbed() {
        var driver = Driver()
        atUpgrade(&driver)
        driver.drop()
        #expect(driver.requests.map(\.request.target) == ["/health"])
        #expect(driver.requests.first?.request.authorization == nil)
        driver.answer("/health", 302, headers: [(name: "location", value: Self.elsewhere)])
        #expect(driver.state == "captive_portal")
        #expect(driver["connection.attempt"] == 0)
        #expect(driver.events("client.backoff.cancelled").count == 1)
    }

    @Test("A refused or unanswered connection attempt does not cause a probe of /health")
    func anUnansweredAttemptIsNotProbed() {
        var driver = Driver()
        driver.start()
        driver.refuse()
        #expect(driver.requests.isEmpty)
        driver.advance(by: .seconds(11))
        #expect(driver.requests.isEmpty)
    }

    @Test("A probe distinguishes the server from a captive portal by the response body")
    func probeKnowsTheServerByItsBody() {
        for (body, state) in [
            (StatusBody.ok.encode(WireProfile()), "reconnecting"), (Array("<html>ok</html>".utf8), "captive_portal"),
            ([], "captive_portal"), (StatusBody("login").encode(WireProfile()), "captive_portal"),
        ] {
            var driver = Driver()
            atUpgrade(&driver)
            driver.drop()
            driver.answer("/health", body: body)
            #expect(driver.state == state)
        }
    }

    @Test("A probe that gets no response does not change the connection state")
    func anUnansweredProbeChangesNothing() {
        var driver = Driver()
        atUpgrade(&driver)
        driver.drop()
        driver.failRequest("/health", .timedOut)
        #expect(driver.state == "reconnecting")
        driver.advance(by: .seconds(1))
        #expect(driver.attempts.count == 2)
    }

    @Test("A probe is cancelled after five seconds")
    func probeIsGivenUpAfterItsTime() {
        var driver = Driver()
        atUpgrade(&driver)
        driver.drop()
        driver.advance(by: .milliseconds(4999))
        #expect(driver.cancelled.isEmpty)
        driver.advance(by: .milliseconds(1))
        #expect(driver.cancelled.count == 1)
    }

    @Test(
        "A user's command in the captive portal state sends a new probe before connecting",
        arguments: [ClientCommand.portalLogin, .foreground, .reconnect, .handoff]
    )
    func returnOfTheUserProbesAgainBeforeItConnects(command: ClientCommand) {
        var driver = Driver()
        atUpgrade(&driver)
        driver.refuseUpgrade(302, ["Location": Self.elsewhere])
        driver.command(command)
        #expect(driver.open("/health").count == 1)
        #expect(driver.attempts.count == 1)
        driver.answer("/health", 302, headers: [(name: "location", value: Self.elsewhere)])
        #expect(driver.state == "captive_portal")
        driver.command(command)
        driver.answer("/health", body: StatusBody.ok.encode(WireProfile()))
        #expect(driver.attempts.count == 2)
        driver.connect()
        #expect(driver.state == "connected")
        #expect(driver["alert.title"] == JSON.null)
        #expect(driver["network.captive"] == false)
    }

    @Test("Queued messages are kept when a reconnect meets a captive portal")
    func portalThatExpiresTheSessionIsFoundAndTheQueueKept() {
        var driver = Driver()
        driver.startConnected()
        driver.drop()
        driver.command(.send(conversation: "stukov", text: "one", label: nil))
        driver.advance(by: .seconds(1))
        driver.open()
        driver.refuseUpgrade(302, ["Location": Self.elsewhere])
        #expect(driver.state == "captive_portal")
        #expect(driver["outbox.count"] == 1)
    }

    @Test("A message whose POST is redirected by a captive portal stays in the outbox")
    func postThatIsRedirectedIsNotDone() {
        var profile = ClientProfile.exact
        profile.reconnect.maxAttempts = 1
        var driver = Driver(profile)
        driver.start()
        driver.refuse()
        driver.command(.send(conversation: "stukov", text: "one", label: nil))
        driver.answer("/conversations/stukov/messages", 302, headers: [(name: "location", value: Self.elsewhere)])
        #expect(driver["outbox.count"] == 1)
        #expect(driver.state == "captive_portal")
    }

    @Test("An HTML page in response to a poll is treated as a captive portal and ends the polling")
    func pageInPlaceOfJSONIsAPortalToo() {
        var profile = ClientProfile.exact
        profile.reconnect.maxAttempts = 1
        var driver = Driver(profile)
        driver.start()
        driver.refuse()
        #expect(driver.state == "degraded")
        driver.answer("/conversations", headers: Self.html, body: Array("<html></html>".utf8))
        #expect(driver.state == "captive_portal")
        #expect(driver["poll.active"] == false)
    }
}
