import Deflate
import SquallCore
import WebSocketWire

/// Compressed JSON values that are embedded in a page in chunks. A chunk contains several values, one per line.
///
/// The runs of a suite are similar, so compressing several together reduces their size to a tenth. A browser
/// decompresses only the chunk that contains the displayed run.
struct PageChunks {
    /// The uncompressed size, in bytes, at which a chunk is closed.
    private static let full = 512 << 10

    /// The chunk that is being filled and is not yet compressed, with the index of its first value.
    private var open: (first: Int, text: [UInt8]) = (0, [])
    private var closed: [(first: Int, base64: String)] = []
    private var count = 0

    mutating func append(_ value: JSON) {
        value.encode(into: &open.text)
        open.text.append(UInt8(ascii: "\n"))
        count += 1
        if open.text.count >= Self.full { close() }
    }

    private mutating func close() {
        if !open.text.isEmpty { closed.append((open.first, Self.compressed(open.text))) }
        open = (count, [])
    }

    /// Returns the HTML elements that contain the chunks. Each element has the index of its first value as an
    /// attribute.
    func elements() -> String {
        var all = self
        all.close()
        return all.closed.map { chunk in
            let attributes = "type=\"application/octet-stream\" class=\"runs\" data-first=\"\(chunk.first)\""
            return "<script \(attributes)>\(chunk.base64)</script>\n"
        }.joined()
    }

    /// Returns one compressed value in an HTML element with the given id.
    static func element(_ value: JSON, id: String) -> String {
        "<script type=\"application/octet-stream\" id=\"\(id)\">\(compressed(value.encode()))</script>\n"
    }

    /// Compresses the text into a complete DEFLATE stream (RFC 1951), encoded in Base64.
    private static func compressed(_ text: [UInt8]) -> String {
        var deflater = Deflater(windowBits: 15, level: 9)
        guard let message = try? deflater.compress(text) else { fatalError("zlib has no memory") }
        // `Deflater` removes the final bytes of a message; they are restored here and followed by an empty final block
        // (RFC 1951 section 3.2.4).
        return Base64.encode(message + [0x00, 0x00, 0xFF, 0xFF, 0x01, 0x00, 0x00, 0xFF, 0xFF])
    }
}
