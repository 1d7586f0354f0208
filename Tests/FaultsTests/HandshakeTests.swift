import Faults
import SquallCore
import Testing

struct HandshakeTests {
    private let other = ClientID("other")

    private func relay(isSecured: Bool = true) -> Relay {
        Relay(seed: Seed(1), clients: [.only, other], isSecured: isSecured)
    }

    private func handshakes(_ outputs: [RelayOutput]) -> [RelayOutput] {
        outputs.filter { if case .handshake = $0 { true } else { false } }
    }

    private func begin(_ kind: Fault.Kind, of clients: [ClientID]? = nil) -> RelayInput {
        .begin(Fault(kind), label: nil, clients: clients)
    }

    @Test("A certificate fault applies to the named clients until it is healed")
    func aCertificateIsShownUntilItIsHealed() {
        var relay = relay()
        let begun = relay.handle(begin(.certificate(Fault.Certificate(.expired)), of: [other]), at: .zero)
        #expect(handshakes(begun) == [.handshake(other, .completes(.expired))])
        let healed = relay.handle(.heal(label: "certificate"), at: .zero)
        #expect(handshakes(healed) == [.handshake(other, .completes(.valid))])
    }

    @Test("broken_handshake takes precedence over certificate") func theWorseOfTwoCounts() {
        var relay = relay()
        _ = relay.handle(begin(.brokenHandshake(Fault.BrokenHandshake(.fail)), of: [.only]), at: .zero)
        let milder = relay.handle(begin(.certificate(Fault.Certificate(.selfSigned)), of: [.only]), at: .zero)
        #expect(handshakes(milder).isEmpty)
        let healed = relay.handle(.heal(label: "handshake"), at: .zero)
        #expect(handshakes(healed) == [.handshake(.only, .completes(.selfSigned))])
    }

    @Test("A captive portal that sends an HTTP answer presents its own certificate")
    func aPortalHasACertificateOfItsOwn() {
        var relay = relay()
        let portal = relay.handle(begin(.captivePortal(Fault.CaptivePortal()), of: [.only]), at: .zero)
        #expect(handshakes(portal) == [.handshake(.only, .completes(.portal))])
        var other = self.relay()
        let reset = other.handle(begin(.captivePortal(Fault.CaptivePortal(.reset)), of: [.only]), at: .zero)
        #expect(handshakes(reset).isEmpty)
    }

    @Test("A certificate fault on a relay without TLS emits no handshake outcome") func withoutTLS() {
        var relay = relay(isSecured: false)
        let begun = relay.handle(begin(.certificate(Fault.Certificate(.expired))), at: .zero)
        #expect(handshakes(begun).isEmpty)
    }

    @Test("A failed TLS handshake is reported together with its certificate fault") func failedHandshakeIsReported() {
        var relay = relay()
        let outputs = relay.handle(.handshakeFailed(.only, .completes(.wrongHost)), at: .zero)
        guard case .observe(let observation, .only?)? = outputs.first else {
            Issue.record("\(outputs)")
            return
        }
        #expect(observation.name == "network.handshake.failed")
        #expect(observation.change == .happened(["how": "wrong_host"]))
    }
}
