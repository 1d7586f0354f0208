import ChatWire
import Faults
import ReferenceClient
import SquallCore
import Testing

@Suite struct ReachabilityTests {
    @Test("The loss of the network is shown at once and stops all connection attempts")
    func offlineIsShownAtOnceAndNothingIsTried() {
        var driver = Driver()
        driver.startConnected()
        driver.command(.network(reachable: false))
        #expect(driver.state == "offline")
        #expect(driver.text("connection.label") == "OFFLINE")
        #expect(driver.text("banner.kind") == "offline")
        #expect(driver["network.reachable"] == false)
        #expect(driver["connection.open_sockets"] == 0)
        driver.advance(by: .seconds(600))
        #expect(driver.attempts.count == 1)
        #expect(driver["connection.attempt"] == 0)
    }

    @Test("The return of the network causes a connection attempt at once")
    func backInTheNetworkMeansBackAtOnce() {
        var driver = Driver()
        driver.start()
        for delay in [1, 2, 4] as [Int64] {
            driver.refuse()
            driver.advance(by: .seconds(delay))
        }
        driver.refuse()
        driver.command(.network(reachable: false))
        driver.advance(by: .seconds(5))
        driver.forget()
        driver.command(.network(reachable: true))
        #expect(driver.attempts.map(\.at) == [driver.now])
        #expect(driver["connection.attempt"] == 0)
        #expect(driver.state == "connecting")
    }

    @Test("A client started without a network connects as soon as there is a network")
    func startedWithoutANetworkMeansThereAtOnceWhenItComes() {
        var driver = Driver(phone: Phone(hasNetwork: false))
        driver.start()
        #expect(driver.state == "offline")
        #expect(driver.text("connection.label") == "OFFLINE")
        #expect(driver["network.reachable"] == false)
        driver.advance(by: .seconds(600))
        #expect(driver.attempts.isEmpty)
        driver.command(.network(reachable: true))
        #expect(driver.attempts.map(\.at) == [driver.now])
        #expect(driver["connection.attempt"] == 0)
        driver.connect()
        #expect(driver.state == "connected")
    }

    @Test("The return of the network resets the count of used attempts")
    func spentAttemptsAreForgottenWithTheNetwork() {
        var profile = ClientProfile.exact
        profile.reconnect.maxAttempts = 1
        profile.reconnect.onExhausted = .stop
        var driver = Driver(profile)
        driver.start()
        driver.refuse()
        #expect(driver.state == "unavailable")
        driver.command(.network(reachable: false))
        #expect(driver.state == "offline")
        driver.command(.network(reachable: true))
        #expect(driver.attempts.count == 2)
    }

    @Test("A repeated report that the network is reachable changes nothing")
    func secondWordThatTheNetworkIsThereChangesNothing() {
        var driver = Driver()
        driver.startConnected()
        driver.command(.network(reachable: true))
        driver.command(.network(reachable: true))
        #expect(driver.attempts.count == 1)
        #expect(driver.state == "connected")
    }

    @Test("A flapping network leaves exactly one open socket")
    func flappingEndsConnectedOnOneSocket() {
        var driver = Driver()
        driver.startConnected()
        for _ in 0..<10 {
            driver.command(.network(reachable: false))
            driver.advance(by: .milliseconds(250))
            driver.command(.network(reachable: true))
            driver.advance(by: .milliseconds(250))
        }
        driver.connect()
        #expect(driver.state == "connected")
        #expect(driver["connection.open_sockets"] == 1)
        #expect(driver.attempts.count == 11)
        #expect(driver.ends.count == 10)
    }

    @Test("A handoff resets the old connection and opens a new one at once")
    func handoffLeavesTheDeadPathAtOnce() {
        var driver = Driver()
        driver.startConnected()
        driver.command(.handoff)
        #expect(driver.attempts.count == 2)
        #expect(driver.ends.map(\.how) == [.rst])
        #expect(driver.events("client.disconnected") == [["failure": "handoff"]])
        driver.connect()
        #expect(driver.state == "connected")
    }

    @Test("When the app comes to the foreground, it reconnects without waiting for the timer")
    func foregroundDoesNotWaitForTheTimer() {
        var driver = Driver()
        driver.start()
        for delay in [1, 2, 4] as [Int64] {
            driver.refuse()
            driver.advance(by: .seconds(delay))
        }
        driver.refuse()
        driver.forget()
        driver.command(.background)
        driver.command(.foreground)
        #expect(driver.attempts.count == 1)
        #expect(driver["connection.attempt"] == 0)
    }

    @Test("In the background the connection is closed after 30 s, and in the foreground it is reopened")
    func backgroundClosesCleanlyAfterTheAllowanceAndForegroundComesBack() {
        var driver = Driver()
        driver.startConnected()
        driver.command(.background)
        driver.advance(by: .milliseconds(29_999))
        #expect(driver.state == "connected")
        driver.advance(by: .milliseconds(1))
        #expect(driver.state == "suspended")
        #expect(driver.closeFrames == 1)
        #expect(driver.ends.map(\.how) == [.fin])
        driver.forget()
        driver.advance(by: .seconds(600))
        #expect(driver.observations.isEmpty)
        driver.command(.foreground)
        #expect(driver.attempts.count == 1)
        driver.connect()
        #expect(driver.said(.sync) == [.sync(lastSequence: 0)])
    }

    @Test("When the app comes to the foreground, it pings an open connection")
    func foregroundAsksALinkThatSeemsAlive() {
        var driver = Driver()
        driver.startConnected()
        driver.command(.background)
        driver.advance(by: .seconds(10))
        driver.command(.foreground)
        #expect(driver.said(.ping).count == 1)
        driver.advance(by: .seconds(10))
        #expect(driver.state == "reconnecting")
    }

    @Test("A reconnect command opens a new connection in any state")
    func userCanReconnectInAnyState() {
        var driver = Driver()
        driver.startConnected()
        driver.command(.reconnect)
        #expect(driver.closeFrames == 1)
        #expect(driver.attempts.count == 2)
        driver.refuse()
        driver.command(.reconnect)
        #expect(driver.attempts.count == 3)
        #expect(driver.events("client.backoff.cancelled").count == 1)
        driver.command(.reconnect)
        #expect(driver.attempts.count == 4)
        driver.connect()
        #expect(driver.state == "connected")
        #expect(driver["connection.open_sockets"] == 1)
    }

    @Test("The connection state never has the same value twice in a row")
    func stateNeverRepeats() {
        var driver = Driver()
        driver.startConnected()
        driver.drop()
        driver.advance(by: .seconds(1))
        driver.refuse()
        driver.advance(by: .seconds(2))
        driver.connect()
        #expect(
            driver.history("connection.state")
                == ["connecting", "authenticating", "connected", "reconnecting", "authenticating", "connected"]
        )
    }
}
