// Written from the registry by the tests of SquallTesting; run them with RECORD=1 to write it again.

/// The server's actions, with the names of the scenario language (`squall explain server`).
public struct ServerActions: Sendable {
    private let step: WeatherStep

    init(_ step: WeatherStep) { self.step = step }

    /// The possible values of the parameter `status`.
    public enum Status: String, Hashable, Sendable {
        case online, busy, idle, offline
    }

    /// The possible values of the parameter `state`.
    public enum State: String, Hashable, Sendable {
        case keep, lose
    }

    /// The possible values of the parameter `how`.
    public enum How: String, Hashable, Sendable {
        case fin, rst
    }

    /// The possible values of the parameter `frame`.
    public enum SwallowFrame: String, Hashable, Sendable {
        case hello, connected, authError = "auth_error", ping, pong, confirm, message, replay,
            readReceipt = "read_receipt", typing, token, presence, error, draining, commandStarted = "command_started",
            stopped, deleted
    }

    /// The possible values of the parameter `frame`.
    public enum DelayFrame: String, Hashable, Sendable {
        case hello, connected, authError = "auth_error", ping, pong, confirm, message, replay,
            readReceipt = "read_receipt", typing, token, presence, error, draining, commandStarted = "command_started",
            stopped, deleted
    }

    /// The possible values of the parameter `frame`.
    public enum DuplicateFrame: String, Hashable, Sendable {
        case hello, connected, authError = "auth_error", ping, pong, confirm, message, replay,
            readReceipt = "read_receipt", typing, token, presence, error, draining, commandStarted = "command_started",
            stopped, deleted
    }

    /// The possible values of the parameter `frame`.
    public enum HoldFrame: String, Hashable, Sendable {
        case hello, connected, authError = "auth_error", ping, pong, confirm, message, replay,
            readReceipt = "read_receipt", typing, token, presence, error, draining, commandStarted = "command_started",
            stopped, deleted
    }

    /// The possible values of the parameter `route`.
    public enum Route: String, Hashable, Sendable {
        case ws, health, agents, conversations, messages, send, markRead = "mark_read", unread, upload,
            pushToken = "push_token", conversation, delete, media, thumbnail
    }

    /// The possible values of the parameter `frame`.
    public enum RejectFrame: String, Hashable, Sendable {
        case connect, ping, pong, send, messageAck = "message_ack", sync, readReceipt = "read_receipt", typing,
            executeCommand = "execute_command", stop
    }

    /// The possible values of the parameter `on`.
    public enum On: String, Hashable, Sendable {
        case connect, ping, pong, send, messageAck = "message_ack", sync, readReceipt = "read_receipt", typing,
            executeCommand = "execute_command", stop, opening
    }

    /// Stores messages and sends them to every client. Several messages are labelled label-1, label-2 and so on.
    ///
    /// - Parameters:
    ///   - to: The name of the conversation.
    ///   - count: The number of messages; default 1.
    ///   - text: The text of each message; default: a text that contains the message's number.
    ///   - sender: The user who sends the messages; default: the user with the conversation's name.
    ///   - media: The media type of each message: image, or an unknown type; default: none.
    ///   - bytes: The size of each image in bytes; default 100000.
    ///   - width: The image's width in pixels; default 1200.
    ///   - height: The image's height in pixels; default 900.
    ///   - every: The interval between messages; default 0s.
    ///   - label: The label of the fault, message, hold or rule that the action creates.
    /// - Throws: The errors of ``Weather/perform(_:)``.
    public func post(
        to: String,
        count: Int? = nil,
        text: String? = nil,
        sender: String? = nil,
        media: String? = nil,
        bytes: Int? = nil,
        width: Int? = nil,
        height: Int? = nil,
        every: Duration? = nil,
        as label: String? = nil
    ) async throws {
        try await step.perform(
            "post",
            [
                "to": .of(to),
                "count": .of(count),
                "text": .of(text),
                "sender": .of(sender),
                "media": .of(media),
                "bytes": .of(bytes),
                "width": .of(width),
                "height": .of(height),
                "every": .of(every),
            ],
            as: label
        )
    }

