import SquallCore
import WebSocketWire

extension ConformanceCatalogue {
    private static let pacings: [(pacing: Pacing, how: String)] = [
        (.together, "in one go"), (.alone, "a write a frame"), (.chops(1), "byte by byte"),
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

    /// 5.1 to 5.20.
    static var fragmentation: [ConformanceCase] {
        fragmentedControls + wholeMessages + orphans + brokenOrder + longMessages
    }

    /// 5.1 and 5.2.
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

    /// 5.3 to 5.8: a text of two fragments, without a ping between them and with one.
    private static var wholeMessages: [ConformanceCase] {
        let ping = Payload.text("ping payload")
        let plain = pacings.enumerated().map { place, row in
            ConformanceCase(
                "5.\(3 + place)",
                "A text in two fragments, written \(row.how).",
                "The whole text comes back.",
                ["RFC 6455 5.4"],
                plan: .script(
                    [.frame(first(1), row.pacing), .frame(next(2, fin: true), row.pacing)],
                    .answers([joined(1...2)])
                )
            )
        }
        let interleaved = pacings.enumerated().map { place, row in
            ConformanceCase(
                "5.\(6 + place)",
                "A text in two fragments with a ping between them, written \(row.how).",
                "The pong comes, then the whole text: control frames may stand between fragments.",
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

    /// 5.9 to 5.14: a continuation of nothing, which ends its message or does not.
    private static var orphans: [ConformanceCase] {
        [(9, true), (12, false)].flatMap { base, fin in
            pacings.enumerated().map { place, row in
                let orphan = CaseFrame(.continuation, .text("non-continuation payload"), fin: fin)
                return ConformanceCase(
                    "5.\(base + place)",
                    "A continuation\(fin ? "" : " that is not the last") where no message has begun, then a text, written \(row.how).",
                    "The connection is failed with 1002: there is nothing to continue.",
                    ["RFC 6455 5.4"],
                    plan: .script(
                        [.frame(orphan, row.pacing), .frame(CaseFrame(.text, .text("Hello, world!")), row.pacing)],
                        .fails(codes: [Code.violation])
                    )
                )
            }
        }
    }

    /// 5.15 to 5.18.
    private static var brokenOrder: [ConformanceCase] {
        let twice = { (fin: Bool) -> [CaseStep] in
            [1, 2].flatMap { _ in [.frame(next(1, fin: fin)), .frame(first(2)), .frame(next(3, fin: true))] }
        }
        return [
            ConformanceCase(
                "5.15",
                "A text in two fragments, a continuation of nothing, a whole text, in one go.",
                "The connection is failed with 1002, after the echo of the first text or, not strict, before.",
                ["RFC 6455 5.4"],
                plan: .script(
                    [.frame(first(1)), .frame(next(2, fin: true)), .frame(next(3)), .frame(first(4, fin: true))],
                    .fails(after: [joined(1...2)], nonStrict: [], codes: [Code.violation])
                )
            ),
            ConformanceCase(
                "5.16",
                "Twice: a continuation of nothing that is not the last, then a text in two fragments.",
                "The connection is failed with 1002: there is nothing to continue.",
                ["RFC 6455 5.4"],
                plan: .script(twice(false), .fails(codes: [Code.violation]))
            ),
            ConformanceCase(
                "5.17",
                "Twice: a continuation of nothing, then a text in two fragments.",
                "The connection is failed with 1002: there is nothing to continue.",
                ["RFC 6455 5.4"],
                plan: .script(twice(true), .fails(codes: [Code.violation]))
            ),
            ConformanceCase(
                "5.18",
                "A text in two fragments of which the second says text again.",
                "The connection is failed with 1002: fragments behind the first are continuations.",
                ["RFC 6455 5.4"],
                plan: .script([.frame(first(1)), .frame(first(2, fin: true))], .fails(codes: [Code.violation]))
            ),
        ]
    }

    /// 5.19 and 5.20.
    private static var longMessages: [ConformanceCase] {
        [(19, Pacing.together), (20, .alone)].map { number, pacing in
            let pings = [Payload.text("pongme 1!"), .text("pongme 2!")]
            return ConformanceCase(
                "5.\(number)",
                "A text in five fragments, written \(pacing == .alone ? "a write a frame" : "in two goes"): a ping behind the second, "
                    + "a second's pause, a ping before the last.",
                "Each ping is answered at once, and then the whole text comes back.",
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

    /// 10.1.1.
    static var autoFragmentation: [ConformanceCase] {
        let payload = Payload.repeated([UInt8(ascii: "*")], to: 65_536)
        return [
            ConformanceCase(
                "10.1.1",
                "A text of 65536 bytes in frames of 1300.",
                "The whole text comes back.",
                ["RFC 6455 5.4"],
                plan: .script(
                    [.fragments(.text, payload, size: 1300)],
                    .answers([.text(payload.make())], limit: .seconds(10))
                )
            )
        ]
    }
}
