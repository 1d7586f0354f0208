import ChatWire

/// The messages of one conversation, in display order.
struct Conversation {
    /// A message that the server has stored, with the values that determine its position.
    struct Row {
        let timestamp: Int64
        /// The timestamp as written on the wire; nil if that is the standard form of `timestamp`.
        var written: String?
        let id: String
        let key: String

        /// Returns whether this row sorts before `other`: by the server's timestamp, then by id.
        ///
        /// The order does not depend on the order of arrival, so it is the same on all of the user's devices.
        func isBefore(_ other: Row) -> Bool {
            (timestamp, id) < (other.timestamp, other.id)
        }

        /// Returns whether this row sorts before `other` if timestamps are compared as strings; used only with a
        /// planted defect.
        func isWrittenBefore(_ other: Row) -> Bool {
            (written ?? WireTimestamp.text(timestamp), id) < (
                other.written ?? WireTimestamp.text(other.timestamp), other.id
            )
        }
    }

    /// The state of the request for the newest page.
    enum Load {
        case none, loading, loaded, failed
    }

    /// The messages that the server has stored, oldest first.
    private(set) var rows: [Row] = []
    /// The ids of the messages that are still being streamed, in the order in which they began.
    private var streams: [String] = []
    /// The keys of the user's unconfirmed messages, oldest first; displayed after all other messages.
    private var local: [String] = []
    var load = Load.none
    /// The IDs of the rows that follow a gap in the list, oldest first; empty if no messages are missing.
    private(set) var gaps: [String] = []
    /// How many older pages have been requested to close the newest gap since the newest page was loaded.
    var joinPages: Int64 = 0
    /// The ids of the rows on disk, oldest first.
    var cached: [String] = []

    var isEmpty: Bool { rows.isEmpty && streams.isEmpty && local.isEmpty }

    /// The key of the newest message. It may be unconfirmed, but messages that are still being streamed are excluded.
    var newest: String? { local.last ?? rows.last?.key }

    /// The keys of all messages, in display order.
    var keys: [String] { rows.map(\.key) + streams + local }

    mutating func insert(_ row: Row, _ order: ConversationsPolicy.Order) {
        streams.removeAll { $0 == row.id }
        var index = rows.endIndex
        switch order {
        case .byTimestamp: while index > 0, row.isBefore(rows[index - 1]) { index -= 1 }
        case .byText: while index > 0, row.isWrittenBefore(rows[index - 1]) { index -= 1 }
        case .byArrival: break
        }
        rows.insert(row, at: index)
    }

    /// Updates ``cached`` to the newest `limit` rows; returns the ids to delete from disk and the rows to write.
    ///
    /// If `newest` is given, only rows whose ids it contains are kept.
    mutating func cache(_ limit: Int, of newest: Set<String>?) -> (removed: [String], added: [Row]) {
        // Rows before a gap are not kept on disk, because a restarted client would not know of the gap.
        let start = gaps.last.flatMap { index(of: $0) } ?? rows.startIndex
        let kept = rows[start...].suffix(limit)
        guard let newest else { return cache(kept) }
        return cache(kept.filter { newest.contains($0.id) }[...])
    }

    /// Updates ``cached`` to `kept` and returns the difference.
    private mutating func cache(_ kept: ArraySlice<Row>) -> (removed: [String], added: [Row]) {
        // Most updates change nothing, or append a row and drop the oldest one. The rows common to both lists are
        // skipped first, so that the sets below need to compare only the remaining rows.
        let start = cached.firstIndex { $0 == kept.first?.id } ?? cached.endIndex
        var same = 0
        while start + same < cached.count, same < kept.count, cached[start + same] == kept[kept.startIndex + same].id {
            same += 1
        }
        guard start > 0 || same < max(cached.count, kept.count) else { return ([], []) }
        var removed = Array(cached[..<start] + cached[(start + same)...])
        var added = Array(kept.dropFirst(same))
        if !removed.isEmpty, !added.isEmpty {
            let (before, after) = (Set(removed), Set(added.map(\.id)))
            removed.removeAll(where: after.contains)
            added.removeAll { before.contains($0.id) }
        }
        cached = kept.map(\.id)
        return (removed, added)
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

    /// Removes all rows whose id is not in `ids`, and returns the removed rows.
    mutating func keep(only ids: Set<String>) -> [Row] {
        let removed = rows.filter { !ids.contains($0.id) }
        rows.removeAll { !ids.contains($0.id) }
        return removed
    }

    mutating func wipe() {
        rows = []
        gaps = []
    }

    private func index(of id: String) -> Int? { rows.lastIndex { $0.id == id } }

    /// Records that no messages are missing among the rows in `ids`, or between these and the row `end`.
    ///
    /// A nil `end` means the end of the list. `isApart` returns whether messages may be missing between the oldest of
    /// these rows and the row before it.
    mutating func join(_ ids: Set<String>, before end: String?, isApart: (_ older: Row, _ oldest: Row) -> Bool) {
        let last = end.flatMap { index(of: $0) } ?? rows.endIndex
        guard let first = rows.firstIndex(where: { ids.contains($0.id) }) else {
            // An empty page means that no message precedes `end`.
            if ids.isEmpty { gaps.removeAll { $0 == end } }
            return
        }
        let places = gaps.compactMap { gap in index(of: gap).map { (gap, $0) } }
        let isGap = first > 0 && isApart(rows[first - 1], rows[first])
        gaps =
            places.filter { $0.1 <= first }.map(\.0) + (isGap ? [rows[first].id] : [])
            + places.filter { $0.1 > last }.map(\.0)
    }

    /// Removes the rows before the newest gap, and returns them.
    mutating func dropBeforeGap() -> [Row] {
        guard let gap = gaps.last, let index = index(of: gap) else { return [] }
        defer { rows.removeFirst(index) }
        gaps = []
        return Array(rows[..<index])
    }

    mutating func removeStreams(_ ids: Set<String>) {
        streams.removeAll(where: ids.contains)
    }

    func hasStream(of ids: Set<String>) -> Bool { streams.contains(where: ids.contains) }
}
