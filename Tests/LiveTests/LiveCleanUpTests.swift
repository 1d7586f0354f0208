import ChatWire
import Faults
import Foundation
import ReferenceClient
import ScenarioModel
import SquallCore
import TestSupport
import Testing

@testable import Live

/// The test runs in a separate process, because other tests also open descriptors. Descriptors that the process
/// inherits are not counted.
@Suite(.ownThread, .timeLimit(.minutes(20)))
struct LiveCleanUpTests {
    #if os(Linux)
        @Test("A run leaves no descriptors and no files behind, however it ends")
        func everyWayOutGivesEverythingBack() async throws {
            await #expect(processExitsWith: .success) {
                let folder = FileManager.default.temporaryDirectory.path + "/squall-clean-up-\(getpid())"
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                defer { try? FileManager.default.removeItem(atPath: folder) }
                let options = LiveOptions(folder: folder)
                let inherited = Set(try descriptors())
                // The first round is not counted, because the runtime opens some descriptors once and keeps them open.
                try await playEveryWay(options)
                let before = try openDescriptors(excluding: inherited)
                let rounds = 8
                for _ in 0..<rounds { try await playEveryWay(options) }
                // A leak adds a descriptor in every round, whereas the runtime may open an occasional epoll or timer
                // descriptor at any time. The count is repeated, because an exiting thread may close its descriptors
                // late.
                var after = before
                let deadline = ContinuousClock.now + .seconds(30)
                var leaks: [String] = []
                repeat {
                    after = try openDescriptors(excluding: inherited)
                    leaks = Set(before.keys).union(after.keys).filter { kind in
                        let more = (after[kind] ?? 0) - (before[kind] ?? 0)
                        return more >= (kind == "anon_inode" ? rounds : 1)
                    }
                    if !leaks.isEmpty { try await Task.sleep(for: .milliseconds(20)) }
                } while !leaks.isEmpty && ContinuousClock.now < deadline
                for kind in leaks { Issue.record("\(kind): \(before[kind] ?? 0) before, \(after[kind] ?? 0) after") }
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
            }
        }
    #endif
}

private func descriptors() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
}

/// Returns the number of open descriptors of this process by kind: sockets, pipes, and each file by its path.
private func openDescriptors(excluding inherited: Set<String>) throws -> [String: Int] {
    var count: [String: Int] = [:]
    for name in try descriptors() where !inherited.contains(name) {
        // By now, the descriptor used to list the folder is closed.
        guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)") else {
            continue
        }
        count[String(target.prefix { $0 != ":" }), default: 0] += 1
    }
    return count
}

private func playEveryWay(_ options: LiveOptions) async throws {
    let busy = ScriptedRun(
        until: .seconds(100),
        script: [
            (.seconds(1), [.launch(.only), .client(.persist(1, [StoreWrite(key: "a", value: 1)]))]),
            (
                .seconds(2),
                [.client(.connect(ConnectionID(.only, 1))), .client(.request(ExchangeID(.only, 1), .health))]
            ),
            (.seconds(3), [.relay(.readMode(LinkID(.only, 1), side: .client, .unacknowledged))]),
            (
                .seconds(4),
                [.client(.write(ConnectionID(.only, 1), [1])), .client(.request(ExchangeID(.only, 2), .health))]
            ),
            (.seconds(5), [.relay(.acceptMode(.only, .dropping)), .client(.connect(ConnectionID(.only, 2)))]),
            (.seconds(5), [.client(.request(ExchangeID(.only, 3), .health))]),
            (.seconds(6), [.kill(.only), .launch(.only)]),
            (
                .seconds(7),
                [.client(.connect(ConnectionID(.only, 3))), .client(.request(ExchangeID(.only, 4), .health))]
            ),
            (.seconds(8), [.relay(.acceptMode(.only, .open)), .client(.connect(ConnectionID(.only, 4)))]),
        ]
    )
    _ = try await play(busy, options: options)

    // This run ends while transfers are in progress.
    var cut = busy
    cut.end = .seconds(8)
    _ = try await play(cut, options: options)

    let failing = ScriptedRun(until: .seconds(5), script: [(.seconds(1), [.client(.connect(first)), .launch(.only)])])
    _ = try? await play(failing, options: LiveOptions(folder: "/nowhere"))

    var wall = options
    wall.pace = .wall
    var slow = busy
    slow.script = slow.script.map { (.zero + TimeSpan(nanoseconds: $0.time.nanoseconds / 100), $0.outputs) }
    let task = Task { [slow, wall] in try await play(slow, options: wall) }
    try await Task.sleep(for: .milliseconds(60))
    task.cancel()
    _ = try? await task.value
}
