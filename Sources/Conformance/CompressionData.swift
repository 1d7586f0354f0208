import SquallCore

/// Generates the data for the compression cases: five kinds of data, identical on every machine.
package enum CompressionData: String, Sendable, CaseIterable {
    case records, picture, prose, page, noise

    /// A human-readable description of the data.
    package var title: String {
        switch self {
        case .records: "records of JSON"
        case .picture: "a greyscale picture"
        case .prose: "prose"
        case .page: "a page of HTML"
        case .noise: "incompressible bytes"
        }
    }

    /// Whether the data is sent in text messages.
    package var isText: Bool {
        switch self {
        case .records, .page: true
        case .picture, .prose, .noise: false
        }
    }

    /// Generates 256 KiB of data. Text data is ASCII, so that every slice of it is valid UTF-8.
    package func make() -> [UInt8] {
        var generator = Seed(7692).stream(rawValue)
        var bytes: [UInt8] = []
        while bytes.count < Self.size { append(to: &bytes, using: &generator) }
        return Array(bytes.prefix(Self.size))
    }

    private static let size = 262_144

    private static let words = [
        "the", "connection", "frame", "and", "of", "window", "is", "closed", "when", "a", "message", "arrives", "late",
        "server", "client", "with", "payload", "reason", "again", "before", "tunnel", "rain", "wind", "storm",
    ]

    private func append(to bytes: inout [UInt8], using generator: inout SeededGenerator) {
        switch self {
        case .records:
            let line = "{\"id\":\(generator.below(100_000)),\"name\":\"\(Self.word(&generator))\",\"on\":"
            bytes += Array("\(line)\(generator.below(2) == 0),\"tags\":[\"\(Self.word(&generator))\"]},\n".utf8)
        case .picture:
            let row = bytes.count / 512
            for column in 0..<512 {
                bytes.append(UInt8(truncatingIfNeeded: (row + column) / 3 + Int(generator.below(4))))
            }
        case .prose:
            for _ in 0...(4 + generator.below(12)) { bytes += Array("\(Self.word(&generator)) ".utf8) }
            bytes += Array(".\n".utf8)
        case .page:
            bytes += Array("<li class=\"\(Self.word(&generator))\"><a href=\"/\(generator.below(1000))\">".utf8)
            bytes += Array("\(Self.word(&generator)) \(Self.word(&generator))</a></li>\n".utf8)
        case .noise:
            withUnsafeBytes(of: generator.next().littleEndian) { bytes.append(contentsOf: $0) }
        }
    }

    private static func word(_ generator: inout SeededGenerator) -> String {
        words[Int(generator.below(UInt64(words.count)))]
    }
}
