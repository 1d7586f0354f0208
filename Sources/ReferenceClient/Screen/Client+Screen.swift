import ChatWire
import Foundations

// The screen as the user meets it: what several concerns do together when he looks elsewhere, scrolls or starts the app;
// and what is shown of it, derived from their state.

extension Client {
    /// Another conversation takes the screen, or the same once more.
    mutating func look(at conversation: String, _ step: inout Step) {
        session.watched = conversation
        if let before = conversations.open, before != conversation {
            let (rows, next) = (conversations[before].keys, conversations[conversation])
            screen.switched(
                from: before,
                to: conversation,
                rows: rows,
                isBlank: next.isEmpty && next.load != .loaded,
                known: conversations.names,
                &step
            )
            scroll.left(before)
            newMarker.clear(&step)
            history.left(&step)
            conversations.left(before)
        }
        unread.opened(conversation, &step)
        people.opened()
        conversations.open(conversation, &step)
        step.changes.insert(.people)
    }

    mutating func scroll(to target: ScrollTarget, _ step: inout Step) {
        guard let open = conversations.open else { return }
        let keys = conversations[open].keys
        history.giveUpSearch(&step)
        switch target {
        case .end:
            scroll.move(to: nil, in: open, because: "user", &step)
            newMarker.clear(&step)
            return
        case .start:
            guard let first = keys.first else { return }
            scroll.move(to: first, in: open, because: "user", &step)
        case .message(let name):
            guard let key = conversations.key(of: name), keys.contains(key) else { return }
            scroll.move(to: key, in: open, because: "user", &step)
        }
        if scroll.anchor(of: open) == keys.first {
            history.reachedTop(of: open, oldest: conversations[open].rows.first?.id, &step)
        }
    }

    mutating func loadEarlier(_ step: inout Step) {
        guard let open = conversations.open else { return }
        history.load(open, before: conversations[open].rows.first?.id, &step)
    }

    /// A message has come that the client did not have: what that is to the reader of the open conversation.
    mutating func grew(by id: String, via arrival: Arrival, _ step: inout Step) {
        guard let key = conversations.key(of: id), let message = conversations.messages[key],
            message.conversation == conversations.open
        else { return }
        let isAtEnd = scroll.isAtEnd(message.conversation)
        scroll.came(into: message.conversation, via: arrival)
        guard !message.isOwn else { return }
        newMarker.came(message.key, into: message.conversation, via: arrival, isBelow: !isAtEnd, &step)
    }

    /// A page of older messages is here, or will not come (`nil`).
    mutating func endEarlier(_ conversation: String, _ page: (hasMore: Bool, added: Int)?, _ step: inout Step) {
        history.pageEnded(conversation, page, oldest: conversations[conversation].rows.first?.id, &step)
        goOnSeeking(&step)
    }

    /// The list of partners is here, or will not come (`nil`).
    mutating func listed(_ agents: AgentList?, _ step: inout Step) {
        let messagesWaited = !screen.letsMessagesLoad
        // Where a tapped notification leads is looked at next.
        screen.listed(agents, isOpen: conversations.open != nil || deepLink.pending != nil, &step)
        if messagesWaited { conversations.loadMissingHistory(&step) }
    }

    // MARK: - The search for a message

    /// Looks for a message in the open conversation, page by page, and makes it the first one visible.
    mutating func seek(_ message: String, in conversation: String, _ step: inout Step) {
        history.seek(message, in: conversation, &step)
        goOnSeeking(&step)
    }

    mutating func goOnSeeking(_ step: inout Step) {
        guard let sought = history.sought else { return }
        let conversation = conversations[sought.conversation]
        let key = conversations.key(of: sought.message)
        history.goOn(
            isHere: key.map(conversation.keys.contains) ?? false,
            conversation.load,
            oldest: conversation.rows.first?.id,
            &step
        )
    }

    /// The end of a search; the rows are here where the message was found.
    mutating func sought(_ message: String, in conversation: String, _ end: History.SearchEnd, _ step: inout Step) {
        guard end == .found, let key = conversations.key(of: message) else { return }
        scroll.move(to: key, in: conversation, because: "target", &step)
    }

    // MARK: - The end of a step

