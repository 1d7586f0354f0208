import SquallCore
import Trace

/// The state of one message according to the trace.
struct MessageFate: Sendable {
    let key: String
    var conversation: String?
    /// The server's sequence number; nil until the server has stored the message.
    var sequence: Int64?
    var storedAt: Instant?
    var storedTimes = 0
    /// Whether a client or the scenario created the message during the run; false for history.
    var isNew = false
    var isAccepted = false
    /// Whether the client shows the message as failed.
    var isFailed = false
    /// The number of times that the message appears in the client's lists.
    var shown = 0
    var shownAt: Instant?
    /// Whether a list contained the message twice at the end of an instant.
    var isDoubled = false
    /// Whether the message was first shown later than the bound allows.
    var isStale = false
    /// Whether the server has lost the message after storing it, and has not stored it again.
    var wasForgotten = false
    /// Whether the network may have altered the frames that carry the message.
    var isTampered = false
    /// Whether the claims of the current interval apply to this message.
    var isInside = false
    var lastEvent = -1

    var isStored: Bool { storedTimes > 0 }
    /// Whether the message must still be stored by the server or shown by the client.
    var isOutstanding: Bool {
        guard isInside else { return false }
        return isNew && isStored ? shown == 0 : isAccepted && !isStored && !isFailed
    }
}

/// Tracks the messages of one conversation, or of all conversations, as the server stores them and one client shows
/// them.
struct MessageLedger: Sendable {
    let client: ClientID?
    /// The conversation whose messages are tracked; nil for all conversations.
    let conversation: String?
    /// The tracked messages, in the order in which the trace first mentions them.
    private(set) var fates: [MessageFate] = []
    /// Each message's index in `fates`, by its key.
    private var places = StringInterner()
    /// The indexes of messages that the trace mentions first by id and later by label, keyed by label.
    private var labels: [String: Int] = [:]
    /// The client's list for each conversation, in the order of `conversations`.
    private var lists: [[JSON]] = []
    private(set) var conversations: [String] = []
    /// The indexes of messages that a list has contained twice during the current instant, even if only temporarily.
    private var suspects: [Int] = []
    private(set) var outstanding = 0
    /// Whether the network is currently altering bytes.
    private var isTampering = false

    private static let newOrigins: [JSON] = ["client", "post"]

    init(of conversation: String?, for client: ClientID?) {
        self.conversation = conversation
        self.client = client
    }

    /// The events that the ledger reads.
    var subscriptions: [EventSubscription] {
        [EventSubscription("server.stored", of: .anyClient), EventSubscription("server.pushed", of: .anyClient)]
            + ["client.accepted", "conversation.messages", "message.status"].map {
                EventSubscription($0, of: .client(client))
            }
    }

    /// The client's list for each conversation, in the order of `conversations`.
    var shownLists: [[MessageFate]] {
        lists.map { $0.compactMap { item in item.stringValue.flatMap { known($0) }.map { fates[$0] } } }
    }

    func fate(of key: String) -> MessageFate? { known(key).map { fates[$0] } }

    /// The key of a message that currently appears twice in a list; nil if there is none.
    var firstDoubled: String? { suspects.first { fates[$0].shown > 1 && !fates[$0].isTampered }.map { fates[$0].key } }

    /// A new message that was never shown, even though its conversation's list shows both an earlier and a later one;
    /// nil if there is none.
    var firstGap: MessageFate? {
        for (list, conversation) in zip(shownLists, conversations) {
            let sequences = list.compactMap(\.sequence)
            guard let lowest = sequences.min(), let highest = sequences.max() else { continue }
            let gap = fates.first { fate in
                guard fate.isNew, fate.conversation == conversation, fate.shownAt == nil, !fate.isTampered,
                    let sequence = fate.sequence
                else { return false }
                return sequence > lowest && sequence < highest
            }
            if let gap { return gap }
        }
        return nil
    }

    /// Observes an event; `isInside` says whether the event is inside an interval.
    ///
    /// - Returns: The index of the message that the event is about, -1 for a change to a list, or nil if the event has
    ///   no effect.
    mutating func observe(_ event: TraceEvent, isInside: Bool) -> Int? {
        switch event.name {
        case "server.stored":
            guard let fields = event.fields, let key = event.key, let place = place(of: key, in: fields["conversation"])
            else { return nil }
            let time = event.time
            change(place, by: event, joins: isInside) { fate in
                // Storing a message again after the server has lost it is not a duplicate.
                if !fate.wasForgotten { fate.storedTimes += 1 }
                fate.wasForgotten = false
                fate.conversation = fate.conversation ?? fields["conversation"]?.stringValue
                fate.sequence = fate.sequence ?? fields["sequence"]?.intValue
                fate.storedAt = fate.storedAt ?? time
                fate.isNew = fate.isNew || fields["origin"].map(Self.newOrigins.contains) ?? true
            }
            return place
        case "server.pushed":
            guard let key = event.key, let id = event.fields?["message_id"]?.stringValue, known(key) == nil,
                let place = known(id)
            else { return nil }
            labels[key] = place
            return nil
        case "client.accepted" where event.client == client:
            guard let fields = event.fields, let key = event.key, let place = place(of: key, in: fields["conversation"])
            else { return nil }
            change(place, by: event, joins: isInside) { $0.isAccepted = true }
            return place
        case "message.status" where event.client == client:
            guard case .set(let status) = event.observation.change, let key = event.key, let place = known(key)
            else { return nil }
            change(place, by: event) { $0.isFailed = status == "failed" }
            return place
        case "conversation.messages" where event.client == client:
            guard let key = event.key, conversation == nil || conversation == key else { return nil }
            edit(key, event, isInside)
            return -1
        default: return nil
        }
    }

