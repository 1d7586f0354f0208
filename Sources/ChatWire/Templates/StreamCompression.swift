import Deflate
import SquallCore

/// A compression method for all server frames on a connection, as one stream, before they become WebSocket messages.
enum StreamCompression: String, Hashable, Sendable, CaseIterable {
    /// The server's frames form one zlib stream in binary messages, if the connection's URL has the query
    /// `compress=zlib-stream`.
    case zlib = "zlib-stream"

    static func read(_ value: JSON?, _ mistakes: inout TemplateMistakes) -> StreamCompression? {
        guard let value else { return nil }
        guard let compression = value.stringValue.flatMap(StreamCompression.init) else {
            let names = allCases.map(\.rawValue).joined(separator: " or ")
            mistakes.add([.member("compression")], "'compression' must be \(names)")
            return nil
        }
        return compression
    }

    /// Returns whether the URL of an upgrade request asks for this compression.
    fileprivate func isWanted(by target: String) -> Bool {
        PathTemplate.parameter("compress", of: target) == rawValue
    }
}

/// The state of a connection on which the server's frames form a single compressed stream.
///
/// The server uses the writer, and an observer uses the reader.
struct CompressedStream: Sendable {
    var writer = ZlibStreamWriter()
    var reader = ZlibStreamReader(limit: Self.largest)
    /// Whether decompression has failed. After a failure, no later message of the stream can be read.
    var isBroken = false

    /// The maximum size of a decompressed message, in bytes.
    private static let largest = 16 << 20
}

extension WireProfile {
    /// Enables the compression requested by the upgrade request's target, if the profile supports it.
    ///
    /// Must be called once per connection, before the first frame, which starts the compressed stream.
    package func agree(onCompressionFor target: String, in dialogue: inout WireDialogue) {
        guard frames?.compression?.isWanted(by: target) == true else { return }
        dialogue.compressed = CompressedStream()
    }

    /// Compresses a frame sent by the server; returns nil if zlib is out of memory.
    func compress(_ frame: [UInt8], in dialogue: inout WireDialogue) -> [UInt8]? {
        try? dialogue.compressed?.writer.write(frame)
    }

    /// Decompresses a message from the server and returns its frames, or a violation if the message is unreadable.
    func decompress(_ message: [UInt8], in dialogue: inout WireDialogue) -> (frames: [String], violation: String?) {
        guard dialogue.compressed?.isBroken == false else { return ([], nil) }
        do throws(DeflateError) {
            guard let frame = try dialogue.compressed?.reader.read(message) else { return ([], nil) }
            return (frames(in: String(decoding: frame, as: UTF8.self)), nil)
        } catch {
            dialogue.compressed?.isBroken = true
            return ([], error.description)
        }
    }
}
