import SquallCore
import TemporalLogic
import Testing
import Trace

@Suite struct PredicateTests {
    private func holds(_ predicate: ValuePredicate, _ value: JSON?) -> Bool {
        predicate.holds(for: value, seenBy: PredicateSubject(each: .only, owner: .only), in: ObservedState())
    }

    @Test("Equality compares types and bytes, and an observable that was never reported equals null")
    func equality() {
        #expect(holds(.equals("a"), "a"))
        #expect(!holds(.equals("a"), "A"))
        #expect(!holds(.equals("1"), 1))
        #expect(holds(.equals(nil), nil))
        #expect(holds(.equals(nil), JSON.null))
        #expect(holds(.equals(["a", "b"]), ["a", "b"]))
        #expect(!holds(.equals(["a", "b"]), ["b", "a"]))
    }

    @Test(
        "Comparison operators compare numbers exactly and never match other types",
        arguments: [
            (Comparison.exactly, [false, true, false]), (.atLeast, [false, true, true]),
            (.atMost, [true, true, false]),
            (.moreThan, [false, false, true]), (.lessThan, [true, false, false]),
        ]
    )
    func comparisons(comparison: Comparison, expected: [Bool]) {
        let predicate = ValuePredicate.compares(comparison, 5)
        #expect([4, 5, 6].map { holds(predicate, .integer($0)) } == expected)
        for other: JSON in [nil, "5", [5], true] { #expect(!holds(predicate, other)) }
        #expect(!holds(predicate, nil))
    }

    @Test("Durations are compared in nanoseconds, and fractions as numbers")
    func durations() throws {
        #expect(holds(.atMost(.duration(.milliseconds(500))), 500_000_000))
        #expect(!holds(.atMost(.duration(.milliseconds(500))), 500_000_001))
        #expect(holds(.duration(.seconds(1)), 1_000_000_000))
        let fraction = try JSON.decode("4.5")
        #expect(holds(.atLeast(4), fraction))
        #expect(!holds(.atLeast(5), fraction))
    }

    @Test("The predicates one_of, contains, set, not and all give the expected results")
    func simple() {
        #expect(holds(.oneOf(["a", "b"]), "b"))
        #expect(!holds(.oneOf(["a", "b"]), "c"))
        #expect(holds(.oneOf(["a", nil]), nil))
        #expect(holds(.contains("syn"), "3 messages synced"))
        #expect(holds(.contains(""), "x"))
        #expect(!holds(.contains("syncs"), "sync"))
        #expect(holds(.contains("b"), ["a", "b"]))
        #expect(!holds(.contains("b"), ["abc"]))
        #expect(!holds(.contains(1), "1"))
        #expect(holds(.set(true), false))
        #expect(!holds(.set(true), JSON.null))
        #expect(holds(.set(false), nil))
        #expect(holds(.not(.equals("a")), "b"))
        #expect(holds(.all([.atLeast(1), .atMost(3)]), 3))
        #expect(!holds(.all([.atLeast(1), .atMost(3)]), 4))
    }

    @Test("The list predicates each, any, length and where give the expected results")
    func lists() {
        #expect(!holds(.each(.equals("a")), ["a", "b"]))
        #expect(holds(.each(.equals("a")), []))
        #expect(!holds(.each(.equals("a")), "a"))
        #expect(holds(.any(.equals("b")), ["a", "b"]))
        #expect(!holds(.any(.equals("b")), []))
        #expect(holds(.counted(where: nil, .atLeast(2)), ["a", "b"]))
        #expect(holds(.counted(where: .equals("a"), .equals(2)), ["a", "b", "a"]))
        #expect(holds(.each(where: .contains("x"), .contains("y")), ["xy", "a"]))
        #expect(!holds(.each(where: .contains("x"), .contains("y")), ["x", "a"]))
        #expect(holds(.any(where: .contains("x"), .contains("y")), ["y", "xy"]))
        #expect(!holds(.any(where: .contains("x"), .contains("y")), ["y", "x"]))
        #expect(holds(.any(.matches(pattern("^b"))), ["ab", "ba"]))
    }

    @Test("The predicate on members of objects gives the expected results")
    func fields() {
        #expect(holds(.field("code", .equals(1001)), ["code": 1001]))
        #expect(!holds(.field("code", .equals(1001)), ["code": 1002]))
        #expect(holds(.field("code", .set(false)), [:]))
    }

    @Test("A value can be compared with another observable of the same client or of another client")
    func sameAs() {
        var state = ObservedState()
        let anna = ClientID("anna")
        state.apply(
            TraceEvent(index: 0, time: .zero, client: anna, observation: .set("badge.count", to: 3))
        )
        let each = ValuePredicate.sameAs(ObservableReference("badge.count", of: .each))
        #expect(each.holds(for: 3, seenBy: PredicateSubject(each: anna, owner: .only), in: state))
        #expect(!each.holds(for: 3, seenBy: PredicateSubject(each: .only, owner: anna), in: state))
        #expect(!each.holds(for: nil, seenBy: PredicateSubject(each: .only, owner: anna), in: state))
    }

    @Test(
        "Each predicate is described in English",
        arguments: [
            (ValuePredicate.equals("connected"), "connected"), (.equals("Hi there"), "\"Hi there\""),
            (.equals("null"), "\"null\""),
            (.equals(nil), "null"), (.atLeast(3), "at least 3"),
            (.atMost(.duration(.milliseconds(500))), "at most 500ms"),
            (.duration(.seconds(2)), "2s"), (.oneOf(["a", "b"]), "one of a, b"),
            (.contains("x y"), "containing \"x y\""),
            (.set(true), "a value"), (.set(false), "no value"), (.not(.equals(1)), "not 1"),
            (.all([.atLeast(1), .lessThan(5)]), "at least 1 and less than 5"),
            (.each(.equals("a")), "each item a"), (.any(where: .equals("a"), .set(true)), "an item where a, a value"),
            (.counted(where: nil, .atLeast(2)), "at least 2 items"),
            (
                .sameAs(ObservableReference("unread", key: .one("x"), of: .one(ClientID("ben")))),
                "the same as ben.unread[x]"
            ),
            (.field("code", .equals(7)), "code 7"),
            (.keyed("message.status", .equals("failed")), "with message.status failed"),
            (.equals(.array((0..<14).map { .integer($0) })), "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, … 2 more]"),
        ]
    )
    func words(predicate: ValuePredicate, text: String) {
        #expect(predicate.describe(for: .only) == text)
    }

    @Test(
        "The generated example of a predicate satisfies the predicate",
        arguments: [
            ValuePredicate.equals("x"), .atLeast(3), .atMost(3), .moreThan(3), .lessThan(3), .oneOf(["a", "b"]),
            .contains("x"),
            .set(true), .set(false), .not(.set(true)), .all([.atLeast(2), .atMost(4)]), .each(.equals("a")),
            .any(where: .contains("a"), .contains("a")), .field("code", .equals(1)),
            .matches(pattern("^a+b?[0-9](x|y)$")),
        ]
    )
    func examples(predicate: ValuePredicate) throws {
        let example = try #require(predicate.example)
        #expect(holds(predicate, example))
    }
}

/// Returns a pattern that is known to be valid; an invalid one becomes a pattern that matches nothing.
func pattern(_ source: String) -> TextPattern {
    (try? TextPattern(source)) ?? never
}

private let never: TextPattern = {
    guard let pattern = try? TextPattern("$x") else { fatalError("a pattern that everybody can read") }
    return pattern
}()
