package import SquallCore

/// The numbers and texts of the client, one struct a concern; `fields` gives each its name in scenario files.
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
        /// For TCP, upgrade, `hello` and `connected` together.
        package var timeout = TimeSpan.seconds(10)
        /// The server's name: what `Host` says, and what a redirect is compared with.
        package var host = "chat.test"
        /// The `auth_version` that this client knows; a higher one in `hello` is told to the user.
        package var authVersion: Int64 = 1
        /// Bytes of the largest message that this client takes, which it tells the server; 0 for any.
        package var maxMessageSize: Int64 = 0
        /// Bytes of a message up to which it goes uncompressed; 0 offers no compression.
        package var compressAbove: Int64 = 0
        /// Servers beside ``host``, to be tried in turn when an attempt fails; names with blanks between them.
        package var otherHosts = ""
        /// Whether each login carries a nonce and its time, so that a recording of it is worth nothing.
        package var provesFresh = false
    }

    package struct Reconnect: Hashable, Sendable {
        package var base = TimeSpan.seconds(1)
        package var cap = TimeSpan.seconds(30)
        package var floor = TimeSpan.seconds(1)
        /// Percent of the delay by which it may be shorter or longer; 0 for exact delays.
        package var jitterPercent: Int64 = 25
        /// Failed attempts in a row; 0 for no limit.
        package var maxAttempts: Int64 = 20
        package var onExhausted = OnExhausted.poll
        /// With ``OnExhausted/breaker``: the pause before a single try.
        package var breakerPause = TimeSpan.seconds(60)
    }

    /// What follows the last attempt (catalogue C-3).
    ///
    /// Network restore, foreground and the user's reconnect always begin anew.
    package enum OnExhausted: String, Hashable, Sendable, CaseIterable {
        /// The HTTP routes instead of the socket.
        case poll
        case stop
        /// A long pause, then one try, and so on.
        case breaker
    }

    package struct Heartbeat: Hashable, Sendable {
        package var interval = TimeSpan.seconds(30)
        /// From an unanswered ping until the link counts as dead.
        package var pongLimit = TimeSpan.seconds(10)
        /// From an unanswered ping until the quality is `slow`; also the round trip from which on it is.
        package var slowLimit = TimeSpan.seconds(3)
        /// Between two pings of the server until the link counts as dead; 0 where the server is not known to send any.
        package var serverLimit = TimeSpan.zero
    }

    package struct Background: Hashable, Sendable {
        /// How long the client goes on in the background before it closes its connection.
        package var allowance = TimeSpan.seconds(30)
    }

    package struct Drain: Hashable, Sendable {
        /// Where `draining` names none.
        package var defaultRetryAfter = TimeSpan.seconds(5)
        /// Percent of the wait by which it may be longer.
        package var jitterPercent: Int64 = 25
    }

    package struct Probe: Hashable, Sendable {
        package var timeout = TimeSpan.seconds(5)
        /// What every network with a portal answers with its login.
        package var loginPage = "http://captive.apple.com"
    }

    package struct HTTP: Hashable, Sendable {
        package var timeout = TimeSpan.seconds(10)
    }

    package struct Sync: Hashable, Sendable {
        /// How long a `replay` is waited for before the HTTP routes are asked instead.
        package var timeout = TimeSpan.seconds(10)
        /// From a catch-up by HTTP that failed to the next.
        package var retry = TimeSpan.seconds(5)
    }

    package struct Poll: Hashable, Sendable {
        package var interval = TimeSpan.seconds(30)
    }

    package struct Send: Hashable, Sendable {
        /// From the write to the wire until a message without confirmation has failed.
        package var pendingLimit = TimeSpan.seconds(15)
        /// Whether failed messages are sent again after a reconnect.
        package var autoRetry = true
    }

    package struct Flush: Hashable, Sendable {
        /// Messages within any 60 s while a backlog is sent; 0 for no limit.
        package var perMinute: Int64 = 50
        /// After `rate_limited` without a span of its own.
        package var defaultPause = TimeSpan.seconds(10)
    }

    package struct Upload: Hashable, Sendable {
        /// Bytes of a file that go at once to begin with.
        package var chunk: Int64 = 16 << 10
        package var chunkMin: Int64 = 2 << 10
        package var chunkMax: Int64 = 128 << 10
        /// Chunks in a row that fail before they are halved.
        package var lowerAfter: Int64 = 2
        /// Chunks in a row that go well before they are doubled.
        package var raiseAfter: Int64 = 4
        /// From a chunk's request to its answer: what takes longer is halved.
        package var slowLimit = TimeSpan.seconds(1)
        /// From a chunk that failed to the next.
        package var retry = TimeSpan.seconds(2)
    }

    package struct Cache: Hashable, Sendable {
        /// The newest messages of each conversation that survive a kill.
        package var perConversation: Int64 = 50
    }

    package struct History: Hashable, Sendable {
        /// Messages asked for at once.
        package var page: Int64 = 50
        /// From a page of older messages until another scroll to the top loads one.
        package var debounce = TimeSpan.milliseconds(300)
    }

    package struct Banner: Hashable, Sendable {
        /// From the start until a first connection that has failed is told (catalogue C-39).
        package var grace = TimeSpan.seconds(1)
        /// From the user's dismissal until the banner comes back, unless a failed attempt brings it sooner.
        package var reappear = TimeSpan.seconds(30)
        /// How long an error stays.
        package var errorDuration = TimeSpan.seconds(10)
    }

    package struct Toast: Hashable, Sendable {
        package var duration = TimeSpan.seconds(3)
    }

    package struct Device: Hashable, Sendable {
        /// The phone's clock at the run's beginning, milliseconds since 1970: 2026-01-01T00:00:00Z.
        package var epoch: Int64 = 1_767_225_600_000
        /// How far the phone's clock is ahead.
        package var clockSkew = TimeSpan.zero
        /// How late a deadline may be found before it is taken for a sleep of the whole process.
        package var sleepTolerance = TimeSpan.seconds(1)
        /// From a request of the phone's transfer service that failed to the next.
        package var transferRetry = TimeSpan.seconds(5)
        /// How long the transfer service waits for an answer.
        package var transferTimeout = TimeSpan.seconds(60)
        /// From the server's push until the phone has it; without a network, from when there is one.
        package var pushDelay = TimeSpan.milliseconds(300)
    }

    /// Saving the phone's push token with the server (catalogue C-17).
    package struct PushSave: Hashable, Sendable {
        /// All tries, the first included.
        package var maxTries: Int64 = 3
        /// Between the first two; twice as long before each further one.
        package var base = TimeSpan.seconds(1)
        /// Percent of a delay by which it may be longer.
        package var jitterPercent: Int64 = 0
    }

    package struct Notification: Hashable, Sendable {
        /// Characters of a notification's text, an ellipsis included.
        package var bodyLimit: Int64 = 100
        /// What the phone knows notifications of messages by.
        package var category = "CHAT_MESSAGE"
        /// The address of the app's page in the phone's settings.
        package var settingsPage = "app-settings:"
        /// Whether the phone's permission is read when a conversation appears (catalogue C-30).
        package var checkOnAppear = true
        package var checkOnForeground = true
    }

    package struct Screen: Hashable, Sendable {
        /// From the appearance of a screen until the one before it has disappeared.
        package var transition = TimeSpan.milliseconds(350)
        /// How long a message stands out.
        package var highlight = TimeSpan.seconds(2)
    }

    package struct Start: Hashable, Sendable {
        /// Whether a start asks whom there is to write to; who has never looked at a conversation then looks at the first.
        package var asksForPartners = false
    }

    package struct Switching: Hashable, Sendable {
        /// Whether the rows of the conversation that was left stay, dimmed, until the next has its own (catalogue C-27).
        package var keepsDimmed = false
    }

    /// Images that the user sends.
    package struct Media: Hashable, Sendable {
        /// Bytes below which every image is brought.
        package var limit: Int64 = 2_000_000
        /// Of a hundred bytes, how many a step down in quality leaves.
        package var stepPercent: Int64 = 80
        /// Requests in a row that fail until the message has failed.
        package var tries: Int64 = 3
    }

    /// Images that the user sees.
    package struct Images: Hashable, Sendable {
        /// Rows on the screen at once.
        package var visible: Int64 = 8
        /// Rows before and behind them whose images are fetched, too.
        package var margin: Int64 = 2
        /// Bytes of images that are kept; those in sight are kept beyond it.
        package var cache: Int64 = 20_000_000
        /// Points that a bubble has room for.
        package var width: Int64 = 240
        package var height: Int64 = 320
    }

    package struct Delete: Hashable, Sendable {
        /// Whose messages can be deleted, as far as the menu is concerned.
        package enum Offered: String, Hashable, Sendable, CaseIterable { case own, any }

        package var offered = Offered.own
        /// How long a deletion can be undone, and is not sent.
        package var undoFor = TimeSpan.seconds(5)
        /// From a request that failed to the next.
        package var retry = TimeSpan.seconds(5)
    }

    package struct Unread: Hashable, Sendable {
        package var clearOn = ClearOn.open
        /// Between two looks at the server's counts, once the list was opened; zero for none.
        package var refresh = TimeSpan.zero
        /// From a reading that the server could not be told to the next try.
        package var retry = TimeSpan.seconds(5)
    }

    /// When an opened conversation counts as read (catalogue C-12).
    package enum ClearOn: String, Hashable, Sendable, CaseIterable {
        case open
        /// As its messages come onto the screen.
        case visible
    }

    package struct View: Hashable, Sendable {
        /// Messages that fit on the screen.
        package var height: Int64 = 10
    }

    package struct Badge: Hashable, Sendable {
        /// The highest number that a badge says; 0 for no limit.
        package var limit: Int64 = 99
        package var tone = BadgeTone.blue
    }

    /// The colours of a badge (catalogue C-13): never one that alarms.
    package enum BadgeTone: String, Hashable, Sendable, CaseIterable {
        case blue, green
    }

    package struct People: Hashable, Sendable {
        /// Between two looks at who is there, once the list was opened; zero for none.
        package var refresh = TimeSpan.zero
        /// From the first try that failed to the next; each wait is twice the one before.
        package var retryBase = TimeSpan.seconds(1)
        /// All tries, the first included.
        package var maxTries: Int64 = 3
    }

    package struct Times: Hashable, Sendable {
        /// Whether messages carry their times, and days stand between them.
        package var isShown = false
        /// How far the phone's zone is ahead of UTC.
        package var utcOffset = TimeSpan.zero
    }
}
