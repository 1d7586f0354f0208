import SquallCore
import WebSocketWire

extension ConformanceCatalogue {
    private static let pacings: [(pacing: Pacing, how: String)] = [
        (.together, "in one write"), (.alone, "one write per frame"), (.chops(1), "byte by byte"),
    ]

    private static func part(_ number: Int) -> Payload { .text("fragment\(number)") }

    private static func first(_ number: Int, fin: Bool = false) -> CaseFrame {
        CaseFrame(.text, part(number), fin: fin)
    }

    private static func next(_ number: Int, fin: Bool = false) -> CaseFrame {
        CaseFrame(.continuation, part(number), fin: fin)
    }

    private static func joined(_ numbers: ClosedRange<Int>) -> CaseEvent {
        .text(numbers.flatMap { part($0).make() })
    }

    /// Cases 5.1 to 5.20: fragmentation.
    static var fragmentation: [ConformanceCase] {
        fragmentedControls + wholeMessages + orphans + brokenOrder + longMessages
    }

    /// Cases 5.1 and 5.2: fragmented control frames.
    private static var fragmentedControls: [ConformanceCase] {
        [(1, Opcode.ping), (2, .pong)].map { number, opcode in
            ConformanceCase(
                "5.\(number)",
                "A \(opcode) in two fragments.",
                "The connection is failed with 1002: a control frame is never fragmented.",
                ["RFC 6455 5.4", "RFC 6455 5.5"],
                plan: .script(
                    [.frame(CaseFrame(opcode, part(1), fin: false)), .frame(next(2, fin: true))],
                    .fails(codes: [Code.violation])
                )
            )
        }
    }

    /// Cases 5.3 to 5.8: a text in two fragments, without and with a ping between them.
    private static var wholeMessages: [ConformanceCase] {
        let ping = Payload.text("ping payload")
        let plain = pacings.enumerated().map { index, row in
            ConformanceCase(
                "5.\(3 + index)",
                "A text in two fragments, written \(row.how).",
                "The complete text is echoed.",
                ["RFC 6455 5.4"],
                plan: .script(
                    [.frame(first(1), row.pacing), .frame(next(2, fin: true), row.pacing)],
                    .answers([joined(1...2)])
                )
            )
        }
        let interleaved = pacings.enumerated().map { index, row in
            ConformanceCase(
                "5.\(6 + index)",
                "A text in two fragments with a ping between them, written \(row.how).",
                "The ping is answered, then the complete text is echoed: control frames may come between fragments.",
                ["RFC 6455 5.4", "RFC 6455 5.5"],
                plan: .script(
                    [
                        .frame(first(1), row.pacing), .frame(CaseFrame(.ping, ping), row.pacing),
                        .frame(next(2, fin: true), row.pacing),
                    ],
                    .answers([.pong(ping.make()), joined(1...2)])
                )
            )
        }
        return plain + interleaved
    }

    /// Cases 5.9 to 5.14: a continuation frame without a message to continue, with and without FIN.
    private static var orphans: [ConformanceCase] {
        [(9, true), (12, false)].flatMap { base, fin in
            pacings.enumerated().map { index, row in
                let orphan = CaseFrame(.continuation, .text("non-continuation payload"), fin: fin)
                return ConformanceCase(
                    "5.\(base + index)",
                    """
                    A\(fin ? "" : " non-final") continuation frame without a message to continue, then a text, \
                    written \(row.how).
                    """,
                    "The connection is failed with 1002: there is no message to continue.",
                    ["RFC 6455 5.4"],
                    plan: .script(
                        [.frame(orphan, row.pacing), .frame(CaseFrame(.text, .text("Hello, world!")), row.pacing)],
                        .fails(codes: [Code.violation])
                    )
                )
            }
        }
    }

    /// Cases 5.15 to 5.18: frames in the wrong order.
    private static var brokenOrder: [ConformanceCase] {
        let twice = { (fin: Bool) -> [CaseStep] in
            [1, 2].flatMap { _ in [.frame(next(1, fin: fin)), .frame(first(2)), .frame(next(3, fin: true))] }
        }
        return [
            ConformanceCase(
                "5.15",
                "A text in two fragments, a continuation without a message, a complete text, in one write.",
                "The connection is failed with 1002 after the echo of the first text, or, not strictly, before it.",
                ["RFC 6455 5.4"],
                plan: .script(
                    [.frame(first(1)), .frame(next(2, fin: true)), .frame(next(3)), .frame(first(4, fin: true))],
                    .fails(after: [joined(1...2)], nonStrict: [], codes: [Code.violation])
                )
            ),
            ConformanceCase(
                "5.16",
                "Twice: a non-final continuation without a message, then a text in two fragments.",
                "The connection is failed with 1002: there is no message to continue.",
                ["RFC 6455 5.4"],
                plan: .script(twice(false), .fails(codes: [Code.violation]))
            ),
            ConformanceCase(
                "5.17",
                "Twice: a continuation without a message, then a text in two fragments.",
                "The connection is failed with 1002: there is no message to continue.",
                ["RFC 6455 5.4"],
                plan: .script(twice(true), .fails(codes: [Code.violation]))
            ),
            ConformanceCase(
                "5.18",
                "A text in two fragments, both with the opcode text.",
                "The connection is failed with 1002: all fragments after the first are continuations.",
                ["RFC 6455 5.4"],
                plan: .script([.frame(first(1)), .frame(first(2, fin: true))], .fails(codes: [Code.violation]))
            ),
        ]
    }

    /// Cases 5.19 and 5.20: pings between the fragments of a long message.
    private static var longMessages: [ConformanceCase] {
        [(19, Pacing.together), (20, .alone)].map { number, pacing in
            let pings = [Payload.text("pongme 1!"), .text("pongme 2!")]
            return ConformanceCase(
                "5.\(number)",
                """
                A text in five fragments, written \(pacing == .alone ? "one write per frame" : "in two writes"): a \
                ping after the second, a pause of one second, a ping before the last.
                """,
                "Each ping is answered at once, then the complete text is echoed.",
                ["RFC 6455 5.4", "RFC 6455 5.5.2"],
                plan: .script(
                    [
                        .frame(first(1), pacing), .frame(next(2), pacing), .frame(CaseFrame(.ping, pings[0]), pacing),
                        .wait(.seconds(1), name: nil), .frame(next(3), pacing), .frame(next(4), pacing),
                        .frame(CaseFrame(.ping, pings[1]), pacing), .frame(next(5, fin: true), pacing),
                    ],
                    .answers(pings.map { .pong($0.make()) } + [joined(1...5)])
                )
            )
        }
    }

    /// Case 10.1.1: automatic fragmentation.
    static var autoFragmentation: [ConformanceCase] {
        let payload = Payload.repeated([UInt8(ascii: "*")], to: 65_536)
        return [
            ConformanceCase(
                "10.1.1",
                "A text of 65536 bytes in frames of 1300.",
                "The complete text is echoed.",
                ["RFC 6455 5.4"],
                plan: .script(
                    [.fragments(.text, payload, size: 1300)],
                    .answers([.text(payload.make())], limit: .seconds(10))
                )
            )
        ]
    }
}
