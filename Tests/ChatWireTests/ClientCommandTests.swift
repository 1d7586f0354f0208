import ChatWire
import SquallCore
import Testing

@Suite("Declarations of client commands")
struct ClientCommandTests {
    @Test("a command returns the arguments that it was created with", arguments: ClientCommand.actions.map(\.verb))
    func roundTrip(_ verb: String) throws {
        let action = try #require(ClientCommand.declaration(of: verb)?.action)
        let values = action.parameters.enumerated().map { index, parameter -> (name: String, value: ArgumentValue) in
            let number = Int64(index) + 1
            return switch parameter.kind {
            case .duration: (parameter.name, .duration(.seconds(number)))
            case .integer(let range): (parameter.name, .integer(range.lowerBound + number))
            case .word(let words): (parameter.name, .text(words[words.count - 1]))
            default: (parameter.name, .text("text \(number)"))
            }
        }
        let label = action.takesLabel ? "label" : nil
        let command = try #require(
            ClientCommand(actor: action.actor, verb: verb, arguments: Arguments(values, label: label))
        )
        #expect(command.call.verb == verb)
        #expect(command.call.values.count == command.declaration.fields.count { $0.role != .filledIn })
        let kept = command.arguments.filter { $0.field.role != .filledIn && $0.field.role != .name }
        #expect(Arguments(kept.compactMap { field, value in value.map { (field.name, $0) } }) == Arguments(values))
        #expect(command.arguments.first { $0.field.role == .name }?.value == label.map { .text($0) })
        #expect(command.renamingMessages { $0 } == command)
    }

    @Test("a command is not created without its required arguments", arguments: ClientCommand.actions.map(\.verb))
    func requiredArguments(_ verb: String) throws {
        let action = try #require(ClientCommand.declaration(of: verb)?.action)
        let bare = ClientCommand(actor: action.actor, verb: verb, arguments: Arguments())
        #expect((bare == nil) == action.parameters.contains(where: \.required))
        #expect(action.main.map { main in action.parameters.contains { $0.name == main } } ?? true)
        #expect(ClientCommand(actor: .server, verb: verb, arguments: Arguments()) == nil)
    }

    @Test("arguments become typed values")
    func typedValues() {
        let suspend = Arguments([("for", .duration(.seconds(60))), ("wake", .text("frames_first"))])
        #expect(
            ClientCommand(actor: .device, verb: "suspend", arguments: suspend)
                == .suspend(.seconds(60), wake: .framesFirst)
        )
        let off = Arguments([("state", .text("off"))])
        #expect(ClientCommand(actor: .device, verb: "network", arguments: off) == .network(reachable: false))
        #expect(ClientCommand(actor: .device, verb: "kill", arguments: Arguments()) == .kill(down: nil))
        let image = Arguments([("file", .text("cat.jpg")), ("bytes", .integer(9))])
        #expect(
            ClientCommand(actor: .user, verb: "attach", arguments: image)
                == .attach(ChosenImage(file: "cat.jpg", source: .library, bytes: 9, width: 1200, height: 900))
        )
    }

    @Test("an argument outside its range or set of words is refused")
    func unfitArguments() {
        let number = Arguments([("number", .integer(0))])
        #expect(ClientCommand(actor: .user, verb: "take_suggestion", arguments: number) == nil)
        let wake = Arguments([("for", .duration(.seconds(1))), ("wake", .text("never"))])
        #expect(ClientCommand(actor: .device, verb: "suspend", arguments: wake) == nil)
    }

    @Test("renaming changes message labels, and neither other labels nor the end of the list")
    func renaming() {
        let rename: (String) -> String = { $0 == "hello" ? "m-1" : $0 }
        #expect(
            ClientCommand.delete(message: "hello", through: "other").renamingMessages(rename)
                == .delete(message: "m-1", through: "other")
        )
        #expect(ClientCommand.scroll(to: .end).renamingMessages(rename) == .scroll(to: .end))
        #expect(ClientCommand.retry(label: "hello").renamingMessages(rename) == .retry(label: "hello"))
    }
}
