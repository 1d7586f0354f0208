import WebSocketWire

/// Encodes and decodes certificates and keys as PEM text (RFC 7468).
package enum PEM {
    package static func encode(_ bytes: [UInt8], _ label: String) -> String {
        var text = "-----BEGIN \(label)-----\n"
        // A line of 64 base64 characters encodes 48 bytes.
        for start in stride(from: 0, to: bytes.count, by: 48) {
            text += Base64.encode(Array(bytes[start..<min(start + 48, bytes.count)])) + "\n"
        }
        return text + "-----END \(label)-----\n"
    }

    /// Decodes the bytes between the first BEGIN line with `label` and the matching END line.
    ///
    /// Returns nil if there are no such lines, or no base64 between them.
    package static func decode(_ text: String, _ label: String) -> [UInt8]? {
        let lines = text.split(whereSeparator: \.isNewline).map { $0.filter { !$0.isWhitespace } }
        let mark = label.filter { !$0.isWhitespace }
        guard let first = lines.firstIndex(of: "-----BEGIN\(mark)-----"),
            let last = lines[first...].firstIndex(of: "-----END\(mark)-----")
        else { return nil }
        return Base64.decode(lines[(first + 1)..<last].joined())
    }
}
