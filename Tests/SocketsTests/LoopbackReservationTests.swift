import TestSupport
import Testing

@testable import Sockets

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

@Suite(.ownThread, .timeLimit(.minutes(20)))
struct LoopbackClaimTests {
    #if os(Linux)
        @Test("Concurrent runs get different loopback addresses")
        func noTwoRunsShareAnAddress() throws {
            let claims = try (0..<200).map { _ in try LoopbackReservation.next() }
            #expect(Set(claims.map(\.address)).count == 200)
            claims.forEach { $0.release() }
        }

        /// The test searches for the counter value that produced the address, because other reservations may have
        /// advanced the counter. The kernel determines whether an address is in use.
        @Test("A loopback address that is in use is skipped")
        func anAddressThatIsTakenIsPassedOver() throws {
            let first = try LoopbackReservation.next()
            let turn = (0..<100_000).first {
                LoopbackReservation.candidate(process: UInt32(bitPattern: getpid()), turn: $0) == first.address
            }
            let place = try #require(turn)
            let next = LoopbackReservation.candidate(process: UInt32(bitPattern: getpid()), turn: place + 1)
            #expect(next != first.address)
            #expect(throws: SocketError.self) { try LoopbackReservation.claim(first.address) }
            first.release()
            // A process that another test has just forked holds a copy of the socket until it executes its program.
            var again: Int32?
            let limit = ContinuousClock.now + .seconds(60)
            while again == nil, ContinuousClock.now < limit { again = try? LoopbackReservation.claim(first.address) }
            SystemSocket(try #require(again)).close()
        }
    #endif

    @Test("Candidate addresses are distinct and within 127.0.0.0/8")
    func candidatesLieInsideTheRangeAndDiffer() {
        var seen: Set<LocalAddress> = []
        for turn in stride(from: UInt32(0), to: 2_000_000, by: 997) {
            let address = LoopbackReservation.candidate(process: 4242, turn: turn)
            seen.insert(address)
            let parts = address.description.split(separator: ".").compactMap { Int($0) }
            #expect(parts.count == 4 && parts[0] == 127)
            #expect((1...254).contains(parts[1]) && (0...255).contains(parts[2]) && (1...254).contains(parts[3]))
        }
        #expect(seen.count == 2007)
    }

    @Test("Addresses are printed in dotted decimal form")
    func addressesArePrintedAsPeopleWriteThem() {
        #expect(LocalAddress.common.description == "127.0.0.1")
        #expect(LocalAddress(host: 0x01_0203).description == "127.1.2.3")
    }
}
