import ChatWire
import Faults
import ReferenceClient
import SquallCore
import Testing

/// A check for one defect: the reference client passes it, and a client with the defect fails it.
struct Proof: CustomTestStringConvertible, Sendable {
    let defect: String
    let profile: @Sendable (inout ClientProfile) -> Void
    let isRight: @Sendable (inout Driver) -> Bool

    init(
        _ defect: String,
        profile: @escaping @Sendable (inout ClientProfile) -> Void = { _ in },
        isRight: @escaping @Sendable (inout Driver) -> Bool
    ) {
        self.defect = defect
        self.profile = profile
        self.isRight = isRight
    }

    var testDescription: String { defect }

    func driver(_ defect: String?) -> Driver {
        var profile = ClientProfile.exact
        self.profile(&profile)
        return defect.map { Driver(defect: $0, profile) } ?? Driver(profile)
    }
}

@Suite struct DefectTests {
    private static let proofs =
        connectionProofs + messageProofs + linkProofs + uploadProofs + screenProofs + readingProofs + phoneProofs
        + mediaProofs + sharingProofs

    @Test(
        "The reference client passes the check for each defect, and the client with the defect fails it",
        arguments: proofs
    )
    func breaksWhatItSays(proof: Proof) {
        var reference = proof.driver(nil)
        #expect(proof.isRight(&reference), "the reference client fails its own proof")
        var broken = proof.driver(proof.defect)
        #expect(!proof.isRight(&broken), "the defect changes nothing")
    }

    @Test("Every client defect has exactly one check")
    func everyDefectHasAProof() {
        #expect(Defect.all.map(\.name).filter { name in !Self.proofs.contains { $0.defect == name } } == [])
        #expect(Set(Self.proofs.map(\.defect)).count == Self.proofs.count)
    }
}

extension Driver {
    var key: String { sends.first?.clientMessageID ?? "" }

    mutating func send(_ text: String = "one", to conversation: String = "stukov", label: String? = nil) {
        command(.send(conversation: conversation, text: text, label: label))
    }

    /// Loses the connection and restores it, whatever the reconnect delay.
    mutating func comeBack(lastSequence: Int64 = 0) {
        drop()
        advance(by: .seconds(2))
        connect(lastSequence: lastSequence)
        replay([], through: lastSequence)
    }

    mutating func spendAttempts() {
        for _ in 0..<50 where state != "degraded" && state != "unavailable" {
            refuse()
            guard let next = client.nextDeadline else { return }
            advance(by: next - now)
        }
    }
}
