package import Deflate

/// The negotiated parameters of permessage-deflate (RFC 7692 section 7.1).
package struct DeflateAgreement: Hashable, Sendable {
    package var serverResetsContext: Bool
    package var clientResetsContext: Bool
    /// The window sizes as powers of two, 8 to 15.
    package var serverBits: Int
    package var clientBits: Int

    package init(
        serverResetsContext: Bool = false,
        clientResetsContext: Bool = false,
        serverBits: Int = 15,
        clientBits: Int = 15
    ) {
        self.serverResetsContext = serverResetsContext
        self.clientResetsContext = clientResetsContext
        self.serverBits = serverBits
        self.clientBits = clientBits
    }

    /// The parameters that a server requests in addition to those in the client's offer.
    package struct Preference: Hashable, Sendable {
        package var clientResetsContext: Bool
        /// The maximum window size as a power of two. It is requested only if the client's offer contains the
        /// parameter.
        package var clientBits: Int?

        package init(clientResetsContext: Bool = false, clientBits: Int? = nil) {
            self.clientResetsContext = clientResetsContext
            self.clientBits = clientBits
        }
    }

    /// Selects the first valid offer that zlib supports, and returns the agreement together with the server's answer.
    ///
    /// Returns nil if there is no such offer, in which case no extension is used. zlib cannot compress with a window of
    /// 8 bits.
    package static func choose(
        among offers: [WebSocketExtension],
        preference: Preference = Preference()
    ) -> (agreement: DeflateAgreement, answer: WebSocketExtension)? {
        for offer in offers.lazy.compactMap({ DeflateOffer($0) }) where offer.serverWindow.size > 8 {
            var answer = DeflateOffer(clientWindow: .unspecified)
            answer.serverResetsContext = offer.serverResetsContext
            answer.clientResetsContext = offer.clientResetsContext || preference.clientResetsContext
            answer.serverWindow = offer.serverWindow
            if offer.clientWindow != .unspecified, let bits = preference.clientBits {
                answer.clientWindow = .bits(min(bits, offer.clientWindow.size))
            }
            return (DeflateAgreement(answer), answer.asExtension)
        }
        return nil
    }

    /// Creates the agreement that results from a server's answer to `offers`; returns nil if the answer matches none of
    /// them (section 7.1.3).
    package init?(_ answer: WebSocketExtension, to offers: [DeflateOffer]) {
        guard let answer = DeflateOffer(answer), answer.clientWindow != .supported else { return nil }
        let windows = offers.filter { Self.satisfies(answer, $0) }.map(\.clientWindow.size)
        // The answer does not say which offer was accepted. The smallest window among the matching offers satisfies all
        // of them.
        guard let least = windows.min() else { return nil }
        self.init(answer)
        // A client must keep to the window size that it offered, whether or not the answer repeats it (section
        // 7.1.2.2).
        clientBits = min(clientBits, least)
    }

    private static func satisfies(_ answer: DeflateOffer, _ offer: DeflateOffer) -> Bool {
        if offer.serverResetsContext && !answer.serverResetsContext { return false }
        // An answer without a window size permits the maximum size.
        if answer.serverWindow.size > offer.serverWindow.size { return false }
        if case .bits = answer.clientWindow, offer.clientWindow == .unspecified { return false }
        return true
    }

    private init(_ answer: DeflateOffer) {
        self.init(
            serverResetsContext: answer.serverResetsContext,
            clientResetsContext: answer.clientResetsContext,
            serverBits: answer.serverWindow.size,
            clientBits: answer.clientWindow.size
        )
    }

    /// Creates the compressor for the messages that `role` sends. Returns nil for a window of 8 bits, which zlib does
    /// not support. Messages are then sent uncompressed, which is always allowed (section 6).
    package func deflater(for role: WebSocketRole) -> Deflater? {
        let (bits, resetsContext) =
            role == .client ? (clientBits, clientResetsContext) : (serverBits, serverResetsContext)
        return bits > 8 ? Deflater(windowBits: bits, resetsContext: resetsContext) : nil
    }

    /// Creates the decompressor for the messages that `role` receives. `enforcesWindow` has the same meaning as in
    /// ``Inflater``.
    package func inflater(for role: WebSocketRole, enforcesWindow: Bool = false) -> Inflater {
        switch role {
        case .client:
            Inflater(windowBits: serverBits, resetsContext: serverResetsContext, enforcesWindow: enforcesWindow)
        case .server:
            Inflater(windowBits: clientBits, resetsContext: clientResetsContext, enforcesWindow: enforcesWindow)
        }
    }
}
