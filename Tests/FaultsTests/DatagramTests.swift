import Faults
import SquallCore
import Testing

@Suite struct DatagramTests {
    /// Sends datagrams of 100 zero bytes through the fault. Returns each datagram as delivered, or nil if it was lost.
    private func fates(_ kind: Fault.Kind, of count: Int = 1000) -> [Datagram?] {
        let appliedFault = AppliedFault(number: 1, fault: Fault(kind), seed: Seed(1), randomStreamPrefix: "t")
        let zeros = [UInt8](repeating: 0, count: 100)
        return (1...count).map { number in
            Datagram(zeros, number: UInt64(number), .upstream, under: [appliedFault], at: .zero)
        }
    }

    private func changed(_ fault: Fault.Corrupt) -> [[Int]] {
        fates(.corrupt(fault)).map { fate in
            (fate?.bytes ?? []).enumerated().filter { $0.element != 0 }.map(\.offset)
        }
    }

    @Test("'corrupt' with one_in changes the given share of bytes in datagrams")
    func corruptsAShareOfBytes() {
        let hit = changed(.init(oneIn: 1000))
        #expect(70...130 ~= hit.joined().count)
        #expect(Set(hit.joined()).count > 40)
        #expect(changed(.init()).joined().isEmpty)
        #expect(changed(.init(oneIn: 1)).allSatisfy { $0 == Array(0..<100) })
    }

    @Test("'corrupt' with at_byte changes the given byte of each datagram")
    func aByteThatIsAskedForIsThatOfEachDatagram() {
        #expect(changed(.init(atByte: 7)).allSatisfy { $0 == [7] })
        #expect(changed(.init(atByte: 100)).allSatisfy { $0 == [] })
    }

    @Test("A stall neither loses nor delays datagrams") func aStallLosesNoDatagram() {
        let fates = fates(.stall(.init()))
        #expect(fates.allSatisfy { $0?.due == .zero })
    }
}
