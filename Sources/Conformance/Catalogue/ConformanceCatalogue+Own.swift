import Faults
import SquallCore
import WebSocketWire

extension ConformanceCatalogue {
    private static let hello = Payload.text("Hello")

    /// Cases M.1 and following: frames masked although they must not be, or the reverse (RFC 6455, section 5.1).
    static var masking: [ConformanceCase] {
        let wrong: [(String, [CaseStep])] = [
            ("text", [.frame(CaseFrame(.text, hello, masking: .wrong))]),
            ("binary message", [.frame(CaseFrame(.binary, hello, masking: .wrong))]),
            ("ping", [.frame(CaseFrame(.ping, hello, masking: .wrong))]),
            (
                "continuation",
                [.frame(CaseFrame(.text, hello, fin: false)), .frame(CaseFrame(.continuation, hello, masking: .wrong))]
            ),
        ]
        let ends: [(WebSocketRole, String, String)] = [
            (.server, "without mask", "A client must mask its frames: the server fails the connection with 1002."),
            (.client, "with a mask", "A server must not mask its frames: the client fails the connection with 1002."),
        ]
        let all = ends.flatMap { judged, how, allowed in
            wrong.map { name, steps in ("A \(name) \(how).", allowed, judged, steps) }
        }
        let cases = all.enumerated().map { index, row in
            ConformanceCase(
                "M.\(index + 1)",
                row.0,
                row.1,
                ["RFC 6455 5.1", "RFC 6455 5.3"],
                testedRoles: [row.2],
                plan: .script(row.3, .fails(codes: [Code.violation]))
            )
        }
        return cases + [
            ConformanceCase(
                "M.\(cases.count + 1)",
                "A text masked with a key of zeros.",
                "The key is valid: the text is echoed.",
                ["RFC 6455 5.3"],
                testedRoles: [.server],
                plan: .script([.frame(CaseFrame(.text, hello, masking: .zero))], .answers([.text(hello.make())]))
            )
        ]
    }

    /// Cases L.1 and following: lengths that are not encoded in the shortest form, and invalid lengths (RFC 6455,
    /// section 5.2).
    static var lengths: [ConformanceCase] {
        let forms: [(FrameHeader.LengthForm, Int)] = [
            (.bits16, 5), (.bits16, 125), (.bits64, 5), (.bits64, 126), (.bits64, 65_535),
        ]
        let long = forms.enumerated().map { index, row in
            let payload = Payload.repeated([UInt8(ascii: "*")], to: row.1)
            return ConformanceCase(
                "L.\(index + 1)",
                "A text of \(row.1) bytes with its length in \(row.0 == .bits16 ? 16 : 64) bits.",
                "The shortest form must be used: the connection is failed with 1002. Accepting the frame is common but "
                    + "not strict.",
                ["RFC 6455 5.2"],
                plan: .script(
                    [.frame(CaseFrame(.text, payload, lengthForm: row.0))],
                    Expectation(
                        alternatives: [.init(.ok, []), .init(.nonStrict, [.text(payload.make())])],
                        ending: .any,
                        closesWhenDone: true,
                        limit: Expectation.timeout
                    )
                )
            )
        }
        var huge = Expectation.fails(codes: [1009, Code.violation])
        huge.isInformational = true
        return long + [
            ConformanceCase(
                "L.\(long.count + 1)",
                "A text with a length whose highest bit is set.",
                "The length is invalid: the connection is failed with 1002 or 1009.",
                ["RFC 6455 5.2"],
                plan: .script(
                    [.frame(CaseFrame(.text, hello, declaredLength: 1 << 63))],
                    .fails(codes: [Code.violation, 1009])
                )
            ),
            ConformanceCase(
                "L.\(long.count + 2)",
                "A text with a declared length of four exabytes.",
                "Valid. A peer with a limit fails the connection with 1009 at once; one without a limit waits.",
                ["RFC 6455 5.2", "RFC 6455 10.4"],
                plan: .script([.frame(CaseFrame(.text, hello, declaredLength: 1 << 62))], huge)
            ),
        ]
    }

