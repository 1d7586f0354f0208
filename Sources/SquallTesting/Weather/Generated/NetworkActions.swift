// Written from the registry by the tests of SquallTesting; run them with RECORD=1 to write it again.

/// The network's actions, as in the scenario language (`squall explain network`).
public struct NetworkActions: Sendable {
    private let step: WeatherStep

    init(_ step: WeatherStep) { self.step = step }

    /// The words of the parameter `stream`.
    public enum Stream: String, Hashable, Sendable {
        case upstream, downstream, both
    }

    /// The words of the parameter `then`.
    public enum Then: String, Hashable, Sendable {
        case fin, rst, timeout
    }

    /// The words of the parameter `side`.
    public enum Side: String, Hashable, Sendable {
        case both, client, server
    }

    /// The words of the parameter `how`.
    public enum How: String, Hashable, Sendable {
        case fin, rst
    }

    /// The words of the parameter `new`.
    public enum New: String, Hashable, Sendable {
        case stall, work, refuse
    }

    /// The words of the parameter `answer`.
    public enum Answer: String, Hashable, Sendable {
        case none, reset
    }

    /// The words of the parameter `form`.
    public enum Form: String, Hashable, Sendable {
        case redirect, page, _511 = "511", reset, sameHost = "same_host"
    }

    /// The words of the parameter `status`.
    public enum Status: String, Hashable, Sendable {
        case _301 = "301", _302 = "302", _303 = "303", _307 = "307", _308 = "308"
    }

    /// The words of the parameter `requests`.
    public enum Requests: String, Hashable, Sendable {
        case upgrades, all
    }

    /// The words of the parameter `outage`.
    public enum Outage: String, Hashable, Sendable {
        case blackhole, refuse
    }

    /// The words of the parameter `action`.
    public enum Action: String, Hashable, Sendable {
        case drop, delay, duplicate, reorder, truncate, rewrite, corrupt, close, fin, rst
    }

    /// The words of the parameter `content`.
    public enum Content: String, Hashable, Sendable {
        case message, text, binary, ping, pong, close
    }

    /// The words of the parameter `kind`.
    public enum Kind: String, Hashable, Sendable {
        case valid, expired, notYetValid = "not_yet_valid", wrongHost = "wrong_host", selfSigned = "self_signed",
            untrusted, portal
    }

    /// The words of the parameter `outcome`.
    public enum Outcome: String, Hashable, Sendable {
        case fail, stall
    }

    /// Bytes arrive later, in order; connecting is not delayed.
    ///
    /// - Parameters:
    ///   - delay: How much later each byte, and each end, arrives.
    ///   - jitter: How far the delay deviates at most, in either direction; default: 0s.
    ///   - stream: The direction that it acts on; default: both.
    ///   - toxicity: The share of connections that it hits, in percent, drawn for each connection; default: 100.
    ///   - for: How long it lasts; without it, until it is healed.
    ///   - clients: The clients that it hits; without it, every client.
    ///   - label: The name of what it makes.
    /// - Throws: As ``Weather/perform(_:)``.
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
    ///   - rate: Bytes per second, of each connection and direction; 0 lets nothing pass.
    ///   - shared: Whether a client's connections share the rate, first come, first served; default: false.
    ///   - stream: The direction that it acts on; default: both.
    ///   - toxicity: The share of connections that it hits, in percent, drawn for each connection; default: 100.
    ///   - for: How long it lasts; without it, until it is healed.
    ///   - clients: The clients that it hits; without it, every client.
    ///   - label: The name of what it makes.
    /// - Throws: As ``Weather/perform(_:)``.
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

    /// Bytes arrive in small parts, however they were sent.
    ///
    /// - Parameters:
    ///   - average_size: Bytes of a part, on average.
    ///   - size_variation: How far a size deviates at most, in bytes; default: 0.
    ///   - delay: The time between two parts; default: 0s.
    ///   - stream: The direction that it acts on; default: both.
    ///   - toxicity: The share of connections that it hits, in percent, drawn for each connection; default: 100.
    ///   - for: How long it lasts; without it, until it is healed.
    ///   - clients: The clients that it hits; without it, every client.
    ///   - label: The name of what it makes.
    /// - Throws: As ``Weather/perform(_:)``.
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

    /// The FIN of a connection arrives late; its bytes, and a reset, are not delayed.
    ///
    /// - Parameters:
    ///   - delay: How much later the FIN arrives.
    ///   - stream: The direction that it acts on; default: both.
    ///   - toxicity: The share of connections that it hits, in percent, drawn for each connection; default: 100.
    ///   - for: How long it lasts; without it, until it is healed.
    ///   - clients: The clients that it hits; without it, every client.
    ///   - label: The name of what it makes.
    /// - Throws: As ``Weather/perform(_:)``.
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

    /// After the given number of bytes a connection ends or goes silent.
    ///
    /// - Parameters:
    ///   - bytes: Bytes that pass, of each connection and direction, counted from now if it is open already.
    ///   - then: What follows: an end by FIN or RST, or silence (timeout); default: fin.
    ///   - stream: The direction that it acts on; default: both.
    ///   - toxicity: The share of connections that it hits, in percent, drawn for each connection; default: 100.
    ///   - for: How long it lasts; without it, until it is healed.
    ///   - clients: The clients that it hits; without it, every client.
    ///   - label: The name of what it makes.
    /// - Throws: As ``Weather/perform(_:)``.
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

