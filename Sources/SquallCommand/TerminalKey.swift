/// A key pressed on a terminal, decoded from the bytes that the terminal sends.
enum TerminalKey: Hashable, Sendable {
    case character(Character)
    case enter, tab, clear, endOfInput
    case backspace, delete, killToEnd, killToStart, killWord
    case left, right, wordLeft, wordRight, home, end, up, down
    /// A key that has no function in the line editor.
    case unknown

    /// Decodes the bytes of one key; returns nil if the byte sequence is incomplete.
    init?(_ bytes: [UInt8]) {
        guard let first = bytes.first else { return nil }
        if first == 0x1B {
            guard let key = Self.escaped(bytes.dropFirst()) else { return nil }
            self = key
        } else if let key = Self.controls[first] {
            self = key
        } else if first < 0x20 {
            self = .unknown
        } else {
            guard let key = Self.character(bytes, first) else { return nil }
            self = key
        }
    }

    private static func character(_ bytes: [UInt8], _ first: UInt8) -> TerminalKey? {
        let length = first < 0x80 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1
        // A byte that does not continue the character begins the next key.
        guard bytes.dropFirst().allSatisfy({ $0 & 0xC0 == 0x80 }) else { return .unknown }
        guard bytes.count >= length else { return nil }
        guard let text = String(validating: bytes, as: UTF8.self), let character = text.first else { return .unknown }
        return .character(character)
    }

    /// Decodes the bytes after ESC in a key sequence; returns nil if the sequence is incomplete.
    private static func escaped(_ rest: ArraySlice<UInt8>) -> TerminalKey? {
        guard let kind = rest.first else { return nil }
        // ESC followed by a letter denotes alt and that letter; ESC [ and ESC O begin the sequences of function keys.
        guard kind == UInt8(ascii: "[") || kind == UInt8(ascii: "O") else { return alt[kind] ?? .unknown }
        let parameters = rest.dropFirst().prefix { $0 < 0x40 }
        guard let final = rest.dropFirst(1 + parameters.count).first else { return nil }
        let text = String(decoding: parameters, as: UTF8.self)
        if final == UInt8(ascii: "~") { return numbered[text] ?? .unknown }
        let isWithControl = text.hasSuffix(";5") || text.hasSuffix(";3")
        switch final {
        case UInt8(ascii: "A"): return .up
        case UInt8(ascii: "B"): return .down
        case UInt8(ascii: "C"): return isWithControl ? .wordRight : .right
        case UInt8(ascii: "D"): return isWithControl ? .wordLeft : .left
        case UInt8(ascii: "H"): return .home
        case UInt8(ascii: "F"): return .end
        default: return .unknown
        }
    }

    private static let controls: [UInt8: TerminalKey] = [
        0x01: .home, 0x02: .left, 0x04: .endOfInput, 0x05: .end, 0x06: .right, 0x08: .backspace, 0x09: .tab,
        0x0A: .enter, 0x0B: .killToEnd, 0x0C: .clear, 0x0D: .enter, 0x0E: .down, 0x10: .up, 0x15: .killToStart,
        0x17: .killWord, 0x7F: .backspace,
    ]
    private static let alt: [UInt8: TerminalKey] = [
        UInt8(ascii: "b"): .wordLeft, UInt8(ascii: "f"): .wordRight, 0x7F: .killWord,
    ]
    private static let numbered: [String: TerminalKey] = ["1": .home, "3": .delete, "4": .end, "7": .home, "8": .end]
}
