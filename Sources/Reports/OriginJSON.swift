import ScenarioModel
import SquallCore

/// The JSON form of a suite's origin (how the suite was selected and run). It is the member `run` in `results.json` and
/// in the HTML page's data.
enum OriginJSON {
    static func encode(_ origin: SuiteOrigin) -> JSON {
        var json: JSON = [
            "version": .string(origin.version),
            "command": .string(origin.command),
            "date": .string(origin.date),
            "commit": origin.commit.map { .string($0) } ?? .null,
            "suite": .string(origin.suite),
            "cases": .integer(Int64(origin.cases)),
            "seed": JSON(unsigned: origin.seed.value),
            "repeat": .integer(Int64(origin.times)),
            "worlds": .array(origin.worlds.map { .string($0.rawValue) }),
            "client": .string(origin.client),
            "profile": origin.profile.map { .string($0) } ?? .null,
            "defects": .array(origin.defects.map { .string($0) }),
        ]
        if let host = origin.host { json.set("host", to: .string(host)) }
        if let part = origin.part {
            json.set("shard", to: ["index": .integer(Int64(part.index)), "count": .integer(Int64(part.count))])
        }
        return json
    }

    /// Decodes an origin; returns nil if a member is missing or has the wrong type.
    static func decode(_ json: JSON) -> SuiteOrigin? {
        guard let version = json["version"]?.stringValue, let command = json["command"]?.stringValue,
            let date = json["date"]?.stringValue, let suite = json["suite"]?.stringValue,
            let cases = json["cases"]?.intValue, let seed = json["seed"]?.unsignedValue,
            let times = json["repeat"]?.intValue, let worlds = json["worlds"]?.arrayValue,
            let client = json["client"]?.stringValue, let defects = json["defects"]?.arrayValue
        else { return nil }
        var part: SuiteOrigin.Part?
        if let shard = json["shard"] {
            guard let index = shard["index"]?.intValue, let count = shard["count"]?.intValue,
                1...Int64(SuiteOrigin.Part.maximum) ~= count, 1...count ~= index
            else { return nil }
            part = SuiteOrigin.Part(index: Int(index), count: Int(count))
        }
        var origin = SuiteOrigin(
            version: version,
            suite: suite,
            cases: Int(cases),
            seed: Seed(seed),
            times: Int(times),
            worlds: worlds.compactMap { $0.stringValue.flatMap(World.init) },
            client: client,
            profile: json["profile"]?.stringValue,
            defects: defects.compactMap(\.stringValue),
            part: part,
            command: command,
            date: date,
            commit: json["commit"]?.stringValue
        )
        origin.host = json["host"]?.stringValue
        return origin
    }
}
