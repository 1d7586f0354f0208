// Written from the registry by the tests of SquallTesting; run them with RECORD=1 to write it again.

/// The network's actions, with the names of the scenario language (`squall explain network`).
public struct NetworkActions: Sendable {
    private let step: WeatherStep

    init(_ step: WeatherStep) { self.step = step }

    /// The possible values of the parameter `stream`.
    public enum Stream: String, Hashable, Sendable {
        case upstream, downstream, both
    }

    /// The possible values of the parameter `then`.
    public enum Then: String, Hashable, Sendable {
        case fin, rst, timeout
    }

    /// The possible values of the parameter `side`.
    public enum Side: String, Hashable, Sendable {
        case both, client, server
    }

    /// The possible values of the parameter `how`.
    public enum How: String, Hashable, Sendable {
        case fin, rst
    }

    /// The possible values of the parameter `new`.
    public enum New: String, Hashable, Sendable {
        case stall, work, refuse
    }

    /// The possible values of the parameter `answer`.
    public enum Answer: String, Hashable, Sendable {
        case none, reset
    }

    /// The possible values of the parameter `form`.
    public enum Form: String, Hashable, Sendable {
        case redirect, page, _511 = "511", reset, sameHost = "same_host"
    }

    /// The possible values of the parameter `status`.
    public enum Status: String, Hashable, Sendable {
        case _301 = "301", _302 = "302", _303 = "303", _307 = "307", _308 = "308"
    }

    /// The possible values of the parameter `requests`.
    public enum Requests: String, Hashable, Sendable {
        case upgrades, all
    }

    /// The possible values of the parameter `outage`.
    public enum Outage: String, Hashable, Sendable {
        case blackhole, refuse
    }

    /// The possible values of the parameter `action`.
    public enum Action: String, Hashable, Sendable {
        case drop, delay, duplicate, reorder, truncate, rewrite, corrupt, close, fin, rst
    }

    /// The possible values of the parameter `content`.
    public enum Content: String, Hashable, Sendable {
        case message, text, binary, ping, pong, close
    }

    /// The possible values of the parameter `kind`.
    public enum Kind: String, Hashable, Sendable {
        case valid, expired, notYetValid = "not_yet_valid", wrongHost = "wrong_host", selfSigned = "self_signed",
            untrusted, portal
    }

    /// The possible values of the parameter `outcome`.
    public enum Outcome: String, Hashable, Sendable {
        case fail, stall
    }

    /// Bytes arrive late, in order; connecting is not delayed.
    ///
    /// - Parameters:
    ///   - delay: The delay of each byte, FIN and RST.
    ///   - jitter: The maximum deviation of the delay, in either direction; default: 0s.
    ///   - stream: The direction of the affected bytes; default: both.
    ///   - toxicity: The percentage of connections that are affected, selected at random; default: 100.
    ///   - for: The duration of the fault; if omitted, the fault lasts until it is healed.
    ///   - clients: The affected clients; if omitted, all clients.
    ///   - label: The label of the fault, message, hold or rule that the action creates.
    /// - Throws: The errors of ``Weather/perform(_:)``.
    public func latency(
        delay: Duration,
        jitter: Duration? = nil,
        stream: Stream? = nil,
        toxicity: Int? = nil,
        `for`: Duration? = nil,
        clients: [String]? = nil,
        as label: String? = nil
    ) async throws {
        try await step.perform(
            "latency",
            [
                "delay": .of(delay),
                "jitter": .of(jitter),
                "stream": .of(stream),
                "toxicity": .of(toxicity),
                "for": .of(`for`),
                "clients": .of(clients),
            ],
            as: label
        )
    }

