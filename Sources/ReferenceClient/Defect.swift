/// A bug that an audit found in chat clients, reproduced by a single change to the policy or the profile.
package struct Defect: Sendable {
    package enum Change: Sendable {
        case policy(@Sendable (inout Policy) -> Void)
        case profile(@Sendable (inout ClientProfile) -> Void)
    }

    package let name: String
    /// The catalogue IDs of the requirements whose scenarios must fail with this defect.
    package let rows: [String]
    /// A one-line description, for `squall explain`, of what the client does wrong.
    package let breaks: String
    package let change: Change

    init(_ name: String, _ rows: [String], _ breaks: String, policy change: @escaping @Sendable (inout Policy) -> Void)
    {
        self.name = name
        self.rows = rows
        self.breaks = breaks
        self.change = .policy(change)
    }

    init(
        _ name: String,
        _ rows: [String],
        _ breaks: String,
        profile change: @escaping @Sendable (inout ClientProfile) -> Void
    ) {
        self.name = name
        self.rows = rows
        self.breaks = breaks
        self.change = .profile(change)
    }

    package func apply(to policy: inout Policy, _ profile: inout ClientProfile) {
        switch change {
        case .policy(let change): change(&policy)
        case .profile(let change): change(&profile)
        }
    }

    /// All defects, sorted by name.
    package static let all: [Defect] = [
        ReconnectPolicy.defects, ReachabilityPolicy.defects, LifecyclePolicy.defects, AuthPolicy.defects,
        HeartbeatPolicy.defects, DrainPolicy.defects, PortalPolicy.defects, FramePolicy.defects, LogPolicy.defects,
        ExchangePolicy.defects,
        SessionPolicy.defects,
        OutboxPolicy.defects, UploadPolicy.defects, ConversationsPolicy.defects,
        ShownPolicy.defects,
        AccountPolicy.defects, PushTokenPolicy.defects, NotificationsPolicy.defects, DeepLinkPolicy.defects,
        ScreenPolicy.defects, HistoryPolicy.defects, ScrollPolicy.defects,
        UnreadPolicy.defects, ListPolicy.defects, PeoplePolicy.defects,
        MediaPolicy.defects, DeletionPolicy.defects, TimesPolicy.defects, TasksPolicy.defects,
        MetricsPolicy.defects, DiskPolicy.defects, SharingPolicy.defects,
    ].flatMap(\.self).sorted { $0.name < $1.name }

    package static func named(_ name: String) -> Defect? {
        all.first { $0.name == name }
    }
}