    /// Handles the end of the instant: a message that is still in a list twice is recorded as shown twice.
    mutating func settle() {
        guard !suspects.isEmpty else { return }
        for place in suspects where fates[place].shown > 1 { fates[place].isDoubled = true }
        suspects.removeAll { fates[$0].shown <= 1 }
    }

    /// Begins an interval. The claims of the interval apply only to messages that are accepted or stored from now on.
    mutating func reset() {
        for place in fates.indices {
            fates[place].isInside = false
            fates[place].isDoubled = false
            fates[place].isStale = false
            fates[place].storedTimes = min(fates[place].storedTimes, 1)
        }
        outstanding = 0
    }

    /// Records that the server has lost its messages: they no longer have a sequence number, and storing one of them
    /// again is not a duplicate.
    mutating func forget() {
        for place in fates.indices where fates[place].isStored {
            fates[place].wasForgotten = true
            fates[place].sequence = nil
        }
    }

    /// Records whether the network is altering bytes. Messages in transit during that time are excluded from the
    /// checks.
    mutating func networkAltersBytes(_ isTampering: Bool) {
        self.isTampering = isTampering
        guard isTampering else { return }
        for place in fates.indices where fates[place].shown == 0 || !fates[place].isStored {
            fates[place].isTampered = true
        }
    }

    mutating func markStale(_ place: Int) {
        fates[place].isStale = true
    }

    private mutating func place(of key: String, in conversation: JSON?) -> Int? {
        if let wanted = self.conversation, let stated = conversation?.stringValue, stated != wanted { return nil }
        return place(of: key)
    }

    private func known(_ key: String) -> Int? { places.known(key) ?? labels[key] }

    private mutating func place(of key: String) -> Int {
        if let place = labels[key] { return place }
        let place = places.number(of: key)
        if place == fates.count { fates.append(MessageFate(key: key)) }
        return place
    }

    private mutating func change(
        _ place: Int,
        by event: TraceEvent,
        joins: Bool = false,
        _ body: (inout MessageFate) -> Void
    ) {
        let before = fates[place].isOutstanding
        body(&fates[place])
        fates[place].lastEvent = event.index
        if isTampering { fates[place].isTampered = true }
        if joins { fates[place].isInside = true }
        outstanding += (fates[place].isOutstanding ? 1 : 0) - (before ? 1 : 0)
    }

    private mutating func edit(_ key: String, _ event: TraceEvent, _ isInside: Bool) {
        let list = listPlace(of: key)
        let change = event.observation.change
        if case .set(let value) = change {
            let items = value.arrayValue ?? []
            for item in lists[list] { take(item, event) }
            for item in items { show(item, event, isInside) }
            lists[list] = items
            return
        }
        if let gone = lists[list].edit(change) { take(gone, event) }
        switch change {
        case .inserted(let index, let item) where lists[list].indices.contains(index): show(item, event, isInside)
        case .replaced(let index, let item) where lists[list].indices.contains(index): show(item, event, isInside)
        case .happened, .set, .inserted, .replaced, .removed: break
        }
    }

    private mutating func listPlace(of key: String) -> Int {
        if let known = conversations.firstIndex(of: key) { return known }
        conversations.append(key)
        lists.append([])
        return lists.count - 1
    }

    private mutating func show(_ item: JSON, _ event: TraceEvent, _ isInside: Bool) {
        guard let key = item.stringValue else { return }
        let place = place(of: key)
        let isNews = fates[place].shownAt == nil && !fates[place].isStored && !fates[place].isAccepted
        let time = event.time
        change(place, by: event, joins: isInside && isNews) { fate in
            fate.shown += 1
            fate.shownAt = fate.shownAt ?? time
        }
        if fates[place].shown > 1 { suspects.append(place) }
    }

    private mutating func take(_ item: JSON, _ event: TraceEvent) {
        guard let key = item.stringValue, let place = known(key) else { return }
        change(place, by: event) { $0.shown -= 1 }
    }
}
