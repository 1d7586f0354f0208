import SquallCore
import WebSocketWire

extension ConformanceCatalogue {
    /// For each case, the message size in bytes, the time limit in seconds, and the fragment size in bytes (0 if
    /// messages are not fragmented).
    private static let sizes: [(size: Int, limit: Int64, fragment: Int)] =
        [
            (16, 60, 0), (64, 60, 0), (256, 120, 0), (1024, 240, 0), (4096, 480, 0), (8192, 480, 0), (16_384, 480, 0),
            (32_768, 480, 0), (65_536, 480, 0), (131_072, 480, 0),
        ] + [8192, 16_384, 32_768, 65_536, 131_072].map { ($0, 480, 256) }
        + [1024, 4096, 32_768].map { (131_072, 480, $0) }

    private struct Terms {
        var title: String
        var terms: DeflateTerms
    }

    /// Returns the parameters to request, in order of preference. `resetsContext` specifies whether the peer resets its
    /// compressor between messages. `bits` is the size of the peer's window in bits; nil allows any size.
    private static func terms(_ asked: [(resetsContext: Bool, bits: Int?)]) -> Terms {
        let words = asked.map { ask in
            let bits = ask.bits.map { "a window of \($0) bits" } ?? "any window"
            return "\(bits)\(ask.resetsContext ? ", reset between messages" : "")"
        }
        return Terms(
            title: words.joined(separator: "; or "),
            terms: DeflateTerms(
                offers: asked.map {
                    DeflateOffer(
                        serverResetsContext: $0.resetsContext,
                        serverWindow: $0.bits.map { .bits($0) } ?? .unspecified
                    )
                },
                preferences: asked.map {
                    DeflateAgreement.Preference(clientResetsContext: $0.resetsContext, clientBits: $0.bits)
                }
            )
        )
    }

    /// Returns cases 12.1.1 to 13.7.18: permessage-deflate with various payloads and parameters.
    static func compression(_ volume: Volume) -> [ConformanceCase] {
        let corpora: [CompressionData] = [.records, .picture, .prose, .page, .noise]
        let payloads = corpora.enumerated().flatMap { index, corpus in
            group("12.\(index + 1)", corpus, terms([(false, nil)]), volume)
        }
        let asked: [[(resetsContext: Bool, bits: Int?)]] = [
            [(false, nil)], [(true, nil)], [(false, 9)], [(false, 15)], [(true, 9)], [(true, 15)],
            [(true, 9), (true, nil), (false, nil)],
        ]
        let parameters = asked.enumerated().flatMap { index, asked in
            group("13.\(index + 1)", .records, terms(asked), volume)
        }
        return payloads + parameters
    }

    private static func group(_ prefix: String, _ corpus: CompressionData, _ terms: Terms, _ volume: Volume)
        -> [ConformanceCase]
    {
        sizes.enumerated().map { index, row in
            let count = volume == .full ? 1000 : min(1000, max(4, 262_144 / row.size))
            let cut = row.fragment > 0 ? ", in fragments of \(row.fragment) bytes" : ""
            return ConformanceCase(
                "\(prefix).\(index + 1)",
                """
                \(count) compressed messages of \(row.size) bytes of \(corpus.title)\(cut). Requested: \
                \(terms.title).
                """,
                "Each message is echoed. A peer that declines compression does not implement it, which is not a "
                    + "failure.",
                ["RFC 7692 6", "RFC 7692 7.1", "RFC 7692 7.2"],
                deflate: terms.terms,
                plan: .echo(
                    EchoPlan(
                        isText: corpus.isText,
                        source: .slices(corpus, size: row.size),
                        count: count,
                        fragment: row.fragment,
                        isCompressed: true,
                        limit: .seconds(row.limit)
                    )
                )
            )
        }
    }
}
