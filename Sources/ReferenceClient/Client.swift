package import ChatWire
package import SquallCore

/// The reference client: a reconnecting chat client as a value with no I/O, clock or random source of its own.
///
/// ``handle(_:at:)`` takes an input and returns outputs. The state is divided among components that do not call each
/// other:
///
/// - ``Connection``: the socket, and when to connect, wait and give up
/// - ``Session``: the sequence number up to which all messages have been received, and catching up on missed ones
/// - ``Outbox``: the user's messages, until the server has confirmed them
/// - ``Uploads``: the user's files, until the server has received them
/// - ``Media``, ``Images``: the image in the preview, and the images in message rows
/// - ``Deletions``: messages that the user has deleted, until the server has confirmed the deletion
/// - ``Conversations``: messages and their order
/// - ``Unread``: unread counts, and the read receipts for the server
/// - ``Listing``: the list of conversations
/// - ``People``: the chat partners and their presence; ``Peers``: typing indicators
/// - ``Times``: the server's clock, and the age of messages
/// - ``Exchanges``: HTTP requests in flight
/// - ``Tasks``: commands that the server runs for the user
/// - ``Notices``: banners and toasts, which are displayed for a limited time
/// - ``Metrics``: counters and mean durations
/// - ``Account``, ``AppState``: the signed-in user, and the conversation that the user is viewing
/// - ``PushToken``, ``Notifications``: the push token, and the notifications to display
/// - ``DeepLink``, ``Highlight``: the conversation and message to which a tapped notification leads
/// - ``Screen``, ``History``, ``Scroll``, ``NewMarker``: the rest of a conversation's screen, and the scroll position
///
/// To handle an input, the client routes it to the components, routes the signals that the components emit, flushes the
/// queues, writes all changes to disk in one atomic operation, and derives what the user sees (`Shown`) from the state.
package struct Client: Sendable {
    package let id: ClientID
    let rules: Rules
    var connection: Connection
    var session: Session
    var outbox: Outbox
    var uploads: Uploads
    var conversations: Conversations
    var peers = Peers()
    var unread: Unread
    var list: Listing
    var people: People
    var times: Times
    var exchanges: Exchanges
    var tasks: Tasks
    var notices: Notices
    var media: Media
    var images: Images
    var deletions: Deletions
    var metrics = Metrics()
    var account: Account
    var appState: AppState
    var pushToken: PushToken
    var notifications: Notifications
    var deepLink: DeepLink
    var highlight: Highlight
    private var launchedBy: Push?
    var screen: Screen
    var history: History
    var scroll: Scroll
    var newMarker: NewMarker
    var display = Display()
    var lateUnread = Delayed<String>(by: .seconds(1))
    var lateStatuses = Delayed<String>(by: .seconds(1))
    var lateResponses = Delayed<(ClientRequest, ChatResponse)>(by: .seconds(5))
    private var disk: Disk
    private var hasCrashed = false
    /// The instant of the next ``ClientInput/timer`` input that the client needs; nil if it needs none.
    package private(set) var nextDeadline: Instant?

    /// Creates a client that does nothing until the command ``ChatWire/ClientCommand/start`` arrives.
    ///
    /// - Parameters:
    ///   - key: The credential to use if the store contains none.
    ///   - store: The data that an earlier process of this client has written to disk.
    ///   - phone: The state that the phone keeps for the app.
    package init(
        id: ClientID,
        profile: ClientProfile,
        policy: Policy,
        wire: WireProfile,
        key: String,
        seed: Seed,
        store: StoreImage,
        phone: Phone = Phone()
    ) {
        let launch = max(store["launches"]?.intValue ?? 0, 0) &+ 1
        let rules = Rules(id: id, profile: profile, policy: policy, wire: wire, seed: seed, launch: launch)
        self.init(rules, key: key, store: store, phone: phone)
    }

    private init(_ rules: Rules, key: String, store: StoreImage, phone: Phone) {
        id = rules.id
        self.rules = rules
        connection = Connection(rules, key: key, store: store, phone: phone)
        session = Session(rules, store: store)
        account = Account(rules, store: store, key: key)
        outbox = Outbox(rules, store: store, user: account.user)
        uploads = Uploads(rules, store: store, transfers: phone.transfers, user: account.user)
        conversations = Conversations(rules, store: store, outbox: outbox.entries, me: account.user ?? rules.id.name)
        unread = Unread(rules, store: store)
        list = Listing(rules)
        people = People(rules, store: store)
        times = Times(rules, store: store)
        exchanges = Exchanges(rules)
        tasks = Tasks(rules)
        notices = Notices(rules)
        media = Media(rules)
        images = Images(rules)
        deletions = Deletions(rules, store: store, user: account.user)
        appState = AppState(rules, viewing: conversations.open, user: account.user, isLocked: phone.isLocked)
        pushToken = PushToken(rules, store: store, phone: phone)
        notifications = Notifications(rules, store: store, phone: phone)
        deepLink = DeepLink(rules)
        highlight = Highlight(rules)
        launchedBy = phone.launchedBy
        screen = Screen(rules, store: store)
        history = History(rules)
        scroll = Scroll(rules)
        newMarker = NewMarker(rules)
        disk = Disk(store)
        session.watched = conversations.open
    }

    /// The keys whose latest values are not on disk because a write failed.
    package var refusedKeys: Set<String> { disk.refusedKeys }

    /// Resets everything that belongs to the user who has signed out.
    ///
    /// Only the components listed in this function keep their state, so that a component added later is reset by
    /// default.
    mutating func forgetUser(_ step: inout Step) {
        var next = Client(rules, key: "", store: StoreImage(), phone: Phone())
        // These components hold state that belongs to the phone, or reset the user's state themselves.
        next.connection = connection
        next.exchanges = exchanges
        next.account = account
        next.appState = appState
        next.pushToken = pushToken
        next.notifications = notifications
        next.metrics = metrics
        // The entries of these components are kept until the same user signs in again.
        next.outbox = outbox
        next.uploads = uploads
        next.deletions = deletions
        next.display = display
        next.disk = disk
        self = next
        disk.forget(allBut: Self.storedForAll, &step)
        display.renew()
        step.changes = .all
    }

    /// The prefixes of the store keys that survive a sign-out.
    private static let storedForAll = [
        "launches", "account.user", Notifications.storeKey, PushToken.storeKey,
        OutboxEntry.storePrefix, Upload.storePrefix, Deletions.storePrefix,
    ]

    /// Handles one input completely and returns the outputs in order.
    package mutating func handle(_ input: ClientInput, at now: Instant) -> [ClientOutput] {
        guard !hasCrashed else { return [] }
        var step = Step(at: now)
        route(input, &step)
        settle(&step)
        flushQueues(&step)
        save(&step)
        show(&step)
        if display.isRenewing {
            showWaitingEntries(&step)
            display.clearUnreported(&step)
        }
        hasCrashed = step.hasCrashed
        nextDeadline = hasCrashed ? nil : deadline
        return step.outputs
    }

    /// The earliest deadline among all components.
    ///
    /// The getter is `mutating` only to avoid copying the storage; it does not change any state.
    private var deadline: Instant? {
        mutating get {
            connection.deadline.or(sooner: session.deadline).or(sooner: outbox.deadline).or(sooner: uploads.deadline)
                .or(sooner: exchanges.deadline).or(sooner: notices.deadline).or(sooner: list.deadline)
                .or(sooner: people.deadline).or(sooner: times.deadline).or(sooner: lateUnread.deadline)
                .or(sooner: lateStatuses.deadline).or(sooner: lateResponses.deadline).or(sooner: unread.deadline)
                .or(sooner: deletions.deadline).or(sooner: conversations.deadline)
                .or(sooner: appState.deadline).or(sooner: pushToken.deadline).or(sooner: highlight.deadline)
                .or(sooner: disk.deadline)
        }
    }

    /// The transport that currently carries messages.
    ///
    /// The getter is `mutating` only to avoid copying the storage; it does not change any state.
    var channel: Outbox.Channel {
        mutating get {
            if connection.carriesMessages { return session.canSendMessages ? .socket : .none }
            return connection.isPolling && rules.policy.outbox.polling == .postsMessages ? .http : .none
        }
    }

    /// The transport for the user's outgoing messages: HTTP if the protocol has no `send` frame.
    ///
    /// The getter is `mutating` only to avoid copying the storage; it does not change any state.
    private var sendingChannel: Outbox.Channel {
        mutating get {
            let channel = channel
            return channel == .socket && !rules.wire.has(.send, by: .client) ? .http : channel
        }
    }

    /// Whether a chunk of a file can be sent now, that is, whether nothing more urgent is in flight or waiting.
    ///
    /// The getter is `mutating` only to avoid copying the storage; it does not change any state.
    private var isLinkFree: Bool {
        mutating get {
            switch channel {
            case .none: false
            case .socket: connection.quality != .slow && !session.isSyncing && !outbox.isUnderWay
            case .http: !exchanges.isRunning(.post)
            }
        }
    }

    // MARK: - Phases of a step

    private mutating func settle(_ step: inout Step) {
        while let signal = step.nextSignal() { route(signal, &step) }
    }

    /// Sends what the components have queued.
    ///
    /// Runs after the input has been handled, so that nothing is sent over a connection that the input has closed.
    private mutating func flushQueues(_ step: inout Step) {
        let isAnswering = connection.isAnswering
        if isAnswering != people.isHealthy {
            people.became(isHealthy: isAnswering, serverTime: times.serverTime(at: step.now), &step)
        }
        let wasPolling = session.isPolling
        session.poll(connection.isPolling, &step)
        if session.isPolling, !wasPolling, channel == .http {
            outbox.retryFailed(&step)
            resumeImages(&step)
        }
        if sendingChannel != .http, exchanges.isRunning(.post) {
            exchanges.cancelRequests(.post, &step)
            outbox.linkLost(nil, &step)
        }
        settle(&step)
        outbox.flush(over: sendingChannel, &step)
        finishScroll(&step)
        markUnreadAsVisible(&step)
        if channel == .http, !disk.isWriting, !disk.hasRefused { unread.reportWhilePolling(&step) }
        unread.pendingReads.emit(over: channel, &step)
        deletions.flush(isConnected: channel != .none, &step)
        if conversations.hasImages, appState.isInForeground {
            let anchor = conversations.open.flatMap { scroll.anchor(of: $0) }
            images.showImages(conversations.imagesInSight(from: anchor), isConnected: channel != .none, &step)
        }
        settle(&step)
        finishScreen(&step)
        guard !uploads.isEmpty else { return }
        uploads.flush(ifFree: isLinkFree, isInForeground: appState.isInForeground, &step)
        settle(&step)
    }

    /// Emits all store writes caused by one input as a single output, so that either all or none of them are on disk if
    /// the process is killed.
    private mutating func save(_ step: inout Step) {
        conversations.store(&step)
        var waiting = step.onceStored
        if step.writes.isEmpty, disk.isWriting, !disk.hasRefused {
            // The first copy of a repeated message may not be on disk yet, so the actions wait for the writes in
            // progress.
            disk.awaitWrites(waiting, over: connection.link?.id)
            return
        }
        if step.writes.isEmpty, !disk.hasRefused {
            // If nothing has to be written, no action has to wait for the disk.
            for what in waiting { carryOut(what, over: connection.link?.id, &step) }
            settle(&step)
            waiting = []
        }
        guard !step.writes.isEmpty || !waiting.isEmpty || disk.isDue(at: step.now) else { return }
        disk.note(step.writes)
        guard !disk.hasRefused || disk.isDue(at: step.now) else {
            return disk.hold(step.writes, once: waiting, over: connection.link?.id)
        }
        let (number, writes) = disk.write(step.writes, once: waiting, over: connection.link?.id)
        step.perform(.persist(number, writes))
    }

    private mutating func carryOut(_ what: DeferredAction, over link: ConnectionID?, _ step: inout Step) {
        switch what {
        case .outgoing(let id):
            outbox.stored(id, &step)
        case .shared(let key): step.perform(.phone(.removeShared(key)))
        case .upload(let key):
            uploads.stored(key, isInForeground: appState.isInForeground, &step)
        case .imageProgress(let key, let percent): uploads.stored(key, percent: percent, &step)
        case .deletion(let key):
            deletions.stored(key)
        case .acknowledge(let id):
            guard appState.isInForeground || rules.policy.lifecycle.acknowledgements == .areSent else { return }
            // A message received on an earlier connection is not acknowledged: the server sends it again after a
            // reconnect, and expects an acknowledgement of that copy.
            if link != nil, link == connection.link?.id { step.emit(.say(.messageAck(id: id))) }
        case .receipt(let id):
            let isSameLink = link != nil && link == connection.link?.id
            unread.pendingReads.stored(receiptFor: id, canLeave: isSameLink && channel == .socket, &step)
            // The list being fetched may still count these messages as unread, because the server may have computed it
            // before receiving the receipt.
            if exchanges.isRunning(.list) { list.overtaken() }
        }
    }

    mutating func persisted(_ number: Int, _ step: inout Step) {
        for (what, link) in disk.done(number) { carryOut(what, over: link, &step) }
    }

    mutating func persistFailed(_ number: Int, _ step: inout Step) {
        guard rules.policy.disk.refusal == .isRetried else { return persisted(number, &step) }
        disk.failed(number, at: step.now)
        notices.trouble(rules.profile.text.banner.diskFull, .wait, &step)
    }

    mutating func start(_ step: inout Step) {
        guard connection.phase == .idle else { return }
        // Message IDs depend on the launch number, so it is stored even if the key cannot be read yet: the user can
        // already write messages.
        step.store("launches", .integer(rules.launch))
        guard !connection.credentials.mustWait else {
            step.log("client.key_unreadable")
            return
        }
        step.changes = .all
        for key in conversations.names.flatMap({ conversations[$0].keys }) { step.touch(key) }
        notices.start(&step)
        startPhone(launchedBy: launchedBy, &step)
        guard account.user != nil else { return }
        connection.begin(&step)
        unread.begin(focus, &step)
        // The messages on disk can be displayed before the socket is open.
        beginScreen(&step)
        if screen.letsMessagesLoad { conversations.loadMissingHistory(&step) }
    }
}
