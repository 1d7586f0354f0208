import SquallCore

extension Fault {
    /// A fault that ends every open connection cleanly: bytes in flight are still delivered, then a FIN. New
    /// connections work.
    package struct Drop: Hashable, Sendable {
        package enum Side: String, Hashable, Sendable, CaseIterable {
            case both, client, server

            var sides: [LinkSide] {
                switch self {
                case .both: [.client, .server]
                case .client: [.client]
                case .server: [.server]
                }
            }
        }

        /// The side that receives the FIN.
        package var side: Side

        package init(_ side: Side = .both) {
            self.side = side
        }
    }
}

extension Fault.Kind {
    package static func drop(_ fault: Fault.Drop) -> Self { Self(fault) }
}

extension Fault.Drop: LinkFault {
    static let declaration = FaultDeclaration(
        "drop",
        Self(),
        main: "side",
        [.word("side", \.side, "The endpoint that receives the FIN.")],
        common: [.clients],
        "Every open connection is closed with a FIN after the bytes in flight; the fault ends immediately."
    )

    static var target: FaultTarget? { .connection }
    var hiddenActions: HiddenActions { .nothing }
    func duration(given: TimeSpan?) -> TimeSpan? { .zero }
    var immediateEffect: ImmediateEffect? { .end(side.sides) }
}
