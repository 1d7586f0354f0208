import Faults
import NIOCore
import NIOPosix
import Sockets
import Testing

/// A listener that has its own event loop and address, and records its connections and their events.
struct Bench: Sendable {
    struct Parts {
        var claim: LoopbackReservation
        var listener: Listener
        var accepted: [Connection] = []
        var events: [[Connection.Event]] = []
        var attempts: [ConnectAttempt] = []
        var outcomes: [String] = []
        var made: [Connection] = []
    }

    let group: MultiThreadedEventLoopGroup
    let loop: any EventLoop
    let parts: NIOLoopBoundBox<Parts?>
    let address: LocalAddress
    let port: Int

    static func with(
        _ settings: SocketSettings = SocketSettings(),
        acceptMode: AcceptMode = .open,
        _ body: (Bench) async throws -> Void
    ) async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = group.next()
        let box = NIOLoopBoundBox.makeEmptyBox(valueType: Parts.self, eventLoop: loop)
        do {
            let (address, port) = try await loop.submit { () throws -> (LocalAddress, Int) in
                let claim = try LoopbackReservation.next()
                let listener = try Listener(
                    at: claim.address,
                    settings: settings,
                    on: loop,
                    onFailure: { Issue.record($0) }
                ) {
                    let place = box.value?.accepted.count ?? 0
                    box.value?.accepted.append($0)
                    box.value?.events.append([])
                    $0.onEvent = { box.value?.events[place].append($0) }
                }
                box.value = Parts(claim: claim, listener: listener)
                try listener.set(acceptMode)
                return (claim.address, listener.port)
            }.get()
            try await body(Bench(group: group, loop: loop, parts: box, address: address, port: port))
        } catch {
            try await end(group, box)
            throw error
        }
        try await end(group, box)
    }

    private static func end(_ group: MultiThreadedEventLoopGroup, _ box: NIOLoopBoundBox<Parts?>) async throws {
        try await group.next().submit {
            box.value?.listener.close()
            box.value?.accepted.forEach { $0.end(.rst) }
            box.value?.made.forEach { $0.end(.rst) }
            box.value?.attempts.forEach { $0.abandon() }
            box.value?.claim.release()
            box.value = nil
        }.get()
        try await group.shutdownGracefully()
    }

    /// Runs `body` on the event loop, between two events.
    func on<Value: Sendable>(_ body: @escaping @Sendable (inout Parts) throws -> Value) async throws -> Value {
        try await loop.submit {
            guard var parts = self.parts.value else { throw CancellationError() }
            // Event handlers may modify `self.parts` while `body` runs, so `body` gets a copy. Only `attempts` is
            // written back.
            let value = try body(&parts)
            self.parts.value?.attempts = parts.attempts
            return value
        }.get()
    }

    func set(_ acceptMode: AcceptMode) async throws {
        try await on { try $0.listener.set(acceptMode) }
    }

    func events(of index: Int = 0) async throws -> [Connection.Event] {
        try await on { $0.events.indices.contains(index) ? $0.events[index] : [] }
    }

    /// Polls until the condition is true. Returns false after two seconds.
    func until(_ condition: @escaping @Sendable (Parts) -> Bool) async throws -> Bool {
        for _ in 0..<400 {
            if try await on({ condition($0) }) { return true }
            try await Task.sleep(for: .milliseconds(5))
        }
        return false
    }
}

extension [Connection.Event] {
    var bytes: [UInt8] {
        flatMap { event -> [UInt8] in
            if case .received(let bytes) = event { bytes } else { [] }
        }
    }

    var ends: [LinkEnd] {
        compactMap { event in
            if case .ended(let end) = event { end } else { nil }
        }
    }
}