    /// Stores messages without sending them, as if they had been sent before the run.
    ///
    /// - Parameters:
    ///   - conversation: The conversation of the messages.
    ///   - count: The number of messages.
    ///   - age: The age of the newest message; each earlier one is 1s older; default 24h.
    /// - Throws: The errors of ``Weather/perform(_:)``.
    public func history(conversation: String, count: Int, age: Duration? = nil) async throws {
        try await step.perform(
            "history",
            [
                "conversation": .of(conversation),
                "count": .of(count),
                "age": .of(age),
            ],
            as: nil
        )
    }

    /// Writes a message token by token, then stores and sends it.
    ///
    /// - Parameters:
    ///   - conversation: The conversation.
    ///   - text: The whole message.
    ///   - pieces: The number of tokens, at most one per character; default 4.
    ///   - every: The interval between tokens; default 100ms.
    ///   - label: The label of the fault, message, hold or rule that the action creates.
    /// - Throws: The errors of ``Weather/perform(_:)``.
    public func stream(
        conversation: String,
        text: String,
        pieces: Int? = nil,
        every: Duration? = nil,
        as label: String? = nil
    ) async throws {
        try await step.perform(
            "stream",
            [
                "conversation": .of(conversation),
                "text": .of(text),
                "pieces": .of(pieces),
                "every": .of(every),
            ],
            as: label
        )
    }

    /// Notifies every client that a user begins or stops typing.
    ///
    /// - Parameters:
    ///   - conversation: The conversation.
    ///   - user: The user who types; default: the user with the conversation's name.
    ///   - active: Whether typing begins or ends; default yes.
    /// - Throws: The errors of ``Weather/perform(_:)``.
    public func type(_ conversation: String, user: String? = nil, active: Bool? = nil) async throws {
        try await step.perform(
            "type",
            [
                "conversation": .of(conversation),
                "user": .of(user),
                "active": .of(active),
            ],
            as: nil
        )
    }

    /// Sets a user's presence and sends it to every client.
    ///
    /// - Parameters:
    ///   - user: The user.
    ///   - status: The user's new status.
    ///   - text: The status text.
    /// - Throws: The errors of ``Weather/perform(_:)``.
    public func presence(user: String, status: Status, text: String? = nil) async throws {
        try await step.perform("presence", ["user": .of(user), "status": .of(status), "text": .of(text)], as: nil)
    }

    /// Assigns a client to a user, as one of the user's devices.
    ///
    /// - Parameters:
    ///   - client: The client.
    ///   - user: The user; several clients may act for one user.
    /// - Throws: The errors of ``Weather/perform(_:)``.
    public func identify(client: String, user: String) async throws {
        try await step.perform("identify", ["client": .of(client), "user": .of(user)], as: nil)
    }

    /// Turns a conversation into a group; the `agents` route lists its members.
    ///
    /// - Parameters:
    ///   - conversation: The group's conversation.
    ///   - members: The members' names, separated by spaces.
    /// - Throws: The errors of ``Weather/perform(_:)``.
    public func group(_ conversation: String, members: String) async throws {
        try await step.perform("group", ["conversation": .of(conversation), "members": .of(members)], as: nil)
    }

    /// Sends an error that does not answer any request.
    ///
    /// - Parameters:
    ///   - code: The error code; it may be a code that clients do not know.
    ///   - message: The error's text; default: the code.
    ///   - retry_after: The delay that the error requests.
    ///   - client: The client; default: all clients.
    /// - Throws: The errors of ``Weather/perform(_:)``.
    public func error(
        _ code: String,
        message: String? = nil,
        retryAfter: Duration? = nil,
        client: String? = nil
    ) async throws {
        try await step.perform(
            "error",
            [
                "code": .of(code),
                "message": .of(message),
                "retry_after": .of(retryAfter),
                "client": .of(client),
            ],
            as: nil
        )
    }

    /// Sends a WebSocket text message with any content.
    ///
    /// - Parameters:
    ///   - json: The frame to send, without changes; a label becomes its `message_id`.
    ///   - text: The text to send instead of a frame; it need not be JSON.
    ///   - client: The client; default: all clients.
    ///   - label: The label of the fault, message, hold or rule that the action creates.
    /// - Throws: The errors of ``Weather/perform(_:)``.
    public func say(
        json: WeatherValue? = nil,
        text: String? = nil,
        client: String? = nil,
        as label: String? = nil
    ) async throws {
        try await step.perform("say", ["json": .of(json), "text": .of(text), "client": .of(client)], as: label)
    }

