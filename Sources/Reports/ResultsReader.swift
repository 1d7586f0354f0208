package import ScenarioModel
package import SquallCore
import TemporalLogic
import Trace

/// Parses the JSON that ``ResultsJSON`` renders, and adds the runs' traces.
package struct ResultsReader {
    /// A member of the JSON is missing or has the wrong type.
    package struct Malformed: Error {
        package var field: String
    }

    private let json: JSON
    /// How the suite was selected and run; nil if the results do not contain it.
    package let origin: SuiteOrigin?

    /// Creates a reader of a suite's results.
    ///
    /// - Throws: ``Malformed`` if the JSON is not the results of a suite.
    package init(_ json: JSON) throws(Malformed) {
        guard json["schema"]?.intValue == 1, json["scenarios"]?.arrayValue != nil else {
            throw Malformed(field: "schema")
        }
        self.json = json
        origin = json["run"].flatMap(OriginJSON.decode)
    }

    /// Returns the suite with all of its runs.
    ///
    /// - Parameter complete: A closure that adds a run's events and packets, which the results do not contain.
    /// - Returns: The suite.
    /// - Throws: ``Malformed`` if a member of a run is missing or invalid, and any error that `complete` throws.
    package func suite<Failure: Error>(
        completing complete: (inout CaseResult) throws(Failure) -> Void
    ) throws -> SuiteResult {
        var cases: [CaseReport] = []
        for item in json["scenarios"]?.arrayValue ?? [] {
            var run = try Self.run(item, defects: origin?.defects ?? [])
            try complete(&run)
            let parity = try item["parity"].map(Self.parity)
            // The simulated and the live run of a case are adjacent in the list, and belong to the same case report.
            if let last = cases.last?.runs.last, last.key == run.key, last.seed == run.seed, last.world != run.world {
                cases[cases.count - 1].runs.append(run)
                cases[cases.count - 1].parity = parity ?? cases[cases.count - 1].parity
            } else {
                cases.append(CaseReport(runs: [run], parity: parity))
            }
        }
        var suite = SuiteResult(
            cases: cases,
            wall: TimeSpan(nanoseconds: json["wall_ns"]?.intValue ?? 0),
            interrupted: json["broken_off_by"]?.stringValue == SuiteResult.StopReason.signal.rawValue,
            unplayed: Int(json["not_played"]?.intValue ?? 0),
            isEmptyPart: json["empty_part"]?.boolValue ?? false
        )
        suite.origin = origin
        suite.failureLimit = json["failure_limit"]?.intValue.map(Int.init)
        suite.leftOut = json["left_out"]?.arrayValue?.compactMap(\.stringValue) ?? []
        for item in json["stale_known_failures"]?.arrayValue ?? [] {
            suite.staleKnownFailures.append(
                ExpectationResult(
                    location: try Self.location(item, file: try Self.text(item, "file")),
                    word: "known failure",
                    covers: [],
                    verdict: .fail,
                    why: try Self.text(item, "why"),
                    evidence: []
                )
            )
        }
        return suite
    }

    private static func run(_ json: JSON, defects: [String]) throws(Malformed) -> CaseResult {
        let file = try text(json, "file")
        guard let world = World(rawValue: try text(json, "world")) else { throw Malformed(field: "world") }
        guard let verdict = CaseVerdict(rawValue: try text(json, "verdict")) else { throw Malformed(field: "verdict") }
        guard let clock = TraceHeader.Clock(rawValue: try text(json, "clock")) else { throw Malformed(field: "clock") }
        guard let seed = json["seed"]?.unsignedValue else { throw Malformed(field: "seed") }
        let header = TraceHeader(
            language: 1,
            tool: SquallVersion.current,
            scenario: file,
            variant: json["case"]?.stringValue,
            profile: try text(json, "profile"),
            seed: Seed(seed),
            clock: clock,
            defects: defects
        )
        let simulated = try span(json, "virtual_ns")
        var expectations: [ExpectationResult] = []
        for item in json["expectations"]?.arrayValue ?? [] { expectations.append(try expectation(item, file: file)) }
        var run = CaseResult(
            saved: Recording(header: header, events: [], end: .zero + simulated),
            name: try text(json, "name"),
            tags: json["tags"]?.arrayValue?.compactMap(\.stringValue) ?? [],
            world: world,
            client: try text(json, "client"),
            verdict: verdict,
            simulated: simulated,
            wall: try span(json, "wall_ns"),
            digest: try text(json, "digest"),
            tolerance: TimeSpan(nanoseconds: json["tolerance_ns"]?.intValue ?? 0),
            expectations: expectations
        )
        run.hasWholeTrace = false
        run.savedMetrics = json["metrics"]
        run.isProfileForced = json["profile_forced"]?.boolValue ?? false
        run.clientOptions = json["client_options"]?.arrayValue?.compactMap(\.stringValue) ?? []
        run.replay = json["replay"]?.stringValue
        run.knownReason = json["known_reason"]?.stringValue
        run.plays = Int(json["plays"]?.intValue ?? 1)
        if let capture = json["capture"] {
            run.capture = RunCapture(
                bytes: [],
                packets: Int(capture["packets"]?.intValue ?? 0),
                dropped: Int(capture["dropped"]?.intValue ?? 0),
                leftOut: Int(capture["left_out"]?.intValue ?? 0)
            )
        }
        return run
    }

    private static func expectation(_ json: JSON, file: String) throws(Malformed) -> ExpectationResult {
        guard let verdict = CaseVerdict(rawValue: try text(json, "verdict")) else { throw Malformed(field: "verdict") }
        var part = ExpectationResult(
            location: try location(json, file: json["file"]?.stringValue ?? file),
            word: try text(json, "word"),
            name: json["name"]?.stringValue,
            covers: json["covers"]?.arrayValue?.compactMap(\.stringValue) ?? [],
            verdict: verdict,
            why: json["why"]?.stringValue,
            evidence: json["evidence"]?.arrayValue?.compactMap { $0.intValue.map(Int.init) } ?? [],
            expectedBy: json["expected_by_ns"]?.intValue.map { Instant(nanoseconds: $0) }
        )
        for value in json["seen"]?.arrayValue ?? [] {
            part.seen.append(
                ObservedValue(
                    subject: try text(value, "subject"),
                    text: try text(value, "value"),
                    since: .zero + (try span(value, "since_ns")),
                    event: Int(value["event"]?.intValue ?? -1),
                    isNearest: value["nearest"]?.boolValue ?? false
                )
            )
        }
        return part
    }

    private static func location(_ json: JSON, file: String) throws(Malformed) -> SourceLocation {
        guard let line = json["line"]?.intValue, let column = json["column"]?.intValue else {
            throw Malformed(field: "line")
        }
        return SourceLocation(file: file, line: Int(line), column: Int(column))
    }

    private static func parity(_ json: JSON) throws(Malformed) -> WorldComparison {
        let why = json["why"]?.stringValue ?? ""
        switch try text(json, "verdict") {
        case "equal": return .equal
        case "schedule_dependent": return .scheduleDependent(why)
        case "differs": return .differs(why)
        default: throw Malformed(field: "parity")
        }
    }

    private static func text(_ json: JSON, _ name: String) throws(Malformed) -> String {
        guard let text = json[name]?.stringValue else { throw Malformed(field: name) }
        return text
    }

    private static func span(_ json: JSON, _ name: String) throws(Malformed) -> TimeSpan {
        guard let nanoseconds = json[name]?.intValue else { throw Malformed(field: name) }
        return TimeSpan(nanoseconds: nanoseconds)
    }
}
