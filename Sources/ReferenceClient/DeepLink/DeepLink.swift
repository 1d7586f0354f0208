import ChatWire
import Foundations

/// Where a tapped notification leads: kept until its conversation is on the screen, and no longer.
struct DeepLink {
    struct Target: Hashable {
        let conversation: String
        /// The server's id of the message.
        let message: String

        init(_ push: Push) {
            conversation = push.conversation
            message = push.message
        }
    }

    /// Why a conversation cannot be shown.
    enum Failure: String, CaseIterable {
        case absent, forbidden, unreachable
    }

    private let rules: Rules
    private var policy: DeepLinkPolicy { rules.policy.deepLink }
    private(set) var pending: Target?
    /// Whether the pending conversation has been asked for and not answered yet.
    private(set) var isLooking = false
    private(set) var failure: (kind: Failure, text: String)?
    /// Whether a notification was ever tapped; until then nothing of it is shown.
    private(set) var isUsed = false
    /// The message that is looked for in its conversation.
    private var sought: String?
    /// Whether another screen has to be loaded first. Only a defect waits for that.
    private var waits = false

    init(_ rules: Rules) {
        self.rules = rules
    }

    var showsPlace: Bool { policy.scrolling == .toTheMessage }

    /// Whether the screen that the app would begin with is left out for the target's.
    var replacesStart: Bool { policy.start == .takesTheFirstPlace }

    /// The last tap wins: where another one was to lead does not matter any more.
    ///
    /// `isBusy` while the screen that is there is being loaded.
    mutating func tapped(_ target: Target, isKnown: Bool, isBusy: Bool, isLaunch: Bool = false, _ step: inout Step) {
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
            step.tell(.ask(.conversation(target.conversation)))
        } else {
            pending = nil
        }
    }

    private mutating func reached(_ target: Target, _ step: inout Step) {
        isLooking = false
        failure = nil
        if policy.afterUse == .isForgotten { pending = nil }
        step.changes.insert(.phone)
        step.log("client.deep_link.opened", ["conversation": .string(target.conversation)])
        step.tell(.follow(target))
    }

    // MARK: - The message

    mutating func searches(for target: Target) { sought = target.message }

    /// Whether a search that has ended was for what was tapped, and not for something else.
    mutating func endsSearch(for message: String) -> Bool {
        guard sought == message else { return false }
        sought = nil
        return true
    }

    // MARK: - Conversations that have to be fetched

    /// The answer for a conversation, by its status; nil for none, or none in time.
    mutating func answered(_ conversation: String, status: Int?, _ step: inout Step) {
        guard isLooking, let target = pending, target.conversation == conversation else { return }
        isLooking = false
        step.changes.insert(.phone)
        switch status {
        case .some(200..<300): reached(target, &step)
        case ChatStatus.notFound.rawValue: fail(.absent, "", &step)
        case ChatStatus.forbidden.rawValue, ChatStatus.unauthorized.rawValue: fail(.forbidden, "", &step)
        default: fail(.unreachable, status.map { "status \($0)" } ?? "no answer", &step)
        }
    }

    private mutating func fail(_ kind: Failure, _ reason: String, _ step: inout Step) {
        let texts = rules.profile.text.deepLink
        let kind = policy.errors == .areToldApart ? kind : .absent
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
        step.tell(.trouble(text, kind == .unreachable ? .retry : .change))
    }

    /// There is a way to the server again.
    mutating func connected(_ step: inout Step) {
        guard pending != nil, !isLooking, !waits, failure?.kind == .unreachable else { return }
        follow(isKnown: false, &step)
    }

    mutating func clear(_ step: inout Step) {
        giveUp(&step)
    }

    private mutating func giveUp(_ step: inout Step) {
        if isLooking { step.tell(.withdraw(.conversation)) }
        pending = nil
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
