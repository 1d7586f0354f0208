import TLSLink
import WebSocketWire

/// Holds what a client sends until its first words are known: some toxics are for some requests only, or for some hosts.
struct RequestGate {
    enum Verdict {
        /// More is needed.
        case wait
        /// What came so far goes on: with the request, where there is one and its head is no larger than one may be.
        case open(HTTPRequestHead?)
        /// The same, with what the client says to a server whose TLS passes through.
        case hello(ClientHello)
    }

    private(set) var held: [UInt8] = []
    private var awaitsHello: Bool
    private let awaitsRequest: Bool
    private var parser = HTTPRequestParser(limits: HTTPLimits(body: .max))

    /// One that awaits neither is opened by somebody else: TLS that ends here has a hello of its own.
    init(hello: Bool, request: Bool) {
        awaitsHello = hello
        awaitsRequest = request
    }

    var awaitsOnlyHandshake: Bool { !awaitsHello && !awaitsRequest }

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
