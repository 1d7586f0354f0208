package import ChatWire
import Faults
package import SquallCore

/// The scripted chat server: bytes and the scenario's actions in, bytes and observations out.
///
/// It serves any number of clients, each of which the connection names. It begins listening.
package struct ChatServer: Sendable {
    let wire: WireProfile
    let policy: ServerPolicy
    /// The script may change it in the course of the run.
    package internal(set) var profile: ServerProfile

    // What a restart keeps.
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

    // What a restart forgets.
    var links = ServerLinks()
    var presence = PresenceTable()
    var rateLimit = RateLimit()
    var replayBuffer = ReplayBuffer()
    var held: [(label: String, reply: HeldReply)] = []
    var work: PromptTable

    // What the script has said.
    var replyRules = ReplyRules()
    var requestRules = RequestRules()
    var letsIn = true
    /// The names of servers that are down, where there are several.
    var hostsDown: Set<String> = []
    var heartbeatInterval: TimeSpan

    var agenda = DeadlineQueue<ServerTask>()
    var isListening = true
    /// Grows with every start and stop: what was planned before is void.
    var life = 0
    /// Grows with every change of the heartbeat: what was planned before is void.
    var rhythm = 0

    /// The client's frame being handled, where an answer can refer to it.
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

    /// When ``ServerInput/timer`` is wanted next.
    package private(set) var nextDeadline: Instant?

    package mutating func handle(_ input: ServerInput, at now: Instant) -> [ServerOutput] {
        self.now = now
        switch input {
        case .action(let action): perform(action)
        case .accepted(let link): accept(link)
        case .received(let link, let bytes): receive(bytes, on: link)
        case .ended(let link, let end): peerEnded(link, end)
        case .timer:
            while let task = agenda.take(at: now) { carryOut(task) }
        }
        nextDeadline = agenda.next.flatMap { $0 < .never ? $0 : nil }
        defer { outputs = [] }
        return outputs
    }

    mutating func note(_ name: String, key: String? = nil, _ fields: JSON = .object([]), of client: ClientID? = nil) {
        outputs.append(.observe(.happened(name, key: key, fields, by: .observed), client: client))
    }

    /// An action of the script has met what it is aimed at.
    mutating func noteHit(_ aim: ActionAim, of client: ClientID?) {
        outputs.append(.observe(.happened("server.action.hit", aim.fields, by: .injected), client: client))
    }
}

/// What the server does when its time has come.
enum ServerTask: Hashable, Sendable {
    // Larger than the others by far; what waits is moved in its list.
    indirect case deliver(Outgoing, LinkID)
    indirect case respond(OutgoingResponse, LinkID)
    case upgrade(LinkID)
    case close(LinkID, CloseReason)
    /// The peer has had its time to answer a close.
    case endClosing(LinkID)
    case heartbeat(LinkID, rhythm: Int)
    case checkSilence(LinkID)
    indirect case write(TokenStream)
    case finishPrompt(Int, ClientID)
    case finishCommand(String, ClientID)
    /// The rest of messages that are posted one after the other.
    indirect case post(ServerAction.Post, first: Int64)
    case shutDown(Shutdown, life: Int)
    case start(life: Int)
}

/// Why the server closes a WebSocket.
struct CloseReason: Hashable, Sendable {
    var code: UInt16
    var text = ""
}
