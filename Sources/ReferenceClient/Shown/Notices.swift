import SquallCore

/// Owns the temporary notices: the toast, the error on the banner, and the dismissal of the banner.
struct Notices {
    /// The values from which the observables for the banner, the toast and the alert are derived.
    struct Look: Equatable {
        let banner: Banner?
        let isInSight: Bool
        let toast: String?
        let alert: Alert?
    }

    /// A dialog that covers the screen until the user responds.
    struct Alert: Equatable {
        let title: String
        let text: String
        let actions: [String]
    }

    private let profile: ClientProfile
    private let policy: ShownPolicy
    private(set) var toast: (text: String, until: Instant)?
    private(set) var error: (text: String, action: BannerAction, until: Instant)?
    private var dismissed: (kind: BannerKind, until: Instant)?
    /// The end of the period in which the first connection may fail without a banner; nil once it is over.
    private var graceUntil: Instant?

    init(_ rules: Rules) {
        profile = rules.profile
        policy = rules.policy.shown
    }

    /// Whether the first connection may still be in progress without a banner (catalogue C-39).
    var isInGrace: Bool { graceUntil != nil }

    /// Returns the first banner in `due`, the current problems' banners, that the user has not dismissed; nil if none.
    func showing(_ due: [Banner]) -> Banner? { due.first { $0.kind != dismissed?.kind } }

    var deadline: Instant? {
        graceUntil.or(sooner: toast?.until).or(sooner: error?.until).or(sooner: dismissalEnd)
    }

    private var dismissalEnd: Instant? { policy.dismissal == .ends ? dismissed?.until : nil }

    mutating func timer(_ step: inout Step) {
        if let toast, toast.until <= step.now { self.toast = nil }
        if let error, error.until <= step.now { self.error = nil }
        if let dismissalEnd, dismissalEnd <= step.now { dismissed = nil }
        if let graceUntil, graceUntil <= step.now { self.graceUntil = nil }
        step.changes.insert(.notices)
    }

    mutating func start(_ step: inout Step) {
        graceUntil = step.now + profile.banner.grace
        step.changes.insert(.notices)
    }

    /// Displays a toast after missed messages have been fetched.
    mutating func synced(_ count: Int, _ step: inout Step) {
        let text = profile.text.toast.synced.filling("count", with: String(count))
        toast = (text, step.now + profile.toast.duration)
        step.changes.insert(.notices)
    }

    /// Displays an error after a failed refresh, or clears that error after a successful one.
    mutating func refreshEnded(isGood: Bool, _ step: inout Step) {
        if !isGood {
            if policy.refreshFailure == .isShown { trouble(profile.text.banner.refreshFailed, .retry, &step) }
        } else {
            troubleEnded(profile.text.banner.refreshFailed, &step)
        }
    }

    /// Hides the error with this text, because the failed operation has now succeeded.
    mutating func troubleEnded(_ text: String, _ step: inout Step) {
        guard error?.text == text else { return }
        error = nil
        step.changes.insert(.notices)
    }

    /// Displays an error on the banner for the duration in the profile.
    mutating func trouble(_ text: String, _ action: BannerAction, _ step: inout Step) {
        guard policy.trouble == .isShown else { return }
        error = (text, action, step.now + profile.banner.errorDuration)
        bringBack(.error)
        step.changes.insert(.notices)
    }

    /// Hides the banner of this kind for the duration in the profile.
    mutating func dismiss(_ kind: BannerKind?, _ step: inout Step) {
        guard let kind else { return }
        step.changes.insert(.notices)
        // If the dismissed error was displayed in place of another dismissed banner, that banner stays dismissed.
        if kind != .error || dismissed == nil { dismissed = (kind, step.now + profile.banner.reappear) }
        if kind == .error { error = nil }
    }

    /// Displays a dismissed banner again, because another connection attempt has failed.
    mutating func attemptFailed(_ step: inout Step) {
        guard policy.dismissal == .ends else { return }
        dismissed = nil
        step.changes.insert(.notices)
    }

    /// Ends the current dismissal if it is for another kind of banner, so that the dismissed banner reappears the next
    /// time it is due.
    mutating func forgetDismissal(unless kind: BannerKind?) {
        if dismissed?.kind != kind { dismissed = nil }
    }

    private mutating func bringBack(_ kind: BannerKind) {
        if dismissed?.kind == kind { dismissed = nil }
    }
}

extension Notices {
    static let registry: [RegistryEntry] = [
        .observable(
            "banner.kind",
            .words(BannerKind.self),
            "The problem that the banner reports; null if there is no banner."
        ),
        .observable("banner.text", .text, "The banner's text; null if there is no banner."),
        .observable("banner.tone", .words(Tone.self), "The banner's colour; null if there is no banner."),
        .observable(
            "banner.action",
            .words(BannerAction.self),
            "The action that resolves the problem that the banner reports; null if there is no banner."
        ),
        .observable(
            "banner.placement",
            .words(BannerPlacement.self),
            "Whether the banner is above the list or at its end; null if there is no banner."
        ),
        .observable(
            "banner.in_sight",
            .flag,
            "Whether a banner is visible at the current scroll position."
        ),
        .observable(
            "banner.pulses",
            .flag,
            "Whether the banner pulses, which it does while the client reconnects, unless `banner.style` is calm."
        ),
        .observable("toast.text", .text, "The toast's text; null if there is no toast."),
        .observable("alert.title", .text, "The alert's title; null if there is no alert."),
        .observable("alert.text", .text, "The alert's text; null if there is no alert."),
        .observable("alert.actions", .list, "The labels of the alert's buttons; empty if there is no alert."),
        .event("client.opened_url", ["url"], "The client has opened a URL in another app."),
    ]
}
