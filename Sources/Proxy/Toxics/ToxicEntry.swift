import Faults
package import SquallCore

/// Describes a toxic type (a kind of fault), so that a user interface can present it as a form.
package struct ToxicEntry: Sendable {
    package let name: String
    package let meaning: String
    /// The attributes of the type; integers are durations in milliseconds unless their description says otherwise.
    package let attributes: [Parameter]
    /// The accepted values of `stream`, default first.
    package let streams: [String]

    private init(_ type: ToxicType) {
        name = type.name
        meaning = type.meaning
        attributes = type.attributes.map(\.entry)
        streams = ["downstream", "upstream"] + (type.isClassic ? [] : ["both"])
    }

    /// All toxic types: Toxiproxy's own, then the other faults in the catalogue.
    package static let all = (ToxicType.toxiproxyTypes + ToxicType.catalogueTypes).map { ToxicEntry($0) }

    /// Returns the API's message for the first error in the body of a request for a new toxic; nil if the body is
    /// valid.
    package static func validationMessage(in body: JSON) -> String? {
        do {
            _ = try Toxic(creating: body) { _ in false }
            return nil
        } catch {
            return error.message
        }
    }
}

extension ToxicAttribute {
    /// The description of the attribute as a form field.
    fileprivate var entry: Parameter {
        switch (kind, parameter?.values) {
        case (.word(let words), _): field(.word(words))
        case (.text, _): field(.text)
        case (.integer, .integers(let range)?): field(.integer(range))
        case (.integer, _): field(.integer(0...Int64.max))
        }
    }

    private func field(_ kind: ParameterKind) -> Parameter {
        let isTime = if case .durations? = parameter?.values { true } else { false }
        let meaning = (self.meaning ?? parameter?.meaning ?? "") + (isTime ? " In milliseconds." : "")
        return Parameter(name, kind, required: parameter?.isRequired ?? false, initial: shown, meaning)
    }

    /// The default value that a form displays; nil if the default means "none".
    private var shown: ArgumentValue? {
        switch initial {
        case .integer(let number) where parameter?.initial != nil || parameter == nil: .integer(number)
        case .string(let text) where !text.isEmpty: .text(text)
        default: nil
        }
    }
}
