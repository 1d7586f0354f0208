import Adapter
import SquallCore
import Testing

/// A model of an app that behaves as the protocol's documentation page requires: it repeats requests that fail.
struct ModelApp {
    let name: String
    /// The messages that the app has received, in order of arrival.
    var received: [Int64] = []
    /// All messages that the app has written so far.
    var written: [Int64] = []
    /// The messages that Squall has not confirmed yet, the first of which has the number `first`.
    var outbox: ArraySlice<Int64> { written[Int(first - 1)...] }
    var first: Int64 = 1
    /// The numbers of the app's pending poll and post requests, if any.
    var poll: Int?
    var post: Int?
    var isOver = false

    init(name: String) {
        self.name = name
    }

    mutating func take(_ answer: ControlAnswer, to request: Int) throws {
        let body = try JSON.decode(answer.body)
        if answer.status == 410, request == poll || request == post { isOver = true }
        if request == poll {
            poll = nil
            guard let first = body["first"]?.intValue, let messages = body["messages"]?.arrayValue else { return }
            for (index, message) in messages.enumerated() where first + Int64(index) > Int64(received.count) {
                received.append(try #require(message["value"]?.intValue))
            }
        } else if request == post {
            post = nil
            if let taken = body["taken"]?.intValue { first = taken + 1 }
        }
    }
}

/// A simulation of Squall's channel, instances of an app, and the network between them, driven by a seed.
struct AppStage {
    private struct Packet {
        var app: Int
        var request: Int
        var content: Content

        enum Content {
            case poll(after: Int64)
            case post(first: Int64, [Int64])
            case answer(ControlAnswer)
        }
    }

    private(set) var apps = [ModelApp(name: "app-0")]
    /// The messages that Squall has sent to each instance since that instance connected.
    private(set) var sent: [String: [Int64]] = [:]
    /// The messages that Squall has received from each instance.
    private(set) var taken: [String: [Int64]] = [:]
    private(set) var mistakes: [String] = []
    /// The response statuses and simulated incidents that have occurred, so that the test can check its own coverage.
    private(set) var seen: Set<String> = []
    private var channel = AppChannel()
    private var generator: SeededGenerator
    private var packets: [Packet] = []
    private var now = Instant.zero
    private var lastRequest = 0
    /// The requests that have reached Squall, keyed by the number that Squall assigned to each.
    private var served: [Int: (app: Int, request: Int)] = [:]
    private var current: String?
    private var lastValue: Int64 = 0

    init(seed: UInt64) {
        generator = SeededGenerator(state: seed)
    }

    private mutating func pick(_ bound: Int) -> Int { Int(generator.below(UInt64(bound))) }

    private mutating func value() -> Int64 {
        lastValue += 1
        return lastValue
    }

    mutating func step() throws {
        switch pick(20) {
        case 0...2: request(from: apps.count - 1)
        case 3:
            // A replaced instance may still be running, for example on a second device or in another browser tab.
            request(from: pick(apps.count))
        case 4...5: apps[apps.count - 1].written.append(value())
        case 6...7: sendValue()
        case 8...14: try deliver()
        case 15: lose()
        case 16: repeatPacket()
        case 17: giveUp()
        case 18: pass(.seconds(Int64(pick(15))))
        default: if pick(10) == 0 { restart() }
        }
    }

    /// Drops some of the packets in flight, then lets all instances finish over a working network. Only one instance is
    /// still connected afterwards.
    mutating func finish() throws {
        for _ in 0..<packets.count / 2 { packets.remove(at: pick(packets.count)) }
        for _ in 0..<60 {
            while !packets.isEmpty { try deliver() }
            for app in apps.indices {
                (apps[app].poll, apps[app].post) = (nil, nil)
                request(from: app)
            }
            while !packets.isEmpty { try deliver() }
            pass(AppChannel.maximumHoldTime)
        }
    }

    /// The app instance that Squall currently communicates with.
    var connected: ModelApp? { apps.first { $0.name == current } }

    // MARK: - Simulated apps

    private mutating func request(from app: Int) {
        guard !apps[app].isOver else { return }
        if apps[app].poll == nil {
            lastRequest += 1
            apps[app].poll = lastRequest
            let content = Packet.Content.poll(after: Int64(apps[app].received.count))
            packets.append(Packet(app: app, request: lastRequest, content: content))
        }
        if apps[app].post == nil, !apps[app].outbox.isEmpty {
            lastRequest += 1
            apps[app].post = lastRequest
            let content = Packet.Content.post(first: apps[app].first, Array(apps[app].outbox.prefix(3)))
            packets.append(Packet(app: app, request: lastRequest, content: content))
        }
    }

    private mutating func giveUp() {
        let app = pick(apps.count)
        if apps[app].poll != nil || apps[app].post != nil { seen.insert("given up") }
        (apps[app].poll, apps[app].post) = (nil, nil)
    }

    private mutating func restart() {
        apps.append(ModelApp(name: "app-\(apps.count)"))
        seen.insert("restarted")
    }

    // MARK: - Squall

    private mutating func sendValue() {
        guard let current else { return }
        let value = value()
        sent[current, default: []].append(value)
        let message: JSON = ["value": .integer(value)]
        perform(channel.send(message.encode()), by: nil)
    }

    private mutating func pass(_ span: TimeSpan) {
        now = now + span
        let outputs = channel.timer(at: now)
        if !outputs.isEmpty { seen.insert("expired") }
        perform(outputs, by: nil)
    }

    private mutating func perform(_ outputs: [AppChannel.Output], by app: Int?) {
        for output in outputs {
            switch output {
            case .connected:
                current = app.map { apps[$0].name }
                if let current, sent[current] != nil || taken[current] != nil {
                    mistakes.append("\(current) connected twice")
                }
            case .received(let message):
                guard let app, let value = message["value"]?.intValue else { continue }
                taken[apps[app].name, default: []].append(value)
            case .answer(let number, let answer):
                seen.insert("\(answer.status)")
                guard let request = served.removeValue(forKey: number) else {
                    mistakes.append("request \(number) was answered twice")
                    continue
                }
                let packet = Packet(app: request.app, request: request.request, content: .answer(answer))
                packets.append(packet)
            }
        }
    }

    // MARK: - Simulated network

    private mutating func deliver() throws {
        guard !packets.isEmpty else { return }
        try arrive(packets.remove(at: pick(packets.count)))
    }

    private mutating func lose() {
        guard !packets.isEmpty else { return }
        packets.remove(at: pick(packets.count))
        seen.insert("lost")
    }

    private mutating func repeatPacket() {
        guard !packets.isEmpty else { return }
        packets.append(packets[pick(packets.count)])
        seen.insert("repeated")
    }

    private mutating func arrive(_ packet: Packet) throws {
        lastRequest += 1
        let number = lastRequest
        let name = apps[packet.app].name
        switch packet.content {
        case .answer(let answer): try apps[packet.app].take(answer, to: packet.request)
        case .poll(let after):
            served[number] = (packet.app, packet.request)
            perform(channel.poll(number, by: name, after: after, at: now), by: packet.app)
            if served[number] != nil { seen.insert("held") }
        case .post(let first, let values):
            served[number] = (packet.app, packet.request)
            let messages: [JSON] = values.map { ["value": .integer($0)] }
            perform(channel.post(number, by: name, first: first, messages, at: now), by: packet.app)
        }
        // A connection may be lost while its poll is pending.
        if served[number] != nil, pick(8) == 0 {
            channel.abandoned(number, at: now)
            served[number] = nil
        }
    }
}
