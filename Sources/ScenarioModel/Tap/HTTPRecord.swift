import SquallCore
import WebSocketWire

/// One recorded HTTP message: its head, without values that identify a user, and its body if that is text.
struct HTTPRecord: Hashable, Sendable {
    /// The fields of the message's event, without the body.
    private(set) var facts: JSON
    private var body: [UInt8] = []
    private var size = 0
    private let isCompressed: Bool

    /// The maximum size of a recorded body in bytes.
    private static let longest = 16 << 10

    /// The response header fields that a client may depend on. The others describe the connection, the server or a
    /// user: `Set-Cookie` is a secret, and the fake server writes `Content-Length` itself.
    private static let recordedFields = [
        "Content-Type", "Location", "Retry-After", "ETag", "Cache-Control", "Link", "Allow", "Accept-Ranges",
        "Access-Control-Allow-Origin", "Access-Control-Allow-Methods", "Access-Control-Allow-Headers",
    ]

    init(_ head: HTTPRequestHead, isOfProfile: Bool) {
        facts = ["method": .string(head.method), "target": .string(head.path), "of_profile": .bool(isOfProfile)]
        isCompressed = Self.isCompressed(head.headers)
    }

    init(_ head: HTTPResponseHead) {
        facts = ["status": .integer(Int64(head.status))]
        isCompressed = Self.isCompressed(head.headers)
        let lines = Self.recordedFields.compactMap { name in head.headers[name].map { "\(name): \($0)" } }
        if !lines.isEmpty { facts.set("headers", to: .string(lines.joined(separator: "\n"))) }
    }

    private static func isCompressed(_ headers: HTTPHeaders) -> Bool {
        !headers.elements(of: "content-encoding").allSatisfy { $0.isEmpty || $0.lowercased() == "identity" }
    }

    mutating func append(_ piece: some Collection<UInt8>) {
        size += piece.count
        if size <= Self.longest { body += piece }
    }

    /// The fields of the message's event. A body that is compressed, longer than 16 KiB or not text is omitted, and
    /// `kind` gives the reason.
    func fields(on link: Int) -> JSON {
        var fields = facts
        fields.set("link", to: .integer(Int64(link)))
        fields.set("bytes", to: .integer(Int64(size)))
        if isCompressed {
            fields.set("kind", to: "compressed")
        } else if size > Self.longest {
            fields.set("kind", to: "long")
        } else if let text = String(bytes: body) {
            fields.set("kind", to: "text")
            if !text.isEmpty { fields.set("text", to: .string(text)) }
        } else {
            fields.set("kind", to: "binary")
        }
        return fields
    }
}

extension String {
    /// Creates a string from valid UTF-8 without NUL; returns nil for other bytes.
    fileprivate init?(bytes: [UInt8]) {
        guard !bytes.contains(0) else { return nil }
        self.init(validating: bytes, as: UTF8.self)
    }
}
