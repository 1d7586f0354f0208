import WebSocketWire

extension ConformanceCatalogue {
    private static let greeting = Payload.text("Hello, world!")
    private static let noExtension =
        "No negotiated extension defines the bit: the connection is failed with 1002"

    /// Cases 3.1 to 3.7: each combination of reserved bits, on four kinds of frame.
    static var reservedBits: [ConformanceCase] {
        let binary = Payload.bytes([0x00, 0xFF, 0xFE, 0xFD, 0xFC, 0xFB, 0x00, 0xFF])
        let alone: [(Int, Opcode, Payload)] = [
            (1, .text, greeting), (5, .binary, binary), (6, .ping, greeting), (7, .close, .bytes([])),
        ]
        let behind: [(Int, Pacing)] = [(2, .together), (3, .alone), (4, .chops(1))]
        let cases = alone.map { bits, opcode, payload in
            ConformanceCase(
                "3.\(bits)",
                "A \(opcode) frame with reserved bits \(bits).",
                "\(noExtension).",
                ["RFC 6455 5.2"],
                plan: .script(
                    [.frame(CaseFrame(opcode, payload, reserved: UInt8(bits)))],
                    .fails(codes: [Code.violation])
                )
            )
        }
        return
            (cases
            + behind.map { bits, pacing in
                betweenEchoAndPing(
                    "3.\(bits)",
                    "a text with reserved bits \(bits)",
                    CaseFrame(.text, greeting, reserved: UInt8(bits)),
                    pacing,
                    "\(noExtension), after the echo of the first text."
                )
            }).sorted { $0.id < $1.id }
    }

    /// Cases 4.1.1 to 4.2.5: every reserved opcode.
    static var opcodes: [ConformanceCase] {
        [(1, 3...7, "data"), (2, 11...15, "control")].flatMap { group, opcodes, kind in
            opcodes.enumerated().map { index, number in
                let opcode = Opcode(rawValue: UInt8(number))
                let payload = index % 2 == 1 || index == 4 ? greeting : .bytes([])
                let frame = CaseFrame(opcode, payload)
                let title = "a frame of the reserved \(kind) opcode \(number)"
                let allowed = "The opcode is undefined: the connection is failed with 1002."
                if index < 2 {
                    return ConformanceCase(
                        "4.\(group).\(index + 1)",
                        "A\(title.dropFirst())\(payload.count > 0 ? " with a payload" : "").",
                        allowed,
                        ["RFC 6455 5.2"],
                        plan: .script([.frame(frame)], .fails(codes: [Code.violation]))
                    )
                }
                return betweenEchoAndPing(
                    "4.\(group).\(index + 1)",
                    title,
                    index == 2 ? CaseFrame(opcode) : CaseFrame(opcode, greeting),
                    index == 4 ? .chops(1) : .together,
                    allowed
                )
            }
        }
    }

    private static func betweenEchoAndPing(
        _ id: String,
        _ title: String,
        _ frame: CaseFrame,
        _ pacing: Pacing,
        _ allowed: String
    ) -> ConformanceCase {
        let how =
            switch pacing {
            case .chops: ", written byte by byte"
            case .alone: ", in one write each"
            case .together, .cuts: ""
            }
        return ConformanceCase(
            id,
            "A text, \(title), a ping\(how).",
            "\(allowed) Failing before the echo of the first text is allowed but not strict; the ping must not be "
                + "answered.",
            ["RFC 6455 5.2", "RFC 6455 7.1.7"],
            plan: .script(
                [.frame(CaseFrame(.text, greeting), pacing), .frame(frame, pacing), .frame(CaseFrame(.ping), pacing)],
                .fails(after: [.text(greeting.make())], nonStrict: [], codes: [Code.violation])
            )
        )
    }
}
