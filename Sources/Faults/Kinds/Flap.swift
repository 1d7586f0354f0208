package import SquallCore

extension Fault {
    /// A fault that makes the network fail and recover on a schedule, beginning with an outage.
    package struct Flap: Hashable, Sendable {
        package enum Outage: String, Hashable, Sendable, CaseIterable {
            case blackhole, refuse
        }

        /// How long the network works between two outages. Values below one millisecond are raised to one millisecond.
        package var up: TimeSpan
        /// How long an outage lasts. Values below one millisecond are raised to one millisecond.
        package var down: TimeSpan
        package var outage: Outage

        package init(up: TimeSpan, down: TimeSpan, outage: Outage = .blackhole) {
            self.up = up
            self.down = down
            self.outage = outage
        }
    }
}

extension Fault.Kind {
    package static func flap(_ fault: Fault.Flap) -> Self { Self(fault) }
}

extension Fault.Flap: LinkFault {
    /// The minimum length of a phase. If phases were shorter, the relay would do nothing but switch between them.
    private static let shortest = TimeSpan.milliseconds(1)

    static let declaration = FaultDeclaration(
        "flap",
        Self(up: shortest, down: shortest),
        [
            .duration("up", \.up, atLeast: shortest, required: true, "The time between two outages."),
            .duration(
                "down",
                \.down,
                atLeast: shortest,
                required: true,
                "The duration of each outage; the first begins immediately."
            ),
            .word("outage", \.outage, "The fault that is active during an outage."),
        ],
        "Outages begin and end on a schedule."
    )

    var hiddenActions: HiddenActions { during.hiddenActions }

    var outages: OutageSchedule? {
        OutageSchedule(outage: during, up: max(up, Self.shortest), down: max(down, Self.shortest))
    }

    private var during: any LinkFault {
        switch outage {
        case .blackhole: Fault.Blackhole()
        case .refuse: Fault.Refuse()
        }
    }
}
