import Testing

/// Tests what the compiler does not check: layers, vocabulary, lengths and documentation.
@Suite("The tree is tidy", .serialized)
struct TidyTests {
    private static func expectNone(_ found: [String], _ sourceLocation: SourceLocation = #_sourceLocation) {
        let text = Comment(rawValue: found.prefix(100).joined(separator: "\n"))
        #expect(found.count == 0, text, sourceLocation: sourceLocation)
    }

    /// Expects a rule to hold in every file except those in `unfinished.txt`, and to be violated in each of those.
    ///
    /// With `RECORD=1` in the environment the list is written again; it may only become shorter.
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

    @Test("Package.swift lists the modules by layer, and each depends only on lower modules")
    func layers() throws {
        let layers = try Layers()
        #expect(layers.modules.count > 20)
        #expect(layers.order == layers.order.sorted())
        Self.expectNone(layers.wrongDependencies)
    }

    @Test("an import names a module of a lower layer that its target depends on")
    func imports() throws {
        let layers = try Layers()
        Self.expectNone(try SourceFile.all(in: "Sources").flatMap(layers.wrongImports))
    }

    @Test("modules below the worlds use no clock, no randomness and no I/O")
    func purity() throws {
        let layers = try Layers()
        Self.expectNone(try SourceFile.all(in: "Sources").flatMap(layers.impurities))
    }

    @Test("the reference client is woken for every concern that has a deadline")
    func deadlines() throws {
        let files = try SourceFile.all(in: "Sources").filter { $0.target == "ReferenceClient" }
        let lines = try #require(files.first { $0.path.hasSuffix("/Client.swift") }).lines.map(\.code)
        let concerns = try ConcernDeadlines(files)
        #expect(try concerns.forgotten(in: lines) == [])
        let without = lines.map { $0.replacing(".or(sooner: people.deadline)", with: "") }
        #expect(try concerns.forgotten(in: without) == ["people"])
    }

    @Test("comments and messages use the field's words")
    func prose() throws { try Self.expectNone("words", Vocabulary().wrongWords) }

    @Test("names use the field's words")
    func names() throws { try Self.expectNone("names", Vocabulary().wrongNames) }

    @Test("no file has more than 400 lines")
    func lengths() throws { try Self.expectNone("lengths") { Layout.isTooLong($0).map { [$0] } ?? [] } }

    @Test("no comment reaches beyond column 120")
    func widths() throws { try Self.expectNone("widths", Layout.wideComments) }

    @Test("every public declaration of SquallTesting is documented")
    func documentation() throws {
        Self.expectNone(try SourceFile.all(in: "Sources/SquallTesting").flatMap(Layout.undocumented))
    }
}

/// Tests the rules themselves: each detects a violation.
@Suite("The rules of the tidy tree")
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

    @Test("a dependency on a higher module is found")
    func dependency() throws {
        let layers = try Layers(manifest: Self.manifest)
        #expect(layers.modules.count == 4)
        #expect(layers.wrongDependencies == ["Machine (layer 1) uses Live (layer 2)"])
    }

    @Test("imports of higher modules and imports that the manifest does not list are found")
    func imports() throws {
        let layers = try Layers(manifest: Self.manifest)
        let found = layers.wrongImports(
            in: file("package import Live\nimport Peer\n@testable import struct Core.Time\n")
        )
        #expect(found.count == 2)
    }

    @Test(
        "uses of a clock, of randomness and of I/O are found in a pure module",
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
        "a forbidden word is found in a comment and in a literal, not in the code next to them",
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
        "a forbidden word is found in a name, whole or as a part",
        arguments: ["Door", "openDoor", "doorstepDoorway", "tell"]
    )
    func name(_ name: String) throws {
        let vocabulary = try Vocabulary()
        #expect(vocabulary.wrongNames(in: file("let \(name) = \"\" // x")).count == 1)
        #expect(vocabulary.wrongNames(in: file("let indoor = \"Door\" // Door")).isEmpty)
    }

    @Test("a long file, a wide comment and a declaration without documentation are found")
    func layout() {
        #expect(Layout.isTooLong(file(String(repeating: "\n", count: 401))) != nil)
        #expect(Layout.isTooLong(file(String(repeating: "\n", count: 400))) == nil)
        #expect(Layout.wideComments(in: file("// " + String(repeating: "x", count: 118))).count == 1)
        #expect(Layout.wideComments(in: file("// " + String(repeating: "x", count: 117))).isEmpty)
        #expect(Layout.undocumented(in: file("    public func go() {}\n/// Goes.\npublic var a = 1")).count == 1)
    }
}