    /// Sends a WebSocket binary message, which the chat protocol does not use.
    ///
    /// - Parameters:
    ///   - bytes: The bytes in hexadecimal.
    ///   - client: The client; default: all clients.
    /// - Throws: The errors of ``Weather/perform(_:)``.
    public func binary(_ bytes: String, client: String? = nil) async throws {
        try await step.perform("binary", ["bytes": .of(bytes), "client": .of(client)], as: nil)
    }

    /// Adds a user to the users that the `agents` route lists, even if no message exists yet.
    ///
    /// - Parameters:
    ///   - id: The user's id, which is also the conversation's.
    ///   - name: The display name; default: the id.
    ///   - status: The user's status; default online.
    ///   - about: A one-line description of the user.
    ///   - last_seen: The time since the user was last online, at the start of the run.
    /// - Throws: The errors of ``Weather/perform(_:)``.
    public func introduce(
        _ id: String,
        name: String? = nil,
        status: Status? = nil,
        about: String? = nil,
        lastSeen: Duration? = nil
    ) async throws {
        try await step.perform(
            "introduce",
            [
                "id": .of(id),
                "name": .of(name),
                "status": .of(status),
                "about": .of(about),
                "last_seen": .of(lastSeen),
            ],
            as: nil
        )
    }

    /// Closes every connection with close code 1001 and stops listening.
    ///
    /// - Throws: The errors of ``Weather/perform(_:)``.
    public func stop() async throws {
        try await step.perform("stop", [:], as: nil)
    }

    /// Starts listening again.
    ///
    /// - Throws: The errors of ``Weather/perform(_:)``.
    public func start() async throws {
        try await step.perform("start", [:], as: nil)
    }

    /// Closes every connection with close code 1012 and listens again later.
    ///
    /// - Parameters:
    ///   - down: The time until the server listens again.
    ///   - state: Whether the server keeps or loses messages, sessions, read marks, uploads and push tokens; default
    ///     keep.
    ///   - notice: The time from the announcement of the restart to the restart; default: no announcement.
    /// - Throws: The errors of ``Weather/perform(_:)``.
    public func restart(down: Duration, state: State? = nil, notice: Duration? = nil) async throws {
        try await step.perform("restart", ["down": .of(down), "state": .of(state), "notice": .of(notice)], as: nil)
    }

    /// Resets every connection and stops listening. The server's state is kept.
    ///
    /// - Parameter down: The time until the server listens again; default: the server stays down until the action
    ///   start.
    /// - Throws: The errors of ``Weather/perform(_:)``.
    public func crash(down: Duration? = nil) async throws {
        try await step.perform("crash", ["down": .of(down)], as: nil)
    }

    /// Discards sessions and stops responding on their connections, without sending a FIN, an RST or any other byte.
    ///
    /// - Parameter client: The client; default: all clients.
    /// - Throws: The errors of ``Weather/perform(_:)``.
    public func vanish(client: String? = nil) async throws {
        try await step.perform("vanish", ["client": .of(client)], as: nil)
    }

    /// Announces a shutdown, closes every connection with close code 1001 after the notice, and listens again later.
    ///
    /// - Parameters:
    ///   - retry_after: The delay that the server asks clients to wait before they reconnect; 0s for no delay; default:
    ///     the profile's.
    ///   - notice: The time from the announcement to the close; default: the profile's.
    ///   - down: The time until the server listens again; default: the profile's.
    /// - Throws: The errors of ``Weather/perform(_:)``.
    public func drain(retryAfter: Duration? = nil, notice: Duration? = nil, down: Duration? = nil) async throws {
        try await step.perform(
            "drain",
            [
                "retry_after": .of(retryAfter),
                "notice": .of(notice),
                "down": .of(down),
            ],
            as: nil
        )
    }

    /// Stops one of several hosts, which closes its connections with close code 1001 and refuses new ones. Other hosts
    /// are not affected.
    ///
    /// - Parameter host: The server's host name, as used by clients.
    /// - Throws: The errors of ``Weather/perform(_:)``.
    public func down(_ host: String) async throws {
        try await step.perform("down", ["host": .of(host)], as: nil)
    }

    /// Starts a host that is down: the host accepts connections again.
    ///
    /// - Parameter host: The server's host name, as used by clients.
    /// - Throws: The errors of ``Weather/perform(_:)``.
    public func up(_ host: String) async throws {
        try await step.perform("up", ["host": .of(host)], as: nil)
    }