    /// Bytes are discarded, and after a while, or when the fault ends, each connection ends by FIN.
    ///
    /// - Parameters:
    ///   - timeout: After how long each connection ends; 0s: never; default: 0s.
    ///   - stream: The direction that it acts on; default: both.
    ///   - toxicity: The share of connections that it hits, in percent, drawn for each connection; default: 100.
    ///   - for: How long it lasts; without it, until it is healed.
    ///   - clients: The clients that it hits; without it, every client.
    ///   - label: The name of what it makes.
    /// - Throws: As ``Weather/perform(_:)``.
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

    /// Every open connection ends by FIN, after the bytes in flight; the fault ends at once.
    ///
    /// - Parameters:
    ///   - side: The side that gets the FIN; default: both.
    ///   - clients: The clients that it hits; without it, every client.
    ///   - label: The name of what it makes.
    /// - Throws: As ``Weather/perform(_:)``.
    public func drop(side: Side? = nil, clients: [String]? = nil, as label: String? = nil) async throws {
        try await step.perform("drop", ["side": .of(side), "clients": .of(clients)], as: label)
    }

    /// Every open connection is reset on both sides.
    ///
    /// - Parameters:
    ///   - after: How long each connection still lasts; default: 0s.
    ///   - for: The time during which new connections are reset too; without it, none are.
    ///   - clients: The clients that it hits; without it, every client.
    ///   - toxicity: The share of connections that it hits, in percent, drawn for each connection; default: 100.
    ///   - label: The name of what it makes.
    /// - Throws: As ``Weather/perform(_:)``.
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
    ///   - for: How long it lasts; without it, until it is healed.
    ///   - clients: The clients that it hits; without it, every client.
    ///   - label: The name of what it makes.
    /// - Throws: As ``Weather/perform(_:)``.
    public func refuse(`for`: Duration? = nil, clients: [String]? = nil, as label: String? = nil) async throws {
        try await step.perform("refuse", ["for": .of(`for`), "clients": .of(clients)], as: label)
    }

    /// New connections are accepted and ended at once; the server never sees them.
    ///
    /// - Parameters:
    ///   - how: How the connection ends: by FIN or by RST; default: fin.
    ///   - for: How long it lasts; without it, until it is healed.
    ///   - clients: The clients that it hits; without it, every client.
    ///   - label: The name of what it makes.
    /// - Throws: As ``Weather/perform(_:)``.
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

    /// Each connection breaks at this byte, even in the middle of a message.
    ///
    /// - Parameters:
    ///   - at_byte: Bytes that still arrive, of each connection, counted from now if it is open already.
    ///   - how: How the connection ends: by FIN or by RST; default: fin.
    ///   - stream: The direction that it acts on; default: both.
    ///   - toxicity: The share of connections that it hits, in percent, drawn for each connection; default: 100.
    ///   - for: How long it lasts; without it, until it is healed.
    ///   - clients: The clients that it hits; without it, every client.
    ///   - label: The name of what it makes.
    /// - Throws: As ``Weather/perform(_:)``.
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

    /// Nothing passes and nothing is lost: bytes in flight are held, and released in order when the fault ends.
    ///
    /// - Parameters:
    ///   - for: How long it lasts; without it, until it is healed.
    ///   - new: What new connections do: stall (they are accepted and silent), work, or refuse (they are refused);
    ///     default: stall.
    ///   - stream: The direction that it acts on; default: both.
    ///   - toxicity: The share of connections that it hits, in percent, drawn for each connection; default: 100.
    ///   - clients: The clients that it hits; without it, every client.
    ///   - label: The name of what it makes.
    /// - Throws: As ``Weather/perform(_:)``.
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
    ///   - for: How long it lasts; without it, until it is healed.
    ///   - stream: The direction that it acts on; default: both.
    ///   - clients: The clients that it hits; without it, every client.
    ///   - label: The name of what it makes.
    /// - Throws: As ``Weather/perform(_:)``.
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

    /// Open connections are closed for the server and stay open for the client; new ones work.
    ///
    /// - Parameters:
    ///   - answer: The answer to the client's next bytes; default: none.
    ///   - how: How the server's side ends; default: rst.
    ///   - for: How long it lasts; without it, until it is healed.
    ///   - clients: The clients that it hits; without it, every client.
    ///   - label: The name of what it makes.
    /// - Throws: As ``Weather/perform(_:)``.
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

    /// The network answers every request in the server's place; open connections are reset.
    ///
    /// - Parameters:
    ///   - form: The answer to every request; default: redirect.
    ///   - status: The status of a redirect; default: 302.
    ///   - until_login: Whether the user's portal_login ends it for the user's client; default: false.
    ///   - for: How long it lasts; without it, until it is healed.
    ///   - clients: The clients that it hits; without it, every client.
    ///   - label: The name of what it makes.
    /// - Throws: As ``Weather/perform(_:)``.
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

