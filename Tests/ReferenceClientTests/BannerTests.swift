import ChatWire
import Faults
import ReferenceClient
import SquallCore
import Testing

@Suite struct BannerTests {
    @Test("A slow first connection shows no banner")
    func slowFirstConnectionShowsNone() {
        var driver = Driver()
        driver.start()
        driver.advance(by: .seconds(9))
        driver.connect()
        #expect(driver.history("banner.kind") == ["null"])
    }

    @Test("A failed first connection shows a banner after the grace period")
    func failedFirstConnectionShowsABannerAfterTheGrace() {
        var driver = Driver()
        driver.start()
        driver.refuse()
        #expect(driver["banner.kind"] == JSON.null)
        driver.advance(by: .milliseconds(999))
        #expect(driver["banner.kind"] == JSON.null)
        driver.advance(by: .milliseconds(1))
        #expect(driver.text("banner.kind") == "reconnecting")
    }

    @Test("A dismissed banner returns with the next failure or after 30 s")
    func dismissedComesBackWithTheNextFailureOrAfterAWhile() {
        var driver = Driver()
        driver.startConnected()
        driver.drop()
        driver.command(.dismissBanner)
        #expect(driver["banner.kind"] == JSON.null)
        driver.advance(by: .seconds(1))
        #expect(driver["banner.kind"] == JSON.null)
        driver.refuse()
        #expect(driver.text("banner.kind") == "reconnecting")
        driver.command(.dismissBanner)
        driver.advance(by: .seconds(1))
        driver.connect()
        #expect(driver["banner.kind"] == JSON.null)

        var profile = ClientProfile.exact
        profile.connect.timeout = .seconds(300)
        driver = Driver(profile)
        driver.startConnected()
        driver.drop()
        driver.command(.dismissBanner)
        driver.advance(by: .milliseconds(29_999))
        #expect(driver["banner.kind"] == JSON.null)
        driver.advance(by: .milliseconds(1))
        #expect(driver.text("banner.kind") == "reconnecting")
    }

    @Test("Dismissing the banner of one outage does not hide the banner of the next")
    func dismissedAndOverIsAnotherOneNextTime() {
        var driver = Driver()
        driver.startConnected()
        driver.drop()
        driver.command(.dismissBanner)
        driver.advance(by: .seconds(1))
        driver.connect()
        driver.replay([], through: 0)
        driver.drop()
        #expect(driver.text("banner.kind") == "reconnecting")
    }

    @Test("The connection badge and the banner have the same tone")
    func badgeAndBannerAgree() {
        var driver = Driver()
        driver.startConnected()
        driver.drop()
        #expect(driver.text("banner.tone") == driver.text("connection.tone"))
        driver.command(.network(reachable: false))
        #expect(driver.text("banner.tone") == driver.text("connection.tone"))
        #expect(driver.history("connection.tone") == ["yellow", "green", "yellow", "red"])
    }

    @Test("An observable changes at most once per step of the client")
    func changesOncePerStep() {
        var driver = Driver()
        driver.startConnected()
        for round in 0..<3 {
            driver.command(.send(conversation: "stukov", text: "\(round)", label: nil))
            for outputs in [driver.feed(.ended(driver.current ?? ConnectionID(.only, 0), .reset)), driver.feed(.timer)]
            {
                var seen: Set<String> = []
                for case .observe(let observation) in outputs {
                    guard case .set = observation.change else { continue }
                    #expect(seen.insert(observation.name + (observation.key ?? "")).inserted)
                }
            }
            driver.advance(by: .seconds(1))
            driver.connect(lastSequence: 0)
            driver.replay([], through: 0)
        }
    }
}
