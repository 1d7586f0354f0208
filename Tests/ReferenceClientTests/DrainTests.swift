import ChatWire
import Faults
import ReferenceClient
import SquallCore
import Testing

@Suite struct DrainTests {
    private func drain(_ driver: inout Driver, _ retryAfter: TimeSpan?) {
        driver.receive(.draining(message: "Server shutting down, please reconnect", retryAfter: retryAfter))
    }

    @Test("After a drain the client closes the connection cleanly and reconnects after the time the server names")
    func leavesCleanlyAndComesBackWhenAsked() {
        var driver = Driver()
        driver.startConnected()
        drain(&driver, .seconds(7))
        #expect(driver.state == "draining")
        #expect(driver.closeFrames == 1)
        #expect(driver.ends.map(\.how) == [.fin])
        #expect(driver["connection.attempt"] == 0)
        #expect(driver.text("banner.kind") == "reconnecting")
        driver.advance(by: .milliseconds(6999))
        #expect(driver.attempts.count == 1)
        driver.advance(by: .milliseconds(1))
        #expect(driver.attempts.count == 2)
    }

    @Test("After a drain without a given time the client waits five seconds")
    func fiveSecondsWhereNoneAreNamed() {
        var driver = Driver()
        driver.startConnected()
        drain(&driver, nil)
        driver.advance(by: .seconds(5))
        #expect(driver.attempts.map(\.at).last == .zero + .seconds(5))
    }

    @Test("If the server is not back after a drain, backoff starts with its first delay")
    func backoffBeginsAtTheBeginningIfTheServerIsLate() {
        var driver = Driver()
        driver.startConnected()
        drain(&driver, nil)
        driver.advance(by: .seconds(5))
        driver.refuse()
        driver.advance(by: .seconds(1))
        #expect(driver.attempts.map(\.at).last == .zero + .seconds(6))
        #expect(driver["connection.attempt"] == 1)
    }

    @Test("A message in flight during a drain is sent again with the same id")
    func messageInFlightGoesOnceMoreWithItsId() {
        var driver = Driver()
        driver.startConnected()
        driver.command(.send(conversation: "stukov", text: "one", label: nil))
        drain(&driver, nil)
        #expect(driver.history("message.status") == ["sending", "queued"])
        driver.advance(by: .seconds(5))
        driver.connect(lastSequence: 0)
        driver.replay([], through: 0)
        #expect(driver.sends.count == 2)
        #expect(Set(driver.sends.compactMap(\.clientMessageID)).count == 1)
    }

    @Test("A hundred clients spread their reconnects after a drain")
    func hundredClientsSpreadTheirReturn() {
        var instants: Set<Int64> = []
        for number in 1...100 {
            var driver = Driver(ClientProfile(), id: ClientID("crowd-\(number)"))
            driver.startConnected()
            drain(&driver, .seconds(5))
            driver.forget()
            driver.advance(by: .seconds(7))
            guard let at = driver.attempts.first?.at else { continue }
            #expect(at >= .zero + .seconds(5) && at <= .zero + .milliseconds(6250))
            instants.insert(at.nanoseconds / 100_000_000)
        }
        #expect(instants.count >= 10)
    }

    @Test("A reconnect command ends the wait after a drain")
    func networkAndUserNeedNotWait() {
        var driver = Driver()
        driver.startConnected()
        drain(&driver, .seconds(60))
        driver.command(.reconnect)
        #expect(driver.attempts.count == 2)
    }
}
