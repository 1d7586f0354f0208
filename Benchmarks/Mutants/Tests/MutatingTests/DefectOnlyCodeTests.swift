import Testing

@testable import Mutating

@Suite("Code that only a planted defect runs gets no mutants")
struct DefectOnlyCodeTests {
    private static let policies = [
        "Sources/A/ResetPolicy.swift": """
        struct ResetPolicy {
            enum Reset { case whenConnected, never }
            struct Inner { var depth = Depth.deep }
            enum Depth { case deep, flat }
            var reset = Reset.whenConnected
            var other = Reset.never
        }
        """,
        "Sources/A/OtherPolicy.swift": """
        struct OtherPolicy {
            enum Reset { case whenConnected, never }
            var other = Reset.whenConnected
        }
        """,
    ]

    private func texts(_ body: String) -> [String] {
        let defaults = PolicyDefaults(Self.policies)
        return Finder.candidates(in: "func f() {\n\(body)\n}", file: "A.swift", defaults: defaults)
            .map(\.mutant).filter { $0.kind != .emptiedFunction }.map { "\($0.kind) \($0.text)" }
    }

    @Test("A branch that only a defect takes is left alone, and so are the conditions beside the one that blocks it")
    func branches() {
        #expect(
            texts("if policy.reset == .never, a { b() }") == [
                "negatedCondition policy.reset == .never", "droppedCondition policy.reset == .never",
            ]
        )
        #expect(
            texts("if rules.policy.inner.depth == .deep { a() } else { b() }") == [
                "negatedCondition rules.policy.inner.depth == .deep", "droppedCall a()",
            ]
        )
    }

    @Test("A condition that holds without a defect is not left out, because that changes nothing")
    func neutral() {
        #expect(
            texts("if policy.reset == .whenConnected, a { b() }") == [
                "negatedCondition policy.reset == .whenConnected", "negatedCondition a", "droppedCondition a",
                "droppedCall b()",
            ]
        )
        #expect(texts("let x = policy.reset == .never || a").contains("droppedCondition a"))
        #expect(!texts("let x = policy.reset == .never || a").contains("droppedCondition policy.reset == .never"))
    }

    @Test("What follows a statement that always leaves the function is left alone")
    func rest() {
        #expect(texts("guard policy.reset == .never else { return }\nb()").count == 1)
        #expect(texts("if policy.reset != .never { return }\nb()").count == 1)
        #expect(
            texts("switch policy.reset {\ncase .never: a(); b()\ncase .whenConnected: c(); d()\n}") == [
                "droppedCall c()", "droppedCall d()",
            ]
        )
    }

    @Test("A case of a switch whose 'where' holds only with a defect is left alone")
    func whereClauses() {
        let body = "switch x {\ncase .a where policy.reset == .never: a(); b()\ncase .a: c(); d()\n}"
        #expect(texts(body) == ["droppedCall c()", "droppedCall d()"])
    }

    @Test("A name that two policies use with different defaults decides nothing")
    func ambiguous() {
        #expect(texts("if policy.other == .never { b() }").contains("droppedCall b()"))
    }
}
