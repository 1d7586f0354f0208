/// The client's decisions, one struct per component.
///
/// The default for each decision is correct; the alternatives are bugs that a ``Defect`` enables.
package struct Policy: Hashable, Sendable {
    package var reconnect = ReconnectPolicy()
    package var reachability = ReachabilityPolicy()
    package var lifecycle = LifecyclePolicy()
    package var auth = AuthPolicy()
    package var heartbeat = HeartbeatPolicy()
    package var drain = DrainPolicy()
    package var portal = PortalPolicy()
    package var log = LogPolicy()
    package var frames = FramePolicy()
    package var exchanges = ExchangePolicy()
    package var session = SessionPolicy()
    package var outbox = OutboxPolicy()
    package var uploads = UploadPolicy()
    package var conversations = ConversationsPolicy()
    package var shown = ShownPolicy()
    package var media = MediaPolicy()
    package var deletion = DeletionPolicy()
    package var account = AccountPolicy()
    package var pushToken = PushTokenPolicy()
    package var notifications = NotificationsPolicy()
    package var deepLink = DeepLinkPolicy()
    package var screen = ScreenPolicy()
    package var history = HistoryPolicy()
    package var scroll = ScrollPolicy()
    package var unread = UnreadPolicy()
    package var list = ListPolicy()
    package var people = PeoplePolicy()
    package var times = TimesPolicy()
    package var tasks = TasksPolicy()
    package var metrics = MetricsPolicy()
    package var disk = DiskPolicy()
    package var sharing = SharingPolicy()

    package init() {}

    /// The correct policy, without any defect.
    package static let reference = Policy()
}
