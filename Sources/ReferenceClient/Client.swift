package import ChatWire
package import SquallCore

/// The reference client: a chat client that reconnects, as one value without I/O, clock or chance of its own.
///
/// Input goes in by ``handle(_:at:)``, outputs come out; between them lie concerns that do not know each other, each
/// the owner of one part of the state:
///
/// - ``Connection``: the socket; when to try, to wait, to stop
/// - ``Session``: up to where everything was seen, and how to get the rest
/// - ``Outbox``: what the user has sent, until the server has it
/// - ``Uploads``: the files of the user, until the server has them
/// - ``Media``, ``Images``: the image in the preview, and those in the rows
/// - ``Deletions``: what the user has deleted, until the server has agreed
/// - ``Conversations``: messages and their order
/// - ``Unread``: what is read, and what of that the server knows
/// - ``Listing``: the list of conversations
/// - ``People``: who is there; ``Peers``: who types
/// - ``Times``: the server's clock, and how old messages are
/// - ``Exchanges``: HTTP under way
/// - ``Tasks``: what the user has the server run
/// - ``Notices``: what is told for a while
/// - ``Metrics``: what is counted and timed
/// - ``Account``, ``AppState``: who is signed in, and what the app knows of that user's screen
/// - ``PushToken``, ``Notifications``: where notifications go, and which are shown
/// - ``DeepLink``, ``Highlight``: where a tapped notification leads
/// - ``Screen``, ``History``, ``Scroll``, ``NewMarker``: what surrounds the messages, and where in them the reader is
///
/// A step is: the input is routed, what the concerns tell each other is routed, what can leave leaves, what has changed
/// goes to disk as one, and what the user sees is derived from the state (`Shown`).
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
    var lateUnread = Lag()
    var lateStatuses = Lag()
    private var disk: Disk
    private var hasCrashed = false
    /// When the client wants ``ClientInput/timer`` next; nil for never.
    package private(set) var nextDeadline: Instant?

    /// A client that has yet to be told ``ChatWire/ClientCommand/start``.
    ///
    /// `key` is the credential unless the store has another; `store` is what an earlier life of this client has left,
    /// `phone` what its phone has for it.
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
        connection = Connection(rules, key: key, store: store, hasNetwork: phone.hasNetwork)
        session = Session(rules, store: store)
        account = Account(rules, store: store, key: key)
        outbox = Outbox(rules, store: store, user: account.user)
        uploads = Uploads(rules, store: store, transfers: phone.transfers, user: account.user)
        conversations = Conversations(rules, store: store, outbox: outbox.entries, me: account.user ?? rules.id.name)
        unread = Unread(rules, store: store)
        list = Listing(rules)
        people = People(rules)
        times = Times(rules)
        exchanges = Exchanges(rules)
        tasks = Tasks(rules)
        notices = Notices(rules)
        media = Media(rules)
        images = Images(rules)
        deletions = Deletions(rules, store: store, user: account.user)
        appState = AppState(rules, viewing: conversations.open, user: account.user)
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

    /// Whoever used the app has gone: all is as in an app that was never used, but for what is named here.
    ///
    /// What is not named, a concern that is new to the client above all, is forgotten with its user.
    mutating func forgetUser(_ step: inout Step) {
        var next = Client(rules, key: "", store: StoreImage(), phone: Phone())
        // The phone's, and those that know themselves what of theirs is a user's.
        next.connection = connection
        next.exchanges = exchanges
        next.account = account
        next.appState = appState
        next.pushToken = pushToken
        next.notifications = notifications
        next.metrics = metrics
        // What waits for its user to come back.
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

    /// What stays on disk when a user goes, by the beginnings of its keys.
    private static let storedForAll = [
        "launches", "account.user", Notifications.storeKey, PushToken.storeKey,
        OutboxEntry.storePrefix, Upload.storePrefix, Deletions.storePrefix,
    ]

    /// Takes one input to its end.
    package mutating func handle(_ input: ClientInput, at now: Instant) -> [ClientOutput] {
        guard !hasCrashed else { return [] }
        var step = Step(at: now)
        route(input, &step)
        settle(&step)
        letOut(&step)
        save(&step)
        show(&step)
        if display.isRenewing {
            showWhatWaits(&step)
            display.blankTheRest(&step)
        }
        hasCrashed = step.hasCrashed
        nextDeadline = hasCrashed ? nil : deadline
        return step.outputs
    }

    // These and others that are asked in every step are mutating although they change nothing: so they are asked where the
    // client lies, and not a copy of it, which costs more than the answer.

    private var deadline: Instant? {
        mutating get {
            connection.deadline.or(sooner: session.deadline).or(sooner: outbox.deadline).or(sooner: uploads.deadline)
                .or(sooner: exchanges.deadline).or(sooner: notices.deadline).or(sooner: list.deadline)
                .or(sooner: people.deadline).or(sooner: times.deadline).or(sooner: lateUnread.deadline)
                .or(sooner: lateStatuses.deadline).or(sooner: unread.deadline)
                .or(sooner: deletions.deadline)
                .or(sooner: appState.deadline).or(sooner: pushToken.deadline).or(sooner: highlight.deadline)
        }
    }

    /// The way that messages take at this moment.
    var channel: Outbox.Channel {
        mutating get {
            if connection.carriesMessages { return session.letsMessagesOut ? .socket : .none }
            return connection.phase == .polling ? .http : .none
        }
    }

    /// Whether nothing is on its way, or about to be, that matters more than a file.
    private var isLinkFree: Bool {
        mutating get {
            switch channel {
            case .none: false
            case .socket: connection.quality != .slow && !session.isSyncing && !outbox.isUnderWay
            case .http: !exchanges.isRunning(.post)
            }
        }
    }

    // MARK: - The parts of a step

    private mutating func settle(_ step: inout Step) {
        while let happening = step.nextHappening() { route(happening, &step) }
    }

    /// What the end of a step may send: nothing that this same step has made impossible.
    private mutating func letOut(_ step: inout Step) {
        let isAnswering = connection.isAnswering
        if isAnswering != people.isHealthy {
            people.became(isHealthy: isAnswering, serverTime: times.serverTime(at: step.now), &step)
        }
        session.poll(connection.phase == .polling, &step)
        if connection.phase != .polling, exchanges.isRunning(.post) {
            exchanges.withdraw(.post, &step)
            outbox.linkLost(announced: false, &step)
        }
        settle(&step)
        outbox.flush(over: channel, &step)
        finishScroll(&step)
        lookAtUnread(&step)
        unread.pendingReads.emit(over: channel, &step)
        deletions.flush(isConnected: channel != .none, &step)
        if conversations.hasImages, appState.isInForeground {
            let anchor = conversations.open.flatMap { scroll.anchor(of: $0) }
            images.look(at: conversations.imagesInSight(from: anchor), isConnected: channel != .none, &step)
        }
        settle(&step)
        finishScreen(&step)
        guard !uploads.isEmpty else { return }
        uploads.flush(ifFree: isLinkFree, isInForeground: appState.isInForeground, &step)
        settle(&step)
    }

    /// All writes of a step go to disk as one: after a kill either all of it has happened or nothing.
    private mutating func save(_ step: inout Step) {
        conversations.store(&step)
        var waiting = step.onceStored
        if step.writes.isEmpty {
            // Nothing to wait for.
            for what in waiting { carryOut(what, over: connection.link?.id, &step) }
            settle(&step)
            waiting = []
        }
        guard !step.writes.isEmpty else { return }
        disk.note(step.writes)
        step.perform(.persist(disk.await(waiting, over: connection.link?.id), step.writes))
    }

    private mutating func carryOut(_ what: OnceStored, over link: ConnectionID?, _ step: inout Step) {
        switch what {
        case .outgoing(let id):
            outbox.stored(id, &step)
        case .upload(let key):
            uploads.stored(key, isInForeground: appState.isInForeground, &step)
        case .deletion(let key):
            deletions.stored(key)
        case .acknowledge(let id):
            guard appState.isInForeground || rules.policy.lifecycle.acknowledgements == .goOut else { return }
            // On another connection the server will ask again.
            if link != nil, link == connection.link?.id { step.emit(.say(.messageAck(id: id))) }
        case .receipt(let id):
            let isSameLink = link != nil && link == connection.link?.id
            unread.pendingReads.stored(receiptFor: id, canLeave: isSameLink && channel == .socket, &step)
        }
    }

    mutating func persisted(_ number: Int, _ step: inout Step) {
        for (what, link) in disk.done(number) { carryOut(what, over: link, &step) }
    }

    mutating func start(_ step: inout Step) {
        guard connection.phase == .idle else { return }
        step.store("launches", .integer(rules.launch))
        step.changes = .all
        for key in conversations.names.flatMap({ conversations[$0].keys }) { step.touch(key) }
        notices.start(&step)
        startPhone(launchedBy: launchedBy, &step)
        guard account.user != nil else { return }
        connection.begin(&step)
        unread.begin(focus, &step)
        // The screen of the last life need not wait for the socket.
        beginScreen(&step)
        if screen.letsMessagesLoad { conversations.loadMissingHistory(&step) }
    }
}
