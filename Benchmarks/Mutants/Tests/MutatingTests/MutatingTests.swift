import Testing

@testable import Mutating

@Suite("Mutants are found, drawn and planted")
struct MutatingTests {
    private static let source = """
        struct Outbox {
            var held = 0
            mutating func add(_ count: Int) {
                guard count > 0, count < 10 else { return }
                held += count
                report()
            }
            func report() {}
        }

        """

    private func found(_ source: String) -> [Mutant] {
        Finder.candidates(in: source, file: "A.swift").map(\.mutant)
    }

    private func count(_ kind: Mutant.Kind, in source: String = Self.source) -> Int {
        found(source).count { $0.kind == kind }
    }

    @Test("Each kind of mutant is found where the source has its place")
    func kinds() {
        #expect(count(.negatedCondition) == 2)
        #expect(count(.droppedCondition) == 2)
        #expect(count(.shiftedComparison) == 2)
        #expect(count(.changedConstant) == 3)
        #expect(count(.droppedAssignment) == 1)
        #expect(count(.droppedCall) == 1)
        #expect(count(.emptiedFunction) == 1)
    }

    @Test("Conditions that bind or match a pattern are left alone")
    func patterns() {
        let source = "func f(_ x: Int?) { if let x, case 1 = x {} }"
        #expect(count(.negatedCondition, in: source) == 0)
        #expect(count(.changedConstant, in: source) == 0)
    }

    @Test("The only expression of a function that returns a value is not a statement")
    func results() {
        #expect(count(.droppedCall, in: "func f() -> Int { g() }") == 0)
        #expect(count(.droppedCall, in: "func f() -> Int { h(); return g() }") == 1)
    }

    @Test("Edits within and beside each other leave balanced text")
    func edits() {
        let outer = Edit(0, 5, prefix: "A(", suffix: ")")
        let first = Edit(0, 1, prefix: "B(", suffix: ")")
        let last = Edit(4, 5, prefix: "C(", suffix: ")")
        #expect(Schemata.apply([first, last, outer], to: "a < b") == "A(B(a) < C(b))")
    }

    @Test("A comparison and its operand are planted in one expression")
    func comparison() {
        let planted = Schemata(["A.swift": "func f(_ a: Int) -> Bool { a < 1 }"], count: 9, seed: 1)
        let numbers = Dictionary(uniqueKeysWithValues: planted.mutants.map { ($0.value.kind, $0.key) })
        let less = numbers[.shiftedComparison] ?? 0
        let constant = numbers[.changedConstant] ?? 0
        #expect(
            planted.sources["A.swift"]?.hasSuffix(
                "{ Mutants.less(\(less), a , Mutants.increased(\(constant), 1)) }"
            ) == true
        )
    }

    @Test("One seed draws the same mutants again, and a held-out draw shares none with the first and changes none")
    func draw() {
        let sources = ["A.swift": Self.source, "B.swift": Self.source]
        let one = Schemata(sources, count: 8, seed: 3).mutants
        #expect(one == Schemata(sources, count: 8, seed: 3).mutants)
        let both = Schemata(sources, count: 8, seed: 3, heldOut: 5).mutants
        #expect(both.filter { $0.key <= 8 } == one)
        #expect(both.keys.sorted() == Array(1...13))
        #expect(Set(both.values.map(\.id)).count == 13)
    }

    @Test("Mutants that do not compile are left out, and the others keep their numbers")
    func rejected() {
        let sources = ["A.swift": Self.source]
        let all = Schemata(sources, count: 100, seed: 1)
        let rest = all.without([1, 2], sources: sources)
        #expect(rest.mutants == all.mutants.filter { $0.key > 2 })
        #expect(rest.sources["A.swift"]?.contains("(1, ") == false)
    }

    @Test("No id names two mutants")
    func ids() {
        let mutants = found(Self.source)
        #expect(Set(mutants.map(\.id)).count == mutants.count)
    }
}
