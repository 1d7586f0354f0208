package import ScenarioModel
package import SquallCore

/// The file format of one part of a coverage measurement: written by `coverage --shard`, read by `coverage --merge`.
package enum CoveragePartJSON {
    package static func encode(_ part: CoveragePart) -> JSON {
        [
            "schema": 1,
            "run": OriginJSON.encode(part.origin),
            "rows": names(part.rows.patterns),
            "areas": names(part.rows.areas),
            "cases": .integer(Int64(part.evidence.cases)),
            "expectations": .array(part.evidence.expectations.map(encode)),
            "trials": .array(part.evidence.trials.map(encode)),
        ]
    }

    /// Decodes a part; returns nil if the JSON is not a part, or is a part in another format.
    package static func decode(_ json: JSON) -> CoveragePart? {
        guard json["schema"]?.intValue == 1, let origin = json["run"].flatMap(OriginJSON.decode),
            let patterns = strings(json["rows"]), let areas = strings(json["areas"]),
            let cases = json["cases"]?.intValue.flatMap({ Int(exactly: $0) }), cases >= 0,
            let expectations = all(json["expectations"], expectation), let trials = all(json["trials"], trial)
        else { return nil }
        return CoveragePart(
            origin: origin,
            rows: RowSelection(patterns: patterns, areas: areas),
            evidence: CoverageEvidence(expectations: expectations, trials: trials, cases: cases)
        )
    }

    // MARK: - Expectations

    private static func encode(_ expectation: ExpectationCoverage) -> JSON {
        [
            "at": encode(expectation.location),
            "case": .string(expectation.title),
            "word": .string(expectation.word),
            "covers": names(expectation.covers),
            "verdicts": .array(
                expectation.judgements.map { verdict in
                    [
                        "world": .string(verdict.world.rawValue),
                        "verdict": .string(verdict.verdict.rawValue),
                        "why": verdict.why.map { .string($0) } ?? .null,
                    ]
                }
            ),
            "can_fail": expectation.canFail.map { .bool($0) } ?? .null,
            "texts": names(expectation.statement.texts.sorted()),
            "numbers": .array(expectation.statement.numbers.sorted().map { .integer($0) }),
            "durations": .array(expectation.statement.durations.sorted().map { .integer($0.nanoseconds) }),
            "bound": expectation.statement.bound.map { .integer($0.nanoseconds) } ?? .null,
            "is_bound_tight": .bool(expectation.isBoundTight),
        ]
    }

    private static func expectation(_ json: JSON) -> ExpectationCoverage? {
        guard let location = json["at"].flatMap(location), let title = json["case"]?.stringValue,
            let word = json["word"]?.stringValue, let covers = strings(json["covers"]),
            let verdicts = all(json["verdicts"], verdict), let texts = strings(json["texts"]),
            let numbers = all(json["numbers"], \.intValue), let durations = all(json["durations"], \.intValue),
            let isBoundTight = json["is_bound_tight"]?.boolValue
        else { return nil }
        return ExpectationCoverage(
            location: location,
            title: title,
            word: word,
            covers: covers,
            judgements: verdicts,
            canFail: json["can_fail"]?.boolValue,
            statement: CoverageStatement(
                texts: Set(texts),
                numbers: Set(numbers),
                durations: Set(durations.map { TimeSpan(nanoseconds: $0) }),
                bound: json["bound"]?.intValue.map { TimeSpan(nanoseconds: $0) }
            ),
            isBoundTight: isBoundTight
        )
    }

    private static func verdict(_ json: JSON) -> ExpectationCoverage.WorldVerdict? {
        guard let world = json["world"]?.stringValue.flatMap(World.init),
            let verdict = json["verdict"]?.stringValue.flatMap(CaseVerdict.init)
        else { return nil }
        return ExpectationCoverage.WorldVerdict(world: world, verdict: verdict, why: json["why"]?.stringValue)
    }

    // MARK: - Trials

    private static func encode(_ trial: DefectTrial) -> JSON {
        [
            "defect": .string(trial.defect),
            "file": .string(trial.file),
            "case": .string(trial.title),
            "covers": names(trial.covers.sorted()),
            "failed_rows": names(trial.failedRows.sorted()),
            "failed_at": places(trial.failedExpectations),
            "missed_bounds_at": places(trial.missedBounds),
            "failed": .bool(trial.failed),
        ]
    }

    private static func trial(_ json: JSON) -> DefectTrial? {
        guard let defect = json["defect"]?.stringValue, let file = json["file"]?.stringValue,
            let title = json["case"]?.stringValue, let covers = strings(json["covers"]),
            let failedRows = strings(json["failed_rows"]), let failedAt = all(json["failed_at"], location),
            let missedBounds = all(json["missed_bounds_at"], location), let failed = json["failed"]?.boolValue
        else { return nil }
        return DefectTrial(
            defect: defect,
            file: file,
            title: title,
            covers: Set(covers),
            failedRows: Set(failedRows),
            failedExpectations: Set(failedAt),
            missedBounds: Set(missedBounds),
            failed: failed
        )
    }

    // MARK: - Parts of both

    private static func encode(_ location: SourceLocation) -> JSON {
        [
            "file": .string(location.file),
            "line": .integer(Int64(location.line)),
            "column": .integer(Int64(location.column)),
        ]
    }

    private static func location(_ json: JSON) -> SourceLocation? {
        guard let file = json["file"]?.stringValue, let line = json["line"]?.intValue.flatMap({ Int(exactly: $0) }),
            let column = json["column"]?.intValue.flatMap({ Int(exactly: $0) })
        else { return nil }
        return SourceLocation(file: file, line: line, column: column)
    }

    private static func places(_ locations: Set<SourceLocation>) -> JSON {
        let sorted = locations.sorted { ($0.file, $0.line, $0.column) < ($1.file, $1.line, $1.column) }
        return .array(sorted.map(encode))
    }

    private static func names(_ names: [String]) -> JSON { .array(names.map { .string($0) }) }

    private static func strings(_ json: JSON?) -> [String]? { all(json, \.stringValue) }

    /// Decodes every element of an array; returns nil if there is no array or an element cannot be decoded.
    private static func all<Element>(_ json: JSON?, _ decode: (JSON) -> Element?) -> [Element]? {
        guard let items = json?.arrayValue else { return nil }
        let elements = items.compactMap(decode)
        return elements.count == items.count ? elements : nil
    }
}
