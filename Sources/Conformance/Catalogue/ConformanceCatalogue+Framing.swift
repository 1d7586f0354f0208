import SquallCore
import WebSocketWire

extension ConformanceCatalogue {
    private static let framingLengths: [(length: Int, chop: Int?)] = [
        (0, nil), (125, nil), (126, nil), (127, nil), (128, nil), (65_535, nil), (65_536, nil), (65_536, 997),
    ]

    /// Cases 1.1.1 to 1.2.8: every boundary of the payload length (RFC 6455, section 5.2).
    static var framing: [ConformanceCase] {
        [(1, Opcode.text, UInt8(ascii: "*"), "text"), (2, .binary, 0xFE, "binary message")].flatMap {
            group,
            opcode,
            unit,
            name in
            framingLengths.enumerated().map { index, row in
                let payload = Payload.repeated([unit], to: row.length)
                let chops = row.chop.map { ", written in pieces of \($0) bytes" } ?? ""
                return ConformanceCase(
                    "1.\(group).\(index + 1)",
                    "A \(name) of \(row.length) bytes\(chops).",
                    "The message is echoed, however TCP divides the bytes of the frame.",
                    ["RFC 6455 5.2", "RFC 6455 5.6"],
                    plan: .script(
                        [.frame(CaseFrame(opcode, payload), row.chop.map { .chops($0) } ?? .together)],
                        .answers(
                            [opcode == .text ? .text(payload.make()) : .binary(payload.make())],
                            limit: .seconds(10)
                        )
                    )
                )
            }
        }
    }

    /// Cases 2.1 to 2.11: pings and pongs of every length, and unsolicited pongs.
    static var pings: [ConformanceCase] {
        let sections = ["RFC 6455 5.5.2", "RFC 6455 5.5.3"]
        let allowed = "The ping is answered with a pong of the same payload."
        func ping(_ number: Int, _ title: String, _ payload: Payload, _ pacing: Pacing = .together) -> ConformanceCase {
            ConformanceCase(
                "2.\(number)",
                title,
                allowed,
                sections,
                plan: .script([.frame(CaseFrame(.ping, payload), pacing)], .answers([.pong(payload.make())]))
            )
        }
        func unsolicited(_ number: Int, _ payload: Payload) -> ConformanceCase {
            ConformanceCase(
                "2.\(number)",
                "An unsolicited pong of \(payload.count) bytes, then a close.",
                "Only the close is answered: an unsolicited pong is valid and needs no answer.",
                ["RFC 6455 5.5.3"],
                plan: .script([.frame(CaseFrame(.pong, payload)), .close(Code.normal)], closingSilently)
            )
        }
        func ten(_ number: Int, _ pacing: Pacing, _ how: String) -> ConformanceCase {
            let payloads = (0..<10).map { Payload.text("payload-\($0)") }
            var each = Expectation.answers(payloads.map { .pong($0.make()) })
            each.alternatives += each.alternatives.map { .init(.nonStrict, $0.events, wantsOnlyLast: true) }
            return ConformanceCase(
                "2.\(number)",
                "Ten pings in a row\(how).",
                "Each ping is answered. The RFC lets a peer answer only the latest, which is not strict; nearly all "
                    + "answer each.",
                sections,
                plan: .script(payloads.map { .frame(CaseFrame(.ping, $0), pacing) }, each)
            )
        }
        let binary = Payload.bytes([0x00, 0xFF, 0xFE, 0xFD, 0xFC, 0xFB, 0x00, 0xFF])
        let long = Payload.repeated([0xFE], to: 125)
        let text = Payload.text("ping payload")
        return [
            ping(1, "A ping without payload.", .bytes([])),
            ping(2, "A ping with a text.", .text("Hello, world!")),
            ping(3, "A ping with bytes that are not UTF-8.", binary),
            ping(4, "A ping of 125 bytes, the maximum.", long),
            ConformanceCase(
                "2.5",
                "A ping of 126 bytes.",
                "The connection is failed with 1002: no control frame is longer than 125 bytes.",
                ["RFC 6455 5.5"],
                plan: .script(
                    [.frame(CaseFrame(.ping, .repeated([0xFE], to: 126)))],
                    .fails(codes: [Code.violation])
                )
            ),
            ping(6, "A ping of 125 bytes, written byte by byte.", long, .chops(1)),
            unsolicited(7, .bytes([])),
            unsolicited(8, .text("unsolicited pong payload")),
            ConformanceCase(
                "2.9",
                "An unsolicited pong, then a ping.",
                "Only the ping is answered.",
                sections,
                plan: .script(
                    [.frame(CaseFrame(.pong, .text("unsolicited pong payload"))), .frame(CaseFrame(.ping, text))],
                    .answers([.pong(text.make())])
                )
            ),
            ten(10, .together, ""),
            ten(11, .chops(1), ", written byte by byte"),
        ]
    }

    /// Expects the peer to answer Squall's close frame and to send nothing else. A wrong close code affects only the
    /// verdict on the closing handshake.
    static var closingSilently: Expectation {
        var expectation = Expectation.closing(codes: [Code.normal])
        expectation.codeMatters = false
        return expectation
    }
}
