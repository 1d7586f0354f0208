import ChatWire
import SquallCore

/// Owns the user's deletions until the server has confirmed or rejected them.
///
/// A deletion is displayed immediately, and reverted if the server rejects it. It is written to disk when the user
/// confirms the dialog, and sent once it can no longer be undone. The request may be repeated, because deleting a
/// message twice has no further effect.
struct Deletions {
    private struct Entry {
        let key: String
        /// The message's server-assigned ID.
        let id: String
        /// The deletion's position among all deletions, from which its key on disk is derived.
        let orderNumber: Int64
        /// The user who deleted the message; nil for the default user, who has the client's name.
        ///
        /// The request is sent only while this user is signed in.
        var owner: String?
        /// The end of the period in which the deletion can be undone; nil once it has passed.
        var undoUntil: Instant?
        var isStored = false
        var isAsked = false
    }

    private let rules: Rules
    private var policy: DeletionPolicy { rules.policy.deletion }
    private var entries: [Entry] = []
    /// The deletions of users who are not signed in, kept until they sign in again.
    private var others: [Entry] = []
    /// The signed-in user; nil if no user is signed in.
    private var user: String?
    private var lastOrderNumber: Int64 = 0
    /// The earliest time at which a request may be sent after a failed one; nil if requests are not being delayed.
    private var heldUntil: Instant?
    /// The messages that the confirmation dialog asks about; empty if no dialog is open.
    private(set) var asked: [String] = []
    /// The message whose menu is open; nil if no menu is open.
    private(set) var menu: String?
    /// The messages whose menu has been opened.
    private(set) var menus: [String] = []
    /// The messages that the user has ever deleted, including undone and rejected deletions.
    private var known: Set<String> = []

    init(_ rules: Rules, store: StoreImage, user: String?) {
        self.rules = rules
        for entry in store.entries where entry.key.hasPrefix(Self.storePrefix) {
            guard policy.pending == .areLoaded else { break }
            guard let orderNumber = entry.value["place"]?.intValue, let key = entry.value["key"]?.stringValue,
                let id = entry.value["id"]?.stringValue
            else { continue }
            let owner = entry.value["owner"]?.stringValue
            entries.append(
                Entry(key: key, id: id, orderNumber: orderNumber, owner: owner, undoUntil: nil, isStored: true)
            )
            lastOrderNumber = max(lastOrderNumber, orderNumber)
        }
        signedIn(user)
    }

    /// Switches to the deletions of `user`, which is nil if no user is signed in.
    ///
    /// The deletions of the previous user can no longer be undone.
    mutating func signedIn(_ user: String?) {
        self.user = user
        for index in entries.indices {
            entries[index].undoUntil = nil
            entries[index].isAsked = false
        }
        let all = (others + entries).sorted { $0.orderNumber < $1.orderNumber }
        others = all.filter { ($0.owner ?? rules.id.name) != user }
        entries = all.filter { ($0.owner ?? rules.id.name) == user }
        known = Set(entries.map(\.key))
        asked = []
        menu = nil
        menus = []
        heldUntil = nil
    }

    var count: Int { entries.count }
    var wasUsed: Bool { !known.isEmpty }
    func isKnown(_ key: String) -> Bool { known.contains(key) }

    /// Returns whether the message is displayed as deleted although the server has not confirmed the deletion yet.
    func hides(_ key: String) -> Bool {
        policy.shown == .atOnce && entries.contains { $0.key == key }
    }

    func canUndo(_ key: String) -> Bool { entries.contains { $0.key == key && $0.undoUntil != nil } }

    var deadline: Instant? {
        entries.reduce(heldUntil) { first, entry in first.or(sooner: entry.undoUntil) }
    }

    mutating func timer(_ step: inout Step) {
        if let until = heldUntil, until <= step.now { heldUntil = nil }
        for index in entries.indices {
            guard let until = entries[index].undoUntil, until <= step.now else { continue }
            entries[index].undoUntil = nil
            step.touch(entries[index].key)
        }
    }

    // MARK: - From the user

    mutating func openMenu(_ key: String, _ step: inout Step) {
        menu = key
        if !menus.contains(key) { menus.append(key) }
        step.changes.insert(.deletions)
    }

    /// Opens the dialog that asks the user to confirm the deletion of these messages.
    mutating func ask(_ keys: [String], _ step: inout Step) {
        menu = nil
        asked = keys
        step.changes.insert(.deletions)
    }

    mutating func cancel(_ step: inout Step) {
        _ = takeAsked(&step)
    }

    /// Closes the dialog and returns the messages that it asked about.
    mutating func takeAsked(_ step: inout Step) -> [String] {
        defer { asked = [] }
        step.changes.insert(.deletions)
        return asked
    }

    /// Begins the deletion of a message; `id` is its server-assigned ID.
    mutating func begin(_ key: String, id: String, isConnected: Bool, _ step: inout Step) {
        guard !entries.contains(where: { $0.key == key }) else { return }
        known.insert(key)
        step.log("client.delete.began", key: key)
        step.touch(key)
        guard isConnected || policy.offline == .queues else {
            step.emit(.deletedHere(key))
            return
        }
        lastOrderNumber += 1
        let span = policy.undo == .withdrawsForADay ? .seconds(86_400) : rules.profile.delete.undoFor
        // The default user, who has the client's name, is not stored.
        let owner = user == rules.id.name ? nil : user
        let undoUntil = span > .zero ? step.now + span : nil
        let entry = Entry(key: key, id: id, orderNumber: lastOrderNumber, owner: owner, undoUntil: undoUntil)
        var stored: JSON = ["place": .integer(entry.orderNumber), "key": .string(key), "id": .string(id)]
        if let owner { stored.set("owner", to: .string(owner)) }
        step.store(storeKey(entry), stored)
        step.onceStored(.deletion(key))
        entries.append(entry)
    }

