import Exploration
import Foundation
import ScenarioModel
import SquallCore
import Testing

@testable import Squall

@Suite("An exploration in parts")
struct PartTests {
    /// Returns one of `count` parts of an exploration, with its own findings and features.
    private static func part(_ index: Int, of count: Int = 3, seed: UInt64 = 7) -> Part {
        let header = Part.Header(
            version: "1",
            seed: seed,
            runs: 30,
            parts: count,
            defects: ["noBackoff"],
            profiles: []
        )
        let cause = Cause(judge: "invariant order", sentence: "… was \"stored\"", state: "connected")
        return Part(
            header,
            index: index,
            failures: [index: [ObservedViolation(cause: cause, faults: ["drop", "stall"])], index + 3: []],
            features: [Feature(state: "idle", event: "part \(index)"), Feature(state: "", event: "all")]
        )
    }

    @Test("a part of an exploration survives writing and reading")
    func json() throws {
        let part = Self.part(2)
        let text = String(decoding: part.json.encode(), as: UTF8.self)
        #expect(Part(try JSON.decode(text)) == part)
        #expect(Part(.object([])) == nil)
    }

    @Test("parts can be merged in any order")
    func order() throws {
        let parts = (1...3).map { Self.part($0) }
        let whole = try Part.merged(parts)
        #expect(try Part.merged(parts.reversed()) == whole)
        #expect(whole.failures.count == 6)
        #expect(whole.features.count == 4)
    }

    @Test("a missing part, a duplicate part number and a part of another exploration are refused")
    func mismatches() throws {
        let parts = (1...3).map { Self.part($0) }
        #expect(throws: Part.Mismatch("parts are missing: 3")) { try Part.merged(Array(parts.prefix(2))) }
        #expect(throws: Part.Mismatch.self) { try Part.merged(parts + [Self.part(1, seed: 8)]) }
        #expect(throws: Part.Mismatch("part 2 is given twice")) { try Part.merged(parts + [parts[1]]) }
        var other = parts[0]
        other.failures = [:]
        #expect(throws: Part.Mismatch("part 1 is given twice, with different contents")) {
            try Part.merged(parts + [other])
        }
        #expect(throws: Part.Mismatch("there is no part")) { try Part.merged([]) }
    }

    @Test("merging one or three parts gives the same files as an exploration without parts, byte for byte")
    func byteForByte() async throws {
        let folder = NSTemporaryDirectory() + "parts-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var options = ExploreOptions()
        (options.limit, options.defects, options.profiles) = (.runs(9), ["noBackoff"], ["default"])
        (options.jobs, options.folder) = (2, folder)

        func files() throws -> [String: String] {
            let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            let files = names.map { ($0, (try? String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8)) ?? "") }
            try FileManager.default.removeItem(atPath: folder)
            return Dictionary(uniqueKeysWithValues: files)
        }
        let alone = try await Explorer(options).explore()
        let expected = try files()
        #expect(!expected.isEmpty)
        for count in [1, 3] {
            var parts: [Part] = []
            for index in 1...count {
                let shard = try #require(Shard("\(index)/\(count)"))
                parts.append(try await Explorer(options).part(shard))
            }
            let merged = try await Explorer(options).take(try Part.merged(parts))
            #expect(try files() == expected, "\(count) parts")
            #expect(merged.features == alone.features)
            #expect(merged.found.map(\.count) == alone.found.map(\.count))
        }
    }
}
