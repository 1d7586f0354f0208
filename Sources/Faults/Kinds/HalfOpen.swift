import SquallCore

extension Fault {
    /// A fault that ends a connection for the server without notifying the client. New connections work.
    ///
    /// The bytes that the client sends are not acknowledged; with ``Answer/reset``, the next bytes are answered with an
    /// RST. The connection remains half-open after the fault ends.
    package struct HalfOpen: Hashable, Sendable {
        package enum Answer: String, Hashable, Sendable, CaseIterable {
            case none, reset
        }

        package var answer: Answer
        /// How the connection ends for the server.
        package var how: LinkEnd

        package init(answer: Answer = .none, how: LinkEnd = .rst) {
            self.answer = answer
            self.how = how
        }
    }
}

extension Fault.Kind {
    package static func halfOpen(_ fault: Fault.HalfOpen) -> Self { Self(fault) }
}

extension Fault.HalfOpen: LinkFault {
    static let declaration = FaultDeclaration(
        "half_open",
        Self(),
        main: "answer",
        [
            .word("answer", \.answer, "The response to the client's next bytes."),
            .word("how", \.how, "How the connection is closed on the server's side."),
        ],
        "Open connections become half-open: closed on the server's side only. New connections work."
    )

    static var target: FaultTarget? { .connection }
    var hiddenActions: HiddenActions { .everything }
    var immediateEffect: ImmediateEffect? { .halfOpen(towardsServer: how, resets: answer == .reset) }
}
