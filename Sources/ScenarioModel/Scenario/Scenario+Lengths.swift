package import SquallCore
import TemporalLogic

// Checks how long a case can last. `squall check` reports durations that were probably written in the wrong unit.

extension Scenario {
    /// The longest plausible duration of a wait, a bound or `play_on`. In a longer run, heartbeats alone would exceed
    /// the maximum number of events, and the run would be inconclusive.
    package static let longestSpan = TimeSpan.seconds(31 * 86_400)

    /// The longest plausible total of a script's pauses and `play_on`. Every run takes at least that long, and in real
    /// time if Squall cannot control the client's clock.
    package static let longestCase = TimeSpan.seconds(7 * 86_400)

    /// A duration that exceeds a limit.
    package struct OverlongSpan: Hashable, Sendable {
        package var location: SourceLocation
        package var span: TimeSpan
        /// Whether `span` is the minimum duration of the whole case rather than a single duration in the file.
        package var isOfCase: Bool
    }

    /// The waits and bounds that exceed ``longestSpan``. If there are none but the whole case exceeds ``longestCase``,
    /// the case is reported instead, at the location of its longest pause.
    package var overlongSpans: [OverlongSpan] {
        var spans: [(location: SourceLocation, span: TimeSpan)] = []
        var pauses = spans
        for step in script {
            switch step.kind {
            case .act: break
            case .pause(let span):
                spans.append((step.location, span))
                if step.anchor == nil { pauses.append((step.location, span)) }
            case .wait(_, _, let within): spans.append((step.location, within))
            }
        }
        for expectation in expectations {
            if let bound = expectation.bound { spans.append((expectation.location, bound)) }
        }
        let start = SourceLocation(file: file, line: 1, column: 1)
        if playOn > .zero {
            spans.append((start, playOn))
            pauses.append((start, playOn))
        }
        let single = spans.filter { $0.span > Self.longestSpan }
        guard single.isEmpty else {
            return single.map { OverlongSpan(location: $0.location, span: $0.span, isOfCase: false) }
        }
        let whole = pauses.reduce(TimeSpan.zero) { $0 + $1.span }
        guard whole > Self.longestCase, let longest = pauses.max(by: { $0.span < $1.span }) else { return [] }
        return [OverlongSpan(location: longest.location, span: whole, isOfCase: true)]
    }
}
