import Faults
import NIOCore
import Sockets
import TestSupport
import Testing

@Suite(.ownThread, .timeLimit(.minutes(20)))
struct ConnectAttemptTests {
    private func begin(_ bench: Bench) async throws {
        try await bench.on { [loop = bench.loop, box = bench.parts] parts in
            let attempt = ConnectAttempt.begin(
                from: bench.address,
                to: bench.address,
                port: bench.port,
                settings: SocketSettings(),
                on: loop
            ) { outcome in
                switch outcome {
                case .connected(let connection):
                    box.value?.made.append(connection)
                    box.value?.outcomes.append("connected")
                case .failed(let failure): box.value?.outcomes.append(failure.rawValue)
                case .impossible(let error): box.value?.outcomes.append(error.description)
                }
            }
            parts.attempts.append(attempt)
        }
    }

    @Test("Each end of a connection reports the other end's port")
    func bothEndsKnowEachOthersPorts() async throws {
        try await Bench.with { bench in
            try await begin(bench)
            #expect(try await bench.until { $0.outcomes == ["connected"] && $0.accepted.count == 1 })
            try await bench.on { parts in
                #expect(parts.made[0].localPort == parts.accepted[0].peerPort)
                #expect(parts.made[0].peerPort == bench.port)
                #expect(parts.made[0].localPort != 0)
                parts.made[0].write([1, 2])
            }
            #expect(try await bench.until { $0.events[0] == [.received([1, 2])] })
        }
    }

    @Test("A refused connection attempt is reported as refused")
    func aRefusalIsReported() async throws {
        try await Bench.with(acceptMode: .refusing) { bench in
            try await begin(bench)
            #expect(try await bench.until { $0.outcomes == ["refused"] })
        }
    }

    @Test(
        "A connection attempt to a dropping listener gets no answer, and abandoning it is not reported",
        .enabled(if: PacketFilter.isAvailable)
    )
    func anAttemptToADroppingListenerGetsNoAnswer() async throws {
        try await Bench.with(acceptMode: .dropping) { bench in
            try await begin(bench)
            try await Task.sleep(for: .milliseconds(100))
            try await bench.on { parts in
                #expect(parts.outcomes.isEmpty)
                #expect(parts.attempts[0].localPort != nil)
                parts.attempts[0].abandon()
            }
            try await bench.set(.open)
            try await Task.sleep(for: .milliseconds(1200))
            #expect(try await bench.on { $0.outcomes.isEmpty && $0.accepted.isEmpty })
        }
    }
}
