import ChatWire
import ReferenceClient
import SquallCore

/// What the phone does about notifications, whether the app runs or not: its push token, its settings, pushes on their way
/// to it, and what lies on its screen.
struct NotificationCentre {
    /// A notification that was shown, and the label of its message in the scenario.
    struct Entry {
        let notification: PhoneNotification
        let label: String?
    }

    private enum Audience: Equatable {
        /// The app has never said.
        case whoever
        case nobody
        case user(String)
    }

    private struct Waiting {
        let push: Push
        /// Nil while the phone cannot be reached.
        var due: Instant?
    }

    private let profile: ClientProfile.Device
    var token: String?
    /// Nil where the user has not been asked.
    private(set) var permission: PushPermission?
    /// Whose notifications are shown, as the app has said.
    private var audience = Audience.whoever
    private var waiting: [Waiting] = []
    /// Labels of messages that were pushed, by the server's ids.
    private var labels: [String: String] = [:]
    /// The oldest first.
    private(set) var entries: [Entry] = []
    /// Groups whose summary was shown.
    private var threads: [String] = []

    init(_ profile: ClientProfile.Device) {
        self.profile = profile
    }

    var nextDeadline: Instant? { waiting.compactMap(\.due).min() }

    // MARK: - Settings

    /// Whether the user has answered the app, and not changed the phone's settings.
    mutating func permit(_ permission: PushPermission) -> Bool {
        defer { self.permission = permission }
        return self.permission == nil
    }

    mutating func showNotifications(of user: String?) {
        audience = user.map { .user($0) } ?? .nobody
    }

    /// Whether a push may be shown: not where it is forbidden, nor to anybody but its addressee.
    func shows(_ push: Push) -> Bool {
        permission != .denied && (audience == .whoever || audience == .user(push.user))
    }

    // MARK: - Pushes

    mutating func take(_ push: Push, label: String?, isReachable: Bool, at now: Instant) {
        if let label { labels[push.message] = label }
        waiting.append(Waiting(push: push, due: isReachable ? now + profile.pushDelay : nil))
    }

    /// The phone can be reached: what has waited for that comes.
    mutating func reached(at now: Instant) {
        for place in waiting.indices where waiting[place].due == nil {
            waiting[place].due = now + profile.pushDelay
        }
    }

    /// The pushes that reach the phone now; one that finds it off, or without a network, waits.
    mutating func arrivals(isReachable: Bool, at now: Instant) -> [Push] {
        var arrived: [Push] = []
        for place in waiting.indices {
            guard let due = waiting[place].due, due <= now else { continue }
            if isReachable { arrived.append(waiting[place].push) } else { waiting[place].due = nil }
        }
        waiting.removeAll { ($0.due ?? .never) <= now }
        return arrived
    }

    // MARK: - The screen

    /// What lies on the phone after a notification was given to it, told in the registry's words.
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

    /// The notification of a message, by its label, or the newest.
    func entry(of label: String?) -> Entry? {
        guard let label else { return entries.last }
        return entries.last { $0.label == label }
    }

    /// It has done its duty.
    mutating func remove(_ notification: PhoneNotification) -> [Observation] {
        entries.removeAll { $0.notification.id == notification.id }
        return list()
    }

    /// Nothing of the app lies on the phone any more; what is still on its way comes.
    mutating func clear() -> [Observation] {
        guard !entries.isEmpty else { return [] }
        entries = []
        return list()
    }

    private mutating func list() -> [Observation] {
        let keys = entries.map { JSON.string($0.notification.push.message) }
        return [.set("notifications", to: .array(keys))] + summaries()
    }

    /// A group of one needs no summary.
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
