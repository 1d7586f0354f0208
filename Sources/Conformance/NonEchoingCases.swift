import WebSocketWire

/// Cases for a client that sends nothing back: a chat client, which is told by its adapter where to connect.
package enum NonEchoingCases {
    package enum Fitness: Sendable {
        case fits(ConformanceCase)
        case skipped(why: String)
    }

    /// The case as such a client can be judged by it, or why it cannot.
    ///
    /// What is left of a case that wants an echo is that the client reads what it is sent up to the close, and answers
    /// that; or that it fails the connection where it must.
    package static func fit(_ subject: ConformanceCase) -> Fitness {
        switch subject.plan {
        case .echo: return .skipped(why: "each message must come back, and the client is no echo")
        case .opening: break
        case .script(let steps, let expectation):
            if expectation.tellsByEcho {
                return .skipped(why: "only an echo would tell what the client made of it")
            }
            if case .peers = expectation.ending { break }
            if steps.contains(where: \.isBinary) {
                return .skipped(why: "the chat protocol has no binary messages, and a client may refuse them")
            }
        }
        var subject = subject
        subject.isUnechoed = true
        return .fits(subject)
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

    /// Whether nothing but the echo tells a strict peer from another that may go on.
    fileprivate var tellsByEcho: Bool {
        guard case .any = ending, let strict = withoutMessages.first else { return false }
        return withoutMessages.contains { $0.events == strict.events && $0.behavior != strict.behavior }
    }

    /// For a peer that sends no message back, and others whenever it likes. That it has read what it was sent shows in
    /// its answer to our close.
    fileprivate mutating func dropEchoes() {
        alternatives = withoutMessages
        ignored.insert(.message)
        if case .ours(_, isClean: true) = ending { closeMatters = true }
    }
}

extension CaseRun {
    /// Where nothing is left to wait for, the close comes right behind the last step.
    mutating func expectNoEcho() {
        expectation.dropEchoes()
        guard expectation.closesWhenDone, expectation.needed == nil,
            expectation.alternatives.contains(where: \.events.isEmpty)
        else { return }
        expectation.closesWhenDone = false
        steps.append(.close(1000))
    }
}