    /// Undoes a deletion that has not been sent yet.
    mutating func undo(_ key: String, _ step: inout Step) {
        guard canUndo(key), policy.undo != .isIgnored else { return }
        remove(key, &step)
        step.log("client.delete.undone", key: key)
    }

    /// Marks the deletion as written to disk, so that it may be sent.
    mutating func stored(_ key: String) {
        if let index = others.firstIndex(where: { $0.key == key }) { others[index].isStored = true }
        guard let index = entries.firstIndex(where: { $0.key == key }) else { return }
        entries[index].isStored = true
    }

    // MARK: - Requests to the server

    /// Sends the next deletion that can no longer be undone: one request at a time, oldest deletion first.
    mutating func flush(isConnected: Bool, _ step: inout Step) {
        guard isConnected, heldUntil == nil, policy.pace == .allAtOnce || !entries.contains(where: \.isAsked) else {
            return
        }
        for index in entries.indices where entries[index].undoUntil == nil && entries[index].isStored {
            guard !entries[index].isAsked else { continue }
            entries[index].isAsked = true
            step.emit(.ask(.delete(key: entries[index].key, id: entries[index].id)))
            if policy.pace == .oneByOne { return }
        }
    }

    /// Removes a deletion that the server has confirmed.
    mutating func agreed(_ key: String, _ step: inout Step) {
        remove(key, &step)
        step.log("client.delete.ended", key: key, ["ok": true])
    }

    /// Handles a failed request: schedules a retry, or removes the deletion if the server's rejection is final.
    ///
    /// `status` is the HTTP status of the response, or nil if there was no response.
    ///
    /// - Returns: Whether the rejection is final.
    mutating func unanswered(_ key: String, status: Int?, _ step: inout Step) -> Bool {
        guard let index = entries.firstIndex(where: { $0.key == key }) else { return false }
        guard policy.failure == .endsTheDeletion || status.map(ChatStatus.isFinal) == true else {
            entries[index].isAsked = false
            heldUntil = step.now + max(rules.profile.delete.retry, .milliseconds(1))
            return false
        }
        if policy.refusal == .staysDeleted {
            // The deletion is neither sent again, because only stored deletions are, nor undone.
            (entries[index].isAsked, entries[index].isStored) = (false, false)
        } else {
            remove(key, &step)
        }
        step.log("client.delete.ended", key: key, ["ok": false])
        step.emit(.trouble(rules.profile.text.banner.deleteRefused, .change))
        return true
    }

    private mutating func remove(_ key: String, _ step: inout Step) {
        for entry in entries where entry.key == key { step.store(storeKey(entry), nil) }
        entries.removeAll { $0.key == key }
        step.touch(key)
        step.changes.insert(.deletions)
    }

    // MARK: - Storage

    static let storePrefix = "deletions/"

    /// Returns the store key of `entry`. The number in the key is padded with zeros, so that the keys sort in deletion
    /// order.
    private func storeKey(_ entry: Entry) -> String {
        let digits = String(entry.orderNumber)
        return Self.storePrefix + String(repeating: "0", count: max(0, 10 - digits.count)) + digits
    }
}

extension Deletions {
    static let registry: [RegistryEntry] = [
        .observable(
            "menu.actions",
            .list,
            key: "message",
            "The actions in the message's menu; empty while the menu is closed."
        ),
        .observable(
            "menu.explanation",
            .text,
            key: "message",
            "The explanation of the message's status in its menu; null while the menu is closed."
        ),
        .observable("dialog.text", .text, "The question in the dialog; null if there is no dialog."),
        .observable("dialog.actions", .list, "The labels of the dialog's buttons; empty if there is no dialog."),
        .observable("dialog.tone", .words(Tone.self), "The dialog's colour; null if there is no dialog."),
        .observable(
            "deletions.pending",
            .integer,
            "The number of the user's deletions that the server has not confirmed."
        ),
        .observable(
            "message.deleted",
            .flag,
            key: "message",
            "Whether the message is shown as deleted, by a placeholder."
        ),
        .observable(
            "message.undo_available",
            .flag,
            key: "message",
            "Whether the user can still undo the message's deletion."
        ),
        .observable(
            "message.kind",
            .words(MessageKind.self),
            key: "message",
            "The kind of content that the message shows; reported only if it is, or once was, not plain text."
        ),
        .event("client.delete.began", key: "message", "The user has confirmed the deletion of the message."),
        .event("client.delete.undone", key: "message", "The user has undone the deletion of the message."),
        .event(
            "client.delete.ended",
            [.flag("ok")],
            key: "message",
            "The server has confirmed the deletion of a message, or has rejected it, so that the message is shown "
                + "again."
        ),
    ]
}

/// The values of the observable `message.kind`.
enum MessageKind: String, CaseIterable {
    case text, image, unsupported, deleted
}
