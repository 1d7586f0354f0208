import SquallCore

extension Fault {
    /// A connection is over for the server, and the client is not told; new connections work.
    ///
    /// What the client sends is not acknowledged, or with ``Answer/reset`` its next bytes are answered by an RST. The
    /// end of the fault changes nothing for it.
    package struct HalfOpen: Hashable, Sendable {
        package enum Answer: String, Hashable, Sendable, CaseIterable {
            case none, reset
        }

        package var answer: Answer
        /// How the server's side ends.
        package var how: LinkEnd

        package init(answer: Answer = .none, how: LinkEnd = .rst) {
            self.answer = answer
            self.how = how
        }
    }
}

extension Fault.HalfOpen: LinkFault {
    static let action = ActionEntry.fault(
        "half_open",
        main: "answer",
        [
            Parameter("answer", .words(Answer.self), "What the client's next bytes get: none, unless said."),
            Parameter("how", .words(LinkEnd.self), "How the server's side ends: rst, unless said."),
        ],
        "Connections that are there are over for the server and stay open for the client; new ones work."
    )

    init(_ arguments: FaultArguments) throws(FaultArguments.Unfit) {
        answer = try arguments.word("answer", default: .none)
        how = try arguments.word("how", default: .rst)
    }

    var kind: Fault.Kind { .halfOpen(self) }
    var hides: ClientVisibility { .everything }
    static var target: FaultTarget? { .connection }
    var applyImmediately: ImmediateEffect? { .halfOpen(towardsServer: how, resets: answer == .reset) }
}
