package import ChatWire
import Faults
package import SquallCore

/// The fake chat server: a value that handles bytes and scripted actions, and returns bytes and observations.
///
/// It serves any number of clients, and identifies each client by its connections. A new server accepts connections.
package struct ChatServer: Sendable {
    let wire: WireProfile
    let policy: ServerPolicy
    /// The server's settings, which the script can change during the run.
    package internal(set) var profile: ServerProfile

    // State that survives a restart.
    var store = MessageStore()
    var sessions: SessionTable
    var unread = UnreadTable()
    var uploads = UploadTable()
    var members = MemberTable()
    var logins = LoginTable()
    var pushes = PushTable()
    var accounts = AccountTable()
    var partners = PartnerTable()
    var groups = GroupTable()
    var mqttSessions = MQTTSessionTable()

    // State that a restart discards.
    var links = ServerLinks()
    var presence = PresenceTable()
    var rateLimit = RateLimit()
    var replayBuffer = ReplayBuffer()
    var held: [(label: String, reply: HeldReply)] = []
    var work: PromptTable

    // State that the script has set.
    var replyRules = ReplyRules()
    var requestRules = RequestRules()
    var acceptsKeys = true
    /// The host names of the servers that are down, if there are several servers.
    var hostsDown: Set<String> = []
    /// Whether a restart has lost the stored state.
    var hasLostState = false
    var heartbeatInterval: TimeSpan

    /// The number of polling sessions opened so far.
    var sessionsOpened = 0
    /// The number of `error` frames sent so far, from which each frame's ID is derived.
    var errorsSent = 0

    var tasks = DeadlineQueue<ServerTask>()
    var isListening = true
    /// A counter of starts and stops; a scheduled task with an older value is ignored.
    var life = 0
    /// A counter of changes to the heartbeat interval; a scheduled heartbeat with an older value is ignored.
    var heartbeatGeneration = 0

    /// A reference to the client frame being handled, so that the response can name it.
    var answering: WireDialogue.Reference?
    /// The instant of the input being handled.
    var now = Instant.zero
    var outputs: [ServerOutput] = []

    package init(
        profile: ServerProfile = ServerProfile(),
        policy: ServerPolicy = ServerPolicy(),
        wire: WireProfile = WireProfile(),
        seed: Seed = Seed(0),
        history: [ServerHistory] = []
    ) {
        self.profile = profile
        self.policy = policy
        self.wire = wire
        sessions = SessionTable(seed: seed)
        work = PromptTable(seed: seed)
        heartbeatInterval = profile.heartbeat.interval
        for part in history { remember(part) }
    }

    /// The instant at which the server next needs ``ServerInput/timer``; nil if no task is scheduled.
    package private(set) var nextDeadline: Instant?

    package mutating func handle(_ input: ServerInput, at now: Instant) -> [ServerOutput] {
        self.now = now
        switch input {
        case .action(let action): perform(action)
        case .accepted(let link): accept(link)
        case .received(let link, let bytes): receive(bytes, on: link)
        case .ended(let link, let end): peerEnded(link, end)
        case .timer:
            while let task = tasks.take(at: now) { carryOut(task) }
        }
        nextDeadline = tasks.next.flatMap { $0 < .never ? $0 : nil }
        defer { outputs = [] }
        return outputs
    }

    mutating func note(_ name: String, key: String? = nil, _ fields: JSON = .object([]), of client: ClientID? = nil) {
        outputs.append(.observe(.happened(name, key: key, fields, by: .observed), client: client))
    }

    /// Records in the trace that a scripted action has hit its target.
    mutating func noteHit(_ aim: ActionAim, of client: ClientID?) {
        outputs.append(.observe(.happened("server.action.hit", aim.fields, by: .injected), client: client))
    }
}

/// A task that the server has scheduled for a later instant.
enum ServerTask: Hashable, Sendable {
    // The case is indirect, because its payload is far larger than those of most cases, and inserting a task into the
    // queue moves other tasks.
    indirect case deliver(Outgoing, LinkID)
    indirect case respond(OutgoingResponse, LinkID)
    case upgrade(LinkID)
    case close(LinkID, CloseReason)
    /// Ends the connection of a peer that has not answered a close frame in time.
    case endClosing(LinkID)
    case heartbeat(LinkID, heartbeatGeneration: Int)
    case checkSilence(LinkID)
    /// Ends a polling session whose client has become silent.
    case expire(LinkID)
    /// Answers a `/sync` request that has timed out.
    case answerSync(LinkID, on: LinkID)
    indirect case write(TokenStream)
    case finishPrompt(Int, ClientID)
    case finishCommand(String, ClientID)
    /// Posts the remaining messages in a series.
    indirect case post(ServerAction.Post, first: Int64)
    case shutDown(Shutdown, life: Int)
    case start(life: Int)
}

/// The status code and the reason text of a close frame.
struct CloseReason: Hashable, Sendable {
    var code: UInt16
    var text = ""
}