    /// A connection carries at most the given number of bytes per second.
    ///
    /// - Parameters:
    ///   - rate: The rate in bytes per second, for each connection and direction; at 0, no bytes pass.
    ///   - shared: Whether a client's connections share the rate, first come, first served; default: false.
    ///   - stream: The direction of the affected bytes; default: both.
    ///   - toxicity: The percentage of connections that are affected, selected at random; default: 100.
    ///   - for: The duration of the fault; if omitted, the fault lasts until it is healed.
    ///   - clients: The affected clients; if omitted, all clients.
    ///   - label: The label of the fault, message, hold or rule that the action creates.
    /// - Throws: The errors of ``Weather/perform(_:)``.
    public func bandwidth(
        rate: Int,
        shared: Bool? = nil,
        stream: Stream? = nil,
        toxicity: Int? = nil,
        `for`: Duration? = nil,
        clients: [String]? = nil,
        as label: String? = nil
    ) async throws {
        try await step.perform(
            "bandwidth",
            [
                "rate": .of(rate),
                "shared": .of(shared),
                "stream": .of(stream),
                "toxicity": .of(toxicity),
                "for": .of(`for`),
                "clients": .of(clients),
            ],
            as: label
        )
    }

    /// Bytes arrive in small segments, regardless of how they were sent.
    ///
    /// - Parameters:
    ///   - average_size: The average size of a segment, in bytes.
    ///   - size_variation: The maximum deviation from the average size, in bytes; default: 0.
    ///   - delay: The time between two segments; default: 0s.
    ///   - stream: The direction of the affected bytes; default: both.
    ///   - toxicity: The percentage of connections that are affected, selected at random; default: 100.
    ///   - for: The duration of the fault; if omitted, the fault lasts until it is healed.
    ///   - clients: The affected clients; if omitted, all clients.
    ///   - label: The label of the fault, message, hold or rule that the action creates.
    /// - Throws: The errors of ``Weather/perform(_:)``.
    public func slicer(
        averageSize: Int,
        sizeVariation: Int? = nil,
        delay: Duration? = nil,
        stream: Stream? = nil,
        toxicity: Int? = nil,
        `for`: Duration? = nil,
        clients: [String]? = nil,
        as label: String? = nil
    ) async throws {
        try await step.perform(
            "slicer",
            [
                "average_size": .of(averageSize),
                "size_variation": .of(sizeVariation),
                "delay": .of(delay),
                "stream": .of(stream),
                "toxicity": .of(toxicity),
                "for": .of(`for`),
                "clients": .of(clients),
            ],
            as: label
        )
    }

    /// The FIN of a connection arrives late; data and resets are not delayed.
    ///
    /// - Parameters:
    ///   - delay: The delay of the FIN.
    ///   - stream: The direction of the affected bytes; default: both.
    ///   - toxicity: The percentage of connections that are affected, selected at random; default: 100.
    ///   - for: The duration of the fault; if omitted, the fault lasts until it is healed.
    ///   - clients: The affected clients; if omitted, all clients.
    ///   - label: The label of the fault, message, hold or rule that the action creates.
    /// - Throws: The errors of ``Weather/perform(_:)``.
    public func slowClose(
        delay: Duration,
        stream: Stream? = nil,
        toxicity: Int? = nil,
        `for`: Duration? = nil,
        clients: [String]? = nil,
        as label: String? = nil
    ) async throws {
        try await step.perform(
            "slow_close",
            [
                "delay": .of(delay),
                "stream": .of(stream),
                "toxicity": .of(toxicity),
                "for": .of(`for`),
                "clients": .of(clients),
            ],
            as: label
        )
    }

