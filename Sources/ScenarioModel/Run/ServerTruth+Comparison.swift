import ChatWire
import FakeServer
import ReferenceClient
import SquallCore
import TemporalLogic
import Trace

/// Compares the state that one client shows with the state that the server has stored.
///
/// Only observables that have a value are compared.
struct Comparison {
    let truth: ServerTruth
    let shown: ObservedState
    let client: ClientID
    /// Whether the texts that the client shows must equal those that the server stores. False if the client limits the
    /// size of messages, or if the network has changed bytes.
    let showsWholeTexts: Bool
    /// Whether the network has changed bytes. The protocol cannot detect this, because it has no checksums.
    let wasCorrupted: Bool
    /// Whether the client must still wait before it sends its queued messages, because of the server's rate limit.
    let isRateLimited: Bool
    /// The values that the client showed when it agreed with the server and was killed; nil until then.
    let beforeRestart: ObservedState?
    let isFirstProcess: Bool
    /// Whether the client's current process has opened its list of conversations; values from an earlier process are
    /// obsolete.
    let hasList: Bool
    /// Whether the client's last request for a page of messages has failed.
    let hasFailedPage: Bool
    /// Returns whether the client's current process has shown an observable, such as `unread[anna]`, for its current
    /// user.
    let isCurrent: (String) -> Bool
    /// Whether client and server must agree on unread counts.
    ///
    /// This requires read receipts in the protocol, because otherwise the server does not learn what was read. The
    /// protocol must also inform the client of its user's id, because otherwise the client would count messages from
    /// the user's other devices as unread.
    let agreesOnUnread: Bool
    /// Whether the server's frames inform the client of changes in other users' presence.
    var learnsPresence = true
    /// The keys whose latest values may be missing from the client's disk.
    let lostKeys: Set<String>
    /// Whether the server has stored messages without sending them, and nothing has informed the client of them since.
    let hasUnannounced: Bool
    /// Converts a message's id to its key in the trace, which is the message's label or, without a label, its id. The
    /// conversion is necessary because a client may have shown the message before the message got its label.
    var name: (String) -> String = { $0 }

    /// Returns whether a client can be compared. A client whose user must act before it can connect cannot be compared.
    static func isPossible(_ client: ClientID, in shown: ObservedState) -> Bool {
        switch shown.text("connection.state", of: client) {
        case "idle"?, "auth_required"?, "unavailable"?, "captive_portal"?, nil: false
        default: true
        }
    }

    /// Returns the differences, most important first; nil if this client cannot be compared.
    func differences() -> [String]? {
        guard Self.isPossible(client, in: shown) else { return nil }
        switch shown.text("connection.state", of: client) {
        // If frames were changed in transit, the stored data on either side can be arbitrary, so do not compare it.
        case "connected"?, "degraded"?:
            return wasCorrupted ? underWay : underWay + messages + unread + people + surfaces
        case let state: return ["connection.state is \(state ?? "unknown"); expected connected or degraded"]
        }
    }

    /// The differences in the push token, the banner, and activities that should have finished by now.
    private var underWay: [String] {
        var found: [String] = []
        for flag in ["sync.in_flight", "refresh.in_flight", "history.in_flight", "app.signing_out"]
        where shown[flag, nil, client]?.boolValue == true {
            found.append("\(flag) is true; expected false")
        }
        if isCurrent("view.phase"), let phase = shown.text("view.phase", of: client),
            phase == "loading" || phase == "skeleton" && shown.text("view.conversation", of: client) != nil
        {
            found.append("view.phase is \(phase)")
        }
        // A deep link that could not be opened because the server was unreachable stays pending until the user tries
        // again.
        if isCurrent("deep_link.pending"), let target = shown.text("deep_link.pending", of: client),
            shown.text("deep_link.error", of: client) == nil
        {
            found.append("deep_link.pending is \(target); expected null")
        }
        if isCurrent("deletions.pending"), let count = shown["deletions.pending", nil, client]?.intValue, count > 0 {
            found.append("deletions.pending is \(count); expected 0")
        }
        if let state = shown.text("push_token.state", of: client), ["saving", "waiting"].contains(state) {
            found.append("push_token.state is \(state)")
        }
        if shown.text("push_token.state", of: client) == "saved", truth.pushToken == nil,
            !truth.hasLostState
        {
            found.append("push_token.state is saved, and the server has no token of the device")
        }
        if let kind = shown.text("banner.kind", of: client), Self.ofConnection.contains(kind),
            shown.text("connection.state", of: client) == "connected"
        {
            found.append("banner.kind is \(kind), and connection.state is connected")
        }
        return found
    }

    /// The kinds of banner that are shown while there is no connection.
    private static let ofConnection = ["reconnecting", "polling", "offline", "captive_portal", "unavailable"]

