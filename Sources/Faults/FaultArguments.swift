import SquallCore

/// A fault's arguments as a scenario gave them, read by kind and range: what does not fit is an error, never a trap.
struct FaultArguments {
    struct Unfit: Error, Hashable {
        /// The parameter's name.
        var name: String
    }

    private let arguments: Arguments

    init(_ arguments: Arguments) {
        self.arguments = arguments
    }

    func duration(_ name: String, default span: TimeSpan? = nil) throws(Unfit) -> TimeSpan {
        guard let span = try optionalDuration(name) ?? span else { throw Unfit(name: name) }
        return span
    }

    func optionalDuration(_ name: String) throws(Unfit) -> TimeSpan? {
        guard let value = arguments[name] else { return nil }
        guard case .duration(let span) = value, span >= .zero else { throw Unfit(name: name) }
        return span
    }

    func integer(_ name: String, in range: ClosedRange<Int64>, default number: Int64? = nil) throws(Unfit) -> Int64 {
        guard let value = arguments[name] else {
            guard let number else { throw Unfit(name: name) }
            return number
        }
        guard case .integer(let number) = value, range.contains(number) else { throw Unfit(name: name) }
        return number
    }

    /// One of a few numbers, which a scenario may give as a word.
    func number(_ name: String, among numbers: [Int64], default number: Int64) throws(Unfit) -> Int64 {
        let given: Int64? =
            switch arguments[name] {
            case nil: number
            case .integer(let given): given
            case .text(let text): Int64(text)
            default: nil
            }
        guard let given, numbers.contains(given) else { throw Unfit(name: name) }
        return given
    }

    func text(_ name: String) throws(Unfit) -> String? {
        guard let value = arguments[name] else { return nil }
        guard case .text(let text) = value else { throw Unfit(name: name) }
        return text
    }

    /// One that must be given.
    func word<Word: RawRepresentable<String>>(_ name: String) throws(Unfit) -> Word {
        guard let text = try text(name), let word = Word(rawValue: text) else { throw Unfit(name: name) }
        return word
    }

    func flag(_ name: String) throws(Unfit) -> Bool {
        guard let value = arguments[name] else { return false }
        guard case .flag(let flag) = value else { throw Unfit(name: name) }
        return flag
    }

    func word<Word: RawRepresentable<String>>(_ name: String, default word: Word) throws(Unfit) -> Word {
        guard let value = arguments[name] else { return word }
        guard case .text(let text) = value, let word = Word(rawValue: text) else { throw Unfit(name: name) }
        return word
    }

    func stream() throws(Unfit) -> Fault.Stream {
        try word("stream", default: .both)
    }
}

/// The parameters that several faults have, and how an action of the network is written down.
extension ActionEntry {
    /// Sizes and offsets in bytes.
    static let byteRange: ClosedRange<Int64> = 0...1_000_000_000_000

    /// A fault that lasts: takes `as:`, `for` and `clients`.
    static func fault(
        _ verb: String,
        main: String? = nil,
        _ parameters: [Parameter],
        _ meaning: String
    ) -> ActionEntry {
        ActionEntry(.network, verb, main: main, takesLabel: true, parameters + [.span, .clients], meaning)
    }

    /// A fault of each connection's bytes: takes a direction and a share of the connections too.
    static func toxic(
        _ verb: String,
        main: String? = nil,
        _ parameters: [Parameter],
        _ meaning: String
    ) -> ActionEntry {
        fault(verb, main: main, parameters + [.stream, .toxicity], meaning)
    }
}

extension Parameter {
    static let span = Parameter("for", .duration, "How long it lasts; without it, until it is healed.")
    static let clients = Parameter("clients", .list(.text), "Whom it hits; without it, every client.")
    static let stream = Parameter("stream", .words(Fault.Stream.self), "The direction it hits: both, unless said.")
    static let toxicity = Parameter(
        "toxicity",
        .integer(0...100),
        "The share of connections it hits, in percent, drawn for each: 100 unless said."
    )
}

extension ParameterKind {
    static func words<Word: RawRepresentable<String> & CaseIterable>(_ type: Word.Type) -> ParameterKind {
        .word(type.allCases.map(\.rawValue))
    }
}
