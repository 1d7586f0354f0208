import ChatWire
import SquallCore
import Testing

/// The default names of the protocol, which a profile may change.
@Suite struct SnakeCaseTests {
    @Test("Every default field name is in snake case") func everyNameOnTheWireIsInSnakeCase() throws {
        let wire = WireProfile()
        let frames = Samples.clientFrames.map { $0.encode(wire) } + Samples.serverFrames.map { $0.encode(wire) }
        var names: Set<String> = []
        for bytes in frames { try JSON.decode(bytes).collectNames(into: &names) }
        #expect(names.count > 15)
        let wrong = names.filter { name in
            !name.allSatisfy { ($0.isASCII && $0.isLowercase) || $0 == "_" } || name.hasPrefix("_")
                || name.hasSuffix("_")
        }
        #expect(wrong.isEmpty)
    }

    @Test("Every default type is in snake case") func everyTypeOnTheWireIsInSnakeCase() {
        let wire = WireProfile()
        let types = (FrameRole.fromClient + FrameRole.fromServer).map { wire[type: $0] }
        #expect(types.allSatisfy { type in type.allSatisfy { ($0.isASCII && $0.isLowercase) || $0 == "_" } })
    }
}

extension JSON {
    fileprivate func collectNames(into names: inout Set<String>) {
        switch self {
        case .object(let members):
            for member in members {
                names.insert(member.name)
                member.value.collectNames(into: &names)
            }
        case .array(let items): for item in items { item.collectNames(into: &names) }
        case .null, .bool, .integer, .number, .string: break
        }
    }
}
