import ChatWire
import Foundations
import ReferenceClient
import Testing

/// The phone's token on its way to the server.
@Suite struct PushTokenTests {
    private func tries(_ driver: Driver) -> [Instant] {
        driver.observations.filter { $0.observation.name == "client.push_token.tried" }.map(\.at)
    }

    @Test(arguments: [(3, [0, 1, 3]), (4, [0, 1, 3, 7])] as [(Int64, [Int64])])
    func aSaveIsTriedSoOften(_ most: Int64, _ seconds: [Int64]) {
        var profile = ClientProfile.exact
        profile.push.maxTries = most
        var driver = Driver(profile)
        driver.startWithToken()
        for _ in 0..<most {
            driver.answer("/push_token", 503)
            driver.advance(by: .seconds(8))
        }
        var expected = Instant.zero
        // The next try is counted from the failure, which the test brings about when the last wait is over.
        #expect(tries(driver).count == seconds.count)
        #expect(driver.text("push_token.state") == "failed")
        #expect(driver.events("client.push_token.given_up").count == 1)
        expected = tries(driver)[0]
        #expect(tries(driver)[1] - expected == .seconds(1))
    }

    @Test func theDelaysDouble() {
        var profile = ClientProfile.exact
        profile.push.maxTries = 4
        var driver = Driver(profile)
        driver.startWithToken()
        for delay: Int64 in [1, 2, 4] {
            driver.answer("/push_token", 500)
            #expect(driver.text("push_token.state") == "waiting")
            driver.advance(by: .seconds(delay) - .milliseconds(1))
            #expect(driver.open("/push_token").isEmpty)
            driver.advance(by: .milliseconds(1))
            #expect(driver.open("/push_token").count == 1)
        }
        driver.answer("/push_token")
        #expect(driver.text("push_token.state") == "saved")
    }

    @Test func jitterMakesADelayLongerAndNeverShorter() {
        var profile = ClientProfile.exact
        profile.push.jitterPercent = 50
        for seed: UInt64 in 1...20 {
            var driver = Driver(profile, seed: seed)
            driver.startWithToken()
            driver.answer("/push_token", 500)
            driver.advance(by: .milliseconds(999))
            #expect(driver.open("/push_token").isEmpty)
            driver.advance(by: .milliseconds(501))
            #expect(driver.open("/push_token").count == 1)
        }
    }

    @Test func theSameTokenIsSavedOnce() {
        var driver = Driver()
        driver.startWithToken()
        driver.answer("/push_token")
        driver.command(.token("t1"))
        #expect(driver.open("/push_token").isEmpty)
        driver.command(.token("t2"))
        #expect(driver.open("/push_token").count == 1)
    }

    @Test func aLaunchSavesTheTokenThatThePhoneHas() {
        var driver = Driver(phone: Phone(token: "t1"))
        driver.start()
        #expect(driver.open("/push_token").count == 1)
        driver.answer("/push_token", 500)
        driver.killAndStart(Phone(token: "t1"))
        #expect(driver.open("/push_token").count == 1)
    }

    @Test func aPhoneWithoutATokenAsksForNothing() {
        var driver = Driver()
        driver.startConnected()
        driver.command(.signOut)
        #expect(driver.requests.allSatisfy { $0.request.target != "/push_token" })
        #expect(driver["push_token.state"] == nil)
    }
}
