import SquallCore
import WebSocketWire

extension ConformanceCatalogue {
    /// The text `κόσμε`, whose characters take two or three bytes each.
    private static let greek: [UInt8] = [0xCE, 0xBA, 0xE1, 0xBD, 0xB9, 0xCF, 0x83, 0xCE, 0xBC, 0xCE, 0xB5]
    private static let edited = Array("edited".utf8)
    private static let german = Array("Hello-µ@ßöäüàá-UTF-8!!".utf8)

    private static let sections = ["RFC 6455 5.6", "RFC 6455 8.1", "RFC 3629 4"]
    private static let echoed = "The text is valid UTF-8: it is echoed."
    private static let refused = "The text is not valid UTF-8: the connection is failed with 1007."

    private static func valid(_ id: String, _ title: String, _ steps: [CaseStep], _ text: [UInt8]) -> ConformanceCase {
        ConformanceCase(id, title, echoed, sections, plan: .script(steps, .answers([.text(text)])))
    }

    private static func invalid(_ id: String, _ title: String, _ steps: [CaseStep]) -> ConformanceCase {
        ConformanceCase(id, title, refused, sections, plan: .script(steps, .fails(codes: [Code.invalidData])))
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        bytes.prefix(24).map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined(separator: " ")
            + (bytes.count > 24 ? " and \(bytes.count - 24) more" : "")
    }

    /// Cases 6.1.1 to 6.23.7: UTF-8.
    static var utf8: [ConformanceCase] {
        empties + splits + failFast
            + UTF8Table.groups.enumerated().flatMap { place, group in
                group.sequences.enumerated().map { index, row in
                    let id = "6.\(5 + place).\(index + 1)"
                    let step = CaseStep.frame(CaseFrame(.text, .bytes(row.bytes)))
                    let title = "\(group.title): \(hex(row.bytes))."
                    return row.isValid ? valid(id, title, [step], row.bytes) : invalid(id, title, [step])
                }
            }
    }

    private static var empties: [ConformanceCase] {
        let middle = Payload.text("middle frame payload")
        func fragments(_ payloads: [Payload]) -> [CaseStep] {
            payloads.enumerated().map { place, payload in
                .frame(CaseFrame(place == 0 ? .text : .continuation, payload, fin: place == payloads.count - 1))
            }
        }
        let none = Payload.bytes([])
        return [
            valid("6.1.1", "An empty text.", fragments([none]), []),
            valid("6.1.2", "A text in three empty fragments.", fragments([none, none, none]), []),
            valid(
                "6.1.3",
                "A text in three fragments, the first and the last empty.",
                fragments([none, middle, none]),
                middle.make()
            ),
        ]
    }

    private static var splits: [ConformanceCase] {
        let (head, tail) = (Array(german.prefix(15)), Array(german.dropFirst(15)))
        let wrong = greek + [0xED, 0xA0, 0x80] + edited
        return [
            valid("6.2.1", "A text with characters of two bytes.", [.frame(CaseFrame(.text, .bytes(german)))], german),
            valid(
                "6.2.2",
                "The same in two fragments, cut between characters.",
                [.frame(CaseFrame(.text, .bytes(head), fin: false)), .frame(CaseFrame(.continuation, .bytes(tail)))],
                german
            ),
            valid("6.2.3", "The same in fragments of one byte.", [.fragments(.text, .bytes(german), size: 1)], german),
            valid("6.2.4", "Greek in fragments of one byte.", [.fragments(.text, .bytes(greek), size: 1)], greek),
            invalid("6.3.1", "A text with an unpaired surrogate.", [.frame(CaseFrame(.text, .bytes(wrong)))]),
            invalid("6.3.2", "The same in fragments of one byte.", [.fragments(.text, .bytes(wrong), size: 1)]),
        ]
    }

    /// Cases 6.4.1 to 6.4.4: invalid text sent in three parts, with a pause after each.
    private static var failFast: [ConformanceCase] {
        let bytes = greek + [0xF4, 0x90, 0x80, 0x80] + edited
        let pause = TimeSpan.seconds(1)
        // The frame is cut directly before and after the invalid character, or directly before and after its first
        // invalid byte.
        let cuts = [(1, [11, 15]), (2, [12, 13])]
        let expected = Expectation.fails(
            after: [.waited("A")],
            nonStrict: [.waited("A"), .waited("B")],
            codes: [Code.invalidData]
        )
        let allowed =
            "The connection is failed with 1007 as soon as no continuation can make the text valid. Waiting for the "
            + "end of the message is allowed but not strict."
        func title(_ parts: String, _ cuts: [Int]) -> String {
            "A text above U+10FFFF in three \(parts), with a pause after each: \(hex(Array(bytes[..<cuts[0]]))), "
                + "\(hex(Array(bytes[cuts[0]..<cuts[1]]))), \(hex(Array(bytes[cuts[1]...])))."
        }
        let frames = cuts.map { number, cuts in
            ConformanceCase(
                "6.4.\(number)",
                title("fragments", cuts),
                allowed,
                sections,
                plan: .script(
                    [
                        .frame(CaseFrame(.text, .bytes(Array(bytes[..<cuts[0]])), fin: false)),
                        .wait(pause, name: "A"),
                        .frame(CaseFrame(.continuation, .bytes(Array(bytes[cuts[0]..<cuts[1]])), fin: false)),
                        .wait(pause, name: "B"),
                        .frame(CaseFrame(.continuation, .bytes(Array(bytes[cuts[1]...])))),
                    ],
                    expected
                )
            )
        }
        let pieces = cuts.map { number, cuts in
            ConformanceCase(
                "6.4.\(number + 2)",
                title("pieces of one frame", cuts),
                allowed,
                sections,
                plan: .script(
                    [.frame(CaseFrame(.text, .bytes(bytes)), .cuts(cuts, pause: pause, names: ["A", "B"]))],
                    expected
                )
            )
        }
        return frames + pieces
    }
}
