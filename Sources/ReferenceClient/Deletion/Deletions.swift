import ChatWire
import SquallCore

/// Owns what the user has deleted until the server has agreed: shown at once, undone for a while, never lost, and taken back
/// where the server refuses.
///
/// A deletion goes to disk when it is confirmed, and to the server when it cannot be undone any more: what can be undone has
/// not been sent. A repeat does no harm.
struct Deletions {
    private struct Entry {
        let key: String
        /// The server's.
        let id: String
        let place: Int64
        /// Who has deleted it, where that is another than the client is called: nobody else may for them.
        var owner: String?
        /// Until when the user may undo it; nil once that is over.
        var undoUntil: Instant?
        var isStored = false
        var isAsked = false
    }

    private let rules: Rules
    private var policy: DeletionPolicy { rules.policy.deletion }
    private var entries: [Entry] = []
    /// What others have deleted who are not signed in: it waits for them.
    private var others: [Entry] = []
    /// Who deletes; nil for nobody.
    private var user: String?
    private var places: Int64 = 0
    /// Until when a request that failed is not repeated.
    private var heldUntil: Instant?
    /// The messages that the user is asked about.
    private(set) var asked: [String] = []
    /// The message whose menu is open.
    private(set) var menu: String?
    /// Messages whose menu was ever open.
    private(set) var menus: [String] = []
    /// Messages that the user has ever deleted, whatever became of it.
    private var known: Set<String> = []

    init(_ rules: Rules, store: StoreImage, user: String?) {
        self.rules = rules
        for entry in store.entries where entry.key.hasPrefix(Self.storePrefix) {
            guard let place = entry.value["place"]?.intValue, let key = entry.value["key"]?.stringValue,
                let id = entry.value["id"]?.stringValue
            else { continue }
            let owner = entry.value["owner"]?.stringValue
            entries.append(Entry(key: key, id: id, place: place, owner: owner, undoUntil: nil, isStored: true))
            places = max(places, place)
        }
        signedIn(user)
    }

