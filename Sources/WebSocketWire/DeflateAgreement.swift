package import Deflate

/// The negotiated parameters of permessage-deflate (RFC 7692 section 7.1).
package struct DeflateAgreement: Hashable, Sendable {
    package var serverForgets: Bool
    package var clientForgets: Bool
    /// The window sizes as powers of two, 8 to 15.
    package var serverBits: Int
    package var clientBits: Int

    package init(serverForgets: Bool = false, clientForgets: Bool = false, serverBits: Int = 15, clientBits: Int = 15) {
        self.serverForgets = serverForgets
        self.clientForgets = clientForgets
        self.serverBits = serverBits
        self.clientBits = clientBits
    }

    /// The client parameters that a server requests beyond the client's offer.
    package struct Wish: Hashable, Sendable {
        package var clientForgets: Bool
        /// Requested only if the client's offer has the parameter.
        package var clientBits: Int?

        package init(clientForgets: Bool = false, clientBits: Int? = nil) {
            self.clientForgets = clientForgets
            self.clientBits = clientBits
        }
    }

    /// The server's choice: the first valid offer that zlib supports, with the answer to it.
    ///
    /// Nil if there is none, so that no extension is used. zlib cannot compress with a window of 8 bits.
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

    /// The agreement that a server's answer to `offers` makes; nil if the answer does not match any of them (section
    /// 7.1.3).
    package init?(_ answer: WebSocketExtension, to offers: [DeflateOffer]) {
        guard let answer = DeflateOffer(answer), answer.clientWindow != .nameable else { return nil }
        let windows = offers.filter { Self.satisfies(answer, $0) }.map(\.clientWindow.size)
        // The answer does not name the accepted offer, so the smallest window is used, which is valid for all of them.
        guard let least = windows.min() else { return nil }
        self.init(answer)
        // A client keeps to the window that it has offered, whether or not the answer repeats it (section 7.1.2.2).
        clientBits = min(clientBits, least)
    }

    private static func satisfies(_ answer: DeflateOffer, _ offer: DeflateOffer) -> Bool {
        if offer.serverForgets && !answer.serverForgets { return false }
        // An answer without a window size means the largest.
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

    /// The compressor of `role`; nil if its window has 8 bits, which zlib cannot compress with. Messages are then sent
    /// uncompressed, which is always allowed (section 6).
    package func deflater(for role: WebSocketRole) -> Deflater? {
        let (bits, forgets) = role == .client ? (clientBits, clientForgets) : (serverBits, serverForgets)
        return bits > 8 ? Deflater(windowBits: bits, forgets: forgets) : nil
    }

    /// The decompressor of `role` for its peer's messages; `isExact` as in ``Inflater``.
    package func inflater(for role: WebSocketRole, isExact: Bool = false) -> Inflater {
        switch role {
        case .client: Inflater(windowBits: serverBits, forgets: serverForgets, isExact: isExact)
        case .server: Inflater(windowBits: clientBits, forgets: clientForgets, isExact: isExact)
        }
    }
}
