import Foundation

/// The table of results: medians over all rounds, with a row per measurement, a column per relay, and ratios to
/// Squall's values.
struct Table {
    private var names: [String] = []
    private var order: [String] = []
    /// The measured values by measurement, relay and round.
    private var values: [String: [String: [Int: Double]]] = [:]

    mutating func add(_ measure: String, _ name: String, _ value: Double, round: Int) {
        if values[measure] == nil { order.append(measure) }
        if !names.contains(name) { names.append(name) }
        values[measure, default: [:]][name, default: [:]][round] = value
    }

    func median(_ measure: String, _ name: String) -> Double? {
        Self.median((values[measure]?[name]).map { Array($0.values) } ?? [])
    }

    /// Returns the median of the per-round ratios. Ratios are taken within a round because other load on the machine
    /// varies between rounds.
    func ratio(_ measure: String, _ name: String, to other: String) -> Double? {
        guard let own = values[measure]?[name], let others = values[measure]?[other] else { return nil }
        return Self.median(own.compactMap { round, value in others[round].map { value / $0 } })
    }

    private static func median(_ list: [Double]) -> Double? {
        let sorted = list.sorted()
        guard !sorted.isEmpty else { return nil }
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }

    func print(_ title: String) {
        guard !order.isEmpty else { return }
        func cell(_ text: String, _ width: Int) -> String {
            String(repeating: " ", count: max(0, width - text.count)) + text
        }
        let rounds = values.values.flatMap(\.values).map(\.count).max() ?? 0
        Swift.print(
            "\n\(title): medians of \(rounds) rounds (as a multiple of squall's, the median of the rounds' ratios)"
        )
        Swift.print(String(repeating: " ", count: 40) + names.map { cell($0, 18) }.joined())
        for measure in order {
            let cells = names.map { name in
                guard let value = median(measure, name) else { return cell("-", 18) }
                let number = String(format: abs(value) < 100 ? "%.2f" : "%.0f", value)
                let times = ratio(measure, name, to: "squall").flatMap {
                    $0.isFinite ? String(format: " (%.2f)", $0) : nil
                }
                return cell(number + (times ?? ""), 18)
            }
            Swift.print(measure.padding(toLength: 40, withPad: " ", startingAt: 0) + cells.joined())
        }
        let verdicts = Mark.all.compactMap { $0.verdict(in: self) }
        guard !verdicts.isEmpty else { return }
        Swift.print("\nmarks")
        for verdict in verdicts { Swift.print(verdict) }
    }
}
