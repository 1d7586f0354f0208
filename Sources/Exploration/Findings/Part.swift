package import SquallCore

/// The cause of a violation and the faults that were active when it occurred.
package struct ObservedViolation: Hashable, Sendable {
    package var cause: Cause
    /// The kinds of the faults that were active when the violation occurred, sorted.
    package var faults: [String]

    package init(cause: Cause, faults: [String]) {
        (self.cause, self.faults) = (cause, faults)
    }
}

/// The results of the part of an exploration that one machine performed: the failed runs and their violations.
///
/// A part contains no drafts, because they can be regenerated from the seed and the run's number. Merging all parts
/// gives the same result as an exploration on a single machine.
package struct Part: Hashable, Sendable {
    /// The parameters that all parts of one exploration share.
    package struct Header: Hashable, Sendable {
        package var version: String
        package var seed: UInt64
        package var runs: Int
        package var parts: Int
        package var defects: [String]
        package var profiles: [String]

        package init(version: String, seed: UInt64, runs: Int, parts: Int, defects: [String], profiles: [String]) {
            (self.version, self.seed, self.runs, self.parts) = (version, seed, runs, parts)
            (self.defects, self.profiles) = (defects, profiles)
        }
    }

    package var header: Header
    /// The number of the part, from 1; nil for a complete exploration.
    package var index: Int?
    /// The violations of each failed run, keyed by the run's number.
    package var failures: [Int: [ObservedViolation]]
    package var features: Set<Feature>

    package init(_ header: Header, index: Int?, failures: [Int: [ObservedViolation]] = [:], features: Set<Feature> = [])
    {
        (self.header, self.index, self.failures, self.features) = (header, index, failures, features)
    }

    /// The reason why parts cannot be merged.
    package struct Mismatch: Error, Hashable {
        package var message: String

        package init(_ message: String) {
            self.message = message
        }
    }

    /// Merges all parts of one exploration, given in any order.
    ///
    /// - Throws: ``Mismatch`` if a part is missing, is given twice with different contents, or belongs to another
    ///   exploration.
    package static func merged(_ parts: [Part]) throws(Mismatch) -> Part {
        guard let first = parts.first else { throw Mismatch("there is no part") }
        var whole = Part(first.header, index: nil)
        var taken: [Int: Part] = [:]
        for part in parts {
            guard part.header == first.header else {
                throw Mismatch("two parts are of different explorations: \(part.header) and \(first.header)")
            }
            guard let index = part.index else { throw Mismatch("one of the files is a whole exploration, not a part") }
            guard taken[index] == nil else {
                throw Mismatch("part \(index) is given twice\(taken[index] == part ? "" : ", with different contents")")
            }
            taken[index] = part
            whole.failures.merge(part.failures) { first, _ in first }
            whole.features.formUnion(part.features)
        }
        let missing = (1...max(1, first.header.parts)).filter { taken[$0] == nil }
        guard missing.isEmpty else {
            throw Mismatch("parts are missing: \(missing.map { "\($0)" }.joined(separator: ", "))")
        }
        return whole
    }
}

extension Part.Header: CustomStringConvertible {
    package var description: String {
        let options = defects.map { "--defect \($0)" } + profiles.map { "--profile \($0)" }
        return (["squall \(version) --seed \(seed) --runs \(runs) in \(parts) parts"] + options).joined(separator: " ")
    }
}

// MARK: - JSON

extension Part {
    /// The JSON form; equal parts have identical encodings.
    package var json: JSON {
        let failed = failures.sorted { $0.key < $1.key }.map { run, sightings in
            JSON.object([
                JSONMember("run", .integer(Int64(run))), JSONMember("violations", .array(sightings.map(\.json))),
            ])
        }
        return .object([
            JSONMember("squall_exploration", .integer(1)),
            JSONMember("version", .string(header.version)),
            JSONMember("seed", .string(String(header.seed))),
            JSONMember("runs", .integer(Int64(header.runs))),
            JSONMember("parts", .integer(Int64(header.parts))),
            JSONMember("part", index.map { .integer(Int64($0)) } ?? .null),
            JSONMember("defects", .array(header.defects.map(JSON.string))),
            JSONMember("profiles", .array(header.profiles.map(JSON.string))),
            JSONMember("failures", .array(failed)),
            JSONMember(
                "features",
                .array(features.sorted().map { .array([.string($0.state), .string($0.event)]) })
            ),
        ])
    }

    /// Decodes a part from the form that ``json`` returns; fails if `json` is not in that form.
    package init?(_ json: JSON) {
        func texts(_ json: JSON?) -> [String]? {
            json?.arrayValue.flatMap { items in
                let texts = items.compactMap(\.stringValue)
                return texts.count == items.count ? texts : nil
            }
        }
        guard json["squall_exploration"]?.intValue == 1, let version = json["version"]?.stringValue,
            let seed = json["seed"]?.stringValue.flatMap({ UInt64($0) }), let runs = json["runs"]?.intValue,
            let parts = json["parts"]?.intValue, (1...Self.maximumParts).contains(parts),
            let defects = texts(json["defects"]), let profiles = texts(json["profiles"]),
            let failed = json["failures"]?.arrayValue, let seen = json["features"]?.arrayValue
        else { return nil }
        let header = Header(
            version: version,
            seed: seed,
            runs: Int(runs),
            parts: Int(parts),
            defects: defects,
            profiles: profiles
        )
        self.init(header, index: json["part"]?.intValue.map { Int($0) })
        for entry in failed {
            guard let run = entry["run"]?.intValue, let items = entry["violations"]?.arrayValue else { return nil }
            let sightings = items.compactMap(ObservedViolation.init)
            guard sightings.count == items.count else { return nil }
            failures[Int(run)] = sightings
        }
        for item in seen {
            guard let pair = texts(item), pair.count == 2 else { return nil }
            features.insert(Feature(state: pair[0], event: pair[1]))
        }
    }

    private static let maximumParts: Int64 = 100_000
}

extension ObservedViolation {
    fileprivate var json: JSON {
        .object([
            JSONMember("judge", .string(cause.judge)), JSONMember("sentence", .string(cause.sentence)),
            JSONMember("state", .string(cause.state)), JSONMember("faults", .array(faults.map(JSON.string))),
        ])
    }

    fileprivate init?(_ json: JSON) {
        guard let judge = json["judge"]?.stringValue, let sentence = json["sentence"]?.stringValue,
            let state = json["state"]?.stringValue, let faults = json["faults"]?.arrayValue
        else { return nil }
        self.init(
            cause: Cause(judge: judge, sentence: sentence, state: state),
            faults: faults.compactMap(\.stringValue)
        )
    }
}
