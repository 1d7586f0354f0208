package import Deflate

/// What both ends of a connection have agreed on for permessage-deflate (RFC 7692 section 7.1).
package struct DeflateAgreement: Hashable, Sendable {
    package var serverForgets: Bool
    package var clientForgets: Bool
    /// Windows as powers of two, 8 to 15.
    package var serverBits: Int
    package var clientBits: Int

    package init(serverForgets: Bool = false, clientForgets: Bool = false, serverBits: Int = 15, clientBits: Int = 15) {
        self.serverForgets = serverForgets
        self.clientForgets = clientForgets
        self.serverBits = serverBits
        self.clientBits = clientBits
    }

    /// What a server would like of its client beyond what the client offers.
    package struct Wish: Hashable, Sendable {
        package var clientForgets: Bool
        /// Asked for only of a client that says it understands it.
        package var clientBits: Int?

        package init(clientForgets: Bool = false, clientBits: Int? = nil) {
            self.clientForgets = clientForgets
            self.clientBits = clientBits
        }
    }

    /// A server's choice: the first offer that is legal and that zlib can keep, and the answer that says so.
    ///
    /// Nil where there is none: then no extension is in use. zlib compresses with no window of 8 bits.
    package static func choose(
        among offers: [WebSocketExtension],
        wish: Wish = Wish()
    ) -> (agreement: DeflateAgreement, answer: WebSocketExtension)? {
        for offer in offers.lazy.compactMap({ DeflateOffer($0) }) where offer.serverWindow.size > 8 {
            var answer = DeflateOffer(clientWindow: .unsaid)
            answer.serverForgets = offer.serverForgets
            answer.clientForgets = offer.clientForgets || wish.clientForgets
            answer.serverWindow = offer.serverWindow
            if offer.clientWindow != .unsaid, let bits = wish.clientBits {
                answer.clientWindow = .bits(min(bits, offer.clientWindow.size))
            }
            return (DeflateAgreement(answer), answer.asExtension)
        }
        return nil
    }

    /// A client's judgement of the server's answer to `offers`; nil where the answer is none of theirs (section 7.1.3).
    package init?(_ answer: WebSocketExtension, to offers: [DeflateOffer]) {
        guard let answer = DeflateOffer(answer), answer.clientWindow != .nameable else { return nil }
        let windows = offers.filter { Self.satisfies(answer, $0) }.map(\.clientWindow.size)
        // Which offer was taken the answer does not say: the smallest window is right for each.
        guard let least = windows.min() else { return nil }
        self.init(answer)
        // A client keeps to the window that it has named, whether or not the answer repeats it (section 7.1.2.2).
        clientBits = min(clientBits, least)
    }

    private static func satisfies(_ answer: DeflateOffer, _ offer: DeflateOffer) -> Bool {
        if offer.serverForgets && !answer.serverForgets { return false }
        // An answer that names no window says the largest.
        if answer.serverWindow.size > offer.serverWindow.size { return false }
        if case .bits = answer.clientWindow, offer.clientWindow == .unsaid { return false }
        return true
    }

    private init(_ answer: DeflateOffer) {
        self.init(
            serverForgets: answer.serverForgets,
            clientForgets: answer.clientForgets,
            serverBits: answer.serverWindow.size,
            clientBits: answer.clientWindow.size
        )
    }

    /// What `role` compresses with; nil where its window has 8 bits, with which zlib cannot compress: then it sends every
    /// message as it is, which is always allowed (section 6).
    package func deflater(for role: WebSocketRole) -> Deflater? {
        let (bits, forgets) = role == .client ? (clientBits, clientForgets) : (serverBits, serverForgets)
        return bits > 8 ? Deflater(windowBits: bits, forgets: forgets) : nil
    }

    /// What `role` decompresses its peer's messages with; `isExact` as ``Inflater`` has it.
    package func inflater(for role: WebSocketRole, isExact: Bool = false) -> Inflater {
        switch role {
        case .client: Inflater(windowBits: serverBits, forgets: serverForgets, isExact: isExact)
        case .server: Inflater(windowBits: clientBits, forgets: clientForgets, isExact: isExact)
        }
    }
}
