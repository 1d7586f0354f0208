import Faults
import SquallCore

/// Drives a relay: passes it inputs at given times in milliseconds, and returns its outputs as transcript lines.
struct Stage {
    var relay: Relay
    /// The bytes written to each side, across all links.
    private(set) var written: [LinkSide: [UInt8]] = [:]

    init(seed: UInt64 = 1, clients: [ClientID] = [.only]) {
        relay = Relay(seed: Seed(seed), clients: clients)
    }

    /// Returns a stage with a single client, whose link 1 is open.
    static func connected(seed: UInt64 = 1) -> Stage {
        var stage = Stage(seed: seed)
        stage.connect(1)
        return stage
    }

    mutating func connect(_ number: Int, at time: Double = 0) {
        let link = LinkID(.only, number)
        _ = play(.accepted(link), at: time)
        _ = play(.upstreamOpened(link), at: time)
    }

    /// Passes an input to the relay at a time in milliseconds. Returns the outputs that were due by then, followed by
    /// those that the input causes, one per line.
    @discardableResult
    mutating func play(_ input: RelayInput, at time: Double) -> [String] {
        feed(input, at: .at(time)).map(line)
    }

    mutating func feed(_ input: RelayInput, at time: Instant) -> [RelayOutput] {
        let outputs = relay.handle(input, at: time)
        for case .write(_, let side, let bytes) in outputs { written[side, default: []] += bytes }
        return outputs
    }

    mutating func begin(_ kind: Fault.Kind, for span: TimeSpan? = nil, as label: String? = nil, at time: Double)
        -> [String]
    {
        play(.begin(Fault(kind, for: span), label: label, clients: nil), at: time)
    }

    mutating func send(_ text: String, from side: LinkSide, link: Int = 1, at time: Double) -> [String] {
        play(.received(LinkID(.only, link), from: side, Array(text.utf8)), at: time)
    }

    mutating func end(_ side: LinkSide, _ how: LinkEnd, link: Int = 1, at time: Double) -> [String] {
        play(.ended(LinkID(.only, link), side: side, how), at: time)
    }

    /// Fires every deadline up to this time in milliseconds. Each returned line begins with its time.
    mutating func wait(until time: Double) -> [String] {
        timed(until: .at(time)).map { "\($0.time) \(line($0.output))" }
    }

    mutating func timed(until time: Instant) -> [(time: Instant, output: RelayOutput)] {
        var all: [(Instant, RelayOutput)] = []
        while let due = relay.nextDeadline, due <= time {
            all += feed(.timer, at: due).map { (due, $0) }
            precondition(relay.nextDeadline.map { $0 > due } ?? true, "a deadline that does not pass")
        }
        return all
    }
}

extension Instant {
    static func at(_ milliseconds: Double) -> Instant {
        Instant(nanoseconds: Int64((milliseconds * 1_000_000).rounded()))
    }
}

/// Returns the transcript line for an output, such as `write 1 server abc`, `end 1 client rst`, `read 1 client unread`
/// or `accept open`.
func line(_ output: RelayOutput) -> String {
    func name(_ link: LinkID) -> String {
        link.client == .only ? "\(link.number)" : "\(link)"
    }
    switch output {
    case .acceptMode(let client, let acceptMode):
        return client == .only ? "accept \(acceptMode)" : "accept \(client) \(acceptMode)"
    case .handshake(let client, let handshake): return "handshake \(client) \(handshake.name)"
    case .connectUpstream(let link): return "connect \(name(link))"
    case .write(let link, let side, let bytes):
        return "write \(name(link)) \(side) \(String(decoding: bytes, as: UTF8.self))"
    case .end(let link, let side, let how): return "end \(name(link)) \(side) \(how)"
    case .readMode(let link, let side, let readMode): return "read \(name(link)) \(side) \(readMode)"
    case .observe(let seen, let client):
        guard case .happened(let fields) = seen.change else { return "?" }
        let key = seen.key.map { "[\($0)]" } ?? ""
        let values = (fields.members ?? []).filter { $0.name != "link" }
            .map { $0.value.stringValue ?? $0.value.description }
        let owner = client == nil || client == .only ? "" : "\(client?.name ?? "")."
        return (["\(owner)\(seen.name)\(key)"] + values).joined(separator: " ")
    }
}
