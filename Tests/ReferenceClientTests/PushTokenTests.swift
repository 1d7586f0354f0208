import ChatWire
import ReferenceClient
import SquallCore
import Testing

/// Tests how the client registers the phone's push token with the server.
@Suite struct PushTokenTests {
    @Test("Saving the push token is attempted as often as the profile allows", arguments: [Int64(1), 3, 4])
    func aSaveIsTriedSoOftenAndNotMore(_ most: Int64) {
        var profile = ClientProfile.exact
        profile.push.maxTries = most
        var driver = Driver(profile)
        driver.startWithToken()
        for _ in 0..<most {
            driver.answer("/push_token", 503)
            driver.advance(by: .seconds(10))
        }
        driver.advance(by: .seconds(600))
        #expect(driver.events("client.push_token.tried").count == Int(most))
        #expect(driver.events("client.push_token.given_up") == [["attempts": .integer(most)]])
        #expect(driver.text("push_token.state") == "failed")
    }

    @Test("The delay between attempts to save the push token doubles")
    func theDelaysDouble() {
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

    @Test("Jitter makes the delay between attempts longer, never shorter")
    func jitterMakesADelayLongerAndNeverShorter() {
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

    @Test("The same push token is saved only once; a new push token is saved again")
    func theSameTokenIsSavedOnce() {
        var driver = Driver()
        driver.startWithToken()
        driver.answer("/push_token")
        driver.command(.token("t1"))
        #expect(driver.open("/push_token").isEmpty)
        driver.command(.token("t2"))
        #expect(driver.open("/push_token").count == 1)
    }

    @Test("At launch the client saves the phone's current push token")
    func aLaunchSavesTheTokenThatThePhoneHas() {
        var driver = Driver(phone: Phone(token: "t1"))
        driver.start()
        #expect(driver.open("/push_token").count == 1)
        driver.answer("/push_token", 500)
        driver.killAndStart(Phone(token: "t1"))
        #expect(driver.open("/push_token").count == 1)
    }

    @Test("A phone without a push token causes no request for one")
    func aPhoneWithoutATokenAsksForNothing() {
        var driver = Driver()
        driver.startConnected()
        driver.command(.signOut)
        #expect(driver.requests.allSatisfy { $0.request.target != "/push_token" })
        #expect(driver["push_token.state"] == nil)
    }
}
