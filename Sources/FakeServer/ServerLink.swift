import ChatWire
import Faults
import SquallCore
import WebSocketWire

/// The server's state for one connection.
struct ServerLink: Sendable {
    enum Phase: Hashable, Sendable {
        /// The request is incomplete. Next: ``upgrading``, ``answering``.
        case requesting
        /// The request asks for a WebSocket, and the 101 response is not yet written. Next: ``socket``.
        case upgrading
        /// The request is complete; the connection ends after the response. Next: ``ended``.
        case answering
        /// The WebSocket is open. Next: ``ended``.
        case socket
        /// The server has vanished: it neither reads nor writes nor ends the connection. Lasts until the peer closes.
        case unresponsive
        /// Half-closed: the server has sent a FIN and waits for the peer to close. Final.
        case ended
    }

    let id: LinkID
    var phase = Phase.requesting
    var request: IncomingRequest
    var socket: WebSocketConnection?
    /// The state that determines how the connection's frames are encoded, such as frame numbers and references.
    var dialogue = WireDialogue()

    /// The polling session that this link represents; nil if the link is a connection.
    var polling: PollingSession?
    /// The polling session that is being upgraded to this WebSocket; nil if there is none.
    var takesOver: LinkID?
    /// The session that the connection belongs to; nil until it is authenticated.
    var session: String?
    /// The user whose personal key the client logged in with; nil if it used the shared key.
    var account: String?
    /// The maximum size of a message that the client accepts, in bytes; nil for no limit.
    var messageLimit: Int64?
    /// Whether the login was rejected, so that later frames are ignored.
    var isRefused = false
    /// Whether a close frame has been sent or received; no message is sent after it.
    var isClosing = false
    /// The first close code sent or received.
    var closeCode: CloseCode?
    var lastHeard: Instant
    var heartbeats: Int64 = 0

    /// Whether frames from the client are handled.
    var acceptsFrames: Bool { phase == .socket && !isRefused && !isClosing }

    mutating func send(_ message: WireMessage) {
        switch message {
        case .text(let bytes) where polling != nil: polling?.add(bytes)
        case .text(let bytes): socket?.sendEncodedText(bytes)
        case .binary(let bytes): socket?.sendBinary(bytes)
        }
    }

    /// Whether chat messages are sent on this connection.
    var isAuthenticated: Bool { session != nil && phase == .socket && !isClosing }
}

/// A request that is being received.
struct IncomingRequest: Sendable {
    var parser: HTTPRequestParser
    var head: HTTPRequestHead?
    var body: [UInt8] = []

    init(bodyLimit: Int64) {
        parser = HTTPRequestParser(limits: HTTPLimits(body: Int(clamping: bodyLimit)))
    }
}

/// All connections, iterated in a deterministic order.
struct ServerLinks: Sendable {
    /// The connections, sorted by ascending id.
    private var links: [ServerLink] = []

    var ids: [LinkID] { links.map(\.id) }

    /// Reads a value from a connection in place, because copying the whole struct costs more than reading most values.
    ///
    /// Returns nil if the connection no longer exists.
    func read<Value>(_ id: LinkID, _ part: (ServerLink) -> Value) -> Value? {
        let index = index(of: id)
        return isThere(id, at: index) ? part(links[index]) : nil
    }

    mutating func add(_ link: ServerLink) {
        let index = index(of: link.id)
        guard !isThere(link.id, at: index) else { return }
        links.insert(link, at: index)
    }

    mutating func remove(_ id: LinkID) {
        let index = index(of: id)
        if isThere(id, at: index) { links.remove(at: index) }
    }

    /// Changes a connection in place; returns nil if the connection no longer exists.
    @discardableResult
    mutating func change<Result>(_ id: LinkID, _ body: (inout ServerLink) -> Result) -> Result? {
        let index = index(of: id)
        return isThere(id, at: index) ? body(&links[index]) : nil
    }

    /// Returns one client's connections, or all connections if `client` is nil.
    func ids(of client: ClientID?) -> [LinkID] {
        guard let client else { return ids }
        return ids.filter { $0.client == client }
    }

    /// Returns the connections on which chat messages are sent: those of `client`, or of all clients if it is nil.
    func authenticated(_ client: ClientID? = nil) -> [LinkID] {
        var found: [LinkID] = []
        // Iterating over indices avoids copying every connection.
        for index in links.indices where links[index].isAuthenticated {
            let id = links[index].id
            if client == nil || client == id.client { found.append(id) }
        }
        return found
    }

    private func isThere(_ id: LinkID, at index: Int) -> Bool {
        index < links.endIndex && links[index].id == id
    }

    /// Returns the index of the connection with this id, or the index at which to insert it.
    private func index(of id: LinkID) -> Int {
        var low = 0
        var high = links.endIndex
        while low < high {
            let middle = low + (high - low) / 2
            if links[middle].id < id { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