    /// Makes the prompt in progress in a conversation end with an error.
    ///
    /// - Parameter conversation: The conversation.
    /// - Throws: The errors of ``Weather/perform(_:)``.
    public func failPrompt(_ conversation: String) async throws {
        try await step.perform("fail_prompt", ["conversation": .of(conversation)], as: nil)
    }

    /// Starts the WebSocket closing handshake.
    ///
    /// - Parameters:
    ///   - code: The close code.
    ///   - reason: The close reason.
    ///   - client: The client; default: all clients.
    /// - Throws: The errors of ``Weather/perform(_:)``.
    public func close(code: Int, reason: String? = nil, client: String? = nil) async throws {
        try await step.perform("close", ["code": .of(code), "reason": .of(reason), "client": .of(client)], as: nil)
    }

    /// Ends connections without a close frame.
    ///
    /// - Parameters:
    ///   - how: How connections are closed: fin or rst.
    ///   - client: The client; default: all clients.
    /// - Throws: The errors of ``Weather/perform(_:)``.
    public func disconnect(_ how: How, client: String? = nil) async throws {
        try await step.perform("disconnect", ["how": .of(how), "client": .of(client)], as: nil)
    }

    /// Processes requests as usual but does not send the next frames of a type.
    ///
    /// - Parameters:
    ///   - frame: The type of the frames that are not sent.
    ///   - count: The number of frames; default 1.
    ///   - client: The client; default: all clients.
    /// - Throws: The errors of ``Weather/perform(_:)``.
    public func swallow(_ frame: SwallowFrame, count: Int? = nil, client: String? = nil) async throws {
        try await step.perform("swallow", ["frame": .of(frame), "count": .of(count), "client": .of(client)], as: nil)
    }

    /// Sends frames of a type late, so that other frames overtake them.
    ///
    /// - Parameters:
    ///   - frame: The type of the frames that are sent late.
    ///   - by: The delay.
    ///   - count: The number of frames; default: all.
    ///   - client: The client; default: all clients.
    /// - Throws: The errors of ``Weather/perform(_:)``.
    public func delay(_ frame: DelayFrame, by: Duration, count: Int? = nil, client: String? = nil) async throws {
        try await step.perform(
            "delay",
            [
                "frame": .of(frame),
                "by": .of(by),
                "count": .of(count),
                "client": .of(client),
            ],
            as: nil
        )
    }

    /// Sends the next frames of a type twice.
    ///
    /// - Parameters:
    ///   - frame: The type of the frames that are sent twice.
    ///   - count: The number of frames; default 1.
    ///   - client: The client; default: all clients.
    /// - Throws: The errors of ``Weather/perform(_:)``.
    public func duplicate(_ frame: DuplicateFrame, count: Int? = nil, client: String? = nil) async throws {
        try await step.perform("duplicate", ["frame": .of(frame), "count": .of(count), "client": .of(client)], as: nil)
    }

    /// Holds frames of a type, or responses of a route, until they are released by label. The default label is the name
    /// of the frame type or route.
    ///
    /// - Parameters:
    ///   - frame: The type of the frames that are held.
    ///   - route: The requests whose responses are held, instead of a frame.
    ///   - client: The client; default: all clients.
    ///   - label: The label of the fault, message, hold or rule that the action creates.
    /// - Throws: The errors of ``Weather/perform(_:)``.
    public func hold(
        frame: HoldFrame? = nil,
        route: Route? = nil,
        client: String? = nil,
        as label: String? = nil
    ) async throws {
        try await step.perform("hold", ["frame": .of(frame), "route": .of(route), "client": .of(client)], as: label)
    }

    /// Sends the frames or responses that are held under the label and ends the hold.
    ///
    /// - Parameters:
    ///   - label: The label of the hold.
    ///   - order: The order in which they are sent: kept, reversed, or the positions (from 0) to send first; default
    ///     kept.
    /// - Throws: The errors of ``Weather/perform(_:)``.
    public func release(_ label: String, order: WeatherValue? = nil) async throws {
        try await step.perform("release", ["label": .of(label), "order": .of(order)], as: nil)
    }

