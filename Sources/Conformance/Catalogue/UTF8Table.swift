/// Byte sequences, both valid and invalid UTF-8 (RFC 3629), grouped by what they test.
enum UTF8Table {
    struct Sequence {
        var isValid: Bool
        var bytes: [UInt8]
    }

    struct Group {
        var title: String
        var sequences: [Sequence]
    }

    private static func valid(_ rows: [[UInt8]]) -> [Sequence] { rows.map { Sequence(isValid: true, bytes: $0) } }
    private static func invalid(_ rows: [[UInt8]]) -> [Sequence] { rows.map { Sequence(isValid: false, bytes: $0) } }

    private static let greek: [UInt8] = [0xCE, 0xBA, 0xE1, 0xBD, 0xB9, 0xCF, 0x83, 0xCE, 0xBC, 0xCE, 0xB5]

    /// Sequences of 2 to 6 bytes in the original UTF-8 scheme, each truncated by one byte. The first five begin
    /// overlong encodings.
    private static let unfinished: [[UInt8]] = [
        [0xC0], [0xE0, 0x80], [0xF0, 0x80, 0x80], [0xF8, 0x80, 0x80, 0x80], [0xFC, 0x80, 0x80, 0x80, 0x80],
        [0xDF], [0xEF, 0xBF], [0xF7, 0xBF, 0xBF], [0xFB, 0xBF, 0xBF, 0xBF], [0xFD, 0xBF, 0xBF, 0xBF, 0xBF],
    ]

    /// The groups in case order, starting with case 6.5.
    static let groups: [Group] = [
        Group(
            title: "Characters of one to four bytes",
            sequences: valid(
                [[0x24], [0xC2, 0xA2], [0xE2, 0x82, 0xAC], [0xF0, 0xA4, 0xAD, 0xA2]]
                    .map { Array("hello".utf8) + $0 + Array("world".utf8) } + [greek]
            )
        ),
        Group(
            title: "A truncated text",
            sequences: (1...greek.count).map { length in
                let bytes = Array(greek.prefix(length))
                return Sequence(isValid: [2, 5, 7, 9, 11].contains(length), bytes: bytes)
            }
        ),
        Group(
            title: "The first character of a length",
            sequences: valid([[0x00], [0xC2, 0x80], [0xE0, 0xA0, 0x80], [0xF0, 0x90, 0x80, 0x80]])
        ),
        Group(
            title: "The first character of five and six bytes",
            sequences: invalid([[0xF8, 0x88, 0x80, 0x80, 0x80], [0xFC, 0x84, 0x80, 0x80, 0x80, 0x80]])
        ),
        Group(
            title: "The last character of a length",
            sequences: valid([[0x7F], [0xDF, 0xBF], [0xEF, 0xBF, 0xBF], [0xF4, 0x8F, 0xBF, 0xBF]])
        ),
        Group(
            title: "The last character of four, five and six bytes",
            sequences: invalid([
                [0xF7, 0xBF, 0xBF, 0xBF], [0xFB, 0xBF, 0xBF, 0xBF, 0xBF], [0xFD, 0xBF, 0xBF, 0xBF, 0xBF, 0xBF],
            ])
        ),
        Group(
            title: "Other boundaries",
            sequences: valid([[0xED, 0x9F, 0xBF], [0xEE, 0x80, 0x80], [0xEF, 0xBF, 0xBD], [0xF4, 0x8F, 0xBF, 0xBF]])
                + invalid([[0xF4, 0x90, 0x80, 0x80]])
        ),
        Group(
            title: "Continuation bytes without a first byte",
            sequences: invalid(
                [[0x80], [0xBF]] + (2...6).map { length in (0..<length).map { $0 % 2 == 0 ? 0x80 : 0xBF } }
                    + [Array(0x80..<0xBF)]
            )
        ),
        Group(
            title: "First bytes without continuation",
            sequences: invalid(
                [0xC0..<0xDF, 0xE0..<0xEF, 0xF0..<0xF7, 0xF8..<0xFB, 0xFC..<0xFD].map { range in
                    range.flatMap { [UInt8($0), 0x20] }
                }
            )
        ),
        Group(title: "Without the last byte", sequences: invalid(unfinished)),
        Group(title: "Several truncated sequences", sequences: invalid([unfinished.flatMap(\.self)])),
        Group(title: "Impossible bytes", sequences: invalid([[0xFE], [0xFF], [0xFE, 0xFE, 0xFF, 0xFF]])),
        Group(
            title: "An overlong slash",
            sequences: invalid([
                [0xC0, 0xAF], [0xE0, 0x80, 0xAF], [0xF0, 0x80, 0x80, 0xAF], [0xF8, 0x80, 0x80, 0x80, 0xAF],
                [0xFC, 0x80, 0x80, 0x80, 0x80, 0xAF],
            ])
        ),
        Group(
            title: "The longest overlong forms",
            sequences: invalid([
                [0xC1, 0xBF], [0xE0, 0x9F, 0xBF], [0xF0, 0x8F, 0xBF, 0xBF], [0xF8, 0x87, 0xBF, 0xBF, 0xBF],
                [0xFC, 0x83, 0xBF, 0xBF, 0xBF, 0xBF],
            ])
        ),
        Group(
            title: "An overlong NUL",
            sequences: invalid([
                [0xC0, 0x80], [0xE0, 0x80, 0x80], [0xF0, 0x80, 0x80, 0x80], [0xF8, 0x80, 0x80, 0x80, 0x80],
                [0xFC, 0x80, 0x80, 0x80, 0x80, 0x80],
            ])
        ),
        Group(
            title: "An unpaired surrogate",
            sequences: invalid([
                [0xED, 0xA0, 0x80], [0xED, 0xAD, 0xBF], [0xED, 0xAE, 0x80], [0xED, 0xAF, 0xBF], [0xED, 0xB0, 0x80],
                [0xED, 0xBE, 0x80], [0xED, 0xBF, 0xBF],
            ])
        ),
        Group(
            title: "A surrogate pair",
            sequences: invalid(
                [[0xA0, 0x80], [0xAD, 0xBF], [0xAE, 0x80], [0xAF, 0xBF]].flatMap { high in
                    [[0xB0, 0x80], [0xBF, 0xBF]].map { low in [0xED] + high + [0xED] + low }
                }
            )
        ),
        Group(
            title: "Noncharacters, which are valid UTF-8",
            sequences: valid([[0xEF, 0xBF, 0xBE], [0xEF, 0xBF, 0xBF]] + planes)
        ),
        Group(title: "The specials", sequences: valid((0xB9...0xBF).map { [0xEF, 0xBF, $0] })),
    ]

    /// The last two code points of each plane, starting with plane 1.
    private static let planes: [[UInt8]] = (1...16).flatMap { plane -> [[UInt8]] in
        [0xBE, 0xBF].map { last in [0xF0 | UInt8(plane >> 2), 0x8F | UInt8(plane & 3) << 4, 0xBF, last] }
    }
}
