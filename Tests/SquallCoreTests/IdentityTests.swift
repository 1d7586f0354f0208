import SquallCore
import Testing

@Suite struct IdentityTests {
    @Test("Connections are ordered first by client and then by number")
    func order() {
        let (anna, ben) = (ClientID("anna"), ClientID("ben"))
        let sorted = [ConnectionID(anna, 1), ConnectionID(anna, 2), ConnectionID(anna, 10), ConnectionID(ben, 1)]
        #expect(sorted.reversed().sorted() == sorted)
        #expect(sorted.map(\.description) == ["anna/1", "anna/2", "anna/10", "ben/1"])
        #expect(ClientID.only.description == "client")
    }

    @Test("The opposite of each direction is the other direction")
    func directions() {
        #expect(Direction.upstream.opposite == .downstream)
        #expect(Direction.downstream.opposite == .upstream)
    }

    @Test("Adapter levels are ordered by how much they require of the client")
    func levels() {
        #expect(AdapterLevel.allCases.reversed().sorted() == [.wire, .reports, .commands, .device])
    }
}
