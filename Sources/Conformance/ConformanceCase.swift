package import SquallCore
package import WebSocketWire

/// A conformance case: the data to send to a peer, the behaviour that is allowed, and the sections of the standards
/// that specify it.
package struct ConformanceCase: Sendable, Identifiable {
    package enum Plan: Sendable {
        /// The case performs these steps once the connection is open.
        case script([CaseStep], Expectation)
        /// The case sends messages, each of which must be echoed before the next message is sent.
        case echo(EchoPlan)
        /// The case tests the opening handshake.
        case opening(OpeningPlan)
    }

    package let id: CaseID
    /// A short description of the frames or bytes that the case sends.
    package let title: String
    /// The behaviour that is allowed, and why.
    package let allowed: String
    /// The sections of the standard that specify the behaviour, such as `RFC 6455 5.2`.
    package let sections: [String]
    /// The roles of peers to which the case applies: both, unless it tests only clients or only servers.
    package let testedRoles: Set<WebSocketRole>
    package let plan: Plan
    /// The permessage-deflate parameters to offer or request; nil if the case does not test compression.
    package let deflate: DeflateTerms?
    /// Whether the peer does not echo messages. If so, messages from the peer are not checked.
    package internal(set) var peerDoesNotEcho = false

    /// Whether the case sends compressed messages.
    var compresses: Bool {
        switch plan {
        case .echo(let plan): plan.isCompressed
        case .script(let steps, _): steps.contains { if case .compressed = $0 { true } else { false } }
        case .opening: false
        }
    }

    /// Whether the case transfers megabytes of data, as the cases of category 9 (limits and performance) do.
    package var isHeavy: Bool { id.category == "9" }

    package init(
        _ id: String,
        _ title: String,
        _ allowed: String,
        _ sections: [String],
        testedRoles: Set<WebSocketRole> = [.client, .server],
        deflate: DeflateTerms? = nil,
        plan: Plan
    ) {
        self.id = CaseID(id)
        self.title = title
        self.allowed = allowed
        self.sections = sections
        self.testedRoles = testedRoles
        self.deflate = deflate
        self.plan = plan
    }
}

/// The permessage-deflate parameters of a case (RFC 7692, section 7.1).
package struct DeflateTerms: Hashable, Sendable {
    /// The offers that Squall makes as a client, in order of preference.
    package var offers: [DeflateOffer]
    /// The parameters that Squall requests as a server, in order of preference. The first set that the client's offers
    /// allow is used.
    package var preferences: [DeflateAgreement.Preference]
    /// Whether compressed data that refers back beyond the agreed window size is an error.
    package var enforcesWindow: Bool

    package init(offers: [DeflateOffer], preferences: [DeflateAgreement.Preference], enforcesWindow: Bool = false) {
        self.offers = offers
        self.preferences = preferences
        self.enforcesWindow = enforcesWindow
    }

    /// Returns the parameters that Squall, as a server, agrees to, and the extension header of its response; nil if the
    /// client's offers allow none of ``preferences``.
    func choose(among offered: [WebSocketExtension]) -> (agreement: DeflateAgreement, answer: WebSocketExtension)? {
        for preference in preferences {
            // A server may limit the client's window only if the client's offer contains the parameter
            // `client_max_window_bits` (RFC 7692, section 7.1.2.2).
            let able = offered.filter { preference.clientBits == nil || DeflateOffer($0)?.clientWindow != .unspecified }
            if let choice = DeflateAgreement.choose(among: able, preference: preference) { return choice }
        }
        return nil
    }
}

/// A sequence of messages, each sent after the echo of the previous one.
package struct EchoPlan: Sendable {
    package enum Source: Sendable {
        /// Every message has this payload.
        case payload(Payload)
        /// The messages are consecutive slices of a corpus, which wraps around at its end.
        case slices(CompressionData, size: Int)
    }

    package var isText: Bool
    package var source: Source
    package var count: Int
    /// The maximum payload size of a frame in bytes; 0 sends each message in one frame.
    package var fragment: Int
    package var isCompressed: Bool
    /// The time limit for the whole sequence.
    package var limit: TimeSpan
    package var pacing: Pacing

    package init(
        isText: Bool,
        source: Source,
        count: Int = 1,
        fragment: Int = 0,
        isCompressed: Bool = false,
        limit: TimeSpan,
        pacing: Pacing = .together
    ) {
        self.isText = isText
        self.source = source
        self.count = count
        self.fragment = fragment
        self.isCompressed = isCompressed
        self.limit = limit
        self.pacing = pacing
    }
}
