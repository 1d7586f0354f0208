import SquallCore

// Derives the observables for the scroll position, and for the parts of the screen around the messages, from the state
// of the client's components.

/// The values from which the observables for the parts of the screen around the messages are derived; if the values
/// have not changed, nothing is reported.
struct ScreenLook: Equatable {
    let open: String?
    /// The conversation about to be opened from a tapped notification; nil if there is none.
    let target: String?
    let phase: ViewPhase
    let isStale: Bool
    let version: Int
    /// The partner in an empty conversation; nil if the conversation is not empty or the partner is unknown.
    let partner: Partner?

    struct Partner: Equatable {
        let presence: Presence
        let lastSeen: String?
        let about: String?
    }
}

/// The values of the observable `view.phase`.
enum ViewPhase: String, CaseIterable {
    case skeleton, rows, empty, error
}

extension Client {
    /// The rows of the previous conversation while they are still displayed; nil otherwise.
    var staleRows: [String]? {
        mutating get {
            guard !screen.kept.isEmpty, let open = conversations.open else { return nil }
            let conversation = conversations[open]
            return conversation.isEmpty && conversation.load == .loading ? screen.kept : nil
        }
    }

    /// The phase of the screen: `empty` only if the conversation is known to have no messages.
    var viewPhase: ViewPhase {
        mutating get {
            guard let open = conversations.open else {
                // A conversation is about to be opened from a tapped notification.
                if deepLink.isLooking { return loadingPhase }
                return switch screen.list {
                case .notAsked, .asked: loadingPhase
                case .here: .empty
                case .failed: .error
                }
            }
            let conversation = conversations[open]
            guard conversation.isEmpty else { return .rows }
            if deepLink.isLooking { return loadingPhase }
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
        let partner = phase == .empty ? partnerLook(in: open, &step) : nil
        let look = ScreenLook(
            open: open,
            target: deepLink.lookedUp,
            phase: phase,
            isStale: staleRows != nil && rules.policy.screen.keptRows == .areDimmed,
            version: screen.version,
            partner: partner
        )
        guard display.isNew(look) else { return }
        display.show("view.phase", phase.rawValue, &step)
        // This observable is reported in every run, even if it is null, because the loading text may be displayed from
        // the start, before any rows.
        let isLoading = phase == .skeleton || look.target != nil
        display.show("view.loading_text", isLoading ? loadingText(open) : nil, &step)
        display.showOnceSet("view.header_name", open.map { screen.name(of: $0) }, &step)
        if look.isStale || display.hasShown("view.stale") { display.show("view.stale", .bool(look.isStale), &step) }
        if screen.isComposing { display.show("composer.text", screen.draft(of: open), &step) }
        showEmptyState(phase == .empty && open != nil, partner, &step)
    }

    private func loadingText(_ open: String?) -> String {
        let target = deepLink.lookedUp
        let isNamed = target == nil || rules.policy.shown.loadingText == .namesTheTarget
        guard isNamed, let conversation = target ?? open else { return rules.profile.text.loading.first }
        return rules.profile.text.loading.conversation.filling("name", with: screen.name(of: conversation))
    }

    /// Updates the empty state; its observables are not reported before the first empty conversation.
    private mutating func showEmptyState(_ isEmpty: Bool, _ partner: ScreenLook.Partner?, _ step: inout Step) {
        guard isEmpty || display.hasShown("view.empty_text") else { return }
        let text = isEmpty ? screen.emptyText(isPartnerKnown: partner != nil) : nil
        display.show("view.empty_text", text, &step)
        display.show("view.suggestions", list: isEmpty ? screen.suggestions : [], &step)
        guard partner != nil || display.hasShown("view.partner_status") else { return }
        display.show("view.partner_status", partner?.presence.rawValue, &step)
        display.show("view.partner_last_seen", partner?.lastSeen, &step)
        display.show("view.partner_about", partner?.about, &step)
    }

    private mutating func partnerLook(in conversation: String?, _ step: inout Step) -> ScreenLook.Partner? {
        guard screen.showsPartners, let conversation, let user = partner(of: conversation) else { return nil }
        let presence = people.presence(of: user)
        return ScreenLook.Partner(
            presence: presence,
            lastSeen: lastSeen(user, presence, &step),
            about: people.about[user]
        )
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
        guard newMarker.place != nil || display.hasShown("new_marker.count") else { return }
        display.show("new_marker.before", newMarker.place?.key, &step)
        display.show("new_marker.count", count: newMarker.place?.count ?? 0, &step)
    }
}