    /// Answers frames of a type with an error and does not process them.
    ///
    /// - Parameters:
    ///   - frame: The type of the frames that are rejected.
    ///   - code: The error code.
    ///   - message: The error's text; default: the code.
    ///   - count: The number of frames; default 1.
    ///   - client: The client; default: all clients.
    /// - Throws: The errors of ``Weather/perform(_:)``.
    public func reject(
        _ frame: RejectFrame,
        code: String,
        message: String? = nil,
        count: Int? = nil,
        client: String? = nil
    ) async throws {
        try await step.perform(
            "reject",
            [
                "frame": .of(frame),
                "code": .of(code),
                "message": .of(message),
                "count": .of(count),
                "client": .of(client),
            ],
            as: nil
        )
    }

    /// Answers frames of a type with the given frames and does not process them.
    ///
    /// - Parameters:
    ///   - on: The type of the frames that are answered, or the opening of a WebSocket.
    ///   - match: The pattern of the messages that are answered, instead of a frame type: JSON, or text with
    ///     placeholders.
    ///   - reply: The frame to reply with; {name} is replaced by the member of the client's frame, or the placeholder
    ///     of 'match', with that name.
    ///   - replies: Several frames to reply with, each { frame: …, after_ms: 120 } or { text: … }.
    ///   - count: The number of frames; default: all.
    ///   - client: The client; default: all clients.
    ///   - label: The label of the fault, message, hold or rule that the action creates.
    /// - Throws: The errors of ``Weather/perform(_:)``.
    public func rule(
        on: On? = nil,
        match: WeatherValue? = nil,
        reply: WeatherValue? = nil,
        replies: WeatherValue? = nil,
        count: Int? = nil,
        client: String? = nil,
        as label: String? = nil
    ) async throws {
        try await step.perform(
            "rule",
            [
                "on": .of(on),
                "match": .of(match),
                "reply": .of(reply),
                "replies": .of(replies),
                "count": .of(count),
                "client": .of(client),
            ],
            as: label
        )
    }

    /// Answers HTTP requests with the given response and does not process them.
    ///
    /// - Parameters:
    ///   - request: The method and target of the requests that are answered, such as GET /prices?symbol={symbol}.
    ///   - match: The pattern of the requests' body: JSON, or text with placeholders.
    ///   - status: The HTTP status; default 200.
    ///   - headers: The header fields of the response, as an object of strings.
    ///   - body: The body of the response; {name} is replaced by the placeholder of 'request' or 'match', or the member
    ///     of the request's JSON body, with that name.
    ///   - after: The delay of the response; default 0s.
    ///   - count: The number of requests; default: all.
    ///   - client: The client; default: all clients.
    ///   - label: The label of the fault, message, hold or rule that the action creates.
    /// - Throws: The errors of ``Weather/perform(_:)``.
    public func respond(
        request: String,
        match: WeatherValue? = nil,
        status: Int? = nil,
        headers: WeatherValue? = nil,
        body: WeatherValue? = nil,
        after: Duration? = nil,
        count: Int? = nil,
        client: String? = nil,
        as label: String? = nil
    ) async throws {
        try await step.perform(
            "respond",
            [
                "request": .of(request),
                "match": .of(match),
                "status": .of(status),
                "headers": .of(headers),
                "body": .of(body),
                "after": .of(after),
                "count": .of(count),
                "client": .of(client),
            ],
            as: label
        )
    }

    /// Answers requests with an HTTP status and does not process them.
    ///
    /// - Parameters:
    ///   - route: The requests that fail.
    ///   - status: The HTTP status.
    ///   - nth: The number of the only request that fails, counted from now.
    ///   - count: The number of requests that fail; default: all.
    ///   - retry_after: The Retry-After header, in whole seconds.
    ///   - location: The Location header, for a redirect.
    /// - Throws: The errors of ``Weather/perform(_:)``.
    public func fail(
        _ route: Route,
        status: Int,
        nth: Int? = nil,
        count: Int? = nil,
        retryAfter: Duration? = nil,
        location: String? = nil
    ) async throws {
        try await step.perform(
            "fail",
            [
                "route": .of(route),
                "status": .of(status),
                "nth": .of(nth),
                "count": .of(count),
                "retry_after": .of(retryAfter),
                "location": .of(location),
            ],
            as: nil
        )
    }

    /// Delays the responses to requests.
    ///
    /// - Parameters:
    ///   - route: The requests whose responses are delayed.
    ///   - by: The delay.
    ///   - count: The number of requests; default: all.
    /// - Throws: The errors of ``Weather/perform(_:)``.
    public func slow(_ route: Route, by: Duration, count: Int? = nil) async throws {
        try await step.perform("slow", ["route": .of(route), "by": .of(by), "count": .of(count)], as: nil)
    }

