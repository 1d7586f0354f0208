import WebSocketWire

/// All conformance cases: the 517 cases of the Autobahn test suite under their original ids, then Squall's own cases.
package enum ConformanceCatalogue {
    /// How much data the compression cases send.
    package enum Volume: String, Sendable, CaseIterable {
        /// Each case sends as many messages as fit into 256 KiB, but at least 4 and at most 1000. The verdicts are the
        /// same as for ``full``.
        case reduced
        /// Each case sends 1000 messages, as in the Autobahn test suite. Such a run takes hours.
        case full
    }

    package static func cases(_ volume: Volume = .reduced) -> [ConformanceCase] {
        published(volume) + own
    }

    /// Returns the cases of the Autobahn test suite, 1.1.1 to 13.7.18.
    package static func published(_ volume: Volume = .reduced) -> [ConformanceCase] {
        framing + pings + reservedBits + opcodes + fragmentation + utf8 + closing + limits + autoFragmentation
            + compression(volume)
    }

    /// Squall's own cases, which the Autobahn test suite does not contain.
    package static var own: [ConformanceCase] {
        openingOfServers + openingOfClients + masking + lengths + compressionRules + transport
    }

    /// A case outside the catalogue that only checks that the target is a WebSocket server.
    package static let probe = ConformanceCase(
        "probe",
        "An opening handshake and a close.",
        "The connection opens.",
        ["RFC 6455 4.2.2"],
        testedRoles: [.server],
        plan: .script([.close(Code.normal)], .closing(codes: [Code.normal]))
    )

    /// The ids and titles of the categories, in order.
    package static let categories: [(id: String, title: String)] = [
        ("1", "Framing"), ("2", "Pings and pongs"), ("3", "Reserved bits"), ("4", "Opcodes"), ("5", "Fragmentation"),
        ("6", "UTF-8"), ("7", "Closing"), ("9", "Limits and performance"), ("10", "Automatic fragmentation"),
        ("12", "Compression: payloads"), ("13", "Compression: parameters"),
        ("D", "Compression: rules"), ("H", "Opening handshake: servers"), ("I", "Opening handshake: clients"),
        ("L", "Lengths"), ("M", "Masking"), ("T", "Time and TCP"), ("P", "Chat protocol: servers"),
        ("R", "Chat protocol: routes"), ("Q", "Chat protocol: clients"),
    ]

    /// The ids of the ``categories`` that test the chat protocol.
    static let chatCategories: Set<String> = ["P", "R", "Q"]

    /// The close codes that the cases use (RFC 6455, section 7.4.1).
    enum Code {
        static let normal: UInt16 = 1000
        static let violation: UInt16 = 1002
        static let invalidData: UInt16 = 1007
    }
}
