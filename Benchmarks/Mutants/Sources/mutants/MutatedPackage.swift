import Foundation
import Mutating

/// A copy of Squall's package with mutants in its sources, and the binary built from it.
struct MutatedPackage {
    let repository: URL
    /// The folder for the copy, the build and the results.
    let scratch: URL
    let configuration: String

    private var copy: URL { scratch.appendingPathComponent("package") }
    private var build: URL { scratch.appendingPathComponent("build") }
    var binary: URL { build.appendingPathComponent(configuration).appendingPathComponent("squall") }

    /// The folders of the modules to mutate.
    private static let modules = ["Sources/ReferenceClient", "Sources/FakeServer"]

    /// Returns the sources to be mutated, by path.
    func originals() throws -> [String: String] {
        var sources: [String: String] = [:]
        for folder in Self.modules {
            let root = repository.appendingPathComponent(folder)
            for path in try FileManager.default.subpathsOfDirectory(atPath: root.path) where path.hasSuffix(".swift") {
                let text = try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
                sources["\(folder)/\(path)"] = text
            }
        }
        return sources
    }

    /// Builds the binary, removing mutants until the sources compile.
    ///
    /// - Returns: The mutants in the binary by number, and the ids of those that do not compile.
    func make(
        count: Int,
        seed: UInt64,
        heldOut: Int
    ) throws -> (mutants: [Int: Mutant], rejected: Set<String>) {
        let originals = try originals()
        try copyPackage(without: Set(originals.keys))
        var schemata = Schemata(originals, count: count, seed: seed, heldOut: heldOut)
        var rejected: Set<String> = []
        while true {
            for (path, text) in originals { try write(Data((schemata.sources[path] ?? text).utf8), to: path) }
            for module in Self.modules { try write(Data(Runtime.source.utf8), to: Runtime.path(in: module)) }
            let log = scratch.appendingPathComponent("build.log")
            let ending = try ChildProcess.run(
                [
                    "swift", "build", "-c", configuration, "--product", "squall", "--package-path", copy.path,
                    "--scratch-path", build.path,
                ],
                in: copy,
                output: log,
                withErrors: true,
                limit: 3600
            )
            if ending == .exited(0) { return (schemata.mutants, rejected) }
            let text = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
            let blamed = Self.blamed(by: text, among: schemata.mutants)
            guard case .exited = ending, !blamed.isEmpty else { throw Failure("the build failed: see \(log.path)") }
            rejected.formUnion(blamed.map { schemata.mutants[$0]?.id ?? "" })
            say("\(rejected.count) mutants do not compile so far; building without them")
            // The remaining mutants keep their numbers, so files without errors need not be recompiled.
            schemata = schemata.without(blamed, sources: originals)
        }
    }

    /// Copies the files that git tracks, except the scenarios, which are read from the repository.
    ///
    /// Files whose contents have not changed are not written, so that an incremental build recompiles little.
    private func copyPackage(without mutated: Set<String>) throws {
        try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: true)
        let list = scratch.appendingPathComponent("files.txt")
        let listing = ["git", "-C", repository.path, "ls-files", "-z"]
        guard try ChildProcess.run(listing, in: repository, output: list, withErrors: false, limit: 60) == .exited(0)
        else { throw Failure("\(repository.path) is no git repository") }
        let tracked = try String(contentsOf: list, encoding: .utf8).split(separator: "\0").map(String.init)
        try removeFiles(exceptFor: Set(tracked).union(Self.modules.map(Runtime.path)))
        for path in tracked
        where !mutated.contains(path) && !path.hasPrefix("Scenarios/") && !path.hasPrefix("Benchmarks/Mutants/") {
            guard var bytes = try? Data(contentsOf: repository.appendingPathComponent(path)) else { continue }
            if path == "Package.swift" {
                // A mutant may leave a value unused, which the compiler must report only as a warning. The other
                // modules keep their flags, which avoids recompiling them.
                let names = Self.modules.map { "\"\($0.dropFirst("Sources/".count))\"" }.joined(separator: ", ")
                bytes += Data(
                    """

                    for target in package.targets where [\(names)].contains(target.name) {
                        target.swiftSettings?.append(.treatAllWarnings(as: .warning))
                    }

                    """.utf8
                )
            }
            try write(bytes, to: path)
        }
    }

    /// Deletes sources that an earlier run copied and that have since been renamed or deleted in the repository.
    private func removeFiles(exceptFor kept: Set<String>) throws {
        let root = copy.appendingPathComponent("Sources")
        guard FileManager.default.fileExists(atPath: root.path) else { return }
        for path in try FileManager.default.subpathsOfDirectory(atPath: root.path)
        where path.hasSuffix(".swift") && !kept.contains("Sources/\(path)") {
            try FileManager.default.removeItem(at: root.appendingPathComponent(path))
        }
    }

    private func write(_ bytes: Data, to path: String) throws {
        let file = copy.appendingPathComponent(path)
        if let present = try? Data(contentsOf: file), present == bytes { return }
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try bytes.write(to: file)
    }

    /// Returns the numbers of the mutants that the compiler's errors point to.
    static func blamed(by log: String, among mutants: [Int: Mutant]) -> Set<Int> {
        var blamed: Set<Int> = []
        for line in log.split(separator: "\n") where line.contains(": error: ") {
            let parts = line.split(separator: ":", maxSplits: 3)
            guard parts.count == 4, let number = Int(parts[1]) else { continue }
            let inFile = mutants.filter { parts[0].hasSuffix("/" + $0.value.file) }
            let starting = inFile.filter { $0.value.line == number }
            if !starting.isEmpty {
                blamed.formUnion(starting.keys)
            } else if let around = inFile.filter({ $0.value.line < number }).max(by: { $0.value.line < $1.value.line })
            {
                // No mutant starts on the line of the error, so blame the nearest one above it. A wrong guess costs one
                // more build.
                blamed.insert(around.key)
            }
        }
        return blamed
    }
}

struct Failure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