    /// After a number of bytes, a connection is closed or goes silent.
    ///
    /// - Parameters:
    ///   - bytes: The number of bytes that pass per connection and direction, counted from now if the connection is
    ///     already open.
    ///   - then: The end of the connection: a FIN, an RST, or silence (timeout); default: fin.
    ///   - stream: The direction of the affected bytes; default: both.
    ///   - toxicity: The percentage of connections that are affected, selected at random; default: 100.
    ///   - for: The duration of the fault; if omitted, the fault lasts until it is healed.
    ///   - clients: The affected clients; if omitted, all clients.
    ///   - label: The label of the fault, message, hold or rule that the action creates.
    /// - Throws: The errors of ``Weather/perform(_:)``.
    public func limitData(
        bytes: Int,
        then: Then? = nil,
        stream: Stream? = nil,
        toxicity: Int? = nil,
        `for`: Duration? = nil,
        clients: [String]? = nil,
        as label: String? = nil
    ) async throws {
        try await step.perform(
            "limit_data",
            [
                "bytes": .of(bytes),
                "then": .of(then),
                "stream": .of(stream),
                "toxicity": .of(toxicity),
                "for": .of(`for`),
                "clients": .of(clients),
            ],
            as: label
        )
    }

    /// Bytes are discarded; after the timeout, or when the fault ends, connections are closed with a FIN.
    ///
    /// - Parameters:
    ///   - timeout: The time until each connection is closed; 0s for never; default: 0s.
    ///   - stream: The direction of the affected bytes; default: both.
    ///   - toxicity: The percentage of connections that are affected, selected at random; default: 100.
    ///   - for: The duration of the fault; if omitted, the fault lasts until it is healed.
    ///   - clients: The affected clients; if omitted, all clients.
    ///   - label: The label of the fault, message, hold or rule that the action creates.
    /// - Throws: The errors of ``Weather/perform(_:)``.
    public func timeout(
        timeout: Duration? = nil,
        stream: Stream? = nil,
        toxicity: Int? = nil,
        `for`: Duration? = nil,
        clients: [String]? = nil,
        as label: String? = nil
    ) async throws {
        try await step.perform(
            "timeout",
            [
                "timeout": .of(timeout),
                "stream": .of(stream),
                "toxicity": .of(toxicity),
                "for": .of(`for`),
                "clients": .of(clients),
            ],
            as: label
        )
    }

    /// Every open connection is closed with a FIN after the bytes in flight; the fault ends immediately.
    ///
    /// - Parameters:
    ///   - side: The endpoint that receives the FIN; default: both.
    ///   - clients: The affected clients; if omitted, all clients.
    ///   - label: The label of the fault, message, hold or rule that the action creates.
    /// - Throws: The errors of ``Weather/perform(_:)``.
    public func drop(side: Side? = nil, clients: [String]? = nil, as label: String? = nil) async throws {
        try await step.perform("drop", ["side": .of(side), "clients": .of(clients)], as: label)
    }

    /// Every open connection is reset on both sides.
    ///
    /// - Parameters:
    ///   - after: The time until each connection is reset; default: 0s.
    ///   - for: The time for which new connections are also reset; if omitted, new connections are not affected.
    ///   - clients: The affected clients; if omitted, all clients.
    ///   - toxicity: The percentage of connections that are affected, selected at random; default: 100.
    ///   - label: The label of the fault, message, hold or rule that the action creates.
    /// - Throws: The errors of ``Weather/perform(_:)``.
    public func resetPeer(
        after: Duration? = nil,
        `for`: Duration? = nil,
        clients: [String]? = nil,
        toxicity: Int? = nil,
        as label: String? = nil
    ) async throws {
        try await step.perform(
            "reset_peer",
            [
                "after": .of(after),
                "for": .of(`for`),
                "clients": .of(clients),
                "toxicity": .of(toxicity),
            ],
            as: label
        )
    }

    /// New connections are refused; open connections continue.
    ///
    /// - Parameters:
    ///   - for: The duration of the fault; if omitted, the fault lasts until it is healed.
    ///   - clients: The affected clients; if omitted, all clients.
    ///   - label: The label of the fault, message, hold or rule that the action creates.
    /// - Throws: The errors of ``Weather/perform(_:)``.
    public func refuse(`for`: Duration? = nil, clients: [String]? = nil, as label: String? = nil) async throws {
        try await step.perform("refuse", ["for": .of(`for`), "clients": .of(clients)], as: label)
    }

