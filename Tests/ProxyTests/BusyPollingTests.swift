import Testing

@testable import Proxy

@Suite("Busy polling before sleeping")
struct BusyPollingTests {
    /// Simulates `waits` waits and returns how many of them were preceded by a poll. `finds` determines whether the
    /// n-th poll finds an event.
    private func asks(of waits: Int, _ polling: inout BusyPolling, finds: (Int) -> Bool) -> Int {
        var count = 0
        for _ in 0..<waits where polling.isWorthwhile() {
            count += 1
            if finds(count) { polling.succeeded() } else { polling.failed() }
        }
        return count
    }

    @Test("If every poll finds an event, the reactor polls before every wait")
    func found() {
        var polling = BusyPolling()
        #expect(asks(of: 10_000, &polling) { _ in true } == 10_000)
    }

    @Test("If polls never find an event, the reactor polls before one wait in a thousand")
    func neverFound() {
        var polling = BusyPolling()
        _ = asks(of: 10_000, &polling) { _ in false }
        let later = asks(of: 100 * 1025, &polling) { _ in false }
        #expect(later == 100)
    }

    @Test("Polling almost stops when only nine polls in ten find an event", arguments: [2, 10])
    func seldomFound(one: Int) {
        var polling = BusyPolling()
        _ = asks(of: 10_000, &polling) { $0 % one != 0 }
        let later = asks(of: 100_000, &polling) { $0 % one != 0 }
        #expect(later < 1_100)
    }

    @Test("Polling resumes when a peer becomes fast")
    func becomesQuick() {
        var polling = BusyPolling()
        _ = asks(of: 10_000, &polling) { _ in false }
        #expect(asks(of: 10_000, &polling) { _ in true } >= 10_000 - 1024)
    }

    @Test("One failed poll in a thousand hardly reduces polling")
    func onceNotFound() {
        var polling = BusyPolling()
        let count = asks(of: 100_000, &polling) { $0 % 1000 != 0 }
        #expect(count > 97_000)
    }
}
