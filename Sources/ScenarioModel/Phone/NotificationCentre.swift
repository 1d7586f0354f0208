import ChatWire
import ReferenceClient
import SquallCore

/// The notifications of a device: the push token, the permission, pushes in transit, and the notifications on the
/// screen. All of these work even when the client is not running.
struct NotificationCentre {
    /// A notification on the screen, with its message's label in the scenario.
    struct Entry {
        let notification: PhoneNotification
        let label: String?
    }

    private enum Audience: Equatable {
        /// Pushes for any user may be shown, because the client has not restricted notifications to one user.
        case everyone
        case hidden
        case user(String)
    }

    private struct Waiting {
        let push: Push
        /// The instant at which the push arrives; nil while the device is unreachable.
        var due: Instant?
    }

    private let profile: ClientProfile.Device
    /// Whether the app asks for notification permission within the scenario. If not, notifications are shown until the
    /// user denies permission.
    private let asks: Bool
    var token: String?
    /// The user's decision on the notification permission; nil until the user has made one.
    private(set) var permission: PushPermission?
    /// Whether the app's permission prompt is on the screen.
    private var isPrompting = false
    /// The user whose notifications are shown, as set by the client.
    private var audience = Audience.everyone
    private var waiting: [Waiting] = []
    /// The labels of pushed messages, by the ids that the server has assigned.
    private var labels: [String: String] = [:]
    /// The notifications on the screen, oldest first.
    private(set) var entries: [Entry] = []
    /// The notification groups (threads) for which a summary observation has been recorded.
    private var threads: [String] = []

    init(_ profile: ClientProfile) {
        self.profile = profile.device
        asks = profile.notification.asks != .never
    }

    var nextDeadline: Instant? { waiting.compactMap(\.due).min() }

    // MARK: - Settings

    /// Sets the permission. Returns `true` if this answers the app's request, `false` if it changes the settings.
    mutating func permit(_ permission: PushPermission) -> Bool {
        defer { self.permission = permission }
        return self.permission == nil && !asks
    }

    /// Shows the permission prompt, unless it is already on the screen or the user has already decided; returns the
    /// resulting observations.
    mutating func prompt() -> [Observation] {
        guard permission == nil, !isPrompting else { return [] }
        isPrompting = true
        return [.set("permission.prompt", to: true)]
    }

    /// Removes the prompt from the screen, because the user has answered it or the app's process has ended. Returns the
    /// resulting observations, which are empty if there was no prompt.
    mutating func endPrompt(with answer: PushPermission? = nil) -> [Observation] {
        guard isPrompting else { return [] }
        isPrompting = false
        if let answer { permission = answer }
        return [.set("permission.prompt", to: false)]
    }

    mutating func showNotifications(of user: String?) {
        audience = user.map { .user($0) } ?? .hidden
    }

    /// Returns whether a push may be shown: the user allows notifications, and the client allows them for the push's
    /// user.
    func shows(_ push: Push) -> Bool {
        let isAllowed = asks ? permission == .granted : permission != .denied
        return isAllowed && (audience == .everyone || audience == .user(push.user))
    }

    /// Returns the signed-in user, or nil if there is none. For a client that has never signed in or out, this is
    /// `name`.
    func user(initially name: String) -> String? {
        switch audience {
        case .everyone: name
        case .hidden: nil
        case .user(let user): user
        }
    }

    // MARK: - Pushes

    mutating func take(_ push: Push, label: String?, isReachable: Bool, at now: Instant) {
        if let label { labels[push.message] = label }
        waiting.append(Waiting(push: push, due: isReachable ? now + profile.pushDelay : nil))
    }

    /// Schedules the pushes that were waiting for the device to become reachable.
    mutating func becameReachable(at now: Instant) {
        for index in waiting.indices where waiting[index].due == nil {
            waiting[index].due = now + profile.pushDelay
        }
    }

    /// Removes and returns the pushes that arrive now. If the device is unreachable, they wait instead.
    mutating func arrivals(isReachable: Bool, at now: Instant) -> [Push] {
        var arrived: [Push] = []
        for index in waiting.indices {
            guard let due = waiting[index].due, due <= now else { continue }
            if isReachable { arrived.append(waiting[index].push) } else { waiting[index].due = nil }
        }
        waiting.removeAll { ($0.due ?? .never) <= now }
        return arrived
    }

    // MARK: - The screen

    /// Shows a notification with the given presentation options (such as a banner); returns the resulting observations.
    mutating func show(_ notification: PhoneNotification, _ presentation: [Presentation]) -> [Observation] {
        let key = notification.push.message
        let ways = JSON.array(presentation.map { .string($0.rawValue) })
        guard !presentation.isEmpty else {
            return [
                .happened("client.notification_suppressed", key: key, by: .reported),
                .set("notification.presentation", key: key, to: ways),
            ]
        }
        let entry = Entry(notification: notification, label: labels[key])
        let known = entries.firstIndex { notification.replacesEqual && $0.notification.id == notification.id }
        if let known { entries[known] = entry } else { entries.append(entry) }
        return [
            .happened("client.notified", key: key, ["presentation": ways], by: .reported),
            .set("notification.id", key: key, to: .string(notification.id)),
            .set("notification.title", key: key, to: .string(notification.title)),
            .set("notification.body", key: key, to: .string(notification.body)),
            .set("notification.thread", key: key, to: notification.thread.map { .string($0) } ?? .null),
            .set("notification.category", key: key, to: .string(notification.category)),
            .set("notification.actions", key: key, to: .array(notification.actions.map { .string($0) })),
            .set("notification.presentation", key: key, to: ways),
        ] + list()
    }

    /// Returns the newest notification about the message with the given label, or the newest notification if `label` is
    /// nil. Returns nil if there is none.
    func entry(of label: String?) -> Entry? {
        guard let label else { return entries.last }
        return entries.last { $0.label == label }
    }

    /// Removes a notification that the user has tapped or replied to.
    mutating func remove(_ notification: PhoneNotification) -> [Observation] {
        entries.removeAll { $0.notification.id == notification.id }
        return list()
    }

    /// Removes all notifications from the screen. Pushes in transit still arrive.
    mutating func clear() -> [Observation] {
        guard !entries.isEmpty else { return [] }
        entries = []
        return list()
    }

    private mutating func list() -> [Observation] {
        let keys = entries.map { JSON.string($0.notification.push.message) }
        return [.set("notifications", to: .array(keys))] + summaries()
    }

    /// Returns an observation for each group's summary. A group with a single notification has no summary.
    private mutating func summaries() -> [Observation] {
        for case let thread? in entries.map(\.notification.thread) where !threads.contains(thread) {
            threads.append(thread)
        }
        return threads.map { thread in
            let group = entries.filter { $0.notification.thread == thread }
            guard group.count > 1, let summary = group.last?.notification.summary else {
                return .set("notification.summary", key: thread, to: .null)
            }
            let text = summary.filling("count", with: String(group.count))
            return .set("notification.summary", key: thread, to: .string(text))
        }
    }
}