    mutating func finishScreen(_ step: inout Step) {
        scroll.finish(&step)
        guard newMarker.isReturning else { return }
        switch connection.phase {
        case .live where !session.isSyncing: newMarker.settled()
        case .polling where !exchanges.isRunning(.catchUp): newMarker.settled()
        default: break
        }
    }
}

// MARK: - What is shown

/// All that what surrounds the messages follows from.
struct ScreenLook: Equatable {
    let open: String?
    let phase: ViewPhase
    let isStale: Bool
    let version: Int
}

/// What `view.phase` shows.
enum ViewPhase: String, CaseIterable {
    case skeleton, rows, empty, error
}

extension Client {
    /// The rows of the conversation before, while they stay.
    var staleRows: [String]? {
        mutating get {
            guard !screen.kept.isEmpty, let open = conversations.open else { return nil }
            let conversation = conversations[open]
            return conversation.isEmpty && conversation.load == .loading ? screen.kept : nil
        }
    }

    /// Empty is said only of what is known to be.
    var viewPhase: ViewPhase {
        mutating get {
            guard let open = conversations.open else {
                // What a notification leads to is about to take the place.
                if deepLink.isLooking { return loadingPhase }
                return switch screen.list {
                case .notAsked, .asked: loadingPhase
                case .here: .empty
                case .failed: .error
                }
            }
            let conversation = conversations[open]
            guard conversation.isEmpty else { return .rows }
            return switch conversation.load {
            case .loaded: .empty
            case .failed: .error
            case .none, .loading: staleRows == nil ? loadingPhase : .rows
            }
        }
    }

    private var loadingPhase: ViewPhase {
        switch rules.policy.shown.loading {
        case .asSkeleton: .skeleton
        case .asEmpty: .empty
        case .asRows: .rows
        }
    }

    mutating func showScreen(_ step: inout Step) {
        let open = conversations.open
        let phase = viewPhase
        let look = ScreenLook(open: open, phase: phase, isStale: staleRows != nil, version: screen.version)
        guard display.isNews(look) else { return }
        display.show("view.phase", phase.rawValue, &step)
        // In every run: what stands on the screen from its first moment is the text, and only then the rows.
        display.show("view.loading_text", phase == .skeleton ? loadingText(open) : nil, &step)
        if open != nil || display.hasShown("view.header_name") {
            display.show("view.header_name", open.map { screen.name(of: $0) }, &step)
        }
        if look.isStale || display.hasShown("view.stale") { display.show("view.stale", .bool(look.isStale), &step) }
        if let text = screen.composed { display.show("composer.text", text, &step) }
        showEmptiness(phase == .empty ? open : nil, &step)
    }

    private func loadingText(_ open: String?) -> String {
        guard let open else { return rules.profile.text.loading.first }
        return rules.profile.text.loading.conversation.filling("name", with: screen.name(of: open))
    }

    /// Told from the first conversation on that is empty.
    private mutating func showEmptiness(_ conversation: String?, _ step: inout Step) {
        guard conversation != nil || display.hasShown("view.empty_text") else { return }
        display.show("view.empty_text", conversation.map { screen.emptyText(of: $0) }, &step)
        display.show("view.suggestions", list: conversation == nil ? [] : screen.suggestions, &step)
        guard !screen.partners.isEmpty else { return }
        let partner = conversation.flatMap { screen.partnerShown(in: $0) }
        display.show("view.partner_status", partner?.status.rawValue, &step)
        display.show("view.partner_last_seen", partner?.lastSeen.map { .integer($0) } ?? .null, &step)
        display.show("view.partner_about", partner?.about, &step)
    }

    mutating func showReading(_ step: inout Step) {
        let open = conversations.open
        if history.isInUse {
            for name in history.conversations {
                display.show("history.has_more", key: name, .bool(history.hasMore(name) ?? false), &step)
            }
            display.show("history.control_text", open.flatMap { history.control(of: $0) }, &step)
            display.show("history.in_flight", .bool(history.loading != nil), &step)
        }
        if scroll.isInUse { display.show("scroll.anchor", open.flatMap { scroll.anchor(of: $0) }, &step) }
        if newMarker.wasShown {
            display.show("new_marker.before", newMarker.place?.key, &step)
            display.show("new_marker.count", .integer(newMarker.place?.count ?? 0), &step)
        }
    }
}
