import TLSLink
import WebSocketWire

/// Holds a client's bytes until its ClientHello or first request is complete, for selective toxics.
struct RequestGate {
    /// What the bytes so far allow.
    enum Verdict {
        /// Incomplete: hold on to the bytes.
        case wait
        /// Pass the bytes on, with the request; nil if they are no HTTP or the head exceeds its limit.
        case open(HTTPRequestHead?)
        /// Pass the bytes on, with the ClientHello of TLS that passes through the proxy.
        case hello(ClientHello)
    }

    private(set) var held: [UInt8] = []
    private var awaitsHello: Bool
    private let awaitsRequest: Bool
    private var parser = HTTPRequestParser(limits: HTTPLimits(body: .max))

    /// Makes a gate for a ClientHello, a request or both.
    ///
    /// A gate that awaits neither is opened by its owner, after the proxy's own TLS handshake with the client.
    init(hello: Bool, request: Bool) {
        awaitsHello = hello
        awaitsRequest = request
    }

    /// Whether the gate opens with the proxy's own TLS handshake.
    var awaitsOnlyHandshake: Bool { !awaitsHello && !awaitsRequest }

    /// Holds the next bytes and returns what they allow.
    mutating func take(_ bytes: [UInt8]) -> Verdict {
        held += bytes
        guard awaitsHello else { return read(bytes) }
        switch ClientHello.look(at: held) {
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
