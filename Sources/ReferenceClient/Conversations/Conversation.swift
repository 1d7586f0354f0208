import ChatWire

/// The rows of one conversation in the order they are shown.
struct Conversation {
    /// A message that the server has, by what decides its place.
    struct Row {
        let timestamp: Int64
        /// The time as it stood on the wire, where its form is not the usual one.
        var written: String?
        let id: String
        let key: String

        /// The server's clock, then the id: the same on every device, whatever the order of arrival.
        func isBefore(_ other: Row) -> Bool {
            (timestamp, id) < (other.timestamp, other.id)
        }

        /// By the letters of their times.
        func isWrittenBefore(_ other: Row) -> Bool {
            (written ?? WireTimestamp.text(timestamp), id) < (
                other.written ?? WireTimestamp.text(other.timestamp), other.id
            )
        }
    }

    /// Where the newest page stands.
    enum Load {
        case none, loading, loaded, failed
    }

    /// Oldest first.
    private(set) var rows: [Row] = []
    /// Messages that are still being written by somebody else, as they began.
    private var streams: [String] = []
    /// Messages of the user that the server has not confirmed, as they were sent: behind all others.
    private var local: [String] = []
    var load = Load.none
    /// Ids of the rows on disk, oldest first.
    var cached: [String] = []

    var isEmpty: Bool { rows.isEmpty && streams.isEmpty && local.isEmpty }

    /// The newest message that is whole, the user's own included.
    var newest: String? { local.last ?? rows.last?.key }

    /// The messages in the order shown.
    var keys: [String] { rows.map(\.key) + streams + local }

    mutating func insert(_ row: Row, _ order: ConversationsPolicy.Order) {
        streams.removeAll { $0 == row.id }
        var place = rows.endIndex
        switch order {
        case .byTimestamp: while place > 0, row.isBefore(rows[place - 1]) { place -= 1 }
        case .byText: while place > 0, row.isWrittenBefore(rows[place - 1]) { place -= 1 }
        case .byArrival: break
        }
        rows.insert(row, at: place)
    }

    /// Says which rows the disk is to forget and to learn, so that it holds the newest: `limit` of them at most, and of those
    /// `newest`, where it is given.
    mutating func cache(_ limit: Int, of newest: Set<String>?) -> (gone: [String], come: [Row]) {
        let kept = rows.suffix(limit)
        guard let newest else { return cache(kept) }
        return cache(kept.filter { newest.contains($0.id) }[...])
    }

    /// Most steps add a row at the end and drop one at the start, or change nothing; only what lies between is compared one
    /// by one.
    private mutating func cache(_ kept: ArraySlice<Row>) -> (gone: [String], come: [Row]) {
        let start = cached.firstIndex { $0 == kept.first?.id } ?? cached.endIndex
        var same = 0
        while start + same < cached.count, same < kept.count, cached[start + same] == kept[kept.startIndex + same].id {
            same += 1
        }
        guard start > 0 || same < max(cached.count, kept.count) else { return ([], []) }
        var gone = Array(cached[..<start] + cached[(start + same)...])
        var come = Array(kept.dropFirst(same))
        if !gone.isEmpty, !come.isEmpty {
            let (before, after) = (Set(gone), Set(come.map(\.id)))
            gone.removeAll(where: after.contains)
            come.removeAll { before.contains($0.id) }
        }
        cached = kept.map(\.id)
        return (gone, come)
    }

    mutating func insertLocal(_ key: String) {
        local.append(key)
    }

    mutating func removeLocal(_ key: String) {
        local.removeAll { $0 == key }
    }

    mutating func removeAllLocal() -> [String] {
        defer { local = [] }
        return local
    }

    mutating func insertStream(_ id: String) {
        guard !streams.contains(id) else { return }
        streams.append(id)
    }

    /// Gives those that went.
    mutating func keep(only ids: Set<String>) -> [Row] {
        let gone = rows.filter { !ids.contains($0.id) }
        rows.removeAll { !ids.contains($0.id) }
        return gone
    }

    mutating func wipe() {
        rows = []
    }
}
