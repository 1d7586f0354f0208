import ChatWire
import Faults
import SquallCore

/// An HTTP request, identified by its purpose.
enum ClientRequest: Hashable {
    /// The probe for a captive portal.
    case probe
    /// A request for the newest page of a conversation, to display it on the screen.
    case history(conversation: String)
    /// A request for the page before the message `before`, to close the gap between the newest page and older messages.
    case joining(conversation: String, before: String)
    /// A request for the list of conversations, to find those with new messages.
    case listing
    /// A request for the messages of a conversation after a sequence number.
    case page(conversation: String, after: Int64)
    /// A request that posts one of the user's messages while the socket is not connected.
    case post(wireID: String, conversation: String, text: String, media: MessageMedia? = nil)
    /// A request that marks a conversation as read up to the sequence number `through`, or as a whole.
    case markRead(conversation: String, through: Int64? = nil)
    /// A chunk of a file to upload.
    case chunk(Chunk)
    /// A request for an image in a message.
    case image(url: String, ChatRoute)
    /// The deletion of a message; `id` is its server-assigned ID.
    case delete(key: String, id: String)
    /// A request to save the push token. It carries the API key of the token's user even if another user has signed in
    /// since.
    case saveToken(String, key: String)
    case removeToken(key: String)
    /// A request for the conversation with this ID.
    case conversation(String)
    /// A request for the page of older messages that ends before the message with the ID `before`.
    case earlier(conversation: String, before: String)
    /// A request for the summaries of all conversations, for the conversation list.
    case summaries
    /// A request for the unread counts, for the conversation list.
    case counts
    /// A request for the list of chat partners.
    case people
    /// A forged request that marks a conversation as read by another user, sent only if a scenario requires it.
    case forgedMarkRead(conversation: String, user: String)

    /// Returns whether the body of a successful response has the form that the route requires.
    ///
    /// Only bodies that confirm the effect of a request are checked; for all other requests, the result is true.
    func isAnswered(by body: [UInt8], _ wire: WireProfile) -> Bool {
        switch self {
        case .markRead: (try? UnreadCount.decode(body, wire)) != nil
        case .delete: (try? ChatMessage.decode(body, wire)) != nil
        case .saveToken, .removeToken: (try? StatusBody.decode(body, wire)) != nil
        case .conversation: (try? ConversationSummary.decode(body, wire)) != nil
        default: true
        }
    }

    /// The topic of a request; all requests on one topic are cancelled together.
    enum Topic: Hashable {
        case probe, history, catchUp, post, reading, upload
        case list, people, earlier
        case pushToken, conversation, image, deletion
        case tokenRemoval
    }

    var topic: Topic {
        switch self {
        case .probe: .probe
        case .history, .joining: .history
        case .listing, .page: .catchUp
        case .post: .post
        case .markRead: .reading
        case .chunk: .upload
        case .image: .image
        case .delete: .deletion
        case .summaries, .counts: .list
        case .people: .people
        case .forgedMarkRead: .reading
        case .earlier: .earlier
        case .saveToken: .pushToken
        case .removeToken: .tokenRemoval
        case .conversation: .conversation
        }
    }

    /// The credential of the request; nil for the credential of the user who is signed in when the request is sent.
    fileprivate var key: String? {
        switch self {
        case .saveToken(_, let key), .removeToken(let key): key
        default: nil
        }
    }

    fileprivate func route(_ rules: Rules) -> ChatRoute {
        switch self {
        case .probe: .health
        case .listing: .conversations
        case .history(let conversation):
            .messages(conversation: conversation, before: nil, after: nil, limit: Int(rules.profile.history.page))
        case .page(let conversation, let after):
            .messages(conversation: conversation, before: nil, after: after, limit: Int(rules.profile.history.page))
        case .post(_, let conversation, _, _): .send(conversation: conversation)
        case .markRead(let conversation, let through): .markRead(conversation: conversation, through: through)
        case .chunk(let chunk):
            .upload(name: chunk.name, part: UploadPart(offset: chunk.offset, size: chunk.size))
        case .image(_, let route): route
        case .delete(_, let id): .delete(message: id)
        case .saveToken, .removeToken: .pushToken
        case .conversation(let conversation): .conversation(conversation)
        case .earlier(let conversation, let before), .joining(let conversation, let before):
            .messages(conversation: conversation, before: before, after: nil, limit: Int(rules.profile.history.page))
        case .summaries: .conversations
        case .counts: .unread
        case .people: .agents
        case .forgedMarkRead(let conversation, let user): .markRead(conversation: conversation, user: user)
        }
    }

    fileprivate func body(_ wire: WireProfile) -> [UInt8] {
        switch self {
        case .post(let wireID, _, let text, let media):
            SendBody(clientMessageID: wireID, text: text, media: media).encode(wire)
        case .chunk(let chunk): chunk.content
        case .saveToken(let token, _): PushRegistration(token: token).encode(wire)
        case .removeToken: PushRegistration(token: nil).encode(wire)
        case .probe, .history, .joining, .listing, .page, .markRead, .conversation, .earlier, .image, .delete: []
        case .summaries, .counts, .people, .forgedMarkRead: []
        }
    }
}

/// Owns the HTTP requests in flight and their deadlines.
struct Exchanges {
    private struct Running {
        let id: ExchangeID
        let request: ClientRequest
        let route: String
        let limit: Instant
    }

    private let rules: Rules
    private var running: [Running] = []
    private var begun = 0

