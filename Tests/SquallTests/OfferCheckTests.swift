import Adapter
import Testing

@testable import Squall

/// Tests how the capabilities that a client declares are checked. Without the check, a misspelt name would silently
/// skip most of a suite.
@Suite struct OfferCheckTests {
    @Test("A client's declaration with known names is accepted")
    func knownNamesPass() {
        let offer = AdapterCapabilities(
            name: "acme",
            shows: ["connection.state", "client.backoff"],
            takes: ["send", "kill"],
            states: [.init("UP", "connected")]
        )
        #expect(OfferCheck.unknownName(in: offer) == nil)
    }

    @Test(
        "A misspelt name in a client's declaration is reported with a suggestion",
        arguments: [
            (AdapterCapabilities(name: "a", shows: ["connection.stat"]), "shows", "connection.state"),
            (AdapterCapabilities(name: "a", takes: ["opne"]), "takes", "open"),
            (AdapterCapabilities(name: "a", states: [.init("UP", "conected")]), "states", "connected"),
        ]
    )
    func aSlipIsNamedWithWhatWasMeant(_ offer: AdapterCapabilities, _ field: String, _ meant: String) {
        guard case .unknownName(field, _, let nearest)? = OfferCheck.unknownName(in: offer) else {
            Issue.record("nothing was found")
            return
        }
        #expect(nearest == meant)
    }
}
