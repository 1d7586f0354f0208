import ChatWire
import Faults
import Foundation
import ReferenceClient
import ScenarioModel
import SquallCore
import TestSupport
import Testing

@testable import Live

@Suite(.ownThread, .timeLimit(.minutes(20)))
struct LiveStoreTests {
    private func write(_ key: String, _ value: JSON?) -> StoreWrite { StoreWrite(key: key, value: value) }

    @Test("Values stored before a kill are kept, and values still being written are lost")
    func storedValuesSurviveAKill() async throws {
        let run = ScriptedRun(
            until: .seconds(100),
            script: [
                (.seconds(1), [.launch(.only)]),
                (
                    .seconds(2),
                    [.client(.persist(1, [write("b", .integer(2)), write("a", .string("é\"\n")), write("c", .null)]))]
                ),
                (.seconds(3), [.client(.persist(2, [write("b", nil), write("d", .array([.bool(true)]))]))]),
                (.seconds(4), [.client(.persist(3, [write("a", .integer(9))])), .kill(.only)]),
                (.seconds(5), [.launch(.only)]),
            ]
        )
        let (outcome, real) = try await play(run)
        #expect(
            outcome.texts.filter { !$0.hasPrefix("script") } == [
                "ready", "launched client []", "client persisted 1", "client persisted 2",
                "launched client [\"a=\\\"é\\\\\\\"\\\\n\\\"\", \"c=null\", \"d=[true]\"]",
            ]
        )
        #expect(real < .seconds(120))
    }

    @Test("Each completed write is reported as a separate input") func aCompletionIsAnInputOfItsOwn() async throws {
        let run = ScriptedRun(
            until: .seconds(100),
            script: [
                (.seconds(2), [.client(.persist(1, [write("a", 1)])), .client(.persist(2, [write("a", 2)]))])
            ]
        )
        let (outcome, _) = try await play(run)
        #expect(outcome.texts.suffix(3) == ["script 2.000", "client persisted 1", "client persisted 2"])
    }

    @Test("A kill ends connections as the kernel does, and the client receives no further input")
    func kill() async throws {
        let exchange = ExchangeID(.only, 1)
        var run = ScriptedRun(
            until: .seconds(100),
            script: [
                (.seconds(1), [.client(.connect(first))]),
                (
                    .seconds(3),
                    [.client(.connect(ConnectionID(.only, 2))), .client(.request(exchange, .health)), .kill(.only)]
                ),
                (.seconds(4), [.relay(.write(firstLink, to: .client, bytes("anyone?")))]),
            ]
        )
        run.relayForwards = false
        let (outcome, _) = try await play(run)
        let later = outcome.log.filter { $0.time >= .seconds(3) }.map(\.text)
        #expect(later.filter { $0.hasPrefix("client") }.isEmpty)
        #expect(later.contains("relay ended client~1 client fin"))
        // The client's process no longer exists, so the kernel responds to the bytes with a reset.
        #expect(later.contains("relay ended client~1 client rst"))
        #expect(outcome.texts(about: "relay accepted") == ["relay accepted client~1"])
    }

    @Test("A sweep removes only the folders of processes that have ended") func sweep() throws {
        let parent = try TemporaryFolder(in: nil)
        defer { parent.remove() }
        let used = try TemporaryFolder(in: parent.path)
        defer { used.remove() }
        let left = parent.path + "/squall-live-left"
        let foreign = parent.path + "/foreign"
        for path in [left, foreign] {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        }
        TemporaryFolder.sweep(parent.path)
        #expect(FileManager.default.fileExists(atPath: left), "its owner may be about to lock it")
        TemporaryFolder.sweep(parent.path, olderThan: -1)
        #expect(!FileManager.default.fileExists(atPath: left))
        #expect(FileManager.default.fileExists(atPath: used.path))
        #expect(FileManager.default.fileExists(atPath: foreign))
    }

    @Test("Keys are read from the store in ascending order") func keyOrder() throws {
        let folder = try TemporaryFolder(in: nil)
        defer { folder.remove() }
        let store = try ClientStore(of: .only, at: folder.path + "/store")
        try store.apply(["c", "a", "b", "B", "ä"].map { write($0, .string($0)) })
        let keys = try store.image().entries.map(\.key)
        #expect(keys == ["B", "a", "b", "c", "ä"])
        store.close()
    }
}
