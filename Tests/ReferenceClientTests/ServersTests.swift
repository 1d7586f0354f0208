import ChatWire
import SquallCore
import Testing

@testable import ReferenceClient

/// Tests how the client selects one of several servers.
@Suite struct ServersTests {
    private func driver(_ others: String) -> Driver {
        var profile = ClientProfile.exact
        profile.connect.host = "one.test"
        profile.connect.otherHosts = others
        return Driver(profile)
    }

    @Test("The preferred server is tried first, and the other servers are tried in turn")
    func thePreferredOneIsFirstAndTheOthersFollowInTurn() {
        var driver = driver("two.test three.test")
        driver.start()
        for _ in 0..<5 {
            driver.refuse()
            driver.advance(by: (driver.client.nextDeadline ?? driver.now) - driver.now)
        }
        #expect(
            driver.history("connection.host")
                == ["one.test", "two.test", "three.test", "one.test", "two.test", "three.test"]
        )
    }

    @Test("After a lost connection the preferred server is tried first")
    func afterALostConnectionThePreferredOneIsAskedFirst() {
        var driver = driver("two.test")
        driver.start()
        driver.refuse()
        driver.advance(by: .seconds(1))
        driver.connect()
        #expect(driver.text("connection.host") == "two.test")
        driver.comeBack()
        #expect(driver.text("connection.host") == "one.test")
    }

    @Test("HTTP requests go to the server that the client is connected to")
    func requestsGoToTheServerOfTheConnection() {
        var driver = driver("two.test")
        driver.start()
        driver.refuse()
        driver.advance(by: .seconds(1))
        driver.connect()
        driver.forget()
        driver.command(.open(conversation: "stukov"))
        #expect(driver.requests.map(\.request.host) == ["two.test"])
    }

    @Test("With a single server, HTTP requests do not name a host")
    func withOneServerNothingIsSaidOfIt() {
        var driver = driver("")
        driver.startConnected()
        driver.forget()
        driver.command(.open(conversation: "stukov"))
        #expect(driver.requests.map(\.request.host) == [nil])
    }
}
