import TLSLink
import WebSocketWire

/// Inspects a client's TLS ClientHello or first HTTP request without delaying it. Toxics can select connections based
/// on this information.
///
/// A ``RequestGate`` also inspects the bytes, but holds them until the inspection is complete. The sniffer stores the
/// request's head as raw bytes and parses it only if a toxic needs it, which for most connections never happens.
struct HandshakeSniffer {
    /// The number of bytes after which a stream without a complete head is not treated as HTTP.
    private static let longestHead = HTTPLimits(body: .max).head
    /// The maximum number of bytes stored.
    private static let maximumBytes = max(longestHead, ClientHello.limit)

    enum Finding: Hashable {
        case nothing
        case hello(ClientHello)
        /// A request head is complete; ``takeRequest()`` parses it.
        case request
    }

    private enum State {
        /// Neither a ClientHello nor a request head is complete yet. Next: ``request`` or ``over``.
        case listening
        /// A complete request head is stored. Next: ``over``, after ``takeRequest()``.
        case request
        /// Nothing is stored and no more bytes are inspected.
        case over
    }

    private var bytes: [UInt8] = []
    private var state = State.listening

    var isListening: Bool { state == .listening }

    /// Inspects the client's next bytes, which are plaintext if the proxy terminates TLS. Returns the ClientHello or
    /// request head that they complete.
    mutating func take(_ more: UnsafeRawBufferPointer) -> Finding {
        guard isListening, !more.isEmpty else { return .nothing }
        let looked = bytes.count
        bytes += more.prefix(Self.maximumBytes - bytes.count)
        if Self.beginsTLS(bytes) {
            switch ClientHello.parse(bytes) {
            case .hello(let hello):
                forget()
                return .hello(hello)
            case .notTLS: forget()
            case .undecided: break
            }
        } else if !Self.mayBeginRequest(bytes) {
            forget()
        } else if let end = Self.endOfHead(in: bytes, from: looked) {
            // The bytes are copied to an array of exactly their size, because they can be stored for the lifetime of
            // the connection.
            bytes = Array(bytes[..<end])
            state = .request
            return .request
        } else if bytes.count >= Self.longestHead {
            forget()
        }
        return .nothing
    }

    /// Parses and returns the first request, and frees its stored bytes; returns nil if there is no request or it is
    /// malformed.
    mutating func takeRequest() -> HTTPRequestHead? {
        guard state == .request else { return nil }
        var parser = HTTPRequestParser(limits: HTTPLimits(body: .max))
        parser.append(bytes)
        forget()
        do {
            if case .head(let head)? = try parser.next() { return head }
        } catch {
            // The stream belongs to another protocol that also ends lines with CRLF.
        }
        return nil
    }

    /// Stops inspecting the stream and frees the stored bytes.
    mutating func forget() {
        bytes = []
        state = .over
    }

    private static func beginsTLS(_ bytes: [UInt8]) -> Bool { bytes.first == 22 }

    /// Returns whether the first byte can begin a request method, or the empty line that may precede one (RFC 9112
    /// section 2.2).
    private static func mayBeginRequest(_ bytes: [UInt8]) -> Bool {
        bytes.first.map { 0x21...0x7E ~= $0 || $0 == 0x0D } ?? true
    }

    /// Returns the index after the empty line that ends a head; nil if there is none.
    ///
    /// The search begins at `start`, because earlier bytes have been searched already.
    private static func endOfHead(in bytes: [UInt8], from start: Int) -> Int? {
        bytes.indices.dropFirst(max(start, 3)).first { index in
            bytes[index] == 0x0A && bytes[index - 1] == 0x0D && bytes[index - 2] == 0x0A && bytes[index - 3] == 0x0D
        }.map { $0 + 1 }
    }
}
