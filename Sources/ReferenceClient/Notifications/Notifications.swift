import ChatWire
import SquallCore

/// Handles pushes that arrive while the app is running, and owns the banner for denied notifications.
///
/// The notifications themselves belong to the phone and outlive the app's process.
struct Notifications {
    private let rules: Rules
    private var policy: NotificationsPolicy { rules.policy.notifications }
    /// The phone's permission to show notifications, as last read by the app; nil if the phone has never reported it.
    private(set) var permission: PushPermission?
    /// Whether the app has asked for permission and is still waiting for the answer.
    private var isAsking = false
    /// The messages whose push has been handled, newest last. They are kept on disk, because the phone may deliver a
    /// push again to a later process.
    private var notified: [String]

    /// The maximum number of entries in ``notified``. A repeated push for a message that is no longer in the list is
    /// not detected.
    private static let maximumRemembered = 100
    private static let handledKey = "notifications.handled"
    static let storeKey = "notifications.permission"

    init(_ rules: Rules, store: StoreImage, phone: Phone) {
        self.rules = rules
        let known = store[Self.storeKey]?.stringValue.flatMap { PushPermission(rawValue: $0) }
        permission = rules.policy.notifications.permission == .isReadOnce ? known ?? phone.permission : phone.permission
        let isKept = rules.policy.notifications.handled == .isOnDisk
        notified = isKept ? store[Self.handledKey]?.arrayValue?.compactMap(\.stringValue) ?? [] : []
    }

    mutating func start(_ step: inout Step) {
        if let permission { remember(permission, &step) }
        if policy.asking == .atLaunch { ask(&step) }
    }

    // MARK: - Permission

    /// The permission state to report; nil if the state is unknown and the app never asks for permission.
    var state: PermissionState? {
        permission.map { $0 == .granted ? .granted : .denied } ?? (asks ? .notDetermined : nil)
    }

    private var asks: Bool { rules.profile.notification.asks == .afterSend }

    /// Asks for permission, now that the user has sent a message, unless the user has already answered the prompt.
    mutating func askAfterSend(_ step: inout Step) {
        guard permission == nil || permission == .denied && policy.asking == .afterEachSend else { return }
        ask(&step)
    }

    private mutating func ask(_ step: inout Step) {
        guard asks, !isAsking else { return }
        isAsking = true
        step.log("client.permission_requested")
        step.perform(.phone(.requestPermission))
    }

    /// Reads the phone's notification permission again, because it may have changed (catalogue C-30); does nothing
    /// unless the profile enables this check.
    func checkPermission(_ occasion: Occasion, _ step: inout Step) {
        guard permission != nil || asks, policy.permission == .isReadAnew else { return }
        let isDue =
            switch occasion {
            case .appears: rules.profile.notification.checkOnAppear
            case .foreground: rules.profile.notification.checkOnForeground
            }
        if isDue { step.perform(.phone(.readPermission)) }
    }

    enum Occasion { case appears, foreground }

    /// Handles the notification permission that the phone reports: the answer to the app's prompt, or the result of
    /// reading the current permission.
    mutating func permitted(_ permission: PushPermission, _ step: inout Step) {
        isAsking = false
        guard self.permission == nil || policy.permission == .isReadAnew else { return }
        remember(permission, &step)
    }

    private mutating func remember(_ permission: PushPermission, _ step: inout Step) {
        self.permission = permission
        step.store(Self.storeKey, .string(permission.rawValue))
        step.changes.insert(.phone)
    }

    /// Handles a push that arrives while the app is running.
    ///
    /// `partner` is the name of the conversation's partner; nil if unknown. `viewed` is the open conversation, for
    /// which no notification is displayed; nil if none is open.
    mutating func pushed(_ push: Push, from partner: String?, viewed: String?, _ step: inout Step) {
        if policy.duplicates == .areOne, notified.contains(push.message) { return }
        remember(handled: push.message, &step)
        let isSuppressed = push.conversation == viewed && policy.suppression == .whileViewed
        let notification = PhoneNotification(push, from: partner, rules.profile, rules.policy)
        step.perform(.phone(.notify(notification, isSuppressed ? [] : Presentation.allCases)))
    }

    /// Handles the tap on a notification, which the phone may have shown while the app was not running.
    mutating func tapped(_ push: Push, _ step: inout Step) {
        guard policy.duplicates == .areOne, !notified.contains(push.message) else { return }
        remember(handled: push.message, &step)
    }

    private mutating func remember(handled message: String, _ step: inout Step) {
        notified.append(message)
        if notified.count > Self.maximumRemembered { notified.removeFirst() }
        step.store(Self.handledKey, .array(notified.map { .string($0) }))
    }

    func signedIn(_ user: String, _ step: inout Step) {
        guard policy.audience == .signedInUser else { return }
        step.perform(.phone(.showNotifications(of: user)))
    }

    /// Clears all notifications and hides later pushes, which were meant for the user who has signed out.
    mutating func signedOut(_ step: inout Step) {
        notified = []
        step.store(Self.handledKey, nil)
        guard policy.audience == .signedInUser else { return }
        step.perform(.phone(.clearNotifications))
        step.perform(.phone(.showNotifications(of: nil)))
    }

    // MARK: - Banner

    /// The banner for denied notifications; nil if notifications are not denied.
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

/// The state of the notification permission.
enum PermissionState: String, CaseIterable {
    /// The user has never answered the phone's prompt. Next: granted or denied.
    case notDetermined = "not_determined"
    case granted, denied
}

/// The banner for denied notifications, which is displayed in addition to the connection's banner.
struct PermissionBanner: Equatable {
    let text: String
    let action: String
    /// The accessibility label, which a screen reader reads aloud.
    let label: String
    let tone = Tone.orange
    let icon = "bell_slash"
}
