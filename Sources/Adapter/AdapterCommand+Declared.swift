package import ChatWire
import SquallCore

// Converts scenario commands to adapter commands, using the declarations of the scenario commands.

extension AdapterCommand {
    /// Creates the adapter command for `command`.
    ///
    /// `clientMessageID` is the client's ID for the message to which the command refers. Returns nil if the adapter
    /// protocol has no such command, or if a required field has no value, for example because the command refers to a
    /// push notification that does not exist.
    package init?(_ command: ClientCommand, clientMessageID: String? = nil) {
        guard command.declaration.level != nil else { return nil }
        var known = command.push?.fields ?? [:]
        known[CommandField.clientMessageID.name] = clientMessageID
        var fields: [JSONMember] = []
        for (field, value) in command.arguments {
            guard let name = field.field else { continue }
            let value = field.role == .filledIn ? known[name].map { .string($0) } : value?.json
            if value == nil, field.isRequired { return nil }
            fields.append(JSONMember(name, value ?? .null))
        }
        self.init(command.call.verb, fields)
    }
}

extension AdapterEntry {
    init(_ command: CommandDeclaration) {
        let fields = command.fields.filter { $0.field != nil }
        let example = fields.map { JSONMember($0.field ?? $0.name, $0.example) }
        self.init(
            direction: .command,
            name: command.verb,
            meaning: command.note.map { "\(command.meaning) \($0)" } ?? command.meaning,
            fields: fields.map(Field.init),
            example: String(decoding: AdapterCommand(command.verb, example).line(id: 5).dropLast(), as: UTF8.self)
        )
    }
}

extension AdapterEntry.Field {
    fileprivate init(_ field: CommandField) {
        let kind =
            switch (field.role, field.kind) {
            case (.message, _): "message id"
            case (_, .integer): "count"
            case (_, .flag): "flag"
            case (_, .word(let words)): words.map { "`\($0)`" }.joined(separator: " or ")
            case (_, .duration): "nanoseconds"
            case (_, .text), (_, .label), (_, .list), (_, .json): "text"
            }
        self.init(name: field.field ?? field.name, kind: kind, isRequired: field.isRequired, meaning: field.meaning)
    }
}

extension ArgumentValue {
    fileprivate var json: JSON {
        switch self {
        case .text(let text): .string(text)
        case .integer(let number): .integer(number)
        case .duration(let span): .integer(span.nanoseconds)
        case .flag(let flag): .bool(flag)
        case .list(let items): .array(items.map(\.json))
        case .json(let value): value
        }
    }
}

extension ClientCommand {
    fileprivate var push: Push? {
        switch self {
        case .push(let push): push
        case .tap(_, let push), .reply(_, _, _, let push): push
        default: nil
        }
    }
}
