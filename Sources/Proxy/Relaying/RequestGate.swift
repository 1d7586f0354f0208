import TLSLink
import WebSocketWire

/// Holds a client's bytes until its ClientHello or first request is complete, because its contents determine which
/// toxics apply to the connection.
struct RequestGate {
    /// Whether to hold or forward the bytes received so far.
    enum Verdict {
        /// The ClientHello or request is incomplete: hold the bytes.
        case wait
        /// Forward the bytes, which contain this request. The request is nil if the bytes are not HTTP or the head
        /// exceeds its size limit.
        case open(HTTPRequestHead?)
        /// Forward the bytes. They contain the ClientHello of a TLS session that passes through the proxy encrypted.
        case hello(ClientHello)
    }

    private(set) var held: [UInt8] = []
    private var awaitsHello: Bool
    private let awaitsRequest: Bool
    private var parser = HTTPRequestParser(limits: HTTPLimits(body: .max))

    /// Creates a gate that waits for a ClientHello, a request or both.
    ///
    /// A gate that waits for neither is opened by its owner when the proxy has completed the TLS handshake with the
    /// client.
    init(hello: Bool, request: Bool) {
        awaitsHello = hello
        awaitsRequest = request
    }

    /// Whether the gate waits only for the proxy's own TLS handshake with the client.
    var awaitsOnlyHandshake: Bool { !awaitsHello && !awaitsRequest }

    /// Buffers the next bytes and returns whether to hold or forward all bytes so far.
    mutating func take(_ bytes: [UInt8]) -> Verdict {
        held += bytes
        guard awaitsHello else { return read(bytes) }
        switch ClientHello.parse(held) {
        case .undecided: return .wait
        case .hello(let hello): return .hello(hello)
        case .notTLS:
            awaitsHello = false
            return awaitsRequest ? read(held) : .open(nil)
        }
    }

    private mutating func read(_ bytes: [UInt8]) -> Verdict {
        parser.append(bytes)
        do {
            guard case .head(let head)? = try parser.next() else { return .wait }
            return .open(head)
        } catch {
            return .open(nil)
        }
    }
}
