package import SquallCore

/// The first point at which two runs of a case diverge.
package enum TraceDivergence: Hashable, Sendable {
    /// The first event that differs between two runs in virtual time. Such runs are deterministic.
    case event(TraceDiff)
    /// The first value that differs between two runs in real time. The event times of such runs are never exactly
    /// equal.
    case value(ParityDifference)

    /// Compares two recordings; returns nil if they are equal. If either was made in real time, times are not compared.
    package static func between(
        _ left: Recording,
        _ right: Recording,
        rule: (String) -> ParityRule
    ) -> TraceDivergence? {
        guard left.header.clock == .sim, right.header.clock == .sim else {
            let (mine, theirs) = (ParityProjection(of: left, rule: rule), ParityProjection(of: right, rule: rule))
            return mine.firstDifference(from: theirs, left, right).map(TraceDivergence.value)
        }
        return TraceDiff.between(left, right).map(TraceDivergence.event)
    }

    /// The index of the differing event in the left recording; nil if there is none.
    package var left: Int? {
        switch self {
        case .event(let diff): diff.left?.index
        case .value(let difference): difference.left.event
        }
    }

    /// The index of the differing event in the right recording; nil if there is none.
    package var right: Int? {
        switch self {
        case .event(let diff): diff.right?.index
        case .value(let difference): difference.right.event
        }
    }

    /// The time of the earlier of the two differing events.
    package var time: Instant {
        switch self {
        case .event(let diff):
            min(diff.left?.time ?? diff.leftEnd, diff.right?.time ?? diff.rightEnd)
        case .value(let difference):
            [difference.left.time, difference.right.time].compactMap(\.self).min() ?? .zero
        }
    }

    /// The two differing events in one line, such as `#12 0.181 client.sent.connect, now #12 0.181
    /// client.sent.send[hello]`.
    package var summary: String {
        switch self {
        case .event(let diff) where diff.parts == [.ending]: "\(diff.leftEnding), now \(diff.rightEnding)"
        case .event(let diff):
            """
            \(diff.left.map(\.line) ?? "the end at \(diff.leftEnd)"), now \
            \(diff.right.map(\.line) ?? "the end at \(diff.rightEnd)")
            """
        case .value(let difference): difference.summary()
        }
    }
}

extension TraceDivergence: CustomStringConvertible {
    package var description: String {
        switch self {
        case .event(let diff): diff.description
        case .value(let difference): difference.description
        }
    }
}
