import SquallCore

/// The name and client of the events that a component of a monitor reads.
struct EventSubscription: Hashable, Sendable {
    enum Source: Hashable, Sendable {
        case anyClient
        /// Only this client's events; if nil, only events without a client.
        case client(ClientID?)
    }

    let name: String
    /// Whether the subscription also covers more specific names: `client.sent` then covers `client.sent.message`.
    let reachesBelow: Bool
    let source: Source

    init(_ name: String, of source: Source, reachesBelow: Bool = false) {
        self.name = name
        self.source = source
        self.reachesBelow = reachesBelow
    }

    func covers(_ name: String) -> Bool {
        reachesBelow ? self.name.covers(name) : self.name == name
    }

    func covers(_ name: String, _ client: ClientID?) -> Bool {
        covers(name) && (source == .anyClient || source == .client(client))
    }
}

extension String {
    /// Returns whether `other` is this event name or a more specific one, such as `a.b.c` for `a.b`.
    func covers(_ other: String) -> Bool {
        other.utf8.count == utf8.count ? other == self : isAbove(other)
    }

    /// Returns whether `other` is a more specific event name than this one, such as `client.sent.message` for
    /// `client.sent`.
    func isAbove(_ other: String) -> Bool {
        let length = utf8.count
        guard other.utf8.count > length else { return false }
        let end = other.utf8.index(other.utf8.startIndex, offsetBy: length)
        return other.utf8[end] == UInt8(ascii: ".") && other.hasPrefix(self)
    }
}
