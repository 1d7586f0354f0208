import SquallCore

/// Generates random JSON values and texts for testing a decoder, using a seeded generator.
struct RandomJSON {
    private(set) var generator: SeededGenerator

    init(seed: UInt64) {
        generator = SeededGenerator(state: seed)
    }

    mutating func pick(_ count: Int) -> Int {
        Int(generator.below(UInt64(count)))
    }

    mutating func value(depth: Int = 4) -> JSON {
        switch pick(depth > 0 ? 9 : 6) {
        case 0: return .null
        case 1: return .bool(pick(2) == 0)
        case 2: return .integer(integer())
        case 3: return number()
        case 4, 5: return .string(text())
        case 6: return .array((0..<pick(5)).map { _ in value(depth: depth - 1) })
        default: return .object(members(pick(5), depth: depth - 1))
        }
    }

    private mutating func members(_ count: Int, depth: Int) -> [JSONMember] {
        var members: [JSONMember] = []
        for index in 0..<count {
            // The leading index makes the names distinct.
            members.append(JSONMember("\(index)\(text())", value(depth: depth)))
        }
        return members
    }

    /// Returns a random integer of 1 to 64 bits.
    private mutating func integer() -> Int64 {
        Int64(bitPattern: generator.next()) >> Int64(pick(64))
    }

    private mutating func number() -> JSON {
        let whole = pick(2) == 0 ? "\(generator.next() >> UInt64(pick(64)))" : "0"
        let fraction = pick(2) == 0 ? ".\(generator.next() >> UInt64(pick(64)))" : ""
        let exponent = ["e", "E", "e+", "E-"][pick(4)] + "\(pick(1000))"
        let text = (pick(2) == 0 ? "-" : "") + whole + fraction + exponent
        return JSONNumber(text).map(JSON.number) ?? .string("refused: \(text)")
    }

    mutating func text() -> String {
        var text = ""
        for _ in 0..<pick(pick(8) == 0 ? 200 : 20) { text.unicodeScalars.append(scalar()) }
        return text
    }

    private mutating func scalar() -> Unicode.Scalar {
        let code: UInt32 =
            switch pick(8) {
            case 0: UInt32(pick(0x20))
            case 1: [0x22, 0x5C, 0x2F, 0x3C, 0x7F, 0x2028, 0x2029, 0xFEFF][pick(8)]
            case 2: UInt32(pick(0x800))
            case 3: UInt32(pick(0x11_0000))
            default: UInt32(0x20 + pick(0x5F))
            }
        return Unicode.Scalar(code) ?? "?"
    }

    /// Returns random bytes, most of which can occur in a JSON text.
    mutating func noise() -> [UInt8] {
        let alphabet = Array("{}[]:,\"\\ \n0123456789-+.eEtrufalsn\u{9}".utf8)
        return (0..<pick(24)).map { _ in
            pick(6) == 0 ? UInt8(truncatingIfNeeded: generator.next()) : alphabet[pick(alphabet.count)]
        }
    }

    /// Returns the bytes after one to three random changes: bytes are replaced, inserted, removed or repeated.
    mutating func mutated(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0...pick(3) {
            let place = pick(bytes.count + 1)
            switch pick(5) {
            case 0 where place < bytes.count: bytes[place] = UInt8(truncatingIfNeeded: generator.next())
            case 1 where place < bytes.count: bytes.remove(at: place)
            case 2 where place < bytes.count: bytes[place] ^= 1 << UInt8(pick(8))
            case 3: bytes.insert(contentsOf: bytes[place...].prefix(pick(12)), at: pick(bytes.count + 1))
            default: bytes.insert(contentsOf: noise().prefix(2), at: place)
            }
        }
        return bytes
    }
}
