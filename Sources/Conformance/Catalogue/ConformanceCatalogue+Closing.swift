import WebSocketWire

extension ConformanceCatalogue {
    /// Cases 7.1.1 to 7.13.2: the closing handshake.
    static var closing: [ConformanceCase] {
        afterClose + closePayloads + validCodes + invalidCodes + undefinedCodes
    }

    private static var afterClose: [ConformanceCase] {
        let hello = Payload.text("Hello World!")
        var echoed = Expectation.answers([.text(hello.make())])
        echoed.codeMatters = true
        func closed(_ number: Int, _ title: String, _ allowed: String, _ steps: [CaseStep]) -> ConformanceCase {
            ConformanceCase(
                "7.1.\(number)",
                title,
                allowed,
                ["RFC 6455 5.5.1", "RFC 6455 7.1.2"],
                plan: .script(steps, .closing(codes: [Code.normal]))
            )
        }
        var ignored = Expectation.closing(after: [.text(hello.make())], codes: [Code.normal])
        ignored.alternatives.append(.init(.nonStrict, []))
        ignored.isInformational = true
        let close = CaseStep.close(Code.normal)
        return [
            ConformanceCase(
                "7.1.1",
                "A text, and a close after its echo.",
                "The text is echoed, and the close is answered with the same code or none.",
                ["RFC 6455 5.5.1", "RFC 6455 7.1.2"],
                plan: .script([.frame(CaseFrame(.text, hello))], echoed)
            ),
            closed(
                2,
                "Two close frames.",
                "The first close is answered; the second frame is ignored.",
                [close, .frame(CaseFrame(.close))]
            ),
            closed(
                3,
                "A close, then a ping.",
                "The close is answered and the ping is not.",
                [close, .frame(CaseFrame(.ping))]
            ),
            closed(
                4,
                "A close, then a text.",
                "The close is answered and the text is not echoed.",
                [close, .frame(CaseFrame(.text, hello))]
            ),
            closed(
                5,
                "A fragment, a close, the second fragment.",
                "The close is answered and no text is echoed: like every control frame, a close may come between "
                    + "fragments.",
                [
                    .frame(CaseFrame(.text, .text("fragment1"), fin: false)), close,
                    .frame(CaseFrame(.continuation, .text("fragment2"))),
                ]
            ),
            ConformanceCase(
                "7.1.6",
                "A text of 256 KiB, a short one, a close, a ping, all at once.",
                "Whether the texts are echoed before the close is up to the peer.",
                ["RFC 6455 5.5.1", "RFC 6455 7.1.2"],
                plan: .script(
                    [
                        .frame(CaseFrame(.text, .repeated(Array("BAsd7&jh23".utf8), to: 262_144))),
                        .frame(CaseFrame(.text, hello)), close, .frame(CaseFrame(.ping)),
                    ],
                    ignored
                )
            ),
        ]
    }

    private static var closePayloads: [ConformanceCase] {
        let allowed = "The close is answered with the same code or none."
        let wrong = "The close is invalid: it is answered with 1002, or the connection is dropped."
        func star(_ count: Int) -> [UInt8] { [UInt8](repeating: UInt8(ascii: "*"), count: count) }
        let rows: [(Int, String, CaseStep, Bool)] = [
            (1, "A close without payload.", .close([]), true),
            (2, "A close with half a code.", .close([UInt8(ascii: "a")]), false),
            (3, "A close with a code.", .close(Code.normal), true),
            (4, "A close with a code and a reason.", .close(Code.normal, Array("Hello World!".utf8)), true),
            (5, "A close with a reason of 123 bytes, the maximum.", .close(Code.normal, star(123)), true),
            (6, "A close with a reason of 124 bytes.", .close(Code.normal, star(124)), false),
        ]
        let payloads = rows.map { number, title, step, isLegal in
            ConformanceCase(
                "7.3.\(number)",
                title,
                isLegal ? allowed : wrong,
                ["RFC 6455 5.5", "RFC 6455 5.5.1", "RFC 6455 7.1.6"],
                plan: .script(
                    [step],
                    .closing(codes: [isLegal ? Code.normal : Code.violation], isClean: isLegal)
                )
            )
        }
        let reason: [UInt8] = [0xCE, 0xBA, 0xE1, 0xBD, 0xB9, 0xCF, 0x83, 0xCE, 0xBC, 0xCE, 0xB5, 0xED, 0xA0, 0x80]
        return payloads + [
            ConformanceCase(
                "7.5.1",
                "A close with a reason that is not UTF-8.",
                "It is answered with 1002 or 1007, or the connection is dropped.",
                ["RFC 6455 5.5.1", "RFC 6455 8.1"],
                plan: .script(
                    [.close(Code.normal, reason + Array("edited".utf8))],
                    .closing(codes: [Code.violation, Code.invalidData], isClean: false)
                )
            )
        ]
    }

    private static var validCodes: [ConformanceCase] {
        let codes: [UInt16] = [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999]
        return codes.enumerated().map { index, code in
            ConformanceCase(
                "7.7.\(index + 1)",
                "A close with code \(code).",
                "The close is answered with the same code, 1000 or none.",
                ["RFC 6455 7.4.1", "RFC 6455 7.4.2"],
                plan: .script([.close(code)], .closing(codes: [Code.normal, code]))
            )
        }
    }

    private static var invalidCodes: [ConformanceCase] {
        let codes: [UInt16] = [0, 999, 1004, 1005, 1006, 1016, 1100, 2000, 2999]
        return codes.enumerated().map { index, code in
            ConformanceCase(
                "7.9.\(index + 1)",
                "A close with code \(code), which must not be sent.",
                "It is answered with 1002, or the connection is dropped.",
                ["RFC 6455 7.4.1", "RFC 6455 7.4.2"],
                plan: .script([.close(code)], .closing(codes: [Code.violation], isClean: false))
            )
        }
    }

    private static var undefinedCodes: [ConformanceCase] {
        [UInt16(5000), 65_535].enumerated().map { index, code in
            var expectation = Expectation.closing(codes: [Code.normal, code, Code.violation], isClean: false)
            expectation.isInformational = true
            return ConformanceCase(
                "7.13.\(index + 1)",
                "A close with code \(code), beyond every range.",
                "The RFC does not define codes from 5000 on.",
                ["RFC 6455 7.4.2"],
                plan: .script([.close(code)], expectation)
            )
        }
    }
}
