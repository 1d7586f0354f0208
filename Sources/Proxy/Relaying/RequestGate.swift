import WebSocketWire

/// Holds what a client sends until its first request is known: some toxics are for some requests only.
struct RequestGate {
    enum Verdict {
        /// More is needed.
        case wait
        /// What came so far goes on; nil where it is no HTTP, or a head too large to be one.
        case open(HTTPRequestHead?)
    }

    private(set) var held: [UInt8] = []
    private var parser = HTTPRequestParser(limits: HTTPLimits(body: .max))

    mutating func take(_ bytes: [UInt8]) -> Verdict {
        held += bytes
        parser.append(bytes)
        do {
            guard case .head(let head)? = try parser.next() else { return .wait }
            return .open(head)
        } catch {
            return .open(nil)
        }
    }
}