    private var messages: [String] {
        truth.conversations.flatMap { conversation -> [String] in
            let keys = listed(conversation.id)
            let stored = conversation.messages.map(\.key)
            let held = Set(stored)
            var found: [String] = []
            // Messages that only the client shows are compared only if its current process has shown them, because a
            // message that was not on disk when the process ended is lost. They are not compared if frames were changed
            // in transit, because the server may have stored the message under another id. Failed messages are
            // excluded, because only the user can send them again.
            let others =
                isCurrent("conversation.messages[\(conversation.id)]") && showsWholeTexts
                ? keys.filter { !held.contains($0) } : []
            for key in others where status(of: key) != "failed" && !(isRateLimited && status(of: key) == "queued") {
                found.append(
                    "conversation.messages[\(conversation.id)] shows \(key), which the server does not hold, with "
                        + "message.status \(status(of: key) ?? "none")"
                )
            }
            let listed = keys.filter(held.contains)
            // A client may lack messages that are older than all loaded ones. If the server's clock was set back, the
            // missing messages are not necessarily the first in the list, so only the order is compared.
            let isInOrder = zip(conversation.messages, conversation.messages.dropFirst())
                .allSatisfy { $0.sequence <= $1.sequence }
            let expected =
                !isInOrder || hasUnannounced ? stored.filter(listed.contains) : Array(stored.suffix(listed.count))
            // An empty list agrees with any history, so check only that the client does not report the history itself
            // as empty.
            if keys.isEmpty, !stored.isEmpty, !hasUnannounced, isCurrent("view.phase"),
                shown.text("view.conversation", of: client) == conversation.id,
                shown.text("view.phase", of: client) == "empty"
            {
                found.append("view.phase is empty; the server holds \(stored.suffix(12)) in \(conversation.id)")
            }
            // After a sign-in, the only message that the client knows in a conversation may be an unsent one from the
            // user's earlier session, until the conversation is opened.
            let isOnlyOwn = conversation.messages.allSatisfy { $0.sender == truth.user || !listed.contains($0.key) }
            let isShown = isCurrent("conversation.messages[\(conversation.id)]")
            if listed != expected, isFirstProcess || isShown && !isOnlyOwn {
                found.append(
                    "conversation.messages[\(conversation.id)] is \(listed.suffix(12)); the server holds "
                        + "\(expected.suffix(12))"
                )
            }
            for message in conversation.messages {
                let key = message.key
                guard listed.contains(key) else { continue }
                found += unfinished(key)
                // A client that missed a confirmation learns on its next connection that the message was stored. The
                // status of messages from other users of the device is not compared.
                if message.sender == truth.user, let status = status(of: key),
                    ["queued", "sending"].contains(status) || status == "failed" && beforeRestart != nil
                {
                    found.append("message.status[\(key)] is \(status), and the server holds the message")
                }
                if showsWholeTexts, let text = shown.text("message.text", key, of: client), let stored = message.text,
                    text != stored
                {
                    found.append("message.text[\(key)] is \(text); the server holds \(stored)")
                }
            }
            return found
        }
    }

    /// Describes the parts of a message that the client still shows as in progress, although the server has stored the
    /// whole message.
    private func unfinished(_ key: String) -> [String] {
        var found: [String] = []
        if shown.text("image.state", key, of: client) == "loading", isCurrent("image.state[\(key)]") {
            found.append("image.state[\(key)] is loading")
        }
        if let text = shown.text("stream.text", key, of: client), isCurrent("stream.text[\(key)]") {
            found.append("stream.text[\(key)] is \(text), and the server holds the message")
        }
        return found
    }

    private func status(of key: String) -> String? { shown.text("message.status", key, of: client) }

    /// The differences in unread counts. A client that has fetched the server's counts shows them; any other client
    /// counts the messages that it has loaded.
    private var unread: [String] {
        // Read receipts are sent over the WebSocket. A client in polling mode (`degraded`) has no WebSocket.
        guard agreesOnUnread, !hasUnannounced, shown.text("connection.state", of: client) != "degraded" else {
            return []
        }
        return truth.conversations.compactMap { conversation in
            guard let count = shown["unread", conversation.id, client]?.intValue, count != conversation.unread,
                !hasLostWrites(of: conversation.id)
            else { return nil }
            // A page that failed to load is not requested again until the next connection or until the user asks for
            // it, so its messages may be missing from the count until then.
            guard !hasFailedPage || shown.text("view.conversation", of: client) != conversation.id else { return nil }
            let listed = Set(listed(conversation.id))
            // Before a client has opened the list of conversations, it cannot know which messages from before its first
            // connection have been read.
            func mayBe(_ messages: [ServerTruth.Message]) -> Bool {
                (Int64(messages.count { !$0.isOld })...Int64(messages.count)).contains(count)
            }
            let unread = conversation.messages.filter(\.isUnread)
            if !hasList, mayBe(unread) || mayBe(unread.filter { listed.contains($0.key) }) {
                return nil
            }
            // After a restart, the client restores the count, but does not load the counted messages until the user
            // views them.
            guard hasList || beforeRestart?["unread", conversation.id, client]?.intValue != count else { return nil }
            return "unread[\(conversation.id)] is \(count); the server counts \(conversation.unread)"
        }
    }

