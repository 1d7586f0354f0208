package import SquallCore

extension Fault {
    /// The network goes and comes on a schedule, beginning with an outage.
    package struct Flap: Hashable, Sendable {
        package enum Outage: String, Hashable, Sendable, CaseIterable {
            case blackhole, refuse
        }

        /// How long it works between two outages; at least a millisecond.
        package var up: TimeSpan
        /// How long an outage lasts; at least a millisecond.
        package var down: TimeSpan
        package var outage: Outage

        package init(up: TimeSpan, down: TimeSpan, outage: Outage = .blackhole) {
            self.up = up
            self.down = down
            self.outage = outage
        }
    }
}

extension Fault.Flap: LinkFault {
    static let action = ActionEntry.fault(
        "flap",
        [
            Parameter("up", .duration, required: true, "How long it works between two outages."),
            Parameter("down", .duration, required: true, "How long each outage lasts; the first begins at once."),
            Parameter("outage", .words(Outage.self), "What an outage is: blackhole, unless said."),
        ],
        "Outages on a schedule."
    )

    init(_ arguments: FaultArguments) throws(FaultArguments.Unfit) {
        up = try arguments.duration("up")
        down = try arguments.duration("down")
        outage = try arguments.word("outage", default: .blackhole)
    }

    var kind: Fault.Kind { .flap(self) }
    var hides: ClientVisibility { fault.hides }

    /// What the links see of it during an outage.
    var fault: any LinkFault {
        switch outage {
        case .blackhole: Fault.Blackhole()
        case .refuse: Fault.Refuse()
        }
    }

    /// The same as a fault of that share of the connections.
    package func outageFault(toxicity: Ratio) -> Fault { Fault(fault.kind, toxicity: toxicity) }

    package func length(ofOutage isDown: Bool) -> TimeSpan {
        max(isDown ? down : up, .milliseconds(1))
    }
}
