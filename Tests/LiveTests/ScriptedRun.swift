import ChatWire
import FakeServer
import Faults
import ReferenceClient
import ScenarioModel
import SquallCore

@testable import Live

/// A run with a scripted client, a relay that only forwards, and an echo server.
///
/// A script specifies the run's outputs at fixed times.
struct ScriptedRun: DrivenRun {
    struct Entry: Sendable, Hashable {
        var time: Instant
        var text: String
    }

    struct Outcome: Sendable {
        var log: [Entry] = []
        var lateness = TimeSpan.zero
        var abandoned: String?
        var end = Instant.zero

        /// The logged texts without their times.
        var texts: [String] { log.map(\.text) }
        func time(of text: String) -> Instant? { log.first { $0.text == text }?.time }
        func texts(about word: String) -> [String] { texts.filter { $0.contains(word) } }
    }

    /// Returns additional outputs, which follow those for forwarding and echoing.
    typealias Reaction = @Sendable (_ input: TransportInput, _ now: Instant) -> [TransportOutput]

    var clients: [ClientID]
    var script: [(time: Instant, outputs: [TransportOutput])]
    var end: Instant
    /// Returns the server's answer to the bytes that arrived, or nil if the server stays silent.
    var serverAnswer: @Sendable ([UInt8]) -> [UInt8]? = { $0 }
    var relayForwards = true
    var reaction: Reaction = { _, _ in [] }
    var outcome = Outcome()

    private var isReady = false
    private var openUpstreams: Set<LinkID> = []
    private var waiting: [LinkID: [UInt8]] = [:]
    var isOver = false

    init(
        clients: [ClientID] = [.only],
        until end: Instant,
        script: [(time: Instant, outputs: [TransportOutput])] = [],
        reaction: @escaping Reaction = { _, _ in [] }
    ) {
        self.clients = clients
        self.script = script.sorted { $0.time < $1.time }
        self.end = end
        self.reaction = reaction
    }

    var nextDeadline: Instant? { isReady ? min(script.first?.time ?? end, end) : nil }

    mutating func handle(_ input: TransportInput, at now: Instant) -> [TransportOutput] {
        var outputs: [TransportOutput] = []
        if case .ready = input { isReady = true }
        log(input, at: now)
        while let next = script.first, isReady, next.time <= now {
            script.removeFirst()
            outputs += next.outputs
            outcome.log.append(Entry(time: now, text: "script \(next.time)"))
        }
        forward(input, &outputs)
        outputs += reaction(input, now)
        if isReady, now >= end { isOver = true }
        return outputs
    }

    private mutating func forward(_ input: TransportInput, _ outputs: inout [TransportOutput]) {
        switch input {
        case .relay(.accepted(let link)) where relayForwards:
            outputs.append(.relay(.connectUpstream(link)))
        case .relay(.upstreamOpened(let link)) where relayForwards:
            openUpstreams.insert(link)
            if let bytes = waiting.removeValue(forKey: link) {
                outputs.append(.relay(.write(link, to: .server, bytes)))
            }
        case .relay(.upstreamFailed(let link, _)) where relayForwards:
            outputs.append(.relay(.end(link, side: .client, .rst)))
        case .relay(.received(let link, .client, let bytes)) where relayForwards && !openUpstreams.contains(link):
            waiting[link, default: []] += bytes
        case .relay(.received(let link, let side, let bytes)) where relayForwards:
            outputs.append(.relay(.write(link, to: side.opposite, bytes)))
        case .relay(.ended(let link, let side, let end)) where relayForwards:
            outputs.append(.relay(.end(link, side: side.opposite, end)))
        case .server(.received(let link, let bytes)):
            if let answer = serverAnswer(bytes) { outputs.append(.server(.write(link, answer))) }
        case .server(.ended(let link, .fin)):
            outputs.append(.server(.end(link, .fin)))
        default: break
        }
    }

    private mutating func log(_ input: TransportInput, at now: Instant) {
        let text: String? =
            switch input {
            case .ready: "ready"
            case .launched(let client, let image): "launched \(client) \(image.entries.map { "\($0.key)=\($0.value)" })"
            case .wake, .foreign, .conducted: nil
            case .client(_, let input):
                switch input {
                case .opened(let id): "client opened \(id)"
                case .connectFailed(let id, let failure): "client failed \(id) \(failure.rawValue)"
                case .received(let id, let bytes): "client received \(id) \(String(decoding: bytes, as: UTF8.self))"
                case .ended(let id, let failure): "client ended \(id) \(failure.rawValue)"
                case .response(let id, let response):
                    "client response \(id.number) \(response.status) \(String(decoding: response.body, as: UTF8.self))"
                case .requestFailed(let id, let failure): "client request failed \(id.number) \(failure.rawValue)"
                case .persisted(let number): "client persisted \(number)"
                case .persistFailed(let number): "client could not persist \(number)"
                case .command, .timer, .transferred, .sharedChanged, .shared: nil
                }
            case .relay(let input):
                switch input {
                case .accepted(let link): "relay accepted \(link)"
                case .upstreamOpened(let link): "relay upstream \(link)"
                case .upstreamFailed(let link, let failure): "relay upstream failed \(link) \(failure.rawValue)"
                case .received(let link, let side, let bytes):
                    "relay received \(link) \(side.rawValue) \(String(decoding: bytes, as: UTF8.self))"
                case .ended(let link, let side, let end): "relay ended \(link) \(side.rawValue) \(end.rawValue)"
                default: nil
                }
            case .server(let input):
                switch input {
                case .accepted(let link): "server accepted \(link)"
                case .received(let link, let bytes): "server received \(link) \(String(decoding: bytes, as: UTF8.self))"
                case .ended(let link, let end): "server ended \(link) \(end.rawValue)"
                default: nil
                }
            }
        if let text { outcome.log.append(Entry(time: now, text: text)) }
    }

    mutating func noteLateness(_ late: TimeSpan) { outcome.lateness = max(outcome.lateness, late) }

    mutating func abandon(_ reason: String, at now: Instant) {
        outcome.abandoned = reason
        isOver = true
    }

    mutating func finish(at now: Instant) -> Outcome {
        outcome.end = now
        return outcome
    }
}

extension Instant {
    static func seconds(_ count: Int64) -> Instant { .zero + .seconds(count) }
    static func milliseconds(_ count: Int64) -> Instant { .zero + .milliseconds(count) }
}

extension TransportOutput {
    static func client(_ output: ClientOutput) -> TransportOutput { .client(.only, output) }
}

let first = ConnectionID(.only, 1)
let firstLink = LinkID(.only, 1)

func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
