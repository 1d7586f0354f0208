import ChatWire
import Faults
import SquallCore
import WebSocketWire

/// One connection as the server has it.
struct ServerLink: Sendable {
    enum Phase: Hashable, Sendable {
        /// A request is on its way in. Next: ``upgrading``, ``answering``.
        case requesting
        /// The request asks for a WebSocket and the agreement is yet to be written. Next: ``socket``.
        case upgrading
        /// The request has been read; after its answer the connection ends. Next: ``ended``.
        case answering
        /// A WebSocket. Next: ``ended``.
        case socket
        /// Nothing more is read or written, nor is the end told. Stays so until the peer ends.
        case deaf
        /// The server has ended its direction and waits for the peer's end.
        case ended
    }

    let id: LinkID
    var phase = Phase.requesting
    var request: IncomingRequest
    var socket: WebSocketConnection?
    /// What the profile's frames need to be known of this connection.
    var dialogue = WireDialogue()

    /// The session for which it was authenticated.
    var session: String?
    /// The user with whose own key it was; nil where the key was nobody's.
    var account: String?
    /// Bytes of the largest message that the client takes; nil for any.
    var messageLimit: Int64?
    /// The client was turned away: nothing it says counts any more.
    var isRefused = false
    /// A close frame has gone either way: no message goes any more.
    var isClosing = false
    /// The first close code that went either way.
    var closeCode: CloseCode?
    var lastHeard: Instant
    var heartbeats: Int64 = 0

    /// Whether what it says counts.
    var isHeard: Bool { phase == .socket && !isRefused && !isClosing }

    /// Whether chat messages go to it.
    var isAuthenticated: Bool { session != nil && phase == .socket && !isClosing }
}

/// A request as far as it has come.
struct IncomingRequest: Sendable {
    var parser: HTTPRequestParser
    var head: HTTPRequestHead?
    var body: [UInt8] = []

    init(bodyLimit: Int64) {
        parser = HTTPRequestParser(limits: HTTPLimits(body: Int(clamping: bodyLimit)))
    }
}

/// Every connection there is, always gone through in the same order.
struct ServerLinks: Sendable {
    /// By ascending id.
    private var links: [ServerLink] = []

    var ids: [LinkID] { links.map(\.id) }

    /// What one wants to know of a connection, seen where it lies: a copy of all of it costs more than most answers.
    ///
    /// Nil where there is no such connection any more.
    func read<Value>(_ id: LinkID, _ part: (ServerLink) -> Value) -> Value? {
        let place = place(of: id)
        return isThere(id, at: place) ? part(links[place]) : nil
    }

    mutating func add(_ link: ServerLink) {
        let place = place(of: link.id)
        guard !isThere(link.id, at: place) else { return }
        links.insert(link, at: place)
    }

    mutating func remove(_ id: LinkID) {
        let place = place(of: id)
        if isThere(id, at: place) { links.remove(at: place) }
    }

    /// Nil where there is no such connection any more.
    @discardableResult
    mutating func change<Result>(_ id: LinkID, _ body: (inout ServerLink) -> Result) -> Result? {
        let place = place(of: id)
        return isThere(id, at: place) ? body(&links[place]) : nil
    }

    /// Those of one client, or all.
    func ids(of client: ClientID?) -> [LinkID] {
        guard let client else { return ids }
        return ids.filter { $0.client == client }
    }

    /// Those on which chat messages go to a client, or to all.
    func authenticated(_ client: ClientID? = nil) -> [LinkID] {
        var found: [LinkID] = []
        // By their places: to go through the links themselves is to copy each.
        for place in links.indices where links[place].isAuthenticated {
            let id = links[place].id
            if client == nil || client == id.client { found.append(id) }
        }
        return found
    }

    private func isThere(_ id: LinkID, at place: Int) -> Bool {
        place < links.endIndex && links[place].id == id
    }

    /// Where the id is or would be.
    private func place(of id: LinkID) -> Int {
        var low = 0
        var high = links.endIndex
        while low < high {
            let middle = low + (high - low) / 2
            if links[middle].id < id { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
