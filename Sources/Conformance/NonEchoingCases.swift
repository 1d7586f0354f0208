import WebSocketWire

/// Adapts cases to a client that does not echo messages, such as a chat client that is controlled through an adapter.
package enum NonEchoingCases {
    package enum Adaptation: Sendable {
        case fits(ConformanceCase)
        case skipped(why: String)
    }

    /// Returns the case adapted to a client that does not echo messages, or the reason why it cannot be adapted.
    ///
    /// An adapted case still checks that the client reads everything up to the close frame and answers that frame or,
    /// if the case requires it, that the client fails the connection.
    package static func adapted(_ testCase: ConformanceCase) -> Adaptation {
        switch testCase.plan {
        case .echo: return .skipped(why: "the case needs an echo of each message")
        case .opening: break
        case .script(let steps, let expectation):
            if expectation.needsEcho {
                return .skipped(why: "only an echo would show how the client handles it")
            }
            if case .peers = expectation.ending { break }
            if steps.contains(where: \.isBinary) {
                return .skipped(why: "the chat protocol has no binary messages, and a client may refuse them")
            }
        }
        var testCase = testCase
        testCase.peerDoesNotEcho = true
        return .fits(testCase)
    }
}

extension CaseStep {
    fileprivate var isBinary: Bool {
        switch self {
        case .frame(let frame, _): frame.opcode == .binary
        case .fragments(let opcode, _, _), .compressed(let opcode, _, _): opcode == .binary
        case .bytes, .close, .wait, .end: false
        }
    }
}

extension Expectation {
    private var withoutMessages: [Alternative] {
        alternatives.map { alternative in
            var alternative = alternative
            alternative.events.removeAll { $0.kind == .message }
            return alternative
        }
    }

    /// Whether only an echo distinguishes a strict peer from one that continues after an error.
    fileprivate var needsEcho: Bool {
        guard case .any = ending, let strict = withoutMessages.first else { return false }
        return withoutMessages.contains { $0.events == strict.events && $0.behavior != strict.behavior }
    }

    /// Adapts the expectation to a peer that does not echo but may send other messages at any time. The peer's answer
    /// to Squall's close frame shows that the peer has read everything before that frame.
    fileprivate mutating func dropEchoes() {
        alternatives = withoutMessages
        ignored.insert(.message)
        if case .ours(_, isClean: true) = ending { closeMatters = true }
    }
}

extension CaseRun {
    /// Removes the expected echoes. If nothing else is expected, Squall closes the connection immediately after the
    /// last step.
    mutating func expectNoEcho() {
        expectation.dropEchoes()
        guard expectation.closesWhenDone, expectation.needed == nil,
            expectation.alternatives.contains(where: \.events.isEmpty)
        else { return }
        expectation.closesWhenDone = false
        steps.append(.close(1000))
    }
}
