/// Counts the likely aliases in YAML text before it is parsed, because parsing time grows exponentially with the number
/// of aliases.
enum AliasScan {
    /// Returns the location of the first alias beyond `limit`; nil if the text has no more than `limit` aliases, or no
    /// anchors that they could refer to.
    static func firstExcessAlias(in text: String, limit: Int) -> (line: Int, column: Int)? {
        var aliases = 0
        var anchors = 0
        var excess: (line: Int, column: Int)?
        var (line, column) = (1, 0)
        var before: UInt8 = UInt8(ascii: "\n")
        var token: UInt8 = 0
        for byte in text.utf8 {
            column += byte & 0xC0 == 0x80 ? 0 : 1
            if token != 0, isNameByte(byte) {
                if token == UInt8(ascii: "&") {
                    anchors += 1
                } else {
                    aliases += 1
                    if aliases == limit + 1 { excess = (line, column - 1) }
                }
            }
            token = 0
            if byte == UInt8(ascii: "*") || byte == UInt8(ascii: "&"), beginsToken(after: before) { token = byte }
            before = byte
            if byte == UInt8(ascii: "\n") { (line, column) = (line + 1, 0) }
        }
        return anchors > 0 ? excess : nil
    }

    private static func beginsToken(after byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): true
        case UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: ","), UInt8(ascii: ":"): true
        default: false
        }
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"): true
        default: byte >= 0x80
        }
    }
}
