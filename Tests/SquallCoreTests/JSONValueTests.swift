import SquallCore
import Testing

@Suite struct JSONValueTests {
    private let value: JSON = ["s": "text", "i": 7, "f": true, "n": nil, "l": [1, "two"], "o": ["i": 8], "i": 9]

    @Test("Object members are found by name and array items by index, and missing ones are nil")
    func lookups() {
        #expect(value["s"] == "text")
        #expect(value["i"] == 7)
        #expect(value["o"]?["i"] == 8)
        #expect(value["l"]?[1] == "two")
        #expect(value["l"]?[2] == nil)
        #expect(value["l"]?[-1] == nil)
        #expect(value["l"]?["i"] == nil)
        #expect(value["x"] == nil)
        #expect(value["S"] == nil)
        #expect(value[0] == nil)
        #expect(("text" as JSON)["s"] == nil)
        #expect(("text" as JSON)[0] == nil)
    }

    @Test("A member with the value null exists")
    func null() {
        #expect(value["n"] != nil)
        #expect(value["n"]?.isNull == true)
        #expect(value["i"]?.isNull == false)
        let none: JSON? = nil
        #expect(none == nil)
        #expect(none != .some(.null))
    }

    @Test("Member names are compared by their bytes")
    func equivalentNames() {
        let value: JSON = ["e\u{301}": 1, "\u{E9}": 2]
        #expect(value["\u{E9}"] == 2)
        #expect(value["e\u{301}"] == 1)
    }

    @Test("A JSON value is returned only as a value of its own type")
    func kinds() throws {
        let half = try JSON.decode("0.5")
        let values: [JSON] = [nil, true, 7, half, "text", [1], ["a": 1]]
        #expect(values.map(\.isNull) == [true, false, false, false, false, false, false])
        #expect(values.map(\.boolValue) == [nil, true, nil, nil, nil, nil, nil])
        #expect(values.map(\.intValue) == [nil, nil, 7, nil, nil, nil, nil])
        #expect(values.map(\.doubleValue) == [nil, nil, 7, 0.5, nil, nil, nil])
        #expect(values.map(\.stringValue) == [nil, nil, nil, nil, "text", nil, nil])
        #expect(values.map(\.arrayValue) == [nil, nil, nil, nil, nil, [1], nil])
        #expect(values.map(\.members) == [nil, nil, nil, nil, nil, nil, [JSONMember("a", 1)]])
        #expect(try JSON.decode("1e400").doubleValue == .infinity)
        #expect(try JSON.decode("-0").doubleValue?.sign == .minus)
    }

    @Test("Setting a member replaces the first member of that name or appends a new member")
    func set() {
        var value = value
        let results = [value.set("i", to: "changed"), value.set("new", to: [1])]
        #expect(results == [true, true])
        #expect(value.members?.map(\.name) == ["s", "i", "f", "n", "l", "o", "i", "new"])
        #expect(value["i"] == "changed")
        #expect(value.members?[6].value == 9)
        #expect(value["new"] == [1])
    }

    @Test("Removing a member name removes every member of that name")
    func remove() {
        var value = value
        let results = [value.remove("i"), value.remove("i")]
        #expect(results == [true, false])
        #expect(value.members?.map(\.name) == ["s", "f", "n", "l", "o"])
    }

    @Test(
        "Setting or removing a member has no effect on a value that is not an object",
        arguments: [nil, true, 1, "a", ["a"]] as [JSON]
    )
    func noObject(_ original: JSON) {
        var value = original
        let results = [value.set("a", to: 1), value.remove("a")]
        #expect(results == [false, false])
        #expect(value == original)
    }

    @Test("Dictionary literals keep the order of members and repeated names")
    func literals() {
        let count = 3
        let value: JSON = ["b": 1, "a": "\(count) of them", "b": [nil, true, -5, [:]]]
        let members = [
            JSONMember("b", .integer(1)),
            JSONMember("a", .string("3 of them")),
            JSONMember("b", .array([.null, .bool(true), .integer(-5), .object([])])),
        ]
        #expect(value == .object(members))
    }

    @Test("JSON values are equal exactly if their encoded bytes are equal")
    func equality() throws {
        let values: [JSON] = [
            nil, true, false, 0, 1, -1, "", "0", "1", "null", "é", "e\u{301}", [], [[]], [nil], ["a", "b"], ["ab"],
            ["b", "a"], [:], ["a": 1], ["a": "1"], ["a": nil], ["a": 1, "b": 2], ["b": 2, "a": 1], ["a": 1, "a": 1],
            ["\u{E9}": 1], ["e\u{301}": 1], "12345678", "12345679", "123456789", "a longer text that is not inline",
            "a longer text that is not inlinE", try JSON.decode("-0"), try JSON.decode("0.0"), try JSON.decode("0e0"),
            try JSON.decode("1.0"), try JSON.decode("1.00"),
        ]
        for (index, left) in values.enumerated() {
            for (otherPlace, right) in values.enumerated() {
                #expect((left == right) == (index == otherPlace), "\(left) and \(right)")
            }
            #expect(try JSON.decode(left.encode(), limits: JSONLimits(duplicates: .keep)) == left)
        }
        #expect(Set(values).count == values.count)
        #expect(Set(values + values).count == values.count)
    }

    @Test(
        "A JSON number cannot be created from text that is not a number",
        arguments: [
            "", " ", "0", "12", "-5", "9223372036854775807", "1.", "01.5", "1.5 ", " 1.5", "1.5x", "NaN", "\"1.5\"",
            "[1.5]",
        ]
    )
    func numbers(_ text: String) {
        #expect(JSONNumber(text) == nil)
    }
}
