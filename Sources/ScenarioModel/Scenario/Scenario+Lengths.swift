package import SquallCore
import TemporalLogic

// How long a case can last. `squall check` reports lengths that are probably mistakes in a unit.

extension Scenario {
    /// The longest duration that a wait, a bound or `play_on` can sensibly have. With heartbeats, a longer run reaches
    /// the limit for the events of a run before the duration ends, and is then inconclusive.
    package static let longestSpan = TimeSpan.seconds(31 * 86_400)

    /// The longest time that the pauses of a script and `play_on` can sensibly take together. Every run takes that
    /// time, which a client whose clock Squall cannot drive spends in real time.
    package static let longestCase = TimeSpan.seconds(7 * 86_400)

    /// A duration that is longer than a limit.
    package struct OverlongSpan: Hashable, Sendable {
        package var location: SourceLocation
        package var span: TimeSpan
        /// Whether `span` is the time that the whole case takes at least, instead of one duration in the file.
        package var isOfCase: Bool
    }

    /// The waits and bounds above ``longestSpan`` and, if there are none, a case above ``longestCase``.
    ///
    /// The case's location is that of its longest pause.
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
