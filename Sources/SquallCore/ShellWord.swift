/// Quotes words for use in shell commands.
package enum ShellWord {
    /// Quotes a word for the shell if necessary. Control characters are escaped, because terminals and reports do not
    /// print them: `$'a\nb'`, which bash, zsh and POSIX.1-2024 understand.
    package static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "_-./,:@%+=".utf8.contains(byte)
            }
        }
        guard !isPlain || word.isEmpty else { return word }
        if word.unicodeScalars.contains(where: isControl) {
            return "$'" + word.unicodeScalars.map(escaped).joined() + "'"
        }
        return "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool { scalar.value < 0x20 || scalar.value == 0x7F }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        case "'": "\\'"
        case "\\": "\\\\"
        // Three octal digits, because a digit that follows a hexadecimal escape would be read as part of it.
        case _ where isControl(scalar): "\\" + String(scalar.value + 0o1000, radix: 8).dropFirst()
        default: String(scalar)
        }
    }
}
