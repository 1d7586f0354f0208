import ChatWire
import SquallCore

/// Owns the target of a tapped notification until its conversation is open and the search for its message has ended.
struct DeepLink {
    /// The reason why a conversation cannot be displayed.
    enum Failure: String, CaseIterable {
        case absent, forbidden, unreachable
    }

    private let rules: Rules
    private var policy: DeepLinkPolicy { rules.policy.deepLink }
    /// The target whose conversation is not open yet; nil if no target is pending.
    private(set) var pending: MessageTarget?
    /// Whether a request for the pending conversation is in flight.
    private(set) var isLooking = false
    private(set) var failure: (kind: Failure, text: String)?
    /// Whether a notification has ever been tapped; until then, the deep-link observables are not reported.
    private(set) var isUsed = false
    /// Whether the target has to wait until the previous screen has loaded; true only with a planted defect.
    private var waits = false
    /// The target whose conversation is open, while its message is being searched for; nil if no search is in progress.
    private(set) var searched: MessageTarget?
    /// Whether the search has failed because a page could not be fetched; it is then repeated on the next connection.
    private var isSearchOff = false
    /// The target whose message was not found, while the server is asked whether its conversation still exists.
    private var missed: MessageTarget?

    init(_ rules: Rules) {
        self.rules = rules
    }

    /// The conversation that will be opened once its requested record has arrived; nil if there is none.
    var lookedUp: String? { isLooking ? pending?.conversation : nil }

    /// Whether an app launched by a tap displays the target's screen instead of the usual first screen.
    var replacesStart: Bool { policy.start == .takesTheFirstPlace }

    /// Handles a tap on a notification, which cancels the target of an earlier tap.
    ///
    /// - Parameters:
    ///   - target: The conversation and message of the notification.
    ///   - isKnown: Whether the client has the conversation.
    ///   - isBusy: Whether the current screen is loading.
    ///   - isLaunch: Whether the tap launched the app.
    ///   - step: Receives the outputs.
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

    /// Cancels the pending target because the user has opened another screen.
    mutating func screenAppears(isKnown: Bool, _ step: inout Step) {
        guard pending != nil || failure != nil else { return }
        guard policy.following == .whenAScreenAppears || policy.afterUse == .isKept else { return giveUp(&step) }
        follow(isKnown: isKnown, &step)
    }

    /// Follows a pending target once the current screen has loaded or failed to load.
    mutating func loaded(isKnown: Bool, _ step: inout Step) {
        guard waits, pending != nil else { return }
        waits = false
        follow(isKnown: isKnown, &step)
    }

    private mutating func follow(isKnown: Bool, _ step: inout Step) {
        guard let target = pending else { return }
        if isKnown, policy.known == .isOpened {
            reached(target, &step)
        } else if policy.unknown == .isFetched {
            isLooking = true
            step.changes.insert(.screen)
            step.emit(.ask(.conversation(target.conversation)))
        } else {
            pending = nil
        }
    }

    private mutating func reached(_ target: MessageTarget, _ step: inout Step) {
        isLooking = false
        clearFailure(&step)
        if policy.afterUse == .isForgotten { pending = nil }
        step.changes.insert(.phone)
        step.log("client.deep_link.opened", ["conversation": .string(target.conversation)])
        step.emit(.follow(target))
    }

    // MARK: - Searching for the message

    /// Searches for the target's message, now that its conversation is open.
    mutating func arrived(at target: MessageTarget, _ step: inout Step) {
        guard policy.scrolling == .toTheMessage else { return }
        searched = target
        seek(target, &step)
    }

    private mutating func seek(_ target: MessageTarget, _ step: inout Step) {
        isSearchOff = false
        step.emit(.seek(target))
    }

    /// Handles the end of the search for the target's message.
    ///
    /// A search that failed is repeated on the next connection.
    ///
    /// - Returns: Whether the search has found the message.
    mutating func searchEnded(_ target: MessageTarget, _ end: History.SearchEnd, _ step: inout Step) -> Bool {
        guard searched == target else { return false }
        isSearchOff = end == .failed
        if end != .failed { searched = nil }
        if end == .notFound, policy.missingMessage == .isReported {
            missed = target
            step.emit(.ask(.conversation(target.conversation)))
        }
        return end == .found
    }

    /// Ends the search because the user has scrolled or opened another conversation.
    mutating func giveUpSearch() { (searched, missed) = (nil, nil) }

    /// Ends the search unless its target is in the open `conversation`, which is nil if no conversation is open.
    mutating func turned(to conversation: String?) {
        if searched?.conversation != conversation { giveUpSearch() }
    }

    // MARK: - Fetching unknown conversations

    /// Handles the response to the request for a conversation.
    ///
    /// `status` is nil if the server has not responded in time.
    mutating func answered(_ conversation: String, status: Int?, _ step: inout Step) {
        if let missed, missed.conversation == conversation {
            self.missed = nil
            step.changes.formUnion([.phone, .screen])
            if Self.isAbsent(status) { return fail(.absent, "", &step) }
            return step.emit(.trouble(rules.profile.text.deepLink.messageGone, .change))
        }
        guard isLooking, let target = pending, target.conversation == conversation else { return }
        isLooking = false
        step.changes.formUnion([.phone, .screen])
        switch status {
        case .some(200..<300): reached(target, &step)
        case _ where Self.isAbsent(status): fail(.absent, "", &step)
        case ChatStatus.forbidden.rawValue, ChatStatus.unauthorized.rawValue: fail(.forbidden, "", &step)
        default: fail(.unreachable, status.map { "status \($0)" } ?? "no answer", &step)
        }
    }

    /// Whether the status says that there is no such conversation: 404 or 410.
    private static func isAbsent(_ status: Int?) -> Bool { status == ChatStatus.notFound.rawValue || status == 410 }

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
        // Another attempt can help only if the server was unreachable; all other failures are final.
        if kind != .unreachable { pending = nil }
        step.log(
            "client.deep_link.failed",
            ["kind": .string(kind.rawValue)]
        )
        step.emit(.trouble(text, kind == .unreachable ? .retry : .change))
    }

    /// Retries a search or a request that has failed because the client was not connected.
    mutating func connected(_ step: inout Step) {
        if let searched, isSearchOff { seek(searched, &step) }
        guard pending != nil, !isLooking, !waits, failure?.kind == .unreachable else { return }
        follow(isKnown: false, &step)
    }

    private mutating func giveUp(_ step: inout Step) {
        if isLooking || missed != nil { step.emit(.cancelRequests(.conversation)) }
        pending = nil
        searched = nil
        missed = nil
        isLooking = false
        waits = false
        clearFailure(&step)
        step.changes.formUnion([.phone, .screen])
    }

    /// Forgets the failure, and removes its text from the banner.
    private mutating func clearFailure(_ step: inout Step) {
        if let failure { step.emit(.troubleEnded(failure.text)) }
        failure = nil
    }
}

extension DeepLink {
    static let registry: [RegistryEntry] = [
        .observable(
            "deep_link.pending",
            .text,
            "The conversation of a tapped notification until it is on the screen; null if there is none."
        ),
        .observable(
            "deep_link.error",
            .words(Failure.self),
            "The reason why the conversation of a tapped notification cannot be shown; null if there is no error."
        ),
        .observable(
            "deep_link.text",
            .text,
            "The text that explains why the conversation of a tapped notification cannot be shown; null if there is no "
                + "error."
        ),
        .event("client.deep_link.opened", ["conversation"], "A tapped notification has opened its conversation."),
        .event("client.deep_link.failed", ["kind"], "The conversation of a tapped notification could not be opened."),
    ]
}
