import Deflate
import SquallCore
import WebSocketWire

/// JSON values that a page carries compressed, several in a chunk, each on a line of its own.
///
/// The runs of a suite are alike, so that in chunks they take a tenth of the space; a browser inflates only the chunk
/// that has the run to show.
struct PageChunks {
    /// A chunk of at least this many bytes is full.
    private static let full = 512 << 10

    /// A chunk that is not compressed yet, with the number of its first value.
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

    /// The elements in which the page's script finds its values; each run chunk is numbered by its first value.
    func elements() -> String {
        var all = self
        all.close()
        return all.closed.map { chunk in
            let attributes = "type=\"application/octet-stream\" class=\"runs\" data-first=\"\(chunk.first)\""
            return "<script \(attributes)>\(chunk.base64)</script>\n"
        }.joined()
    }

    /// One value in an element with an id.
    static func element(_ value: JSON, id: String) -> String {
        "<script type=\"application/octet-stream\" id=\"\(id)\">\(compressed(value.encode()))</script>\n"
    }

    /// A text as a whole stream of DEFLATE (RFC 1951), in base64.
    private static func compressed(_ text: [UInt8]) -> String {
        var deflater = Deflater(windowBits: 15, level: 9)
        guard let message = try? deflater.compress(text) else { fatalError("zlib has no memory") }
        // The end of a message, which `Deflater` removes, and an empty last block (section 3.2.4).
        return Base64.encode(message + [0x00, 0x00, 0xFF, 0xFF, 0x01, 0x00, 0x00, 0xFF, 0xFF])
    }
}
