import ChatWire
import Faults
import ReferenceClient
import SquallCore
import Testing

@Suite struct BackoffTests {
    /// Refuses `count` connection attempts and returns the delay after each of them, in milliseconds.
    private func delays(_ driver: inout Driver, _ count: Int) -> [Int64] {
        driver.start()
        var delays: [Int64] = []
        for _ in 0..<count {
            driver.refuse()
            let before = driver.now
            guard let next = driver.client.nextDeadline else { break }
            while driver.attempts.last.map({ $0.at <= before }) ?? false, driver.client.nextDeadline != nil {
                driver.advance(by: (driver.client.nextDeadline ?? next) - driver.now)
            }
            delays.append((driver.now - before).nanoseconds / 1_000_000)
        }
        return delays
    }

    @Test("The reconnect delay doubles with each failed attempt, up to the cap")
    func doublesUpToTheCap() {
        var driver = Driver()
        #expect(delays(&driver, 8) == [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000])
        #expect(driver["connection.attempt"] == 8)
        #expect(driver.events("client.attempt.began").map { $0["number"] } == (1...9).map { .integer($0) })
        #expect(driver.events("client.backoff.began").map { $0["attempt"] } == (1...8).map { .integer($0) })
    }

    @Test(
        "Jitter keeps a reconnect delay within a quarter of its nominal value and above the floor",
        arguments: 1...40 as ClosedRange<UInt64>
    )
    func jitterStaysInItsBoundsAndAboveTheFloor(seed: UInt64) {
        var driver = Driver(ClientProfile(), seed: seed)
        for (delay, nominal) in zip(delays(&driver, 7), [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]) {
            #expect(delay >= max(1000, Int64(nominal) * 3 / 4) && delay <= Int64(nominal) * 5 / 4)
        }
    }

    @Test("Jitter differs between clients and between the reconnect delays of one client")
    func jitterDiffersBetweenClientsAndBetweenDelays() {
        var firsts: Set<Int64> = []
        for seed in 1...50 as ClosedRange<UInt64> {
            var driver = Driver(ClientProfile(), seed: seed)
            let drawn = delays(&driver, 7)
            #expect(drawn[5] != drawn[6])
            firsts.insert(drawn[0])
        }
        #expect(firsts.count > 40)
    }

    @Test("The floor of the reconnect delay applies after jitter, and a delay at the floor is jittered too")
    func floorIsAppliedAfterJitterAndSpreadItself() {
        var profile = ClientProfile()
        profile.reconnect.floor = .seconds(3)
        for seed in 1...20 as ClosedRange<UInt64> {
            var driver = Driver(profile, seed: seed)
            let drawn = delays(&driver, 1)[0]
            #expect((3000...3750).contains(drawn))
        }
    }

    @Test("A failed handshake does not reset the reconnect delay")
    func failedHandshakeDoesNotResetTheDelays() {
        var driver = Driver()
        driver.start()
        for expected in [1000, 2000, 4000] as [Int64] {
            driver.open()
            driver.upgrade()
            driver.drop()
            let before = driver.now
            driver.failRequest("/health")
            driver.advance(by: .milliseconds(expected))
            #expect(driver.attempts.last?.at == before + .milliseconds(expected))
        }
    }

    @Test("A completed handshake resets the reconnect delay")
    func completedHandshakeResetsThem() {
        var driver = Driver()
        driver.start()
        driver.refuse()
        driver.advance(by: .seconds(1))
        driver.refuse()
        driver.advance(by: .seconds(2))
        #expect(driver["connection.attempt"] == 2)
        driver.connect()
        #expect(driver["connection.attempt"] == 0)
        driver.drop()
        driver.forget()
        driver.advance(by: .seconds(1))
        #expect(driver.attempts.count == 1)
    }

    @Test("The connect timeout covers the whole handshake, up to the authentication")
    func connectTimeoutCoversTheWholeHandshake() {
        var driver = Driver()
        driver.start()
        driver.advance(by: .seconds(4))
        driver.open()
        driver.upgrade()
        driver.advance(by: .milliseconds(5999))
        #expect(driver.state == "connecting")
        driver.advance(by: .milliseconds(1))
        #expect(driver.state == "reconnecting")
        #expect(driver.text("connection.last_error") == "connect_timeout")
        #expect(driver.ends.map(\.how) == [.rst])
    }

    @Test(
        "After the last attempt the client enters the state that the profile names",
        arguments: [
            (ClientProfile.OnExhausted.poll, "degraded"), (.stop, "unavailable"), (.breaker, "reconnecting"),
        ]
    )
    func spentAttemptsLeadWhereTheProfileSays(what: ClientProfile.OnExhausted, state: String) {
        var profile = ClientProfile.exact
        profile.reconnect.maxAttempts = 3
        profile.reconnect.onExhausted = what
        var driver = Driver(profile)
        driver.start()
        for _ in 0..<3 {
            driver.refuse()
            driver.advance(by: .seconds(4))
        }
        #expect(driver.state == state)
        #expect(driver.attempts.count == 3)
        driver.advance(by: .seconds(50))
        #expect(driver.attempts.count == 3)
        #expect(driver.events("client.gave_up").count == (what == .breaker ? 0 : 1))
        driver.advance(by: .seconds(20))
        #expect(driver.attempts.count == (what == .breaker ? 4 : 3))
    }

    @Test("A maximum of zero attempts means no maximum")
    func noLimitMeansNone() {
        var profile = ClientProfile.exact
        profile.reconnect.maxAttempts = 0
        var driver = Driver(profile)
        #expect(delays(&driver, 60).count == 60)
    }

    @Test("A hundred clients spread their reconnects over several intervals of 100 ms")
    func hundredClientsDoNotComeBackInOneSlot() {
        var slots: [Int64: Int] = [:]
        for number in 1...100 {
            var driver = Driver(ClientProfile(), id: ClientID("crowd-\(number)"))
            driver.startConnected()
            driver.drop()
            driver.forget()
            driver.advance(by: .seconds(2))
            guard let at = driver.attempts.first?.at else {
                Issue.record("client \(number) did not come back")
                return
            }
            slots[at.nanoseconds / 100_000_000, default: 0] += 1
        }
        #expect(slots.count >= 3)
        #expect(slots.values.allSatisfy { $0 <= 60 })
    }
}
