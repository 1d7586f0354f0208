import ChatWire
import Faults
import ReferenceClient
import SquallCore
import Testing

@Suite struct HeartbeatTests {
    private func pings(_ driver: Driver) -> [Int64] {
        driver.said.filter { $0.frame.role == .ping }.map { $0.at.nanoseconds / 1_000_000_000 }
    }

    private func pong(_ driver: inout Driver) {
        guard case .ping(let id)? = driver.said(.ping).last else { return }
        driver.receive(.pong(id: id))
    }

    @Test("A connected client sends a ping at each interval")
    func pingsEachIntervalOnceConnected() {
        var driver = Driver()
        driver.startConnected()
        for _ in 0..<3 {
            driver.advance(by: .seconds(30))
            pong(&driver)
        }
        #expect(pings(driver) == [30, 60, 90])
        #expect(driver.state == "connected")
    }

    @Test("The client sends no ping before it is connected")
    func noPingBeforeConnected() {
        var profile = ClientProfile.exact
        profile.connect.timeout = .seconds(300)
        var driver = Driver(profile)
        driver.start()
        driver.open()
        driver.upgrade()
        driver.receive(.hello(version: "0.2.0", authVersion: 1))
        driver.advance(by: .seconds(120))
        #expect(pings(driver) == [])
    }

    @Test("After several reconnects only one heartbeat timer is running")
    func oneTimerHoweverManyReconnects() {
        var driver = Driver()
        driver.startConnected()
        for _ in 0..<5 {
            driver.advance(by: .seconds(7))
            driver.drop()
            driver.advance(by: .seconds(1))
            driver.connect()
        }
        driver.forget()
        driver.advance(by: .seconds(30))
        #expect(pings(driver).count == 1)
    }

    @Test("A missing pong ends the connection after the pong timeout")
    func missingPongEndsTheConnection() {
        var driver = Driver()
        driver.startConnected()
        driver.advance(by: .milliseconds(39_999))
        #expect(driver.state == "connected")
        driver.advance(by: .milliseconds(1))
        #expect(driver.state == "reconnecting")
        #expect(driver.text("connection.last_error") == "pong_timeout")
        #expect(driver.text("connection.quality") == "dead")
        #expect(driver.ends.map(\.how) == [.rst])
    }

    @Test("Neither a pong with a wrong id nor any other frame counts as the pong")
    func wrongPongAndOtherFramesProveNothing() {
        var driver = Driver()
        driver.startConnected()
        driver.advance(by: .seconds(35))
        driver.receive(.pong(id: "ping-99"))
        driver.receive(.message(message(1)))
        driver.receive(.ping(id: nil))
        driver.advance(by: .seconds(5))
        #expect(driver.state == "reconnecting")
    }

    @Test("A pong without an id answers the oldest pending ping")
    func pongWithoutIdAnswersTheOldest() {
        var driver = Driver()
        driver.startConnected()
        driver.advance(by: .seconds(32))
        driver.receive(.pong(id: nil))
        #expect(driver["connection.rtt"] == .integer(TimeSpan.seconds(2).nanoseconds))
        driver.advance(by: .seconds(20))
        #expect(driver.state == "connected")
    }

    @Test("A late pong shows slow quality before the connection counts as dead")
    func slowIsShownBeforeDead() {
        var driver = Driver()
        driver.startConnected()
        #expect(driver.text("connection.quality") == "unknown")
        driver.advance(by: .seconds(31))
        pong(&driver)
        #expect(driver.text("connection.quality") == "good")
        driver.advance(by: .seconds(29 + 3))
        #expect(driver.text("connection.quality") == "slow")
        pong(&driver)
        #expect(driver.text("connection.quality") == "slow")
        driver.advance(by: .seconds(28))
        pong(&driver)
        #expect(driver.text("connection.quality") == "good")
    }

    @Test("An idle connection stays connected before its first ping")
    func idleHealthyLinkIsNotDead() {
        var driver = Driver()
        driver.startConnected()
        driver.advance(by: .seconds(29))
        #expect(driver.state == "connected")
    }

    @Test("A heartbeat interval of zero disables pings")
    func noIntervalMeansNoPings() {
        var profile = ClientProfile.exact
        profile.heartbeat.interval = .zero
        var driver = Driver(profile)
        driver.startConnected()
        driver.command(.background)
        driver.command(.foreground)
        driver.advance(by: .seconds(100))
        #expect(pings(driver) == [])
        #expect(driver.state == "connected")
    }

    @Test("Time during which the process was suspended does not count towards the pong timeout")
    func sleepOfTheProcessIsNotThePeersSilence() {
        var driver = Driver()
        driver.startConnected()
        driver.advance(by: .seconds(31))
        driver.now = driver.now + .seconds(60)
        driver.feed(.timer)
        #expect(driver.state == "connected")
        #expect(pings(driver).count == 2)
        driver.advance(by: .seconds(10))
        #expect(driver.state == "reconnecting")
    }
}
