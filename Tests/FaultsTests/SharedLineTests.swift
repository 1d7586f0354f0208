import Faults
import SquallCore
import Testing

@Suite struct SharedLineTests {
    private let line = Fault.Kind.bandwidth(.init(rate: 1000, stream: .upstream, isShared: true))

    private func link(_ client: String, _ number: Int) -> LinkID { LinkID(ClientID(client), number) }

    /// Returns a stage with two connections of one client, and one of another client.
    private func stage() -> Stage {
        var stage = Stage(clients: [ClientID("anna"), ClientID("ben")])
        for (client, number) in [("anna", 1), ("anna", 2), ("ben", 1)] {
            let id = LinkID(ClientID(client), number)
            _ = stage.feed(.accepted(id), at: .at(0))
            _ = stage.feed(.upstreamOpened(id), at: .at(0))
        }
        return stage
    }

    private func arrivals(_ stage: inout Stage, until end: Double) -> [String] {
        var all: [String] = []
        for (time, output) in stage.timed(until: .at(end)) {
            if case .write(let link, .server, let bytes) = output {
                all.append("\(link.client)-\(link.number) \(bytes.count) \(time)")
            }
        }
        return all
    }

    @Test("A shared bandwidth is divided among the connections of one client")
    func sharedBandwidth() {
        var stage = stage()
        _ = stage.begin(line, at: 0)
        _ = stage.feed(.received(link("anna", 1), from: .client, [UInt8](repeating: 1, count: 20)), at: .at(0))
        _ = stage.feed(.received(link("anna", 2), from: .client, [UInt8](repeating: 2, count: 10)), at: .at(5))
        _ = stage.feed(.received(link("ben", 1), from: .client, [UInt8](repeating: 3, count: 10)), at: .at(5))
        #expect(arrivals(&stage, until: 100) == ["ben-1 10 0.015", "anna-1 20 0.020", "anna-2 10 0.030"])
    }

    @Test("A later connection waits for the bytes already queued on the shared bandwidth")
    func aLaterConnectionWaits() {
        var stage = stage()
        _ = stage.begin(line, at: 0)
        _ = stage.feed(.received(link("anna", 1), from: .client, [UInt8](repeating: 1, count: 20)), at: .at(0))
        _ = stage.feed(.accepted(link("anna", 3)), at: .at(1))
        _ = stage.feed(.upstreamOpened(link("anna", 3)), at: .at(1))
        _ = stage.feed(.received(link("anna", 3), from: .client, [9]), at: .at(1))
        #expect(arrivals(&stage, until: 100) == ["anna-1 20 0.020", "anna-3 1 0.021"])
    }

    @Test("When a shared bandwidth ends, all queued bytes are delivered") func theEndOfTheFaultLetsEverythingGo() {
        var stage = stage()
        _ = stage.begin(line, at: 0)
        _ = stage.feed(.received(link("anna", 1), from: .client, [UInt8](repeating: 1, count: 2000)), at: .at(0))
        _ = stage.play(.heal(label: "bandwidth"), at: 1)
        _ = stage.feed(.received(link("anna", 2), from: .client, [2]), at: .at(2))
        #expect(arrivals(&stage, until: 3000).isEmpty, "all bytes were delivered when the fault ended")
    }

    @Test("A changed rate of a shared bandwidth applies to all connections of the client")
    func anotherRateIsAnotherLine() {
        var stage = stage()
        _ = stage.begin(line, as: "narrow", at: 0)
        _ = stage.begin(.bandwidth(.init(rate: 100, stream: .upstream, isShared: true)), as: "narrow", at: 1)
        _ = stage.feed(.received(link("anna", 1), from: .client, [1, 2]), at: .at(10))
        _ = stage.feed(.received(link("anna", 2), from: .client, [3]), at: .at(10))
        #expect(arrivals(&stage, until: 100) == ["anna-1 2 0.030", "anna-2 1 0.040"])
    }
}
