import Exploration
import ScenarioModel
import SquallCore

/// A client's behaviour in the cases of a suite, saved in a file so that a later build can be compared with it.
///
/// The file has one JSON object per line: first a header, then one object for each case.
package struct SavedBehaviour: Sendable {
    enum Outcome: Hashable, Sendable {
        case behaved(BehaviourBaseline)
        /// The reason why the case cannot serve for a comparison.
        case unusable(String)
    }

    /// `reference`, or the command of an adapter.
    var client: String
    /// The seed of each case's first run.
    var seed: Seed
    /// The outcomes by the cases' titles.
    var cases: [String: Outcome] = [:]

    private static let schema = "squall.behaviour/1"

    init(client: String, seed: Seed) {
        (self.client, self.seed) = (client, seed)
    }

    /// The number of cases that can be compared.
    package var usable: Int {
        cases.values.count { if case .behaved = $0 { true } else { false } }
    }

    /// The reasons why the other cases cannot be compared, by the cases' titles.
    package var obstacles: [(title: String, why: String)] {
        cases.sorted { $0.key < $1.key }.compactMap { title, outcome in
            if case .unusable(let why) = outcome { (title, why) } else { nil }
        }
    }

    // MARK: - The file

    /// Writes the file.
    ///
    /// - Throws: ``SquallError`` if the file cannot be written.
    package func write(to path: String) throws(SquallError) {
        let header: JSON = .object([
            JSONMember("schema", .string(Self.schema)), JSONMember("squall", .string(SquallVersion.current)),
            JSONMember("client", .string(client)), JSONMember("seed", .string(String(seed.value))),
        ])
        let lines = cases.sorted { $0.key < $1.key }.map { title, outcome in
            let member =
                switch outcome {
                case .behaved(let baseline): JSONMember("behaviour", baseline.json)
                case .unusable(let why): JSONMember("unusable", .string(why))
                }
            return JSON.object([JSONMember("case", .string(title)), member]).description
        }
        try WholeFile.write(([header.description] + lines).joined(separator: "\n") + "\n", to: path)
    }

    /// Reads a file that ``write(to:)`` has written.
    ///
    /// - Throws: ``SquallError`` if there is no such file, or if it has other contents.
    package init(reading path: String) throws(SquallError) {
        func invalid(_ line: Int, _ why: String) -> SquallError {
            .usage("\(path):\(line): \(why); 'squall explore compare PATHS --save FILE' writes such a file")
        }
        guard let bytes = ScenarioFiles.contents(of: path) else { throw ScenarioFiles.unreadable(path) }
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { Array($0) }
        guard let first = lines.first, let header = try? JSON.decode(first),
            header["schema"]?.stringValue == Self.schema,
            let client = header["client"]?.stringValue,
            let seed = header["seed"]?.stringValue.flatMap({ UInt64($0) })
        else { throw invalid(1, "this is not a client's saved behaviour") }
        self.init(client: client, seed: Seed(seed))
        for (index, line) in lines.enumerated().dropFirst() where !line.isEmpty {
            guard let json = try? JSON.decode(line), let title = json["case"]?.stringValue else {
                throw invalid(index + 1, "this line describes no case")
            }
            if let baseline = json["behaviour"].flatMap({ BehaviourBaseline($0) }) {
                cases[title] = .behaved(baseline)
            } else if let why = json["unusable"]?.stringValue {
                cases[title] = .unusable(why)
            } else {
                throw invalid(index + 1, "this line describes no behaviour")
            }
        }
    }
}
