import Testing

/// Tests what the compiler does not check: layers, vocabulary, lengths and documentation.
@Suite("Rules for the source tree", .serialized)
struct TidyTests {
    private static func expectNone(_ found: [String], _ sourceLocation: SourceLocation = #_sourceLocation) {
        let text = Comment(rawValue: found.prefix(100).joined(separator: "\n"))
        #expect(found.count == 0, text, sourceLocation: sourceLocation)
    }

    /// Expects a rule to hold in every file except those in `unfinished.txt`, and to be violated in each of those.
    ///
    /// If `RECORD=1` is set in the environment, the list is rewritten; it may only become shorter.
    private static func expectNone(
        _ rule: String,
        _ check: (SourceFile) -> [String],
        _ sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let found = try SourceFile.all().map { (path: $0.path, found: check($0)) }.filter { !$0.found.isEmpty }
        let unfinished = try Unfinished.files(of: rule)
        expectNone(found.filter { !unfinished.contains($0.path) }.flatMap(\.found), sourceLocation)
        let finished = unfinished.subtracting(found.map(\.path)).sorted()
        try Unfinished.record(rule, found.map(\.path))
        #expect(finished.isEmpty, "take these off \(Unfinished.path): \(finished)", sourceLocation: sourceLocation)
    }

    @Test("Package.swift lists the modules by layer, and each module depends only on lower layers")
    func layers() throws {
        let layers = try Layers()
        #expect(layers.modules.count > 20)
        #expect(layers.order == layers.order.sorted())
        Self.expectNone(layers.wrongDependencies)
    }

    @Test("imports name only declared dependencies from lower layers")
    func imports() throws {
        let layers = try Layers()
        Self.expectNone(try SourceFile.all(in: "Sources").flatMap(layers.wrongImports))
    }

    @Test("modules below the sim and live worlds use no clock, no randomness and no I/O")
    func purity() throws {
        let layers = try Layers()
        Self.expectNone(try SourceFile.all(in: "Sources").flatMap(layers.impurities))
    }

    @Test("the reference client schedules a wake-up for every concern that has a deadline")
    func deadlines() throws {
        let files = try SourceFile.all(in: "Sources").filter { $0.target == "ReferenceClient" }
        let lines = try #require(files.first { $0.path.hasSuffix("/Client.swift") }).lines.map(\.code)
        let concerns = try ConcernDeadlines(files)
        #expect(try concerns.forgotten(in: lines) == [])
        let without = lines.map { $0.replacing(".or(sooner: people.deadline)", with: "") }
        #expect(try concerns.forgotten(in: without) == ["people"])
    }

    @Test("comments and messages contain no forbidden words")
    func prose() throws { try Self.expectNone("words", Vocabulary().wrongWords) }

    @Test("names of declarations contain no forbidden words")
    func names() throws { try Self.expectNone("names", Vocabulary().wrongNames) }

    @Test("no source file has more than 400 lines")
    func lengths() throws { try Self.expectNone("lengths") { Layout.isTooLong($0).map { [$0] } ?? [] } }

    @Test("no comment extends beyond column 120")
    func widths() throws { try Self.expectNone("widths", Layout.wideComments) }

    @Test("every public declaration of SquallTesting is documented")
    func documentation() throws {
        Self.expectNone(try SourceFile.all(in: "Sources/SquallTesting").flatMap(Layout.undocumented))
    }
}

/// Tests the rules themselves: each rule must detect a violation.
@Suite("Checks that enforce the rules for the source tree")
struct TidyRuleTests {
    private static let manifest = """
            module("Core", layer: 0),
            module("Peer", layer: 0),
            module(
                "Machine",
                layer: 1,
                uses: ["Core", "Live"]
            ),
            module("Live", layer: 2, uses: ["Core", "Machine", nioCore]),
        """

    private func file(_ text: String, in path: String = "Sources/Machine/Machine.swift") -> SourceFile {
        SourceFile(path: path, text: text)
    }

    @Test("the check detects a dependency on a module in a higher layer")
    func dependency() throws {
        let layers = try Layers(manifest: Self.manifest)
        #expect(layers.modules.count == 4)
        #expect(layers.wrongDependencies == ["Machine (layer 1) uses Live (layer 2)"])
    }

    @Test("the check detects imports of higher layers and imports missing from the manifest")
    func imports() throws {
        let layers = try Layers(manifest: Self.manifest)
        let found = layers.wrongImports(
            in: file("package import Live\nimport Peer\n@testable import struct Core.Time\n")
        )
        #expect(found.count == 2)
    }

    @Test(
        "the check detects a clock, randomness or I/O in a module that must be pure",
        arguments: [
            "import Foundation", "let now = ContinuousClock().now", "var dice = SystemRandomNumberGenerator()",
            "Task { }",
        ]
    )
    func impurity(_ text: String) throws {
        let layers = try Layers(manifest: Self.manifest)
        #expect(layers.impurities(in: file(text)).count == 1)
        #expect(layers.impurities(in: file(text, in: "Sources/Live/Live.swift")).isEmpty)
        #expect(layers.impurities(in: file("// \(text)\nlet text = \"\(text)\"")).isEmpty)
    }

    @Test(
        "the check detects a forbidden word in a comment or a string, but ignores the code beside them",
        arguments: [
            "/// Nobody is there.", "let text = \"nobody is there\"", "/* for\n whoever asks */",
            "let text = \"\"\"\n  told: whom\n  \"\"\"",
        ]
    )
    func word(_ text: String) throws {
        let vocabulary = try Vocabulary()
        #expect(vocabulary.wrongWords(in: file(text)).count == 1)
        #expect(vocabulary.wrongWords(in: file("let nobody = 1 // no client")).isEmpty)
    }

    @Test(
        "the check detects a forbidden word in a name, as the whole name or as a part of it",
        arguments: ["Door", "openDoor", "doorstepDoorway", "tell", "standIns"]
    )
    func name(_ name: String) throws {
        let vocabulary = try Vocabulary()
        #expect(vocabulary.wrongNames(in: file("let \(name) = \"\" // x")).count == 1)
        #expect(vocabulary.wrongNames(in: file("let indoor = \"Door\" // Door")).isEmpty)
    }

    @Test("the check detects a long file, a wide comment and an undocumented declaration")
    func layout() {
        #expect(Layout.isTooLong(file(String(repeating: "\n", count: 401))) != nil)
        #expect(Layout.isTooLong(file(String(repeating: "\n", count: 400))) == nil)
        #expect(Layout.wideComments(in: file("// " + String(repeating: "x", count: 118))).count == 1)
        #expect(Layout.wideComments(in: file("// " + String(repeating: "x", count: 117))).isEmpty)
        #expect(Layout.undocumented(in: file("    public func go() {}\n/// Goes.\npublic var a = 1")).count == 1)
    }
}
