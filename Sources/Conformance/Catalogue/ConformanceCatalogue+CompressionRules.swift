import SquallCore
import WebSocketWire

extension ConformanceCatalogue {
    private static let hello = Payload.text("Hello")
    private static let anyTerms = DeflateTerms(offers: [DeflateOffer()], wishes: [.init()])

    private static func rule(
        _ number: Int,
        _ title: String,
        _ allowed: String,
        _ section: String,
        _ steps: [CaseStep],
        _ expectation: Expectation,
        terms: DeflateTerms? = nil
    ) -> ConformanceCase {
        ConformanceCase(
            "D.\(number)",
            title,
            allowed,
            [section],
            deflate: terms ?? anyTerms,
            plan: .script(steps, expectation)
        )
    }

    /// A frame whose payload is compressed already.
    private static func raw(_ bytes: [UInt8]) -> CaseStep { .frame(CaseFrame(.text, .bytes(bytes), reserved: 4)) }

    private static let echoesHello = Expectation.answers([.text(hello.make())])

    /// D.1 and on: what permessage-deflate says of single messages (RFC 7692 sections 6 and 7.2).
    static var compressionRules: [ConformanceCase] {
        framesOfCompression + blocksOfCompression + windowsOfCompression
    }

    private static var framesOfCompression: [ConformanceCase] {
        let ping = Payload.text("between")
        let compressed: [UInt8] = [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]
        let (head, tail) = (Array(compressed.prefix(3)), Array(compressed.dropFirst(3)))
        return [
            rule(
                1,
                "A compressed text in two fragments, RSV1 on both.",
                "RSV1 stands on the first fragment only: failed with 1002.",
                "RFC 7692 6.1",
                [
                    .frame(CaseFrame(.text, .bytes(head), fin: false, reserved: 4)),
                    .frame(CaseFrame(.continuation, .bytes(tail), reserved: 4)),
                ],
                .fails(codes: [Code.violation])
            ),
            rule(
                2,
                "A ping with RSV1.",
                "Control frames are never compressed: failed with 1002.",
                "RFC 7692 6.1",
                [.frame(CaseFrame(.ping, hello, reserved: 4))],
                .fails(codes: [Code.violation])
            ),
            rule(
                3,
                "A compressed text with RSV2.",
                "The extension gives a meaning to RSV1 alone: failed with 1002.",
                "RFC 6455 5.2",
                [.frame(CaseFrame(.text, .bytes(compressed), reserved: 6))],
                .fails(codes: [Code.violation])
            ),
            rule(
                4,
                "A text that is not compressed.",
                "A sender may leave any message as it is: the text comes back.",
                "RFC 7692 6",
                [.frame(CaseFrame(.text, hello))],
                echoesHello
            ),
            rule(
                5,
                "A compressed text in two fragments, a ping between them.",
                "The pong comes, then the text.",
                "RFC 7692 6.1",
                [
                    .frame(CaseFrame(.text, .bytes(head), fin: false, reserved: 4)), .frame(CaseFrame(.ping, ping)),
                    .frame(CaseFrame(.continuation, .bytes(tail))),
                ],
                .answers([.pong(ping.make()), .text(hello.make())])
            ),
            rule(
                6,
                "A compressed text in fragments of one byte.",
                "The text comes back: compression is of messages, not frames.",
                "RFC 7692 6.1",
                [.compressed(.text, hello, size: 1)],
                echoesHello
            ),
        ]
    }

    private static var blocksOfCompression: [ConformanceCase] {
        let codes = [Code.violation, Code.invalidData]
        var bomb = Expectation.fails(codes: [1009])
        bomb.isInformational = true
        let legal: [(String, String, [UInt8], Payload)] = [
            ("An empty text, as one empty block.", "RFC 7692 7.2.3.6", [0x00], .bytes([])),
            ("A stored block.", "RFC 7692 7.2.3.3", [0x00, 0x05, 0x00, 0xFA, 0xFF] + hello.make() + [0x00], hello),
            ("A last block.", "RFC 7692 7.2.3.4", [0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x00], hello),
            (
                "Two blocks.", "RFC 7692 7.2.3.5",
                [0xF2, 0x48, 0x05, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xCA, 0xC9, 0xC9, 0x07, 0x00], hello
            ),
        ]
        let blocks = legal.enumerated().map { place, row in
            rule(7 + place, row.0, "The text comes back.", row.1, [raw(row.2)], .answers([.text(row.3.make())]))
        }
        return blocks + [
            rule(
                11,
                "Bytes that are no DEFLATE.",
                "The connection is failed.",
                "RFC 7692 7.2.2",
                [raw([0xFF, 0xFF, 0xFF, 0xFF, 0xFF])],
                .fails(codes: codes)
            ),
            rule(
                12,
                "A compressed text that is not UTF-8.",
                "The connection is failed with 1007.",
                "RFC 6455 8.1",
                [.compressed(.text, .bytes([0x68, 0xED, 0xA0, 0x80]), size: 0)],
                .fails(codes: [Code.invalidData])
            ),
            rule(
                13,
                "72 MiB of zeros in 72 KiB.",
                "A peer with a limit fails with 1009 and never holds it all; one without may echo it.",
                "RFC 6455 10.4",
                [.compressed(.binary, .repeated([0], to: 75_497_472), size: 0)],
                bomb
            ),
        ]
    }

    private static var windowsOfCompression: [ConformanceCase] {
        let text = Payload.text("the same thing twice, the same thing twice")
        let twice: [CaseStep] = [.compressed(.text, text, size: 0), .compressed(.text, text, size: 0)]
        let both = Expectation.answers([.text(text.make()), .text(text.make())])
        // The same bytes twice, further apart than a window of 512 bytes reaches, and so many that zlib does not store the
        // whole as it is, noise though it be.
        let noise = Corpus.noise.make()
        let far = Payload.bytes(Array(noise.prefix(2300) + noise.prefix(300)))
        return [
            rule(
                14,
                "The same text twice: the second leans on the first.",
                "Both come back: the window is kept between messages.",
                "RFC 7692 7.2.2",
                twice,
                both
            ),
            rule(
                15,
                "The same text twice, to a peer that must empty its window between messages.",
                "Both come back, each readable by itself.",
                "RFC 7692 7.1.1",
                twice,
                both,
                terms: DeflateTerms(offers: [DeflateOffer(serverForgets: true)], wishes: [.init(clientForgets: true)])
            ),
            rule(
                16,
                "A message whose ends are the same, to a peer that agreed to a window of 512 bytes.",
                "It comes back without a reference further than that.",
                "RFC 7692 7.1.2",
                [.compressed(.binary, far, size: 0)],
                .answers([.binary(far.make())]),
                terms: DeflateTerms(
                    offers: [DeflateOffer(serverWindow: .bits(9))],
                    wishes: [.init(clientBits: 9)],
                    isExact: true
                )
            ),
        ]
    }
}