    /// New connections are accepted and closed immediately; the server never sees them.
    ///
    /// - Parameters:
    ///   - how: How the connection is closed: with a FIN or an RST; default: fin.
    ///   - for: The duration of the fault; if omitted, the fault lasts until it is healed.
    ///   - clients: The affected clients; if omitted, all clients.
    ///   - label: The label of the fault, message, hold or rule that the action creates.
    /// - Throws: The errors of ``Weather/perform(_:)``.
    public func acceptThenClose(
        how: How? = nil,
        `for`: Duration? = nil,
        clients: [String]? = nil,
        as label: String? = nil
    ) async throws {
        try await step.perform(
            "accept_then_close",
            [
                "how": .of(how),
                "for": .of(`for`),
                "clients": .of(clients),
            ],
            as: label
        )
    }

    /// Each connection is closed after a number of bytes, even in the middle of a message.
    ///
    /// - Parameters:
    ///   - at_byte: The number of bytes of each connection that still arrive, counted from now if the connection is
    ///     already open.
    ///   - how: How the connection is closed: with a FIN or an RST; default: fin.
    ///   - stream: The direction of the affected bytes; default: both.
    ///   - toxicity: The percentage of connections that are affected, selected at random; default: 100.
    ///   - for: The duration of the fault; if omitted, the fault lasts until it is healed.
    ///   - clients: The affected clients; if omitted, all clients.
    ///   - label: The label of the fault, message, hold or rule that the action creates.
    /// - Throws: The errors of ``Weather/perform(_:)``.
    public func cut(
        atByte: Int,
        how: How? = nil,
        stream: Stream? = nil,
        toxicity: Int? = nil,
        `for`: Duration? = nil,
        clients: [String]? = nil,
        as label: String? = nil
    ) async throws {
        try await step.perform(
            "cut",
            [
                "at_byte": .of(atByte),
                "how": .of(how),
                "stream": .of(stream),
                "toxicity": .of(toxicity),
                "for": .of(`for`),
                "clients": .of(clients),
            ],
            as: label
        )
    }

    /// No bytes pass and none are lost: bytes in flight are held, and released in order when the fault ends.
    ///
    /// - Parameters:
    ///   - for: The duration of the fault; if omitted, the fault lasts until it is healed.
    ///   - new: How new connections are treated: stall (accepted, then silent), work, or refuse (refused); default:
    ///     stall.
    ///   - stream: The direction of the affected bytes; default: both.
    ///   - toxicity: The percentage of connections that are affected, selected at random; default: 100.
    ///   - clients: The affected clients; if omitted, all clients.
    ///   - label: The label of the fault, message, hold or rule that the action creates.
    /// - Throws: The errors of ``Weather/perform(_:)``.
    public func stall(
        `for`: Duration? = nil,
        new: New? = nil,
        stream: Stream? = nil,
        toxicity: Int? = nil,
        clients: [String]? = nil,
        as label: String? = nil
    ) async throws {
        try await step.perform(
            "stall",
            [
                "for": .of(`for`),
                "new": .of(new),
                "stream": .of(stream),
                "toxicity": .of(toxicity),
                "clients": .of(clients),
            ],
            as: label
        )
    }

    /// Nothing arrives or is acknowledged, and connecting hangs; open connections stay dead after the fault ends.
    ///
    /// - Parameters:
    ///   - for: The duration of the fault; if omitted, the fault lasts until it is healed.
    ///   - stream: The direction of the affected bytes; default: both.
    ///   - clients: The affected clients; if omitted, all clients.
    ///   - label: The label of the fault, message, hold or rule that the action creates.
    /// - Throws: The errors of ``Weather/perform(_:)``.
    public func blackhole(
        `for`: Duration? = nil,
        stream: Stream? = nil,
        clients: [String]? = nil,
        as label: String? = nil
    ) async throws {
        try await step.perform(
            "blackhole",
            [
                "for": .of(`for`),
                "stream": .of(stream),
                "clients": .of(clients),
            ],
            as: label
        )
    }

