import Testing

@testable import Proxy

@Suite("Asking before sleeping")
struct BusyPollingTests {
    /// How many of so many waits ask, where each that does finds something as `finds` says of its number.
    private func asks(of waits: Int, _ polling: inout BusyPolling, finds: (Int) -> Bool) -> Int {
        var count = 0
        for _ in 0..<waits where polling.isWorthwhile() {
            count += 1
            if finds(count) { polling.succeeded() } else { polling.failed() }
        }
        return count
    }

    @Test("as long as something is found, every wait asks")
    func found() {
        var polling = BusyPolling()
        #expect(asks(of: 10_000, &polling) { _ in true } == 10_000)
    }

    @Test("where nothing is ever found, one wait in a thousand asks")
    func neverFound() {
        var polling = BusyPolling()
        _ = asks(of: 10_000, &polling) { _ in false }
        let later = asks(of: 100 * 1025, &polling) { _ in false }
        #expect(later == 100)
    }

    @Test("nine in ten are not enough to go on", arguments: [2, 10])
    func seldomFound(one: Int) {
        var polling = BusyPolling()
        _ = asks(of: 10_000, &polling) { $0 % one != 0 }
        let later = asks(of: 100_000, &polling) { $0 % one != 0 }
        #expect(later < 1_100)
    }

    @Test("a peer that has become quick is asked again")
    func becomesQuick() {
        var polling = BusyPolling()
        _ = asks(of: 10_000, &polling) { _ in false }
        #expect(asks(of: 10_000, &polling) { _ in true } >= 10_000 - 1024)
    }

    @Test("one failure among many successes costs few waits")
    func onceNotFound() {
        var polling = BusyPolling()
        let count = asks(of: 100_000, &polling) { $0 % 1000 != 0 }
        #expect(count > 97_000)
    }
}
