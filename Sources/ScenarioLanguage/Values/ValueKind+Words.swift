import SquallCore

extension ValueKind {
    var isNumber: Bool {
        switch self {
        case .integer, .duration, .instant: true
        case .flag, .text, .list, .word, .fields: false
        }
    }

    var isText: Bool {
        switch self {
        case .text, .word: true
        case .flag, .integer, .duration, .instant, .list, .fields: false
        }
    }

    var isList: Bool { self == .list }

    var holdsParts: Bool { isText || isList }

    var isObject: Bool { if case .fields = self { true } else { false } }

    /// Returns whether values of the two kinds can be equal.
    func compares(with other: ValueKind) -> Bool {
        isText && other.isText || isNumber && other.isNumber || self == other
    }

    /// The kind as a phrase for messages: `a whole number`.
    var inWords: String {
        switch self {
        case .flag: "true or false"
        case .integer: "a whole number"
        case .text: "a text"
        case .duration: "a duration"
        case .instant: "a time"
        case .list: "a list"
        case .word: "a word"
        case .fields: "an event"
        }
    }
}