    /// Open connections become half-open: closed on the server's side only. New connections work.
    ///
    /// - Parameters:
    ///   - answer: The response to the client's next bytes; default: none.
    ///   - how: How the connection is closed on the server's side; default: rst.
    ///   - for: The duration of the fault; if omitted, the fault lasts until it is healed.
    ///   - clients: The affected clients; if omitted, all clients.
    ///   - label: The label of the fault, message, hold or rule that the action creates.
    /// - Throws: The errors of ``Weather/perform(_:)``.
    public func halfOpen(
        answer: Answer? = nil,
        how: How? = nil,
        `for`: Duration? = nil,
        clients: [String]? = nil,
        as label: String? = nil
    ) async throws {
        try await step.perform(
            "half_open",
            [
                "answer": .of(answer),
                "how": .of(how),
                "for": .of(`for`),
                "clients": .of(clients),
            ],
            as: label
        )
    }

    /// A captive portal responds to every request instead of the server; open connections are reset.
    ///
    /// - Parameters:
    ///   - form: The response to every request; default: redirect.
    ///   - status: The HTTP status of a redirect; default: 302.
    ///   - until_login: Whether the user's portal_login ends the fault for the user's client; default: false.
    ///   - for: The duration of the fault; if omitted, the fault lasts until it is healed.
    ///   - clients: The affected clients; if omitted, all clients.
    ///   - label: The label of the fault, message, hold or rule that the action creates.
    /// - Throws: The errors of ``Weather/perform(_:)``.
    public func captivePortal(
        form: Form? = nil,
        status: Status? = nil,
        untilLogin: Bool? = nil,
        `for`: Duration? = nil,
        clients: [String]? = nil,
        as label: String? = nil
    ) async throws {
        try await step.perform(
            "captive_portal",
            [
                "form": .of(form),
                "status": .of(status),
                "until_login": .of(untilLogin),
                "for": .of(`for`),
                "clients": .of(clients),
            ],
            as: label
        )
    }

    /// WebSocket upgrades receive the given HTTP status instead of the server's response; other requests pass.
    ///
    /// - Parameters:
    ///   - status: The HTTP status of the response.
    ///   - retry_after: The response's Retry-After header; if omitted, the response has no such header.
    ///   - page: The response body, an HTML page; if omitted, the body is empty.
    ///   - requests: The affected requests: upgrades, or all (each connection's first request); default: upgrades.
    ///   - for: The duration of the fault; if omitted, the fault lasts until it is healed.
    ///   - clients: The affected clients; if omitted, all clients.
    ///   - label: The label of the fault, message, hold or rule that the action creates.
    /// - Throws: The errors of ``Weather/perform(_:)``.
    public func upgradeStatus(
        status: Int,
        retryAfter: Duration? = nil,
        page: String? = nil,
        requests: Requests? = nil,
        `for`: Duration? = nil,
        clients: [String]? = nil,
        as label: String? = nil
    ) async throws {
        try await step.perform(
            "upgrade_status",
            [
                "status": .of(status),
                "retry_after": .of(retryAfter),
                "page": .of(page),
                "requests": .of(requests),
                "for": .of(`for`),
                "clients": .of(clients),
            ],
            as: label
        )
    }

    /// Outages begin and end on a schedule.
    ///
    /// - Parameters:
    ///   - up: The time between two outages.
    ///   - down: The duration of each outage; the first begins immediately.
    ///   - outage: The fault that is active during an outage; default: blackhole.
    ///   - for: The duration of the fault; if omitted, the fault lasts until it is healed.
    ///   - clients: The affected clients; if omitted, all clients.
    ///   - label: The label of the fault, message, hold or rule that the action creates.
    /// - Throws: The errors of ``Weather/perform(_:)``.
    public func flap(
        up: Duration,
        down: Duration,
        outage: Outage? = nil,
        `for`: Duration? = nil,
        clients: [String]? = nil,
        as label: String? = nil
    ) async throws {
        try await step.perform(
            "flap",
            [
                "up": .of(up),
                "down": .of(down),
                "outage": .of(outage),
                "for": .of(`for`),
                "clients": .of(clients),
            ],
            as: label
        )
    }

