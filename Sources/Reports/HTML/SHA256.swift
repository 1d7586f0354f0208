/// SHA-256 (FIPS 180-4). A page's Content-Security-Policy uses the digests to allow the page's own script and style.
enum SHA256 {
    /// Returns the 32-byte digest.
    static func digest(of message: [UInt8]) -> [UInt8] {
        var state = initialState
        var schedule = [UInt32](repeating: 0, count: 64)
        let padded = padding(message)
        for start in stride(from: 0, to: padded.count, by: 64) {
            fill(&schedule, from: padded[start..<start + 64])
            compress(&state, schedule)
        }
        return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * UInt32($0))) } }
    }

    /// Pads the message with a one bit, zeros and the length of the message in bits, to a multiple of the block size.
    private static func padding(_ message: [UInt8]) -> [UInt8] {
        var padded = message
        padded.append(0x80)
        let rest = (padded.count + 8) % 64
        if rest > 0 { padded.append(contentsOf: repeatElement(0, count: 64 - rest)) }
        let bits = UInt64(message.count) &* 8
        for place in 0..<8 { padded.append(UInt8(truncatingIfNeeded: bits >> (56 - 8 * UInt64(place)))) }
        return padded
    }

    private static func fill(_ schedule: inout [UInt32], from block: ArraySlice<UInt8>) {
        for index in 0..<16 {
            let start = block.startIndex + 4 * index
            schedule[index] = block[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) }
        }
        for index in 16..<64 {
            let (late, early) = (schedule[index - 2], schedule[index - 15])
            let lateMix = rotated(late, 17) ^ rotated(late, 19) ^ late >> 10
            let earlyMix = rotated(early, 7) ^ rotated(early, 18) ^ early >> 3
            schedule[index] = schedule[index - 16] &+ earlyMix &+ schedule[index - 7] &+ lateMix
        }
    }

    private static func compress(_ state: inout [UInt32], _ schedule: [UInt32]) {
        var work = state
        for index in 0..<64 {
            let (a, e) = (work[0], work[4])
            let choice = e & work[5] ^ ~e & work[6]
            let majority = a & work[1] ^ a & work[2] ^ work[1] & work[2]
            let upper = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
            let lower = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)
            let first = work[7] &+ upper &+ choice &+ roundConstants[index] &+ schedule[index]
            work.removeLast()
            work.insert(first &+ lower &+ majority, at: 0)
            work[4] = work[4] &+ first
        }
        for index in state.indices { state[index] = state[index] &+ work[index] }
    }

    private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
        word >> count | word << (32 - count)
    }

    private static let initialState: [UInt32] = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]

    private static let roundConstants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]
}

extension SHA256 {
    /// Returns the digest of a text as a Content-Security-Policy source: `sha256-…` in Base64.
    static func source(of text: [UInt8]) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        let bytes = digest(of: text)
        var encoded: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = (0..<3).map { start + $0 < bytes.count ? UInt32(bytes[start + $0]) : 0 }
            let bits = group[0] << 16 | group[1] << 8 | group[2]
            for place in 0..<4 {
                let isPadding = start + place > bytes.count
                let digit = alphabet[Int(bits >> (18 - 6 * UInt32(place)) & 63)]
                encoded.append(isPadding ? UInt8(ascii: "=") : digit)
            }
        }
        return "sha256-" + String(decoding: encoded, as: UTF8.self)
    }
}
