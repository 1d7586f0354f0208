import Adapter
import Testing

@testable import Squall

/// A slip in what a client declares would silently skip most of a suite.
@Suite struct OfferCheckTests {
    @Test func whatThereIsPasses() {
        let offer = ClientOffer(
            name: "acme",
            shows: ["connection.state", "client.backoff"],
            takes: ["send", "kill"],
            states: [.init("UP", "connected")]
        )
        #expect(OfferCheck.unknownName(in: offer) == nil)
    }

    @Test(arguments: [
        (ClientOffer(name: "a", shows: ["connection.stat"]), "shows", "connection.state"),
        (ClientOffer(name: "a", takes: ["opne"]), "takes", "open"),
        (ClientOffer(name: "a", states: [.init("UP", "conected")]), "states", "connected"),
    ])
    func aSlipIsNamedWithWhatWasMeant(_ offer: ClientOffer, _ field: String, _ meant: String) {
        guard case .unknownName(field, _, let nearest)? = OfferCheck.unknownName(in: offer) else {
            Issue.record("nothing was found")
            return
        }
        #expect(nearest == meant)
    }
}