    /// Some bytes are altered in transit; none are removed or added.
    ///
    /// - Parameters:
    ///   - one_in: The average number of bytes of which one is altered, per connection and direction; 0 for none;
    ///     default: 0.
    ///   - at_byte: The byte to alter, counted from 0 at the connection's start, or from now if the connection is
    ///     already open.
    ///   - stream: The direction of the affected bytes; default: both.
    ///   - toxicity: The percentage of connections that are affected, selected at random; default: 100.
    ///   - for: The duration of the fault; if omitted, the fault lasts until it is healed.
    ///   - clients: The affected clients; if omitted, all clients.
    ///   - label: The label of the fault, message, hold or rule that the action creates.
    /// - Throws: The errors of ``Weather/perform(_:)``.
    public func corrupt(
        oneIn: Int? = nil,
        atByte: Int? = nil,
        stream: Stream? = nil,
        toxicity: Int? = nil,
        `for`: Duration? = nil,
        clients: [String]? = nil,
        as label: String? = nil
    ) async throws {
        try await step.perform(
            "corrupt",
            [
                "one_in": .of(oneIn),
                "at_byte": .of(atByte),
                "stream": .of(stream),
                "toxicity": .of(toxicity),
                "for": .of(`for`),
                "clients": .of(clients),
            ],
            as: label
        )
    }

    /// Selected WebSocket messages are dropped, delayed or altered, on connections that Squall parses from their start.
    ///
    /// - Parameters:
    ///   - action: The action that is applied to the messages.
    ///   - content: The kind of the affected messages: message (text and binary), or one opcode; default: message.
    ///   - type: The `type` member of the messages' JSON; if omitted, messages of any type.
    ///   - contains: A string that the messages' payload contains; if omitted, any payload.
    ///   - nth: The first matching message that is affected, counted from 1; default: 1.
    ///   - count: The number of affected messages; 0 for all from nth on; default: 0.
    ///   - delay: The delay of the messages, for the action delay; default: 0s.
    ///   - bytes: The number of payload bytes that arrive, for the action truncate; default: 0.
    ///   - text: The payload that arrives instead, for the action rewrite; the close reason, for the action close.
    ///   - code: The close code of a close frame that is sent or rewritten (1000 to 1003, 1007 to 1014, or from 3000
    ///     on); default: 1001.
    ///   - stream: The direction of the affected bytes; default: both.
    ///   - toxicity: The percentage of connections that are affected, selected at random; default: 100.
    ///   - for: The duration of the fault; if omitted, the fault lasts until it is healed.
    ///   - clients: The affected clients; if omitted, all clients.
    ///   - label: The label of the fault, message, hold or rule that the action creates.
    /// - Throws: The errors of ``Weather/perform(_:)``.
    public func frames(
        _ action: Action,
        content: Content? = nil,
        type: String? = nil,
        contains: String? = nil,
        nth: Int? = nil,
        count: Int? = nil,
        delay: Duration? = nil,
        bytes: Int? = nil,
        text: String? = nil,
        code: Int? = nil,
        stream: Stream? = nil,
        toxicity: Int? = nil,
        `for`: Duration? = nil,
        clients: [String]? = nil,
        as label: String? = nil
    ) async throws {
        try await step.perform(
            "frames",
            [
                "action": .of(action),
                "content": .of(content),
                "type": .of(type),
                "contains": .of(contains),
                "nth": .of(nth),
                "count": .of(count),
                "delay": .of(delay),
                "bytes": .of(bytes),
                "text": .of(text),
                "code": .of(code),
                "stream": .of(stream),
                "toxicity": .of(toxicity),
                "for": .of(`for`),
                "clients": .of(clients),
            ],
            as: label
        )
    }

