/// Parses a pattern into a tree by recursive descent.
struct TextPatternParser {
    /// The maximum nesting depth of groups: the parser recurses once per group.
    static let deepest = 50

    private let scalars: [Unicode.Scalar]
    private var position = 0
    private var depth = 0

    init(_ source: String) {
        scalars = Array(source.unicodeScalars)
    }

    mutating func parse() throws(TextPatternError) -> Node {
        let node = try alternatives()
        guard position == scalars.count else { throw TextPatternError("unmatched \")\"", at: position) }
        return node
    }

    private mutating func alternatives() throws(TextPatternError) -> Node {
        var choices = [try sequence()]
        while take("|") { choices.append(try sequence()) }
        return choices.count == 1 ? choices[0] : .choice(choices)
    }

    private mutating func sequence() throws(TextPatternError) -> Node {
        var nodes: [Node] = []
        while position < scalars.count, scalars[position] != "|", scalars[position] != ")" {
            nodes.append(try repeated())
        }
        return .sequence(nodes)
    }

    private mutating func repeated() throws(TextPatternError) -> Node {
        let start = position
        let node = try atom()
        guard position < scalars.count, let times = Times(rawValue: scalars[position]) else { return node }
        if case .anchor = node { throw TextPatternError("nothing to repeat", at: position) }
        position += 1
        if position < scalars.count, Times(rawValue: scalars[position]) != nil {
            throw TextPatternError("a repetition of a repetition", at: position)
        }
        guard start < position else { throw TextPatternError("nothing to repeat", at: start) }
        return .repeated(node, times)
    }

    private mutating func atom() throws(TextPatternError) -> Node {
        let start = position
        let scalar = scalars[position]
        position += 1
        switch scalar {
        case "(":
            guard depth < Self.deepest else { throw TextPatternError("groups are nested too deeply", at: start) }
            depth += 1
            let node = try alternatives()
            depth -= 1
            guard take(")") else { throw TextPatternError("missing \")\"", at: start) }
            return node
        case "[": return .test(try scalarClass(from: start))
        case ".": return .test(.any)
        case "^": return .anchor(.start)
        case "$": return .anchor(.end)
        case "*", "+", "?": throw TextPatternError("nothing to repeat", at: start)
        case "\\": return .test(try escape(from: start))
        default: return .test(.one(scalar))
        }
    }

    private mutating func escape(from start: Int) throws(TextPatternError) -> ScalarTest {
        guard position < scalars.count else { throw TextPatternError("\"\\\" at the end of the pattern", at: start) }
        let scalar = scalars[position]
        position += 1
        switch scalar {
        case "d": return .digit(true)
        case "D": return .digit(false)
        case "w": return .word(true)
        case "W": return .word(false)
        case "s": return .space(true)
        case "S": return .space(false)
        case "n": return .one("\n")
        case "t": return .one("\t")
        case "a"..."z", "A"..."Z", "0"..."9":
            throw TextPatternError("unknown escape \"\\\(Character(scalar))\"", at: start)
        default: return .one(scalar)
        }
    }

    private mutating func scalarClass(from start: Int) throws(TextPatternError) -> ScalarTest {
        let negated = take("^")
        var items: [ScalarTest.Item] = []
        while position < scalars.count, scalars[position] != "]" || items.isEmpty {
            let lower = try classMember(from: start)
            guard case .one(let low) = lower, position + 1 < scalars.count, scalars[position] == "-",
                scalars[position + 1] != "]"
            else {
                if case .one(let scalar) = lower {
                    items.append(.range(scalar...scalar))
                } else {
                    items.append(.test(lower))
                }
                continue
            }
            position += 1
            guard case .one(let high) = try classMember(from: start), low <= high else {
                throw TextPatternError("a range that goes backwards", at: start)
            }
            items.append(.range(low...high))
        }
        guard take("]") else { throw TextPatternError("\"[\" without \"]\"", at: start) }
        return .among(items, negated: negated)
    }

    private mutating func classMember(from start: Int) throws(TextPatternError) -> ScalarTest {
        guard position < scalars.count else { throw TextPatternError("\"[\" without \"]\"", at: start) }
        let index = position
        let scalar = scalars[position]
        position += 1
        return scalar == "\\" ? try escape(from: index) : .one(scalar)
    }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard position < scalars.count, scalars[position] == scalar else { return false }
        position += 1
        return true
    }
}

extension TextPatternParser {
    enum Anchor {
        case start, end
    }

    enum Times: Unicode.Scalar {
        case anyNumber = "*"
        case atLeastOnce = "+"
        case atMostOnce = "?"
    }

    indirect enum Node {
        case test(ScalarTest)
        case anchor(Anchor)
        case sequence([Node])
        case choice([Node])
        case repeated(Node, Times)
    }
}

extension TextPatternParser.Node {
    /// Adds this node's states to `states`, makes `next` their successor, and returns the index of the initial state.
    func compile(into states: inout [TextPattern.State], next: Int) -> Int {
        switch self {
        case .test(let test): return states.add(.consume(test, next: next))
        case .anchor(.start): return states.add(.atStart(next: next))
        case .anchor(.end): return states.add(.atEnd(next: next))
        case .sequence(let nodes):
            return nodes.reversed().reduce(next) { $1.compile(into: &states, next: $0) }
        case .choice(let nodes):
            let entries = nodes.map { $0.compile(into: &states, next: next) }
            return entries.dropFirst().reduce(entries[0]) { states.add(.split($0, $1)) }
        case .repeated(let node, .atMostOnce):
            let body = node.compile(into: &states, next: next)
            return states.add(.split(body, next))
        case .repeated(let node, let times):
            let loop = states.add(.split(next, next))
            let body = node.compile(into: &states, next: loop)
            states[loop] = .split(body, next)
            return times == .atLeastOnce ? body : loop
        }
    }

    var sample: String {
        switch self {
        case .test(let test): String(Character(test.sample))
        case .anchor: ""
        case .sequence(let nodes): nodes.map(\.sample).joined()
        case .choice(let nodes): nodes[0].sample
        case .repeated(let node, .atLeastOnce): node.sample
        case .repeated: ""
        }
    }
}

extension [TextPattern.State] {
    fileprivate mutating func add(_ state: TextPattern.State) -> Int {
        append(state)
        return count - 1
    }
}
