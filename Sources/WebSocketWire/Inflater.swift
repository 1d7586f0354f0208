/// Reads the messages of a WebSocket that are compressed with `permessage-deflate` (RFC 7692), for who reads along.
///
/// Deflate itself is RFC 1951. What is not deflate, or grows beyond the limit, ends in an error and never in a trap.
package struct Inflater: Sendable {
    package enum Failure: Error, Hashable, Sendable {
        /// The bytes are no deflate stream.
        case malformed
        /// More bytes than were allowed.
        case tooLarge
    }

    /// What a distance can reach back to.
    private static let windowSize = 32_768
    /// What ends a message on the wire and is left out there (RFC 7692 section 7.2.1).
    private static let tail: [UInt8] = [0, 0, 0xFF, 0xFF]

    private let keepsContext: Bool
    private var window: [UInt8] = []

    /// `keepsContext`: whether a message may refer to those before it.
    package init(keepsContext: Bool) {
        self.keepsContext = keepsContext
    }

    /// The message behind the payload of its frames, of at most `limit` bytes.
    package mutating func inflate(_ payload: [UInt8], limit: Int) throws(Failure) -> [UInt8] {
        var bits = BitReader(payload + Self.tail)
        var output = window
        let start = output.count
        let most = start + limit
        while !bits.isAtEnd {
            let isFinal = try bits.take(1) == 1
            switch try bits.take(2) {
            case 0: try Self.store(&bits, into: &output, most: most)
            case 1: try Self.decode(&bits, .fixedLiterals, .fixedDistances, into: &output, most: most)
            case 2:
                let (literals, distances) = try Self.tables(&bits)
                try Self.decode(&bits, literals, distances, into: &output, most: most)
            default: throw .malformed
            }
            if isFinal { bits.alignToByte() }
        }
        window = keepsContext ? Array(output.suffix(Self.windowSize)) : []
        return Array(output[start...])
    }

    private static func store(_ bits: inout BitReader, into output: inout [UInt8], most: Int) throws(Failure) {
        bits.alignToByte()
        let length = try bits.take(16)
        guard try bits.take(16) == length ^ 0xFFFF else { throw .malformed }
        guard output.count + length <= most else { throw .tooLarge }
        output += try bits.bytes(length)
    }

    private static func decode(
        _ bits: inout BitReader,
        _ literals: HuffmanTable,
        _ distances: HuffmanTable,
        into output: inout [UInt8],
        most: Int
    ) throws(Failure) {
        while true {
            let symbol = try literals.next(&bits)
            if symbol < 256 {
                guard output.count < most else { throw .tooLarge }
                output.append(UInt8(truncatingIfNeeded: symbol))
                continue
            }
            if symbol == 256 { return }
            guard lengths.indices.contains(symbol - 257) else { throw .malformed }
            let (base, extra) = lengths[symbol - 257]
            let length = try base + bits.take(extra)
            let code = try distances.next(&bits)
            guard Self.distances.indices.contains(code) else { throw .malformed }
            let distance = try Self.distances[code].base + bits.take(Self.distances[code].extra)
            guard distance <= output.count else { throw .malformed }
            guard output.count + length <= most else { throw .tooLarge }
            // What is copied may overlap what it makes.
            for _ in 0..<length { output.append(output[output.count - distance]) }
        }
    }

    /// The tables of a block that brings its own (RFC 1951 section 3.2.7).
    private static func tables(_ bits: inout BitReader) throws(Failure) -> (HuffmanTable, HuffmanTable) {
        let literalCount = try bits.take(5) + 257
        let distanceCount = try bits.take(5) + 1
        var codeLengths = [Int](repeating: 0, count: 19)
        for place in codeOrder.prefix(try bits.take(4) + 4) { codeLengths[place] = try bits.take(3) }
        let codes = HuffmanTable(codeLengths)
        var all: [Int] = []
        while all.count < literalCount + distanceCount {
            switch try codes.next(&bits) {
            case let length where length < 16: all.append(length)
            case 16:
                guard let last = all.last else { throw .malformed }
                all += [Int](repeating: last, count: try bits.take(2) + 3)
            case 17: all += [Int](repeating: 0, count: try bits.take(3) + 3)
            default: all += [Int](repeating: 0, count: try bits.take(7) + 11)
            }
        }
        guard all.count == literalCount + distanceCount else { throw .malformed }
        return (HuffmanTable(Array(all[..<literalCount])), HuffmanTable(Array(all[literalCount...])))
    }

    private static let codeOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

    /// RFC 1951 section 3.2.5: four lengths for each number of extra bits, and 258 by itself.
    private static let lengths: [(base: Int, extra: Int)] = {
        var table: [(Int, Int)] = []
        var base = 3
        for code in 0..<28 {
            let extra = code < 8 ? 0 : code / 4 - 1
            table.append((base, extra))
            base += 1 << extra
        }
        return table + [(258, 0)]
    }()

    private static let distances: [(base: Int, extra: Int)] = {
        var table: [(Int, Int)] = []
        var base = 1
        for code in 0..<30 {
            let extra = code < 4 ? 0 : code / 2 - 1
            table.append((base, extra))
            base += 1 << extra
        }
        return table
    }()
}

/// Bits, the lowest of each byte first.
private struct BitReader {
    private let source: [UInt8]
    private var place = 0

    init(_ source: [UInt8]) {
        self.source = source
    }

    /// Nothing is left but the padding of the last byte.
    var isAtEnd: Bool { (place + 7) / 8 >= source.count }

    mutating func take(_ count: Int) throws(Inflater.Failure) -> Int {
        guard place + count <= source.count * 8 else { throw .malformed }
        var value = 0
        for bit in 0..<count {
            value |= Int(source[place >> 3] >> UInt8(place & 7) & 1) << bit
            place += 1
        }
        return value
    }

    mutating func alignToByte() { place = (place + 7) / 8 * 8 }

    /// Only at a byte's beginning.
    mutating func bytes(_ count: Int) throws(Inflater.Failure) -> ArraySlice<UInt8> {
        let start = place / 8
        guard start + count <= source.count else { throw .malformed }
        place += count * 8
        return source[start..<(start + count)]
    }
}

/// A canonical Huffman code, by its lengths (RFC 1951 section 3.2.2).
private struct HuffmanTable: Sendable {
    /// How many codes have each length.
    private var counts = [Int](repeating: 0, count: 16)
    /// The symbols by ascending code.
    private var symbols: [Int] = []

    init(_ lengths: [Int]) {
        for length in lengths where length > 0 { counts[length] += 1 }
        for length in 1..<16 where counts[length] > 0 {
            symbols += lengths.indices.filter { lengths[$0] == length }
        }
    }

    static let fixedLiterals = HuffmanTable(
        [Int](repeating: 8, count: 144) + [Int](repeating: 9, count: 112) + [Int](repeating: 7, count: 24)
            + [Int](repeating: 8, count: 8)
    )
    static let fixedDistances = HuffmanTable([Int](repeating: 5, count: 30))

    func next(_ bits: inout BitReader) throws(Inflater.Failure) -> Int {
        var code = 0
        var first = 0
        var index = 0
        for length in 1..<16 {
            code |= try bits.take(1)
            let count = counts[length]
            if code - first < count {
                let place = index + code - first
                guard symbols.indices.contains(place) else { throw .malformed }
                return symbols[place]
            }
            index += count
            first = (first + count) << 1
            code <<= 1
        }
        throw .malformed
    }
}