    /// The differences between two elements on the screen that should agree.
    private var surfaces: [String] {
        var found: [String] = []
        if !truth.hasForgotten, let badge = shown["badge.app", nil, client]?.intValue {
            // If only an earlier process has shown a count, the count may not have been on disk when that process was
            // killed.
            let sure = truth.conversations.filter { isCurrent("unread[\($0.id)]") }.reduce(0) { $0 + unread(of: $1.id) }
            let sum = truth.conversations.reduce(0) { $0 + unread(of: $1.id) }
            let mayDiffer = truth.conversations.contains { hasLostWrites(of: $0.id) }
            if !mayDiffer, badge != sum, isFirstProcess || badge < sure || badge > sum {
                found.append("badge.app is \(badge); the unread messages shown are \(sum)")
            }
        }
        if let open = shown.text("view.conversation", of: client) {
            // An open conversation is not always visible, so compare `app.viewing` only if it has a value.
            if isCurrent("app.viewing"), let viewed = shown.text("app.viewing", of: client), viewed != open {
                found.append("app.viewing is \(viewed); view.conversation is \(open)")
            }
        }
        if let presence = HeaderPresence({ shown.text($0, $1, of: client) }), presence.isContradiction,
            isCurrent("header.presence"), isCurrent("peer.presence[\(presence.user)]")
        {
            found.append(
                "header.presence is \(presence.inHeader); peer.presence[\(presence.user)] is \(presence.ofUser)"
            )
        }
        return found + list
    }

    /// The differences in the list of conversations, which is compared only after it has been opened.
    private var list: [String] {
        guard hasList, let items = shown["list.conversations", nil, client]?.arrayValue else { return [] }
        var found: [String] = []
        let listed = items.compactMap(\.stringValue)
        let written = truth.conversations.filter { conversation in
            !conversation.messages.isEmpty && listed.contains(conversation.id)
                && !hasUnsent(conversation)
        }
        let expected = written.sorted {
            ($1.messages.last?.timestamp ?? 0, $0.id) < ($0.messages.last?.timestamp ?? 0, $1.id)
        }
        let order = listed.filter { name in written.contains { $0.id == name } }
        if order != expected.map(\.id) {
            found.append("list.conversations is \(order); by newest message it is \(expected.map(\.id))")
        }
        for conversation in written {
            let name = conversation.id
            let newest = conversation.messages.last
            // The server stores no text for a deleted message. Each client chooses its own placeholder text, which must
            // be the same in the list and in the conversation.
            let bubble = newest.flatMap { shown.text("message.text", $0.key, of: client) }
            if showsWholeTexts, !hasUnannounced, let text = newest?.text ?? bubble,
                let preview = shown.text("list.preview", name, of: client), preview != text
            {
                found.append("list.preview[\(name)] is \(preview); the newest message is \(text)")
            }
            let isMarked = shown.text("badge.text", name, of: client) != nil
            if let count = shown["unread", name, client]?.intValue, (count > 0) != isMarked {
                found.append("badge.text[\(name)] is \(isMarked ? "shown" : "null"), and unread[\(name)] is \(count)")
            }
        }
        return found
    }

    /// Returns whether the newest message that the client shows may be a failed message, which only the client has.
    private func hasUnsent(_ conversation: ServerTruth.Conversation) -> Bool {
        let held = Set(conversation.messages.map(\.key))
        return listed(conversation.id).contains { !held.contains($0) && status(of: $0) == "failed" }
    }

    /// Returns whether the client's disk may lack a conversation's latest unread count, read position or message,
    /// because the disk was full.
    private func hasLostWrites(of conversation: String) -> Bool {
        lostKeys.contains { $0.split(separator: "/").dropFirst().contains { $0 == conversation } }
    }

    private func unread(of conversation: String) -> Int64 { shown["unread", conversation, client]?.intValue ?? 0 }

    private func listed(_ conversation: String) -> [String] {
        (shown["conversation.messages", conversation, client]?.arrayValue ?? []).compactMap { $0.stringValue.map(name) }
    }

    private var people: [String] {
        // A process that has not opened the list of conversations has not requested presence, and values from an
        // earlier process are obsolete.
        guard learnsPresence, hasList || isFirstProcess else { return [] }
        return truth.presence.sorted { $0.key < $1.key }.compactMap { user, status in
            guard let presence = shown.text("peer.presence", user, of: client), presence != status.rawValue,
                // With `last_seen`, the client itself shows that the presence may be outdated.
                presence != "last_seen"
            else { return nil }
            return "peer.presence[\(user)] is \(presence); the server has \(status.rawValue)"
        }
    }
}

extension ObservedState {
    fileprivate subscript(name: String, key: String?, client: ClientID) -> JSON? {
        self[ObservedName(client: client, name: name, key: key)]
    }

    fileprivate func text(_ name: String, _ key: String? = nil, of client: ClientID) -> String? {
        self[name, key, client]?.stringValue
    }
}
