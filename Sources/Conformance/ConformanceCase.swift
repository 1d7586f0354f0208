package import SquallCore
package import WebSocketWire

/// One case: what is done to a peer, what it may do, and where that is written.
package struct ConformanceCase: Sendable, Identifiable {
    package enum Plan: Sendable {
        /// Steps, once the connection is open.
        case script([CaseStep], Expectation)
        /// Messages, each of which must come back before the next goes.
        case echo(EchoPlan)
        /// Something about the opening handshake itself.
        case opening(OpeningPlan)
    }

    package let id: CaseID
    /// What is sent.
    package let title: String
    /// What is allowed, and why.
    package let allowed: String
    /// As in `RFC 6455 5.2`.
    package let sections: [String]
    /// Which ends can be judged by it; both unless the case is about one.
    package let judged: Set<WebSocketRole>
    package let plan: Plan
    /// What is offered or asked for of permessage-deflate; nil where the case is not about it.
    package let deflate: DeflateTerms?
    /// Whether the peer is one that sends nothing back: its messages are its own affair then.
    package internal(set) var isUnechoed = false

    /// Whether it has messages that we must compress.
    var compresses: Bool {
        switch plan {
        case .echo(let plan): plan.isCompressed
        case .script(let steps, _): steps.contains { if case .compressed = $0 { true } else { false } }
        case .opening: false
        }
    }

    /// Whether it moves megabytes: category 9, limits and performance.
    package var isHeavy: Bool { id.category == "9" }

    package init(
        _ id: String,
        _ title: String,
        _ allowed: String,
        _ sections: [String],
        judged: Set<WebSocketRole> = [.client, .server],
        deflate: DeflateTerms? = nil,
        plan: Plan
    ) {
        self.id = CaseID(id)
        self.title = title
        self.allowed = allowed
        self.sections = sections
        self.judged = judged
        self.deflate = deflate
        self.plan = plan
    }
}

/// What a case wants of permessage-deflate (RFC 7692 section 7.1).
package struct DeflateTerms: Hashable, Sendable {
    /// What we offer as a client, best first.
    package var offers: [DeflateOffer]
    /// What we ask of a client as a server; the first that its offers allow.
    package var wishes: [DeflateAgreement.Wish]
    /// Whether the peer is held to the window it agreed to, byte by byte.
    package var isExact: Bool

    package init(offers: [DeflateOffer], wishes: [DeflateAgreement.Wish], isExact: Bool = false) {
        self.offers = offers
        self.wishes = wishes
        self.isExact = isExact
    }

    /// A server's choice; nil where no wish can be granted.
    func choose(among offered: [WebSocketExtension]) -> (agreement: DeflateAgreement, answer: WebSocketExtension)? {
        for wish in wishes {
            // A window can be asked only of a client that says it understands it (RFC 7692 section 7.1.2.2).
            let able = offered.filter { wish.clientBits == nil || DeflateOffer($0)?.clientWindow != .unsaid }
            if let choice = DeflateAgreement.choose(among: able, wish: wish) { return choice }
        }
        return nil
    }
}

/// Messages one after another, each sent when the one before has come back.
package struct EchoPlan: Sendable {
    package enum Source: Sendable {
        /// The same payload each time.
        case payload(Payload)
        /// Slices of a corpus, each from where the last one ended, round and round.
        case slices(Corpus, size: Int)
    }

    package var isText: Bool
    package var source: Source
    package var count: Int
    /// Bytes a frame; 0 for one frame a message.
    package var fragment: Int
    package var isCompressed: Bool
    /// For all of it.
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
