/// The seed from which all random numbers in a run are derived.
package struct Seed: Hashable, Sendable {
    package var value: UInt64

    package init(_ value: UInt64) {
        self.value = value
    }

    /// Returns an independent stream of random numbers for a named use, so that drawing more numbers from it does not
    /// affect other streams.
    package func stream(_ use: String, for client: ClientID? = nil) -> SeededGenerator {
        var mixed = FNV1a()
        mixed.combine(value)
        for byte in use.utf8 { mixed.combine(byte) }
        if let client {
            // UTF-8 never contains this byte, so the end of `use` is unambiguous.
            mixed.combine(0xFF as UInt8)
            for byte in client.name.utf8 { mixed.combine(byte) }
        }
        return SeededGenerator(state: mixed.value)
    }
}

/// The SplitMix64 generator, which produces the same numbers on every platform.
package struct SeededGenerator: RandomNumberGenerator, Hashable, Sendable {
    package private(set) var state: UInt64

    package init(state: UInt64) {
        self.state = state
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Draws a number below `bound`; if `bound` is 0, returns 0 without drawing.
    ///
    /// The bias is at most `bound` in 2^64. Rejecting draws would remove it, but would shift all later draws.
    package mutating func below(_ bound: UInt64) -> UInt64 {
        guard bound > 0 else { return 0 }
        return next().multipliedFullWidth(by: bound).high
    }

    /// Draws a span from `low` through `high`; if `high` is not above `low`, returns `low` without drawing.
    package mutating func span(from low: TimeSpan, through high: TimeSpan) -> TimeSpan {
        guard high > low else { return low }
        // The width is computed modulo 2^64, so that the width of the full range wraps to 0.
        let width = UInt64(bitPattern: high.nanoseconds &- low.nanoseconds) &+ 1
        let offset = width == 0 ? next() : below(width)
        return TimeSpan(nanoseconds: low.nanoseconds &+ Int64(bitPattern: offset))
    }

    /// Draws a version 4 UUID (RFC 9562 section 5.4).
    package mutating func nextUUID() -> String {
        let high = next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        let low = next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        let digits = [high, low].map { word in
            let text = String(word, radix: 16)
            return String(repeating: "0", count: 16 - text.count) + text
        }.joined()
        var id = ""
        for (index, digit) in digits.enumerated() {
            if [8, 12, 16, 20].contains(index) { id.append("-") }
            id.append(digit)
        }
        return id
    }

    /// Returns `true` with the given probability.
    package mutating func chance(_ ratio: Ratio) -> Bool {
        below(UInt64(ratio.denominator)) < UInt64(ratio.numerator)
    }
}

/// A 64-bit FNV-1a hash, used to digest traces and mix seeds; it is not suitable for secrets.
package struct FNV1a: Hashable, Sendable {
    package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    package init() {}

    package mutating func combine(_ byte: UInt8) {
        value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
    }

    /// Adds eight bytes in one step, then folds the high bits into the low ones.
    package mutating func combine(_ word: UInt64) {
        value = (value ^ word) &* 0x0000_0100_0000_01B3
        value ^= value >> 29
    }
}
