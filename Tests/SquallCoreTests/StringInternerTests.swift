import SquallCore
import Testing

@Suite struct TextNumbersTests {
    @Test("Texts are numbered in the order of their first occurrence")
    func textsAreNumberedInTheOrderOfTheirFirstComing() {
        var numbers = StringInterner()
        #expect(numbers.known("anna") == nil)
        #expect(numbers.number(of: "anna") == 0)
        #expect(numbers.number(of: "bert") == 1)
        #expect(numbers.number(of: "anna") == 0)
        #expect(numbers.known("bert") == 1)
        #expect(numbers.known("carl") == nil)
        #expect(numbers.count == 2)
    }

    @Test("The same text has different numbers in different groups")
    func theSameTextHasAnotherNumberInAnotherGroup() {
        var numbers = StringInterner()
        #expect(numbers.number(of: "connection.state", in: 1) == 0)
        #expect(numbers.number(of: "connection.state", in: 2) == 1)
        #expect(numbers.known("connection.state", in: 1) == 0)
        #expect(numbers.known("connection.state") == nil)
    }

    @Test("The numbers of texts stay the same while the table grows")
    func numbersStayWhileTheTableGrows() {
        var numbers = StringInterner()
        let texts = (0..<1000).map { "message-\($0 % 500)-\(String(repeating: "x", count: $0 / 500))" }
        for (index, text) in texts.enumerated() { #expect(numbers.number(of: text) == index) }
        for (index, text) in texts.enumerated() { #expect(numbers.known(text) == index) }
    }

    /// The one- and two-scalar forms of `é` are equal as `String`s, but they are different texts here, as in JSON.
    @Test("Canonically equivalent texts have different numbers")
    func canonicallyEquivalentTextsAreTwo() {
        var numbers = StringInterner()
        #expect(numbers.number(of: "caf\u{E9}") == 0)
        #expect(numbers.number(of: "cafe\u{301}") == 1)
    }

    @Test("An empty text also gets a number")
    func aTextMayBeEmpty() {
        var numbers = StringInterner()
        #expect(numbers.number(of: "") == 0)
        #expect(numbers.number(of: "", in: 1) == 1)
        #expect(numbers.known("") == 0)
    }
}
