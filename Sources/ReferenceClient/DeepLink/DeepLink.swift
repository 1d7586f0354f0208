import ChatWire
import SquallCore

/// Where a tapped notification leads: kept until its conversation is on the screen, and no longer.
struct DeepLink {
    /// Why a conversation cannot be shown.
    enum Failure: String, CaseIterable {
        case absent, forbidden, unreachable
    }

    private let rules: Rules
    private var policy: DeepLinkPolicy { rules.policy.deepLink }
    private(set) var pending: MessageTarget?
    /// Whether the pending conversation has been asked for and not answered yet.
    private(set) var isLooking = false
    private(set) var failure: (kind: Failure, text: String)?
    /// Whether a notification was ever tapped; until then nothing of it is shown.
    private(set) var isUsed = false
    /// Whether another screen has to be loaded first. Only a defect waits for that.
    private var waits = false
    /// The target whose conversation is on the screen, while its message is looked for there.
    private(set) var sought: MessageTarget?
    /// Whether the search has come to nothing for want of a way to the server.
    private var isSearchOff = false

    init(_ rules: Rules) {
        self.rules = rules
    }

    /// Whether the screen that the app would begin with is left out for the target's.
    var replacesStart: Bool { policy.start == .takesTheFirstPlace }

    /// The last tap wins: where another one was to lead does not matter any more.
    ///
    /// `isBusy` while the screen that is there is being loaded.
    mutating func tapped(
        _ target: MessageTarget,
        isKnown: Bool,
        isBusy: Bool,
        isLaunch: Bool = false,
        _ step: inout Step
    ) {
        giveUp(&step)
        isUsed = true
        pending = target
        waits = policy.start == .waitsForTheUsual && isBusy
        guard policy.following == .atOnce || isLaunch, !waits else { return }
        follow(isKnown: isKnown, &step)
    }

    /// A screen appears: the user has gone there.
    ///
    /// What was being looked for is not wanted any more.
    mutating func screenAppears(isKnown: Bool, _ step: inout Step) {
        guard pending != nil else { return }
        guard policy.following == .whenAScreenAppears || policy.afterUse == .isKept else { return giveUp(&step) }
        follow(isKnown: isKnown, &step)
    }

    /// What the screen waited for is here, or will not come.
    mutating func loaded(isKnown: Bool, _ step: inout Step) {
        guard waits, pending != nil else { return }
        waits = false
        follow(isKnown: isKnown, &step)
    }

    private mutating func follow(isKnown: Bool, _ step: inout Step) {
        guard let target = pending else { return }
        if isKnown {
            reached(target, &step)
        } else if policy.unknown == .isFetched {
            isLooking = true
            step.emit(.ask(.conversation(target.conversation)))
        } else {
            pending = nil
        }
    }

    private mutating func reached(_ target: MessageTarget, _ step: inout Step) {
        isLooking = false
        failure = nil
        if policy.afterUse == .isForgotten { pending = nil }
        step.changes.insert(.phone)
        step.log("client.deep_link.opened", ["conversation": .string(target.conversation)])
        step.emit(.follow(target))
    }

    // MARK: - The message

    /// The target's conversation is on the screen: its message is looked for there.
    mutating func arrived(at target: MessageTarget, _ step: inout Step) {
        guard policy.scrolling == .toTheMessage else { return }
        sought = target
        seek(target, &step)
    }

    private mutating func seek(_ target: MessageTarget, _ step: inout Step) {
        isSearchOff = false
        step.emit(.seek(target))
    }

    /// A search is over; true where it has found what was tapped for.
    ///
    /// What could not be looked for is looked for again with the next connection.
    mutating func searchEnded(_ target: MessageTarget, _ end: History.SearchEnd, _ step: inout Step) -> Bool {
        guard sought == target else { return false }
        isSearchOff = end == .failed
        if end != .failed { sought = nil }
        if end == .notThere { step.emit(.trouble(rules.profile.text.deepLink.messageGone, .change)) }
        return end == .found
    }

    /// The user has turned to something else than the message.
    mutating func giveUpSearch() { sought = nil }

    /// The user has gone to a conversation, or to none.
    mutating func turned(to conversation: String?) {
        if sought?.conversation != conversation { giveUpSearch() }
    }

    // MARK: - Conversations that have to be fetched

    /// The answer for a conversation, by its status; nil for none, or none in time.
    mutating func answered(_ conversation: String, status: Int?, _ step: inout Step) {
        guard isLooking, let target = pending, target.conversation == conversation else { return }
        isLooking = false
        step.changes.formUnion([.phone, .screen])
        switch status {
        case .some(200..<300): reached(target, &step)
        case ChatStatus.notFound.rawValue: fail(.absent, "", &step)
        case ChatStatus.forbidden.rawValue, ChatStatus.unauthorized.rawValue: fail(.forbidden, "", &step)
        default: fail(.unreachable, status.map { "status \($0)" } ?? "no answer", &step)
        }
    }

    private mutating func fail(_ kind: Failure, _ reason: String, _ step: inout Step) {
        let texts = rules.profile.text.deepLink
        let kind = policy.errors == .areDistinguished ? kind : .absent
        let text =
            switch kind {
            case .absent: texts.absent
            case .forbidden: texts.forbidden
            case .unreachable: texts.unreachable.filling("reason", with: reason)
            }
        failure = (kind, text)
        // What cannot be had now may be had later; the rest is over.
        if kind != .unreachable { pending = nil }
        step.log(
            "client.deep_link.failed",
            ["kind": .string(kind.rawValue)]
        )
        step.emit(.trouble(text, kind == .unreachable ? .retry : .change))
    }

    /// There is a way to the server again.
    mutating func connected(_ step: inout Step) {
        if let sought, isSearchOff { seek(sought, &step) }
        guard pending != nil, !isLooking, !waits, failure?.kind == .unreachable else { return }
        follow(isKnown: false, &step)
    }

    private mutating func giveUp(_ step: inout Step) {
        if isLooking { step.emit(.withdraw(.conversation)) }
        pending = nil
        sought = nil
        isLooking = false
        waits = false
        failure = nil
        step.changes.insert(.phone)
    }
}

extension DeepLink {
    static let registry: [RegistryEntry] = [
        .observable(
            "deep_link.pending",
            .text,
            "The conversation that a tapped notification leads to, until it is on the screen; null for none."
        ),
        .observable("deep_link.error", .words(Failure.self), "Why it cannot be shown; null for no reason."),
        .observable("deep_link.text", .text, "What the user is told of that; null for nothing."),
        .event("client.deep_link.opened", ["conversation"], "A tapped notification has led to its conversation."),
        .event("client.deep_link.failed", ["kind"], "A tapped notification has led nowhere."),
    ]
}