    init(_ rules: Rules) {
        self.rules = rules
    }

    var deadline: Instant? { running.reduce(nil) { first, exchange in first.or(sooner: exchange.limit) } }

    private func isRunning(_ request: ClientRequest) -> Bool {
        running.contains { $0.request == request }
    }

    func isRunning(_ topic: ClientRequest.Topic) -> Bool {
        running.contains { $0.request.topic == topic }
    }

    /// Sends a request unless an identical one is already in flight, in which case its response serves both.
    ///
    /// `host` is the server for the request; nil if only one server is configured.
    mutating func begin(_ request: ClientRequest, key: String, of host: String?, _ step: inout Step) {
        guard rules.policy.exchanges.equal == .goEachTime || !isRunning(request) else { return }
        begun += 1
        let id = ExchangeID(rules.id, begun)
        let route = request.route(rules)
        var httpRequest = route.request(rules.wire, key: request.key ?? key, body: request.body(rules.wire))
        httpRequest.host = host
        let span = span(of: request)
        running.append(Running(id: id, request: request, route: route.name, limit: step.now + span))
        step.logWire(
            "client.requested.\(route.name)",
            ["method": .string(httpRequest.method), "target": .string(httpRequest.target)]
        )
        step.perform(.request(id, httpRequest))
    }

    /// Returns the time limit of a request.
    private func span(of request: ClientRequest) -> TimeSpan {
        switch request {
        case .probe: rules.profile.probe.timeout
        case .post where rules.policy.exchanges.postLimit == .isMissing: .seconds(86_400)
        default: rules.profile.http.timeout
        }
    }

    /// Hands the chunks of a file to the phone's transfer service, which sends them independently of the app.
    func handOver(_ upload: String, _ chunks: [Chunk], key: String, of host: String?, _ step: inout Step) {
        let requests = chunks.map(ClientRequest.chunk).map { request in
            var httpRequest = request.route(rules).request(rules.wire, key: key, body: request.body(rules.wire))
            httpRequest.host = host
            return httpRequest
        }
        step.log("client.handed_over", key: upload, ["chunks": .integer(Int64(requests.count))])
        step.perform(.transfer(upload, requests))
    }

    /// Removes the answered request from those in flight and returns it; returns nil if it was cancelled.
    mutating func answered(_ id: ExchangeID, _ status: Int, _ step: inout Step) -> ClientRequest? {
        guard let exchange = end(id) else { return nil }
        step.logWire("client.answered.\(exchange.route)", ["status": .integer(Int64(status))])
        return exchange.request
    }

    /// Removes the failed request from those in flight and returns it; returns nil if it was cancelled.
    mutating func failed(_ id: ExchangeID, _ failure: LinkFailure, _ step: inout Step) -> ClientRequest? {
        guard let exchange = end(id) else { return nil }
        logFailure(exchange, failure, &step)
        return exchange.request
    }

    /// Cancels the requests whose deadline has passed, and returns them.
    mutating func overdue(_ step: inout Step) -> [ClientRequest] {
        let late = running.filter { $0.limit <= step.now }
        for exchange in late {
            _ = end(exchange.id)
            step.perform(.cancel(exchange.id))
            logFailure(exchange, .timedOut, &step)
        }
        return late.map(\.request)
    }

    /// Cancels all requests except the captive portal probe, because their network path is lost, and returns them. The
    /// connection cancels the probe itself.
    mutating func pathLost(_ step: inout Step) -> [ClientRequest] {
        let lost = running.filter { $0.request != .probe }
        for exchange in lost {
            _ = end(exchange.id)
            step.perform(.cancel(exchange.id))
            logFailure(exchange, .unreachable, &step)
        }
        return lost.map(\.request)
    }

    /// Cancels all requests on a topic.
    mutating func cancelRequests(_ topic: ClientRequest.Topic, _ step: inout Step) {
        for exchange in running where exchange.request.topic == topic { step.perform(.cancel(exchange.id)) }
        running.removeAll { $0.request.topic == topic }
    }

    /// Cancels all requests, because their user has signed out.
    mutating func withdrawAll(_ step: inout Step) {
        for exchange in running { step.perform(.cancel(exchange.id)) }
        running = []
    }

    private mutating func end(_ id: ExchangeID) -> Running? {
        guard let index = running.firstIndex(where: { $0.id == id }) else { return nil }
        return running.remove(at: index)
    }

    private func logFailure(_ exchange: Running, _ failure: LinkFailure, _ step: inout Step) {
        step.log("client.request_failed.\(exchange.route)", ["failure": .string(failure.rawValue)])
    }
}

extension Exchanges {
    static let registry: [RegistryEntry] = [
        RouteKind.health, .conversations, .messages, .send, .markRead, .upload, .unread, .agents,
        .delete, .media, .thumbnail,
        .pushToken, .conversation,
    ].flatMap { kind in
        let route = kind.rawValue
        return [
            RegistryEntry.event(
                "client.requested.\(route)",
                ["method", "target"],
                provenance: .observed,
                level: .wire,
                "The client has sent a request to the `\(route)` route."
            ),
            .event(
                "client.answered.\(route)",
                [.integer("status")],
                provenance: .observed,
                level: .wire,
                "The server has answered the client's request to the `\(route)` route."
            ),
            .event(
                "client.request_failed.\(route)",
                ["failure"],
                "The client's request to the `\(route)` route has failed or timed out."
            ),
        ]
    }
}
