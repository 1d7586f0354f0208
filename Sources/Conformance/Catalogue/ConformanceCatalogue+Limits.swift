import SquallCore
import WebSocketWire

extension ConformanceCatalogue {
    private static let textUnit = Array("BAsd7&jh23".utf8)
    private static let binaryUnit: [UInt8] = [0x00, 0xFE, 0x23, 0xFA, 0xF0]
    private static let (kibi, mebi) = (1024, 1_048_576)
    private static let kinds: [(isText: Bool, name: String)] = [(true, "text"), (false, "binary message")]

    private static func size(_ bytes: Int) -> String {
        bytes % mebi == 0 && bytes > 0
            ? "\(bytes / mebi) MiB" : bytes % kibi == 0 && bytes > 0 ? "\(bytes / kibi) KiB" : "\(bytes) bytes"
    }

    private static func echo(_ id: String, _ title: String, _ plan: EchoPlan) -> ConformanceCase {
        ConformanceCase(
            id,
            title,
            "Every message is echoed in time.",
            ["RFC 6455 5.4", "RFC 6455 10.4"],
            plan: .echo(plan)
        )
    }

    /// Cases 9.1.1 to 9.8.6: limits and performance.
    static var limits: [ConformanceCase] {
        largeMessages + fragments + chops + roundTrips
    }

    /// Cases 9.1 and 9.2: large messages.
    private static var largeMessages: [ConformanceCase] {
        kinds.enumerated().flatMap { group, kind in
            [64 * kibi, 256 * kibi, mebi, 4 * mebi, 8 * mebi, 16 * mebi].enumerated().map { index, length in
                echo(
                    "9.\(1 + group).\(index + 1)",
                    "A \(kind.name) of \(size(length)).",
                    EchoPlan(
                        isText: kind.isText,
                        source: .payload(.repeated(kind.isText ? textUnit : binaryUnit, to: length)),
                        limit: .seconds(index < 2 ? 10 : 100)
                    )
                )
            }
        }
    }

    /// Cases 9.3 and 9.4: large messages in fragments.
    private static var fragments: [ConformanceCase] {
        kinds.enumerated().flatMap { group, kind in
            (0..<9).map { index in
                let fragment = 64 << (2 * index)
                return echo(
                    "9.\(3 + group).\(index + 1)",
                    "A \(kind.name) of 4 MiB in fragments of \(size(fragment)).",
                    EchoPlan(
                        isText: kind.isText,
                        source: .payload(.repeated([kind.isText ? UInt8(ascii: "*") : 0xFE], to: 4 * mebi)),
                        fragment: fragment,
                        limit: .seconds(100)
                    )
                )
            }
        }
    }

    /// Cases 9.5 and 9.6: large messages in small writes.
    private static var chops: [ConformanceCase] {
        kinds.enumerated().flatMap { group, kind in
            (0..<6).map { index in
                echo(
                    "9.\(5 + group).\(index + 1)",
                    "A \(kind.name) of 1 MiB, written in pieces of \(64 << index) bytes.",
                    EchoPlan(
                        isText: kind.isText,
                        source: .payload(.repeated(kind.isText ? textUnit : binaryUnit, to: mebi)),
                        limit: .seconds(1000),
                        pacing: .chops(64 << index)
                    )
                )
            }
        }
    }

    /// Cases 9.7 and 9.8: many round trips.
    private static var roundTrips: [ConformanceCase] {
        kinds.enumerated().flatMap { group, kind in
            [(0, 60), (16, 60), (64, 60), (256, 120), (1024, 240), (4096, 480)].enumerated().map { index, row in
                echo(
                    "9.\(7 + group).\(index + 1)",
                    "A thousand round trips with a \(kind.name) of \(row.0) bytes.",
                    EchoPlan(
                        isText: kind.isText,
                        source: .payload(.repeated([kind.isText ? UInt8(ascii: "*") : 0xFE], to: row.0)),
                        count: 1000,
                        limit: .seconds(Int64(row.1))
                    )
                )
            }
        }
    }
}
