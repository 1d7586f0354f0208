import SquallCore
import WebSocketWire

extension ConformanceCatalogue {
    private static let hello = Payload.text("Hello")
    private static let anyTerms = DeflateTerms(offers: [DeflateOffer()], preferences: [.init()])

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

    /// Returns a step that sends a text frame whose payload is already compressed.
    private static func raw(_ bytes: [UInt8]) -> CaseStep { .frame(CaseFrame(.text, .bytes(bytes), reserved: 4)) }

    private static let echoesHello = Expectation.answers([.text(hello.make())])

    /// Cases D.1 and following: the rules of permessage-deflate for single messages (RFC 7692, sections 6 and 7.2).
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
                "RSV1 is set on the first fragment only: the connection is failed with 1002.",
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
                "Control frames are never compressed: the connection is failed with 1002.",
                "RFC 7692 6.1",
                [.frame(CaseFrame(.ping, hello, reserved: 4))],
                .fails(codes: [Code.violation])
            ),
            rule(
                3,
                "A compressed text with RSV2.",
                "The extension defines only RSV1: the connection is failed with 1002.",
                "RFC 6455 5.2",
                [.frame(CaseFrame(.text, .bytes(compressed), reserved: 6))],
                .fails(codes: [Code.violation])
            ),
            rule(
                4,
                "A text that is not compressed.",
                "A sender may leave any message uncompressed: the text is echoed.",
                "RFC 7692 6",
                [.frame(CaseFrame(.text, hello))],
                echoesHello
            ),
            rule(
                5,
                "A compressed text in two fragments, a ping between them.",
                "The ping is answered, then the text is echoed.",
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
                "The text is echoed: compression applies to messages, not to frames.",
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
        let blocks = legal.enumerated().map { index, row in
            rule(7 + index, row.0, "The text is echoed.", row.1, [raw(row.2)], .answers([.text(row.3.make())]))
        }
        return blocks + [
            rule(
                11,
                "Bytes that are not DEFLATE data.",
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
                "A peer with a limit fails the connection with 1009 without inflating everything; one without a limit "
                    + "may echo it.",
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
        // The same 300 bytes occur twice, further apart than the window size of 512 bytes. There is enough noise for
        // zlib to compress the data instead of using a stored block.
        let noise = CompressionData.noise.make()
        let far = Payload.bytes(Array(noise.prefix(2300) + noise.prefix(300)))
        return [
            rule(
                14,
                "The same text twice, the second compressed with references to the first.",
                "Both are echoed: the window is kept between messages.",
                "RFC 7692 7.2.2",
                twice,
                both
            ),
            rule(
                15,
                "The same text twice, to a peer that must reset its window between messages.",
                "Both are echoed, each decompressible on its own.",
                "RFC 7692 7.1.1",
                twice,
                both,
                terms: DeflateTerms(
                    offers: [DeflateOffer(serverResetsContext: true)],
                    preferences: [.init(clientResetsContext: true)]
                )
            ),
            rule(
                16,
                "A message with the same bytes at both ends, to a peer that agreed to a window of 512 bytes.",
                "It is echoed without references beyond the window.",
                "RFC 7692 7.1.2",
                [.compressed(.binary, far, size: 0)],
                .answers([.binary(far.make())]),
                terms: DeflateTerms(
                    offers: [DeflateOffer(serverWindow: .bits(9))],
                    preferences: [.init(clientBits: 9)],
                    enforcesWindow: true
                )
            ),
        ]
    }
}
