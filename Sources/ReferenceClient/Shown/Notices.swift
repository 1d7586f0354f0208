import SquallCore

/// What is told to the user for a while: a toast, an error, and which banner the user has put away.
struct Notices {
    /// All that what is shown of them follows from.
    struct Look: Equatable {
        let banner: Banner?
        let toast: String?
        let isAlarmed: Bool
    }

    private let profile: ClientProfile
    private let policy: ShownPolicy
    private(set) var toast: (text: String, until: Instant)?
    private(set) var error: (text: String, action: BannerAction, until: Instant)?
    private var dismissed: (kind: BannerKind, until: Instant)?
    /// Until when a first connection may fail without a banner.
    private var graceUntil: Instant?

    init(_ rules: Rules) {
        profile = rules.profile
        policy = rules.policy.shown
    }

    /// A first connection that takes its time is no trouble yet (catalogue C-39).
    var isInGrace: Bool { graceUntil != nil }

    /// What is left of a banner that is due: nothing, where the user has put it away.
    func showing(_ due: Banner?) -> Banner? { due.flatMap { dismissed?.kind == $0.kind ? nil : $0 } }

    var deadline: Instant? {
        graceUntil.or(sooner: toast?.until).or(sooner: error?.until).or(sooner: dismissed?.until)
    }

    mutating func timer(_ step: inout Step) {
        if let toast, toast.until <= step.now { self.toast = nil }
        if let error, error.until <= step.now { self.error = nil }
        if let dismissed, dismissed.until <= step.now { self.dismissed = nil }
        if let graceUntil, graceUntil <= step.now { self.graceUntil = nil }
        step.changes.insert(.notices)
    }

    mutating func start(_ step: inout Step) {
        graceUntil = step.now + profile.banner.grace
        step.changes.insert(.notices)
    }

    mutating func synced(_ count: Int, _ step: inout Step) {
        let text = profile.text.toast.synced.filling("count", with: String(count))
        toast = (text, step.now + profile.toast.duration)
        step.changes.insert(.notices)
    }

    /// A refresh that succeeds makes up for one that failed.
    mutating func refreshEnded(isGood: Bool, _ step: inout Step) {
        if !isGood {
            if policy.refreshFailure == .isShown { trouble(profile.text.banner.refreshFailed, .retry, &step) }
        } else if error?.text == profile.text.banner.refreshFailed {
            error = nil
            step.changes.insert(.notices)
        }
    }

    mutating func trouble(_ text: String, _ action: BannerAction, _ step: inout Step) {
        guard policy.trouble == .isShown else { return }
        error = (text, action, step.now + profile.banner.errorDuration)
        bringBack(.error)
        step.changes.insert(.notices)
    }

    mutating func dismiss(_ kind: BannerKind?, _ step: inout Step) {
        guard let kind else { return }
        dismissed = (kind, step.now + profile.banner.reappear)
        if kind == .error { error = nil }
        step.changes.insert(.notices)
    }

    /// Something has failed anew: the user is told again.
    mutating func attemptFailed(_ step: inout Step) {
        dismissed = nil
        step.changes.insert(.notices)
    }

    /// What was put away is over; when it comes back it is another one.
    mutating func bannerIs(_ kind: BannerKind?) {
        if dismissed?.kind != kind { dismissed = nil }
    }

    private mutating func bringBack(_ kind: BannerKind) {
        if dismissed?.kind == kind { dismissed = nil }
    }
}

extension Notices {
    static let registry: [RegistryEntry] = [
        .observable("banner.kind", .words(BannerKind.self), "What the banner is about; null for no banner."),
        .observable("banner.text", .text, "What it says; null for no banner."),
        .observable("banner.tone", .words(Tone.self), "Its colour; null for no banner."),
        .observable("banner.action", .words(BannerAction.self), "What mends it, and who; null for no banner."),
        .observable(
            "banner.placement",
            .words(BannerPlacement.self),
            "Where it stands: over the list, or at the end of it; null for no banner."
        ),
        .observable("toast.text", .text, "The toast; null for none."),
        .observable("alert.title", .text, "The alert's title; null for none."),
        .observable("alert.text", .text, "The alert's body; null for none."),
        .observable("alert.actions", .list, "What the alert's buttons say; empty without an alert."),
        .event("client.opened_url", ["url"], "The user was sent to another app with this address."),
    ]
}
