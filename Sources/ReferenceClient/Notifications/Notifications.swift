import ChatWire
import SquallCore

/// Owns what the app does about notifications while it runs: which pushes are shown, and what is told where none may be.
///
/// Those that lie on the phone are the phone's, and outlive the app.
struct Notifications {
    private let rules: Rules
    private var policy: NotificationsPolicy { rules.policy.notifications }
    /// As the app has read it; nil where the phone has never said.
    private(set) var permission: PushPermission?
    /// Messages that were notified, newest last.
    private var notified: [String] = []

    /// How many messages are told from their repeats.
    private static let mostRemembered = 1000
    static let storeKey = "notifications.permission"

    init(_ rules: Rules, store: StoreImage, phone: Phone) {
        self.rules = rules
        let known = store[Self.storeKey]?.stringValue.flatMap { PushPermission(rawValue: $0) }
        permission = rules.policy.notifications.permission == .isReadOnce ? known ?? phone.permission : phone.permission
    }

    mutating func start(_ step: inout Step) {
        if let permission { remember(permission, &step) }
    }

    /// Something has come at which the phone's settings may have changed (catalogue C-30).
    func look(_ occasion: Occasion, _ step: inout Step) {
        guard permission != nil, policy.permission == .isReadAnew else { return }
        let isDue =
            switch occasion {
            case .appears: rules.profile.notification.checkOnAppear
            case .foreground: rules.profile.notification.checkOnForeground
            }
        if isDue { step.perform(.phone(.readPermission)) }
    }

    enum Occasion { case appears, foreground }

    mutating func permitted(_ permission: PushPermission, _ step: inout Step) {
        guard self.permission == nil || policy.permission == .isReadAnew else { return }
        remember(permission, &step)
    }

    private mutating func remember(_ permission: PushPermission, _ step: inout Step) {
        self.permission = permission
        step.store(Self.storeKey, .string(permission.rawValue))
        step.changes.insert(.phone)
    }

    /// Something was pushed while the app runs; `partner` is what is known of the name behind it, and `viewed` the
    /// conversation that the user looks at.
    mutating func pushed(_ push: Push, from partner: String?, viewed: String?, _ step: inout Step) {
        if policy.duplicates == .areOne, notified.contains(push.message) { return }
        notified.append(push.message)
        if notified.count > Self.mostRemembered { notified.removeFirst() }
        let isSuppressed = push.conversation == viewed && policy.suppression == .whileViewed
        let notification = PhoneNotification(push, from: partner, rules.profile, rules.policy)
        step.perform(.phone(.notify(notification, isSuppressed ? [] : Presentation.allCases)))
    }

    func signedIn(_ user: String, _ step: inout Step) {
        step.perform(.phone(.showNotifications(of: user)))
    }

    /// Nobody looks any more: what the server still sends to this phone is nobody's to see.
    mutating func signedOut(_ step: inout Step) {
        notified = []
        step.perform(.phone(.clearNotifications))
        step.perform(.phone(.showNotifications(of: nil)))
    }

    // MARK: - The banner

    /// What is told where notifications are denied; nil where they are not.
    var banner: PermissionBanner? {
        guard permission == .denied, policy.banner == .isShown else { return nil }
        let texts = rules.profile.text.permission
        return PermissionBanner(text: texts.denied, action: texts.settings, label: texts.label)
    }

    func openSettings(_ step: inout Step) {
        guard banner != nil else { return }
        step.log("client.opened_url", ["url": .string(rules.profile.notification.settingsPage)])
    }
}

/// Beside the banner of the connection: it stays for as long as it is true.
struct PermissionBanner: Equatable {
    let text: String
    let action: String
    /// What is read aloud.
    let label: String
    let tone = Tone.orange
    let icon = "bell_slash"
    let isAnimated = true
}