    /// HTTP headers and bodies arrive slowly, on connections that Squall parses from their start.
    ///
    /// - Parameters:
    ///   - headers: The rate of the headers in bytes per second; 0: unlimited; default: 0.
    ///   - body: The rate of a body in bytes per second; 0: unlimited; default: 0.
    ///   - stream: The direction of the affected bytes; default: both.
    ///   - toxicity: The percentage of connections that are affected, selected at random; default: 100.
    ///   - for: The duration of the fault; if omitted, the fault lasts until it is healed.
    ///   - clients: The affected clients; if omitted, all clients.
    ///   - label: The label of the fault, message, hold or rule that the action creates.
    /// - Throws: The errors of ``Weather/perform(_:)``.
    public func slowHttp(
        headers: Int? = nil,
        body: Int? = nil,
        stream: Stream? = nil,
        toxicity: Int? = nil,
        `for`: Duration? = nil,
        clients: [String]? = nil,
        as label: String? = nil
    ) async throws {
        try await step.perform(
            "slow_http",
            [
                "headers": .of(headers),
                "body": .of(body),
                "stream": .of(stream),
                "toxicity": .of(toxicity),
                "for": .of(`for`),
                "clients": .of(clients),
            ],
            as: label
        )
    }

    /// New TLS connections are presented with the given certificate; open connections continue.
    ///
    /// - Parameters:
    ///   - kind: The certificate that is presented.
    ///   - for: The duration of the fault; if omitted, the fault lasts until it is healed.
    ///   - clients: The affected clients; if omitted, all clients.
    ///   - label: The label of the fault, message, hold or rule that the action creates.
    /// - Throws: The errors of ``Weather/perform(_:)``.
    public func certificate(
        _ kind: Kind,
        `for`: Duration? = nil,
        clients: [String]? = nil,
        as label: String? = nil
    ) async throws {
        try await step.perform(
            "certificate",
            [
                "kind": .of(kind),
                "for": .of(`for`),
                "clients": .of(clients),
            ],
            as: label
        )
    }

    /// The TLS handshake of new connections fails, on a link with TLS; open connections continue.
    ///
    /// - Parameters:
    ///   - outcome: The failure: an alert (fail), or no response (stall); default: fail.
    ///   - for: The duration of the fault; if omitted, the fault lasts until it is healed.
    ///   - clients: The affected clients; if omitted, all clients.
    ///   - label: The label of the fault, message, hold or rule that the action creates.
    /// - Throws: The errors of ``Weather/perform(_:)``.
    public func handshake(
        outcome: Outcome? = nil,
        `for`: Duration? = nil,
        clients: [String]? = nil,
        as label: String? = nil
    ) async throws {
        try await step.perform(
            "handshake",
            [
                "outcome": .of(outcome),
                "for": .of(`for`),
                "clients": .of(clients),
            ],
            as: label
        )
    }

    /// Ends a fault before its duration has passed.
    ///
    /// - Parameter label: The fault's `as:` label, or its verb if it has none.
    /// - Throws: The errors of ``Weather/perform(_:)``.
    public func heal(_ label: String) async throws {
        try await step.perform("heal", ["label": .of(label)], as: nil)
    }

    /// Ends every active fault.
    ///
    /// - Throws: The errors of ``Weather/perform(_:)``.
    public func healAll() async throws {
        try await step.perform("heal_all", [:], as: nil)
    }

    /// A third party on the path opens a connection and replays, byte for byte, the last recorded login of a client.
    ///
    /// - Throws: The errors of ``Weather/perform(_:)``.
    public func replayLogin() async throws {
        try await step.perform("replay_login", [:], as: nil)
    }
}
