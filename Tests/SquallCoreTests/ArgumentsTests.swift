import SquallCore
import Testing

@Suite struct ArgumentsTests {
    private let values: [(name: String, value: ArgumentValue)] = [
        ("text", .text("stukov")),
        ("integer", .integer(3)),
        ("duration", .duration(.seconds(12))),
        ("flag", .flag(false)),
        ("texts", .list([.text("a"), .integer(1), .text("b")])),
        ("json", .json(["a": nil])),
    ]

    @Test("An argument is returned only as a value of its own type")
    func kinds() {
        let arguments = Arguments(values)
        let names = values.map(\.name) + ["absent"]
        #expect(names.map(arguments.text) == ["stukov", nil, nil, nil, nil, nil, nil])
        #expect(names.map(arguments.integer) == [nil, 3, nil, nil, nil, nil, nil])
        #expect(names.map(arguments.duration) == [nil, nil, .seconds(12), nil, nil, nil, nil])
        #expect(names.map(arguments.flag) == [nil, nil, nil, false, nil, nil, nil])
        #expect(names.map(arguments.texts) == [nil, nil, nil, nil, ["a", "b"], nil, nil])
        #expect(names.map(arguments.json) == [nil, nil, nil, nil, nil, ["a": nil], nil])
    }

    @Test("Two argument lists are equal if names, values, order and label are equal")
    func equality() {
        let arguments = Arguments(values, label: "hello")
        #expect(arguments == Arguments(values, label: "hello"))
        #expect(arguments.hashValue == Arguments(values, label: "hello").hashValue)
        let others = [
            Arguments(values),
            Arguments(values, label: "other"),
            Arguments(values.reversed(), label: "hello"),
            Arguments(values.dropLast(), label: "hello"),
            Arguments([("text", .text("other"))] + values.dropFirst(), label: "hello"),
            Arguments([("name", .text("stukov"))] + values.dropFirst(), label: "hello"),
        ]
        #expect(!others.contains(arguments))
        #expect(Set(others + [arguments]).count == others.count + 1)
    }
}