    /// Cases T.1 and following: half-closed connections, slow data and silence.
    static var transport: [ConformanceCase] {
        var silence = Expectation.answers([.text(hello.make())])
        silence.answersPings = false
        silence.ignored = [.pong]
        let latest = Payload.repeated([8], to: 125)
        var flood = Expectation.answers([.text(hello.make())])
        flood.ignored = [.pong]
        flood.needed = .pong(latest.make())
        var closing = Expectation.closing(codes: [Code.normal])
        closing.closeMatters = true
        var flight = closing
        flight.ignored = [.message]
        flight.limit = .seconds(20)
        let ends = Expectation(
            alternatives: [.init(.ok, [])],
            ending: .any,
            closesWhenDone: false,
            limit: Expectation.timeout
        )
        let trickle = TimeSpan.milliseconds(100)
        return [
            ConformanceCase(
                "T.1",
                "A close, then a FIN on the TCP connection.",
                "The close is answered: a half-closed connection still carries data in the other direction.",
                ["RFC 6455 7.1.1", "RFC 9293 3.6"],
                plan: .script([.close(Code.normal), .end(.fin)], closing)
            ),
            ConformanceCase(
                "T.2",
                "256 texts of 16 KiB and then a close, all at once.",
                "The close is answered, however many texts are echoed before it.",
                ["RFC 6455 7.1.2", "RFC 6455 5.5.1"],
                plan: .script(
                    (0..<256).map { _ in .frame(CaseFrame(.text, .repeated([UInt8(ascii: "*")], to: 16_384))) }
                        + [.close(Code.normal)],
                    flight
                )
            ),
            ConformanceCase(
                "T.3",
                "A text in pieces, cut also within the header, with a tenth of a second between pieces.",
                "The text is echoed.",
                ["RFC 6455 5.2"],
                plan: .script(
                    [.frame(CaseFrame(.text, hello), .cuts([-1, 0, 1, 2, 4], pause: trickle, names: []))],
                    .answers([.text(hello.make())])
                )
            ),
            ConformanceCase(
                "T.4",
                "Two seconds of silence in which no ping is answered, then a text.",
                "The text is echoed: a peer that drops silent connections must wait longer than that.",
                ["RFC 6455 5.5.3"],
                plan: .script([.wait(.seconds(2), name: nil), .frame(CaseFrame(.text, hello))], silence)
            ),
            ConformanceCase(
                "T.5",
                "A thousand pings of 125 bytes in one write, then a text.",
                "The text is echoed, and at least the latest ping is answered.",
                ["RFC 6455 5.5.2", "RFC 6455 5.5.3"],
                plan: .script(
                    (0..<999).map { _ in .frame(CaseFrame(.ping, .repeated([7], to: 125))) }
                        + [.frame(CaseFrame(.ping, latest)), .frame(CaseFrame(.text, hello))],
                    flood
                )
            ),
            ConformanceCase(
                "T.6",
                "A FIN on the TCP connection without a close frame.",
                "The peer ends the connection too, because nothing more can arrive.",
                ["RFC 6455 7.1.4"],
                plan: .script([.end(.fin)], ends)
            ),
            ConformanceCase(
                "T.7",
                "Ten bytes of a frame of a hundred, then a FIN on the TCP connection.",
                "The peer ends the connection too and does not treat the ten bytes as a message.",
                ["RFC 6455 7.1.4"],
                plan: .script(
                    [
                        .frame(CaseFrame(.text, .repeated([UInt8(ascii: "*")], to: 10), declaredLength: 100)),
                        .end(.fin),
                    ],
                    ends
                )
            ),
            ConformanceCase(
                "T.8",
                "A close between two fragments, then a FIN on the TCP connection.",
                "The close is answered, and the incomplete text is discarded.",
                ["RFC 6455 5.5.1", "RFC 6455 7.1.1"],
                plan: .script(
                    [.frame(CaseFrame(.text, hello, fin: false)), .close(Code.normal), .end(.fin)],
                    closing
                )
            ),
        ]
    }
}
