import SquallCore

extension Fault {
    /// Every connection that is there ends in order: what is under way still arrives, then a FIN; new ones work.
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

        /// Who gets the FIN.
        package var side: Side

        package init(_ side: Side = .both) {
            self.side = side
        }
    }
}

extension Fault.Drop: LinkFault {
    static let action = ActionEntry(
        .network,
        "drop",
        main: "side",
        takesLabel: true,
        [
            Parameter("side", .words(Side.self), "Who gets the FIN: both, unless said."),
            .clients,
        ],
        "Every connection that is there ends by FIN, behind what is under way; over at once."
    )

    init(_ arguments: FaultArguments) throws(FaultArguments.Unfit) {
        side = try arguments.word("side", default: .both)
    }

    var kind: Fault.Kind { .drop(self) }
    var hides: ClientVisibility { .nothing }
    static var target: FaultTarget? { .connection }
    func duration(given: TimeSpan?) -> TimeSpan? { .zero }
    var applyImmediately: ImmediateEffect? { .end(side.sides) }
}
