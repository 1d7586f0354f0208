import ScenarioModel
import SquallCore
import TemporalLogic

/// The violations that reports list in addition to the run's cause. All expectations that could not be evaluated
/// because the script did not finish are combined into one item.
struct FurtherViolations {
    struct Item {
        var location: SourceLocation
        /// A description of the violated expectation, with the reason.
        var text: String
        var isOfSameCause: Bool
        /// The values that were observed while the expectation waited for a different value; nil if there were none.
        var seen: String?
    }

    private(set) var items: [Item] = []

    init(of run: CaseResult, _ cause: CauseLine?) {
        let others = run.expectations.indices.filter { index in
            index != cause?.expectation && [.fail, .inconclusive].contains(run.expectations[index].verdict)
        }
        let cut = others.filter { run.expectations[$0].isCutShort }
        for index in others where cut.count < 2 || !run.expectations[index].isCutShort || index == cut[0] {
            let part = run.expectations[index]
            let isOne = cut.count < 2 || index != cut[0]
            let lines = cut.map { "\(run.expectations[$0].location.line)" }.joined(separator: ", ")
            items.append(
                Item(
                    location: part.location,
                    text: isOne
                        ? "\(part.heading): \((part.why ?? part.verdict.rawValue).prefix { !$0.isNewline })"
                        : "\(cut.count) expectations (lines \(lines)) are not judged: \(ScriptEnd.unfinished)",
                    isOfSameCause: cause?.followers.contains(index) == true,
                    seen: isOne ? part.observedText : nil
                )
            )
        }
    }
}