    /// Removes every rule for frames and requests. Held frames and responses stay held.
    ///
    /// - Throws: The errors of ``Weather/perform(_:)``.
    public func clear() async throws {
        try await step.perform("clear", [:], as: nil)
    }

    /// Changes which logins are accepted from now on. Existing connections are not affected.
    ///
    /// - Parameters:
    ///   - accept: Whether the correct key is accepted.
    ///   - key: The correct key.
    /// - Throws: The errors of ``Weather/perform(_:)``.
    public func auth(accept: Bool? = nil, key: String? = nil) async throws {
        try await step.perform("auth", ["accept": .of(accept), "key": .of(key)], as: nil)
    }

    /// Changes the limit on the rate of each client's messages.
    ///
    /// - Parameters:
    ///   - count: The maximum number of messages per client.
    ///   - per: The length of the sliding window; 0s for no limit.
    /// - Throws: The errors of ``Weather/perform(_:)``.
    public func limit(count: Int, per: Duration) async throws {
        try await step.perform("limit", ["count": .of(count), "per": .of(per)], as: nil)
    }

    /// Starts or stops sending heartbeat pings.
    ///
    /// - Parameters:
    ///   - on: Whether the server pings.
    ///   - every: The interval between pings; default: the profile's, or 30s.
    /// - Throws: The errors of ``Weather/perform(_:)``.
    public func heartbeat(on: Bool, every: Duration? = nil) async throws {
        try await step.perform("heartbeat", ["on": .of(on), "every": .of(every)], as: nil)
    }

    /// Starts or stops answering clients' pings.
    ///
    /// - Parameter on: Whether pings are answered.
    /// - Throws: The errors of ``Weather/perform(_:)``.
    public func pong(on: Bool) async throws {
        try await step.perform("pong", ["on": .of(on)], as: nil)
    }

    /// Runs with the given clock skew from now on.
    ///
    /// - Parameter skew: The time by which the server's clock is ahead.
    /// - Throws: The errors of ``Weather/perform(_:)``.
    public func clock(skew: Duration) async throws {
        try await step.perform("clock", ["skew": .of(skew)], as: nil)
    }

    /// Restricts a conversation to its members: messages and uploads from other users are rejected from now on.
    ///
    /// - Parameters:
    ///   - conversation: The conversation.
    ///   - to: The names of the members, separated by spaces.
    /// - Throws: The errors of ``Weather/perform(_:)``.
    public func restrict(_ conversation: String, to: String) async throws {
        try await step.perform("restrict", ["conversation": .of(conversation), "to": .of(to)], as: nil)
    }

    /// Assigns a user a key of their own.
    ///
    /// - Parameters:
    ///   - user: The user.
    ///   - key: The key that logs a client in as that user.
    /// - Throws: The errors of ``Weather/perform(_:)``.
    public func account(_ user: String, key: String) async throws {
        try await step.perform("account", ["user": .of(user), "key": .of(key)], as: nil)
    }

    /// Pushes a notification, whether or not its message exists. Posted messages are pushed automatically.
    ///
    /// - Parameters:
    ///   - to: The conversation that the notification is about.
    ///   - for: The user who is notified; default: every user with a device.
    ///   - text: The text of the message.
    ///   - back: The position of the message, counted back from the newest (0); default: a message that is not stored.
    ///   - times: The number of times that the notification is pushed; default 1.
    ///   - label: The label of the fault, message, hold or rule that the action creates.
    /// - Throws: The errors of ``Weather/perform(_:)``.
    public func push(
        to: String,
        `for`: String? = nil,
        text: String? = nil,
        back: Int? = nil,
        times: Int? = nil,
        as label: String? = nil
    ) async throws {
        try await step.perform(
            "push",
            [
                "to": .of(to),
                "for": .of(`for`),
                "text": .of(text),
                "back": .of(back),
                "times": .of(times),
            ],
            as: label
        )
    }

    /// Deletes a conversation with all its messages.
    ///
    /// - Parameter conversation: The conversation.
    /// - Throws: The errors of ``Weather/perform(_:)``.
    public func removeConversation(_ conversation: String) async throws {
        try await step.perform("remove_conversation", ["conversation": .of(conversation)], as: nil)
    }
}