    /// WebSocket upgrades are answered with this status in the server's place; other requests pass.
    ///
    /// - Parameters:
    ///   - status: The status of the answer.
    ///   - retry_after: The Retry-After header of the answer; left out if not given.
    ///   - page: The answer's body, a page of HTML; without it, empty.
    ///   - requests: The requests that are answered: upgrades, or all (each connection's first); default: upgrades.
    ///   - for: How long it lasts; without it, until it is healed.
    ///   - clients: The clients that it hits; without it, every client.
    ///   - label: The name of what it makes.
    /// - Throws: As ``Weather/perform(_:)``.
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
    ///   - up: How long the network works between two outages.
    ///   - down: How long each outage lasts; the first begins at once.
    ///   - outage: What an outage is; default: blackhole.
    ///   - for: How long it lasts; without it, until it is healed.
    ///   - clients: The clients that it hits; without it, every client.
    ///   - label: The name of what it makes.
    /// - Throws: As ``Weather/perform(_:)``.
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

    /// Some bytes arrive changed; none is removed and none is added.
    ///
    /// - Parameters:
    ///   - one_in: One byte in this many is changed, on average, per connection and direction; 0 for none; default: 0.
    ///   - at_byte: This byte, counted from 0 at the connection's beginning, or from now if it is open already.
    ///   - stream: The direction that it acts on; default: both.
    ///   - toxicity: The share of connections that it hits, in percent, drawn for each connection; default: 100.
    ///   - for: How long it lasts; without it, until it is healed.
    ///   - clients: The clients that it hits; without it, every client.
    ///   - label: The name of what it makes.
    /// - Throws: As ``Weather/perform(_:)``.
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

    /// Drops, delays or changes chosen WebSocket messages of connections that are followed from their beginning.
    ///
    /// - Parameters:
    ///   - action: The action on the messages.
    ///   - content: The messages: text or binary, message, or only those of one opcode; default: message.
    ///   - type: The `type` of the messages' JSON; without it, any.
    ///   - contains: A part of the messages' payload; without it, any.
    ///   - nth: The first message that is hit, counted over those that fit; default: 1.
    ///   - count: How many messages are hit; 0: all from the nth on; default: 0.
    ///   - delay: For delay: how much later the messages arrive; default: 0s.
    ///   - bytes: For truncate: how many bytes of the payload arrive; default: 0.
    ///   - text: For rewrite: the payload that arrives instead; for close: the reason.
    ///   - code: For close, and for a rewritten close frame: its code (1000 to 1003, 1007 to 1014, or from 3000 on);
    ///     default: 1001.
    ///   - stream: The direction that it acts on; default: both.
    ///   - toxicity: The share of connections that it hits, in percent, drawn for each connection; default: 100.
    ///   - for: How long it lasts; without it, until it is healed.
    ///   - clients: The clients that it hits; without it, every client.
    ///   - label: The name of what it makes.
    /// - Throws: As ``Weather/perform(_:)``.
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

    /// HTTP heads and bodies arrive slowly, on connections that are parsed from their beginning.
    ///
    /// - Parameters:
    ///   - headers: Bytes per second of a request's or a response's head; 0: unlimited; default: 0.
    ///   - body: Bytes per second of a body; 0: unlimited; default: 0.
    ///   - stream: The direction that it acts on; default: both.
    ///   - toxicity: The share of connections that it hits, in percent, drawn for each connection; default: 100.
    ///   - for: How long it lasts; without it, until it is healed.
    ///   - clients: The clients that it hits; without it, every client.
    ///   - label: The name of what it makes.
    /// - Throws: As ``Weather/perform(_:)``.
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

    /// New connections are presented this certificate, on a link with TLS; open connections continue.
    ///
    /// - Parameters:
    ///   - kind: The certificate that is presented.
    ///   - for: How long it lasts; without it, until it is healed.
    ///   - clients: The clients that it hits; without it, every client.
    ///   - label: The name of what it makes.
    /// - Throws: As ``Weather/perform(_:)``.
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
    ///   - outcome: How the handshake fails: by an alert, fail, or for lack of any answer, stall; default: fail.
    ///   - for: How long it lasts; without it, until it is healed.
    ///   - clients: The clients that it hits; without it, every client.
    ///   - label: The name of what it makes.
    /// - Throws: As ``Weather/perform(_:)``.
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

    /// Ends a fault before its time.
    ///
    /// - Parameter label: The fault's `as:` name, or its verb where it has none.
    /// - Throws: As ``Weather/perform(_:)``.
    public func heal(_ label: String) async throws {
        try await step.perform("heal", ["label": .of(label)], as: nil)
    }

    /// Ends every fault that lasts.
    ///
    /// - Throws: As ``Weather/perform(_:)``.
    public func healAll() async throws {
        try await step.perform("heal_all", [:], as: nil)
    }

    /// A third party on the path opens a connection and replays, byte for byte, the recorded login of a client's last
    /// login.
    ///
    /// - Throws: As ``Weather/perform(_:)``.
    public func replayLogin() async throws {
        try await step.perform("replay_login", [:], as: nil)
    }
}
