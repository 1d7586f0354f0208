import SquallCore
import Testing

@Suite struct JSONLimitsTests {
    /// Returns alternately nested arrays and objects, `levels` deep.
    private func nested(_ levels: Int) -> String {
        let openings = (0..<levels).map { $0.isMultiple(of: 2) ? "[" : "{\"a\":" }
        let closings = (0..<levels).reversed().map { $0.isMultiple(of: 2) ? "]" : "}" }
        // If the innermost container is an object, its member needs a value.
        return openings.joined() + (levels.isMultiple(of: 2) ? "0" : "") + closings.joined()
    }

    private func failure(_ text: String, _ limits: JSONLimits) -> JSONError? {
        do {
            _ = try JSON.decode(text, limits: limits)
            return nil
        } catch {
            return error
        }
    }

    @Test("JSON nested exactly to the level limit is accepted", arguments: [0, 1, 2, 3, 63, 64, 65, 127, 128])
    func depth(_ levels: Int) {
        let limits = JSONLimits(depth: levels)
        #expect(failure(nested(levels), limits) == nil)
        let error = failure(nested(levels + 1), limits)
        #expect(error?.code == .tooDeep)
        // The error is at the first bracket beyond the limit. The openings before it are alternately one and five bytes
        // long.
        #expect(error?.offset == (levels + 1) / 2 + levels / 2 * 5)
    }

    @Test("The default nesting limit is 64 levels, and the largest limit does not overflow the stack")
    func depthLimits() {
        #expect(JSONLimits.default.depth == 64)
        #expect(failure(nested(64), .default) == nil)
        #expect(failure(nested(65), .default)?.code == .tooDeep)
        #expect(JSONLimits(depth: 1_000_000).depth == JSONLimits.deepest)
        #expect(JSONLimits(depth: -1).depth == 0)
        #expect(failure(String(repeating: "[", count: 100_000), JSONLimits(depth: .max))?.code == .tooDeep)
    }

    @Test("Sibling values do not add to the nesting depth")
    func siblings() {
        let many = "[" + Array(repeating: "[[]]", count: 1000).joined(separator: ",") + "]"
        #expect(failure(many, JSONLimits(depth: 3)) == nil)
        #expect(failure(many, JSONLimits(depth: 2))?.offset == 2)
    }

    @Test("The deepest allowed JSON value can be encoded, compared and digested")
    func deepest() throws {
        let limits = JSONLimits(depth: JSONLimits.deepest)
        let text = nested(JSONLimits.deepest)
        let value = try JSON.decode(text, limits: limits)
        #expect(value.description == text)
        #expect(try JSON.decode(value.encodePretty(), limits: limits) == value)
        #expect(Set([value]).contains(try JSON.decode(text, limits: limits)))
        var digest = FNV1a()
        value.combine(into: &digest)
        #expect(digest.value != FNV1a().value)
    }

    @Test("JSON of exactly the size limit is accepted, and white space counts")
    func size() {
        #expect(failure("[1, 2]", JSONLimits(size: 6)) == nil)
        #expect(failure("[1, 2] ", JSONLimits(size: 6))?.code == .tooLarge)
        #expect(failure("[1, 2] ", JSONLimits(size: 6))?.offset == 6)
        #expect(failure("", JSONLimits(size: 0))?.code == .unexpectedEnd)
        #expect(failure("1", JSONLimits(size: -5))?.code == .tooLarge)
    }

    @Test(
        "A repeated member name is refused at the offset of its second occurrence",
        arguments: [
            (#"{"a":1,"a":1}"#, 7),
            (#"{"a":1,"b":2,"a":3}"#, 13),
            (#"{"a":1,"\u0061":2}"#, 7),
            (#"{"":1,"":2}"#, 6),
            (#"{"a":{"b":1,"b":2}}"#, 12),
            (#"[{"a":1},{"a":1,"a":2}]"#, 16),
            (#"{"é":1,"\u00e9":2}"#, 8),
            // The decoder rejects a duplicate name before it reads the value.
            (#"{"a":1,"a":}"#, 7),
        ]
    )
    func duplicates(_ text: String, _ offset: Int) {
        let error = failure(text, .default)
        #expect(error?.code == .duplicateName)
        #expect(error?.offset == offset)
    }

    @Test("Repeated member names are kept if the limits allow them")
    func kept() throws {
        let value = try JSON.decode(#"{"a":1,"b":2,"a":3}"#, limits: JSONLimits(duplicates: .keep))
        #expect(value == ["a": 1, "b": 2, "a": 3])
        #expect(value["a"] == 1)
        #expect(value.description == #"{"a":1,"b":2,"a":3}"#)
    }

    @Test("A single repeated member name among many is refused", arguments: [2, 31, 32, 33, 34, 64, 500])
    func manyNames(_ count: Int) {
        let members = (0..<count).map { "\"name\($0)\":\($0)" }
        #expect(failure("{\(members.joined(separator: ","))}", .default) == nil)
        for repeated in [0, count / 2, count - 1] {
            let text = "{\((members + ["\"name\(repeated)\":0"]).joined(separator: ","))}"
            let error = failure(text, .default)
            #expect(error?.code == .duplicateName)
            #expect(error?.offset == members.joined(separator: ",").utf8.count + 2)
        }
    }

    @Test("Canonically equivalent member names are distinct, even among many members")
    func equivalentNames() {
        // The combining marks have different combining classes, so `String` treats them as equal in any order.
        let marks = ["\u{323}", "\u{301}", "\u{345}", "\u{334}"]
        var names = [""]
        for _ in 0..<3 { names += names.flatMap { name in marks.map { name + $0 } } }
        let distinct = Array(Dictionary(grouping: names) { Array($0.utf8) }.keys)
        #expect(distinct.count > Set(names).count)
        let text = "{\(distinct.map { "\"\(String(decoding: $0, as: UTF8.self))\":0" }.joined(separator: ","))}"
        #expect(failure(text, .default) == nil)
    }
}
