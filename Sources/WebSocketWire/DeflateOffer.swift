/// The parameters of permessage-deflate in a client's offer or a server's answer (RFC 7692 section 7.1).
package struct DeflateOffer: Hashable, Sendable {
    /// A window parameter: absent, present without a value, or with a maximum size.
    package enum Window: Hashable, Sendable {
        case unspecified
        /// The parameter `client_max_window_bits` is present without a value, which is valid only in an offer.
        case supported
        /// The base-2 logarithm of the maximum window size, from 8 to 15.
        case bits(Int)

        /// The effective window size as a power of two; 15 if no size is given.
        package var size: Int {
            if case .bits(let bits) = self { bits } else { 15 }
        }
    }

    package static let name = "permessage-deflate"

    package var serverResetsContext: Bool
    package var clientResetsContext: Bool
    package var serverWindow: Window
    package var clientWindow: Window

    /// Creates an offer or an answer.
    ///
    /// - Parameters:
    ///   - serverResetsContext: The parameter `server_no_context_takeover`: the server begins each message with an
    ///     empty window.
    ///   - clientResetsContext: The parameter `client_no_context_takeover`: the same for the client.
    ///   - serverWindow: The parameter `server_max_window_bits`.
    ///   - clientWindow: The parameter `client_max_window_bits`. By default, an offer states that the client supports
    ///     the parameter.
    package init(
        serverResetsContext: Bool = false,
        clientResetsContext: Bool = false,
        serverWindow: Window = .unspecified,
        clientWindow: Window = .supported
    ) {
        self.serverResetsContext = serverResetsContext
        self.clientResetsContext = clientResetsContext
        self.serverWindow = serverWindow
        self.clientWindow = clientWindow
    }

    /// Parses the parameters of permessage-deflate. Returns nil for another extension, and for an unknown, repeated or
    /// invalid parameter: a server must decline such an offer, and a client must fail the connection (section 7.1).
    package init?(_ named: WebSocketExtension) {
        guard isSame(named.name, Self.name) else { return nil }
        self.init(clientWindow: .unspecified)
        var seen: Set<String> = []
        for parameter in named.parameters {
            guard seen.insert(parameter.name).inserted else { return nil }
            switch (parameter.name, parameter.value) {
            case ("server_no_context_takeover", nil): serverResetsContext = true
            case ("client_no_context_takeover", nil): clientResetsContext = true
            case ("client_max_window_bits", nil): clientWindow = .supported
            case ("client_max_window_bits", let value?):
                guard let bits = Self.bits(value) else { return nil }
                clientWindow = .bits(bits)
            case ("server_max_window_bits", let value?):
                guard let bits = Self.bits(value) else { return nil }
                serverWindow = .bits(bits)
            default: return nil
            }
        }
    }

    /// Parses a number from 8 to 15 without a leading zero (section 7.1.2).
    private static func bits(_ text: String) -> Int? {
        guard let bits = Int(text), 8...15 ~= bits, String(bits) == text else { return nil }
        return bits
    }

    package var asExtension: WebSocketExtension {
        var named = WebSocketExtension(Self.name)
        if serverResetsContext { named.parameters.append(.init("server_no_context_takeover")) }
        if clientResetsContext { named.parameters.append(.init("client_no_context_takeover")) }
        if case .bits(let bits) = serverWindow {
            named.parameters.append(.init("server_max_window_bits", String(bits)))
        }
        switch clientWindow {
        case .unspecified: break
        case .supported: named.parameters.append(.init("client_max_window_bits"))
        case .bits(let bits): named.parameters.append(.init("client_max_window_bits", String(bits)))
        }
        return named
    }
}
