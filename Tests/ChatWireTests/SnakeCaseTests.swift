import ChatWire
import SquallCore
import Testing

/// Tests the protocol's default names, which a profile may change.
@Suite struct SnakeCaseTests {
    private static let words: Set<Substring> = [
        "about", "active", "after", "agents", "api", "at", "auth", "before", "by", "client", "code", "complete",
        "conversation", "conversations", "deleted", "duplicate", "final", "has", "heartbeat", "height", "id", "index",
        "interval", "is", "key", "last", "limit", "max", "media", "message", "messages", "metadata", "more", "ms",
        "name", "nonce", "offset", "push", "reader", "received", "resumed", "retry", "seen", "sender", "seq",
        "session", "since", "size", "status", "text", "thumbnail", "timestamp", "token", "truncated", "type", "unread",
        "url", "user", "version", "width",
    ]

    @Test("Every default field name is in snake case") func everyNameOnTheWireIsInSnakeCase() throws {
        let wire = WireProfile()
        let frames = Samples.clientFrames.map { $0.encode(wire) } + Samples.serverFrames.map { $0.encode(wire) }
        let objects = Samples.objects.map { $0.encode(wire) }
        var names: Set<String> = []
        for bytes in frames + objects { try JSON.decode(bytes).collectNames(into: &names) }
        #expect(names.count > 30)
        // Only a word list can reject words that are run together without an underscore, such as `messageid`.
        let wrong = names.union(WireField.allCases.map(\.defaultName)).filter { name in
            !name.split(separator: "_", omittingEmptySubsequences: false).allSatisfy { Self.words.contains($0) }
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
