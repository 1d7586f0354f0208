import TLSLink
import WebSocketWire

/// What a client says first, kept for toxics that come later and are for some hosts or some requests only.
///
/// It only listens: bytes go on their way at once. The head of a request is kept as it came, and read when somebody asks
/// for it: of most connections nobody ever does.
struct HandshakeSniffer {
    /// Bytes without a whole head after which it is taken for none.
    private static let longestHead = HTTPLimits(body: .max).head
    /// What is kept at most.
    private static let most = max(longestHead, ClientHello.limit)

    enum Finding: Hashable {
        case nothing
        case hello(ClientHello)
        /// A head is whole: ``takeRequest()`` reads it.
        case request
    }

    private enum State {
        case listening
        /// Next: ``over``, once it is asked for.
        case request
        case over
    }

    private var bytes: [UInt8] = []
    private var state = State.listening

    var isListening: Bool { state == .listening }

    /// The next bytes from the client, plaintext where its TLS ends here.
    mutating func take(_ more: UnsafeRawBufferPointer) -> Finding {
        guard isListening, !more.isEmpty else { return .nothing }
        let looked = bytes.count
        bytes += more.prefix(Self.most - bytes.count)
        if Self.beginsTLS(bytes) {
            switch ClientHello.look(at: bytes) {
            case .hello(let hello):
                forget()
                return .hello(hello)
            case .notTLS: forget()
            case .undecided: break
            }
        } else if !Self.mayBeginRequest(bytes) {
            forget()
        } else if let end = Self.endOfHead(in: bytes, from: looked) {
            // In a place of its own size: it may lie there for long.
            bytes = Array(bytes[..<end])
            state = .request
            return .request
        } else if bytes.count >= Self.longestHead {
            forget()
        }
        return .nothing
    }

    /// The first request, once; nil where none was heard, or what was heard is none.
    mutating func takeRequest() -> HTTPRequestHead? {
        guard state == .request else { return nil }
        var parser = HTTPRequestParser(limits: HTTPLimits(body: .max))
        parser.append(bytes)
        forget()
        do {
            if case .head(let head)? = try parser.next() { return head }
        } catch {
            // Somebody else's protocol, which only ends its lines as HTTP does.
        }
        return nil
    }

    /// Whatever it is, it is known from elsewhere.
    mutating func forget() {
        bytes = []
        state = .over
    }

    private static func beginsTLS(_ bytes: [UInt8]) -> Bool { bytes.first == 22 }

    /// A method's first letter, or the empty line that may stand before it (RFC 9112 section 2.2).
    private static func mayBeginRequest(_ bytes: [UInt8]) -> Bool {
        bytes.first.map { 0x21...0x7E ~= $0 || $0 == 0x0D } ?? true
    }

    /// Behind the empty line; no more than what is new is looked through.
    private static func endOfHead(in bytes: [UInt8], from start: Int) -> Int? {
        bytes.indices.dropFirst(max(start, 3)).first { place in
            bytes[place] == 0x0A && bytes[place - 1] == 0x0D && bytes[place - 2] == 0x0A && bytes[place - 3] == 0x0D
        }.map { $0 + 1 }
    }
}
