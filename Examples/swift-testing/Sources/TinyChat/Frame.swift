import Foundation

/// A frame of the chat protocol, of any type, with the fields that this client uses.
struct Frame: Codable, Sendable {
    /// The frame's type; nil in the messages of a replay.
    var type: String?
    var apiKey: String?
    var sessionId: String?
    var lastSeq: Int?
    var lastSeqSeen: Int?
    var clientMessageId: String?
    var messageId: String?
    var conversationId: String?
    var text: String?
    var seq: Int?
    var messages: [Frame]?
}

extension Frame {
    /// Decodes a frame; fails if the text is not a frame.
    init?(json: String) {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        guard let frame = try? decoder.decode(Frame.self, from: Data(json.utf8)) else { return nil }
        self = frame
    }

    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}
