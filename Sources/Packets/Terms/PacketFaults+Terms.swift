import SquallCore

extension PacketFaults {
    /// The syntax of all fault terms, as in `tc qdisc add … netem`.
    package static let grammar = """
        loss P% [C%] | loss gemodel P% [R% [1-H% [1-K%]]], duplicate P% [C%], corrupt P% [C%], reorder P% [C%] [gap \
        N], \
        delay TIME [JITTER [C%]] [distribution uniform|normal], rate RATE, limit N, drop N,N-M, ordered
        """

    /// Parses netem terms. A later term replaces an earlier one of the same kind.
    ///
    /// - Throws: ``TermError`` for the first error found.
    package init(terms: String) throws(TermError) {
        self.init()
        var words = Words(terms)
        while let word = words.next() { try read(word, &words) }
        if reorder != .never, delay.delay == .zero, delay.jitter == .zero, rate == nil {
            throw TermError("reorder: needs a delay or a rate, because only delayed packets can be overtaken")
        }
    }

    private mutating func read(_ term: String, _ words: inout Words) throws(TermError) {
        switch term {
        case "loss":
            if words.take("gemodel") { return loss = try Self.gilbertElliott(&words) }
            _ = words.take("random")
            loss = .random(try Self.chance(term, &words))
        case "duplicate": duplicate = try Self.chance(term, &words)
        case "corrupt": corrupt = try Self.chance(term, &words)
        case "reorder":
            reorder = try Self.chance(term, &words)
            gap = words.take("gap") ? UInt64(try Quantities.count(words.argument("reorder gap"), of: "reorder gap")) : 1
        case "delay": delay = try Self.delay(&words)
        case "rate": rate = try Quantities.rate(words.argument(term), of: term)
        case "limit": limit = try Quantities.count(words.argument(term), of: term)
        case "drop": drop = try Quantities.numbers(words.argument(term), of: term)
        case "ordered": keepsOrder = true
        default: throw TermError("'\(term)' is not a term; the terms are: \(Self.grammar)")
        }
    }

    private static func chance(_ term: String, _ words: inout Words) throws(TermError) -> PacketChance {
        var chance = PacketChance(try Quantities.share(words.argument(term), of: term))
        if let text = words.value() { chance.correlation = try Quantities.share(text, of: "\(term)'s correlation") }
        return chance
    }

    private static func gilbertElliott(_ words: inout Words) throws(TermError) -> LossModel {
        let name = "loss gemodel"
        let toBad = try Quantities.share(words.argument(name), of: name)
        // As in tc, the second value (the probability of leaving the bad state) defaults to one minus the first, so
        // bursts are as long as with independent losses.
        var rest: [Ratio] = [
            Ratio(toBad.denominator - toBad.numerator, of: toBad.denominator) ?? .always, .always, .never,
        ]
        for index in rest.indices {
            guard let text = words.value() else { break }
            rest[index] = try Quantities.share(text, of: name)
        }
        return .gilbertElliott(toBad: toBad, toGood: rest[0], lossInBad: rest[1], lossInGood: rest[2])
    }

    private static func delay(_ words: inout Words) throws(TermError) -> PacketDelay {
        var delay = PacketDelay(try Quantities.time(words.argument("delay"), of: "delay"))
        if let text = words.value() {
            delay.jitter = try Quantities.time(text, of: "delay's jitter")
            if let text = words.value() { delay.correlation = try Quantities.share(text, of: "delay's correlation") }
        }
        guard words.take("distribution") else { return delay }
        let name = try words.argument("distribution")
        guard let distribution = PacketDelay.Distribution(rawValue: name) else {
            let all = PacketDelay.Distribution.allCases.map(\.rawValue).joined(separator: " and ")
            throw TermError("distribution: '\(name)' is unknown; the distributions are \(all)")
        }
        guard delay.jitter > .zero else {
            throw TermError("distribution: needs a jitter: delay TIME JITTER")
        }
        delay.distribution = distribution
        return delay
    }
}

/// The unparsed words of the terms. A word that begins with a digit is a value.
private struct Words {
    private var rest: ArraySlice<Substring>

    init(_ text: String) {
        rest = text.split(whereSeparator: \.isWhitespace)[...]
    }

    mutating func next() -> String? { rest.popFirst().map(String.init) }

    /// Removes and returns the next word if it is a value; otherwise returns nil.
    mutating func value() -> String? {
        guard let first = rest.first?.utf8.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else {
            return nil
        }
        return next()
    }

    /// Removes the next word and returns true if it is `word`; otherwise returns false.
    mutating func take(_ word: String) -> Bool {
        guard let first = rest.first, first == word else { return false }
        rest.removeFirst()
        return true
    }

    /// Removes and returns the next word as the value of `term`.
    mutating func argument(_ term: String) throws(TermError) -> String {
        guard let word = next() else {
            throw TermError("\(term): missing value; the terms are: \(PacketFaults.grammar)")
        }
        return word
    }
}
