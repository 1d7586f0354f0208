import Mutating
import Testing

@Suite struct SchemataTests {
    private let sources = [
        "Sources/A/One.swift": """
        // One file.
        func send(_ a: Int, _ b: Int) {
            if a < b, b > 3 {
                store(a)
            }
            total += 1
        }

        """
    ]

    @Test("the same seed draws the same mutants, and another seed draws them in another order")
    func draw() {
        func ids(_ seed: UInt64) -> [String] {
            Schemata(sources, count: 100, seed: seed).mutants.sorted { $0.key < $1.key }.map(\.value.id)
        }
        #expect(ids(1) == ids(1))
        #expect(ids(1) != ids(2))
        #expect(Set(ids(1)) == Set(ids(2)))
        #expect(ids(1).count == Schemata.total(in: sources))
    }

    @Test("planting mutants moves no line, so that the compiler's errors name the line of the original")
    func lines() {
        let text = Schemata(sources, count: 100, seed: 1).sources["Sources/A/One.swift"] ?? ""
        #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count == 8)
        #expect(text.hasPrefix("// One file.\n"))
    }

    @Test("a mutant that is taken out leaves the numbers of the others as they are")
    func without() throws {
        let all = Schemata(sources, count: 100, seed: 1)
        let rest = all.without([1], sources: sources)
        var expected = all.mutants
        expected[1] = nil
        #expect(rest.mutants == expected)
        let text = try #require(rest.sources["Sources/A/One.swift"])
        #expect(!text.contains("(1)") && !text.contains("(1,"))
    }

    @Test("a mutant tells its original and its changed text")
    func texts() {
        let mutants = Schemata(sources, count: 100, seed: 1).mutants.values
        let shifted = mutants.filter { $0.kind == .shiftedComparison && $0.line == 3 }.map(\.mutated)
        #expect(shifted.sorted() == ["a <= b", "b >= 3"])
        #expect(mutants.contains { $0.kind == .droppedAssignment && $0.text == "total += 1" && $0.line == 6 })
    }
}