    /// Somebody else deletes from now on, or nobody. Who goes has no time left to undo anything.
    mutating func signedIn(_ user: String?) {
        self.user = user
        for place in entries.indices {
            entries[place].undoUntil = nil
            entries[place].isAsked = false
        }
        let all = (others + entries).sorted { $0.place < $1.place }
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

    /// Whether the message looks deleted although the server has not agreed yet.
    func hides(_ key: String) -> Bool {
        policy.shown == .atOnce && entries.contains { $0.key == key }
    }

    func canUndo(_ key: String) -> Bool { entries.contains { $0.key == key && $0.undoUntil != nil } }

    var deadline: Instant? {
        entries.reduce(heldUntil) { first, entry in first.or(sooner: entry.undoUntil) }
    }

    mutating func timer(_ step: inout Step) {
        if let until = heldUntil, until <= step.now { heldUntil = nil }
        for place in entries.indices {
            guard let until = entries[place].undoUntil, until <= step.now else { continue }
            entries[place].undoUntil = nil
            step.touch(entries[place].key)
        }
    }

    // MARK: - From the user

    mutating func openMenu(_ key: String, _ step: inout Step) {
        menu = key
        if !menus.contains(key) { menus.append(key) }
        step.changes.insert(.deletions)
    }

    /// Asks whether that is meant; nothing has happened yet.
    mutating func ask(_ keys: [String], _ step: inout Step) {
        menu = nil
        asked = keys
        step.changes.insert(.deletions)
    }

    mutating func cancel(_ step: inout Step) {
        _ = takeAsked(&step)
    }

    /// What the user was asked about; the question is over.
    mutating func takeAsked(_ step: inout Step) -> [String] {
        defer { asked = [] }
        step.changes.insert(.deletions)
        return asked
    }

    /// A message is to be deleted; `id` is the server's for it.
    mutating func begin(_ key: String, id: String, isConnected: Bool, _ step: inout Step) {
        guard !entries.contains(where: { $0.key == key }) else { return }
        known.insert(key)
        step.log("client.delete.began", key: key)
        step.touch(key)
        guard isConnected || policy.offline == .queues else {
            step.emit(.deletedHere(key))
            return
        }
        places += 1
        let span = rules.profile.delete.undoFor
        // Who was never named needs no name on disk.
        let owner = user == rules.id.name ? nil : user
        let undoUntil = span > .zero ? step.now + span : nil
        let entry = Entry(key: key, id: id, place: places, owner: owner, undoUntil: undoUntil)
        var stored: JSON = ["place": .integer(entry.place), "key": .string(key), "id": .string(id)]
        if let owner { stored.set("owner", to: .string(owner)) }
        step.store(storeKey(entry), stored)
        step.onceStored(.deletion(key))
        entries.append(entry)
    }

    /// Nothing of it has left: it is as if it had never been.
    mutating func undo(_ key: String, _ step: inout Step) {
        guard canUndo(key) else { return }
        remove(key, &step)
        step.log("client.delete.undone", key: key)
    }

    mutating func stored(_ key: String) {
        if let place = others.firstIndex(where: { $0.key == key }) { others[place].isStored = true }
        guard let place = entries.firstIndex(where: { $0.key == key }) else { return }
        entries[place].isStored = true
    }

    // MARK: - To the server and from it

    /// One at a time, in the order in which the user deleted.
    mutating func flush(isConnected: Bool, _ step: inout Step) {
        guard isConnected, heldUntil == nil, !entries.contains(where: \.isAsked),
            let place = entries.firstIndex(where: { $0.undoUntil == nil && $0.isStored })
        else { return }
        entries[place].isAsked = true
        step.emit(.ask(.delete(key: entries[place].key, id: entries[place].id)))
    }

    mutating func agreed(_ key: String, _ step: inout Step) {
        remove(key, &step)
        step.log("client.delete.ended", key: key, ["ok": true])
    }

    /// `status` is what the server answered; nil where no answer came.
    ///
    /// True where it refuses for good.
    mutating func unanswered(_ key: String, status: Int?, _ step: inout Step) -> Bool {
        guard let place = entries.firstIndex(where: { $0.key == key }) else { return false }
        guard let status, ChatStatus.isFinal(status) else {
            entries[place].isAsked = false
            heldUntil = step.now + max(rules.profile.delete.retry, .milliseconds(1))
            return false
        }
        remove(key, &step)
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

    // MARK: - On disk

    static let storePrefix = "deletions/"

    /// Ascends as text as the places do.
    private func storeKey(_ entry: Entry) -> String {
        let digits = String(entry.place)
        return Self.storePrefix + String(repeating: "0", count: max(0, 10 - digits.count)) + digits
    }
}

extension Deletions {
    static let registry: [RegistryEntry] = [
        .observable("menu.actions", .list, key: "message", "What the message's menu offers; empty when it is closed."),
        .observable(
            "menu.explanation",
            .text,
            key: "message",
            "What the menu says of the message's status; null when it is closed."
        ),
        .observable("dialog.text", .text, "What the user is asked; null for nothing."),
        .observable("dialog.actions", .list, "What the dialog's buttons say; empty without a dialog."),
        .observable("dialog.tone", .words(Tone.self), "Its colour; null without a dialog."),
        .observable("deletions.pending", .integer, "Deletions of the user that the server has not agreed to."),
        .observable("message.deleted", .flag, key: "message", "Whether only its place is left."),
        .observable("message.undo_available", .flag, key: "message", "Whether its deletion can be undone."),
        .observable(
            "message.kind",
            .words(MessageKind.self),
            key: "message",
            "What it shows, where that is not, or was not always, text alone."
        ),
        .event("client.delete.began", key: "message", "The user has confirmed that the message shall be deleted."),
        .event("client.delete.undone", key: "message", "The user has thought better of it, in time."),
        .event(
            "client.delete.ended",
            [.flag("ok")],
            key: "message",
            "The server has deleted the message, or has refused, and the message is shown again."
        ),
    ]
}

/// What `message.kind` shows.
enum MessageKind: String, CaseIterable {
    case text, image, unsupported, deleted
}
