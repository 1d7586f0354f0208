package import SquallCore

/// The settings of the client, grouped by topic; `fields` maps them to their names in scenario files.
package struct ClientProfile: Hashable, Sendable {
    package var connect = Connect()
    package var reconnect = Reconnect()
    package var heartbeat = Heartbeat()
    package var background = Background()
    package var drain = Drain()
    package var probe = Probe()
    package var http = HTTP()
    package var sync = Sync()
    package var poll = Poll()
    package var send = Send()
    package var flush = Flush()
    package var upload = Upload()
    package var cache = Cache()
    package var history = History()
    package var banner = Banner()
    package var toast = Toast()
    package var device = Device()
    package var push = PushSave()
    package var notification = Notification()
    package var screen = Screen()
    package var text = ClientTexts()
    package var media = Media()
    package var images = Images()
    package var delete = Delete()
    package var start = Start()
    package var switching = Switching()
    package var unread = Unread()
    package var view = View()
    package var badge = Badge()
    package var people = People()
    package var times = Times()

    package init() {}

    package struct Connect: Hashable, Sendable {
        /// The time limit for the TCP connection, the upgrade, `hello` and `connected` together.
        package var timeout = TimeSpan.seconds(10)
        /// The server's host name: sent in `Host`, and compared with redirect targets.
        package var host = "chat.test"
        /// The `auth_version` that this client supports. If the server's `hello` contains a higher version, the client
        /// warns the user.
        package var authVersion: Int64 = 1
        /// The size in bytes of the largest message that this client accepts, announced to the server; 0 for no limit.
        package var maxMessageSize: Int64 = 0
        /// The size in bytes above which messages are compressed; 0 to offer no compression.
        package var compressAbove: Int64 = 0
        /// The host names of other servers, separated by spaces. After a failed connection attempt, the client tries
        /// the next server.
        package var otherHosts = ""
        /// Whether each login carries a nonce and a timestamp, so that the server can reject a replayed login.
        package var provesFresh = false
        /// Whether the client probes for a captive portal before each connection attempt.
        package var probesFirst = false
        /// The number of WebSockets that a client keeps open by design. Squall's own client always has one.
        package var sockets: Int64 = 1
    }

    package struct Reconnect: Hashable, Sendable {
        package var base = TimeSpan.seconds(1)
        package var cap = TimeSpan.seconds(30)
        package var floor = TimeSpan.seconds(1)
        /// The maximum jitter, as a percentage of the delay before a connection attempt. Jitter shortens or lengthens
        /// the delay; 0 for exact delays.
        package var jitterPercent: Int64 = 25
        /// The number of consecutive failed connection attempts after which the client gives up; 0 for no limit.
        package var maxAttempts: Int64 = 20
        package var onExhausted = OnExhausted.poll
        /// The pause before each further connection attempt after the client has given up; used if ``onExhausted`` is
        /// ``OnExhausted/breaker``.
        package var breakerPause = TimeSpan.seconds(60)
        /// The pause, without its jitter, before each further connection attempt after the client has given up; used if
        /// ``onExhausted`` is ``OnExhausted/poll``. 0 for no further attempts.
        package var pollingPause = TimeSpan.seconds(300)
    }

    /// The client's behaviour once all connection attempts have failed (catalogue C-3).
    ///
    /// A restored network, a return to the foreground and the user's `reconnect` command always start a new series of
    /// attempts.
    package enum OnExhausted: String, Hashable, Sendable, CaseIterable {
        /// Polls the HTTP routes instead of using the socket, and makes a single connection attempt after each long
        /// pause.
        case poll
        case stop
        /// Makes a single connection attempt after each long pause.
        case breaker
    }

    package struct Heartbeat: Hashable, Sendable {
        package var interval = TimeSpan.seconds(30)
        /// How long a ping may remain unanswered before the link counts as dead.
        package var pongLimit = TimeSpan.seconds(10)
        /// The maximum to which ``pongLimit`` is extended on a slow link, where the limit is twice the last round trip;
        /// values below ``pongLimit`` have no effect.
        package var pongLimitCap = TimeSpan.zero
        /// How long a ping may remain unanswered before the link's quality is `slow`; also the shortest round trip that
        /// counts as slow.
        package var slowLimit = TimeSpan.seconds(3)
        /// A round trip counts as slow once it takes this many times as long as the usual one, or reaches ``slowLimit``
        /// if that is shorter; 0 to use ``slowLimit`` alone.
        package var slowFactor: Int64 = 0
        /// The lower bound of the limit derived from ``slowFactor``. Without it, a very fast link would count as slow
        /// after a negligible delay.
        package var slowFloor = TimeSpan.seconds(1)
        /// How long the server may go without sending a ping before the link counts as dead; 0 if the server is not
        /// known to send pings.
        package var serverLimit = TimeSpan.zero
    }

    package struct Background: Hashable, Sendable {
        /// How long the client keeps its connection open after the app has entered the background.
        package var allowance = TimeSpan.seconds(30)
    }

    package struct Drain: Hashable, Sendable {
        /// The delay before a reconnect if the server's `draining` frame does not specify one.
        package var defaultRetryAfter = TimeSpan.seconds(5)
        /// The maximum jitter, as a percentage of the delay before a reconnect. Jitter only lengthens the delay.
        package var jitterPercent: Int64 = 25
        /// The number of consecutive failed connection attempts after which the client gives up if the server had
        /// announced its restart; values below ``Reconnect/maxAttempts`` have no effect.
        package var maxAttempts: Int64 = 0
    }

    package struct Probe: Hashable, Sendable {
        package var timeout = TimeSpan.seconds(5)
        /// A plain-HTTP URL, so that any captive portal can intercept the request and return its login page.
        package var loginPage = "http://captive.apple.com"
    }

    package struct HTTP: Hashable, Sendable {
        package var timeout = TimeSpan.seconds(10)
    }

    package struct Sync: Hashable, Sendable {
        /// How long the client waits for a `replay` before it uses the HTTP routes instead.
        package var timeout = TimeSpan.seconds(10)
        /// The delay before a failed catch-up over HTTP is retried.
        package var retry = TimeSpan.seconds(5)
        /// How long an interrupted streamed message stays visible after the catch-up that follows a reconnect. If
        /// another piece of the message arrives in time, the message stays.
        package var streamLimit = TimeSpan.seconds(10)
    }

    package struct Poll: Hashable, Sendable {
        package var interval = TimeSpan.seconds(30)
    }

    package struct Send: Hashable, Sendable {
        /// How long a sent message may remain unconfirmed before it counts as failed.
        package var pendingLimit = TimeSpan.seconds(15)
        /// Whether failed messages are sent again after a reconnect.
        package var autoRetry = true
        package var queuedTone = QueuedTone.amber
    }

    /// The colours of a queued message's status icon. Neither colour signals a failure.
    package enum QueuedTone: String, Hashable, Sendable, CaseIterable {
        case amber, orange
    }

    package struct Flush: Hashable, Sendable {
        /// The maximum number of messages sent from a backlog in any 60-second period; 0 for no limit.
        package var perMinute: Int64 = 50
        /// The pause after a `rate_limited` error that does not specify one.
        package var defaultPause = TimeSpan.seconds(10)
    }

    package struct Upload: Hashable, Sendable {
        /// The size of the first chunk of a file, in bytes.
        package var chunk: Int64 = 16 << 10
        /// The minimum size of a chunk in bytes; `chunkMax` is the maximum.
        package var chunkMin: Int64 = 2 << 10
        package var chunkMax: Int64 = 128 << 10
        /// The number of consecutive failed chunks after which the chunk size is halved.
        package var lowerAfter: Int64 = 2
        /// The number of consecutive successful chunks after which the chunk size is doubled.
        package var raiseAfter: Int64 = 4
        /// The round-trip time of a chunk above which the chunk size is halved.
        package var slowLimit = TimeSpan.seconds(1)
        /// The delay before a failed chunk is sent again.
        package var retry = TimeSpan.seconds(2)
    }

    package struct Cache: Hashable, Sendable {
        /// How many of each conversation's newest messages are kept when the process is killed.
        package var perConversation: Int64 = 50
    }

    package struct History: Hashable, Sendable {
        /// The number of messages per requested page.
        package var page: Int64 = 50
        /// The maximum number of older pages requested to close a gap between the newest page and older messages.
        package var joinPages: Int64 = 20
        /// After a page of older messages has loaded, scrolling to the top loads no further page for this long.
        package var debounce = TimeSpan.milliseconds(300)
    }

    package struct Banner: Hashable, Sendable {
        /// The grace period after launch in which no banner reports that the first connection has failed (catalogue
        /// C-39).
        package var grace = TimeSpan.seconds(1)
        /// How long the banner stays hidden after the user has dismissed it, unless a failed attempt brings it back
        /// sooner.
        package var reappear = TimeSpan.seconds(30)
        /// How long an error is displayed.
        package var errorDuration = TimeSpan.seconds(10)
        package var style = BannerStyle.prominent
    }

    /// How prominently a lost network is displayed (catalogue C-10).
    package enum BannerStyle: String, Hashable, Sendable, CaseIterable {
        case prominent
        /// The banner is grey, because the user's messages are queued and nothing is lost.
        case calm
    }

    package struct Toast: Hashable, Sendable {
        package var duration = TimeSpan.seconds(3)
    }

    package struct Device: Hashable, Sendable {
        /// The phone's clock at the beginning of the run, in milliseconds since 1970: 2026-01-01T00:00:00Z.
        package var epoch: Int64 = 1_767_225_600_000
        /// How far the phone's clock is ahead of the correct time.
        package var clockSkew = TimeSpan.zero
        /// How far the phone's clock jumps ahead during the run. The jump occurs `clockJumpsAt` after the beginning of
        /// the run.
        package var clockJump = TimeSpan.zero
        package var clockJumpsAt = TimeSpan.zero
        /// How late a timer may fire before the client assumes that the process was suspended.
        package var sleepTolerance = TimeSpan.seconds(1)
        /// The delay before the phone's transfer service retries a failed request.
        package var transferRetry = TimeSpan.seconds(5)
        /// How long the transfer service waits for a response.
        package var transferTimeout = TimeSpan.seconds(60)
        /// The delay between the server's push and its arrival on the phone. If the phone is offline, the delay begins
        /// when the network returns.
        package var pushDelay = TimeSpan.milliseconds(300)
        /// How long the share extension takes to write a message or an image to the container.
        package var shareWrite = TimeSpan.milliseconds(200)
    }

    /// Settings for retrying the request that saves the phone's push token on the server (catalogue C-17).
    package struct PushSave: Hashable, Sendable {
        /// The maximum number of attempts to save the push token, including the first.
        package var maxTries: Int64 = 3
        /// The delay between the first two attempts; it doubles before each further attempt.
        package var base = TimeSpan.seconds(1)
        /// The maximum jitter, as a percentage of the delay between two attempts. Jitter only lengthens the delay.
        package var jitterPercent: Int64 = 0
    }

    package struct Notification: Hashable, Sendable {
        /// The length limit of a notification's text in characters, including the ellipsis.
        package var bodyLimit: Int64 = 100
        /// The notification category of messages.
        package var category = "CHAT_MESSAGE"
        /// The URL of the app's page in the phone's settings.
        package var settingsPage = "app-settings:"
        /// Whether the notification permission is read when a conversation or the list appears (catalogue C-30).
        package var checkOnAppear = true
        package var checkOnForeground = true
        package var asks = Asking.never
    }

    /// When the app asks for permission to show notifications. The phone shows its prompt only once.
    package enum Asking: String, Hashable, Sendable, CaseIterable {
        /// The app asks before the scenario begins, and the first `permission` command is the answer.
        case never
        /// The app asks after the user has sent a message, when notifications become useful.
        case afterSend = "after_send"
    }

    package struct Screen: Hashable, Sendable {
        /// The delay between the appearance of a screen and the disappearance of the previous screen.
        package var transition = TimeSpan.milliseconds(350)
        /// How long a message is highlighted.
        package var highlight = TimeSpan.seconds(2)
    }

    package struct Start: Hashable, Sendable {
        /// Whether the client fetches the list of chat partners at launch, and then opens the first partner's
        /// conversation if no conversation was open before.
        package var asksForPartners = false
    }

    package struct Switching: Hashable, Sendable {
        /// Whether the rows of the previous conversation stay, dimmed, until the next conversation has loaded
        /// (catalogue C-27).
        package var keepsDimmed = false
    }

    /// Settings for images that the user sends.
    package struct Media: Hashable, Sendable {
        /// The size limit for images in bytes; an image of this size or larger is compressed until it is smaller.
        package var limit: Int64 = 2_000_000
        /// The percentage of an image's bytes that remains after each reduction in quality.
        package var stepPercent: Int64 = 80
        /// The number of consecutive failed requests after which the image's message counts as failed.
        package var tries: Int64 = 3
    }

    /// Settings for images that the user views.
    package struct Images: Hashable, Sendable {
        /// The number of rows that fit on the screen.
        package var visible: Int64 = 8
        /// How many rows beyond the visible ones, in each direction, have their images fetched as well.
        package var margin: Int64 = 2
        /// The size limit of the image cache in bytes; visible images are kept even if they exceed it.
        package var cache: Int64 = 20_000_000
        /// The maximum width and height of an image in its bubble, in points.
        package var width: Int64 = 240
        package var height: Int64 = 320
    }

    package struct Delete: Hashable, Sendable {
        /// Which messages the menu offers to delete.
        package enum Offered: String, Hashable, Sendable, CaseIterable { case own, any }

        package var offered = Offered.own
        /// How long a deletion can be undone before it is sent to the server.
        package var undoFor = TimeSpan.seconds(5)
        /// The delay before a failed deletion request is retried.
        package var retry = TimeSpan.seconds(5)
    }

    package struct Unread: Hashable, Sendable {
        package var clearOn = ClearOn.open
        /// The interval at which the server's unread counts are fetched once the list has been opened; zero for never.
        package var refresh = TimeSpan.zero
        /// The delay before a failed request to mark a conversation as read is retried.
        package var retry = TimeSpan.seconds(5)
    }

    /// The event that marks messages as read: opening the conversation, or each message becoming visible (catalogue
    /// C-12).
    package enum ClearOn: String, Hashable, Sendable, CaseIterable {
        case open
        /// Each message counts as read when it appears on the screen.
        case visible
    }

    package struct View: Hashable, Sendable {
        /// The number of messages that fit on the screen.
        package var height: Int64 = 10
        /// Whether the scroll position is reported from the start rather than only after the first scroll.
        package var showsPlace = false
    }

    package struct Badge: Hashable, Sendable {
        /// The highest number that a badge displays; 0 for no limit.
        package var limit: Int64 = 99
        package var tone = BadgeTone.blue
    }

    /// The colours of a badge (catalogue C-13), none of which signals an alarm.
    package enum BadgeTone: String, Hashable, Sendable, CaseIterable {
        case blue, green
    }

    package struct People: Hashable, Sendable {
        /// The interval at which the chat partners are fetched once the list has been opened; zero for never.
        package var refresh = TimeSpan.zero
        /// The delay before a failed request for the chat partners is first retried; each further delay is twice as
        /// long.
        package var retryBase = TimeSpan.seconds(1)
        /// The maximum number of attempts to fetch the chat partners, including the first.
        package var maxTries: Int64 = 3
    }

    package struct Times: Hashable, Sendable {
        /// Whether messages show their times, with day headings between them.
        package var isShown = false
        /// How far the phone's time zone is ahead of UTC.
        package var utcOffset = TimeSpan.zero
    }
}
