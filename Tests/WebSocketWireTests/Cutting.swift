import SquallCore

/// Returns the bytes split in each way that the tests cover: not at all, into single bytes, and in two at every
/// position.
func everyCut(of bytes: [UInt8]) -> [[[UInt8]]] {
    let halves = (1..<max(bytes.count, 1)).map { [Array(bytes[..<$0]), Array(bytes[$0...])] }
    return [[bytes], bytes.map { [$0] }] + halves
}

/// Splits the bytes into pieces with random lengths from 1 to 32.
func randomCut(of bytes: [UInt8], using generator: inout SeededGenerator) -> [[UInt8]] {
    var pieces: [[UInt8]] = []
    var rest = bytes[...]
    while !rest.isEmpty {
        let piece = rest.prefix(1 + Int(generator.below(32)))
        pieces.append(Array(piece))
        rest = rest.dropFirst(piece.count)
    }
    return pieces
}

extension String {
    /// The string in UTF-8, with each line feed written as CRLF.
    var wire: [UInt8] {
        utf8.flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] }
    }
}
