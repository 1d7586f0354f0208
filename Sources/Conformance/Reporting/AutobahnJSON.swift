package import SquallCore
import WebSocketWire

/// The report in the format of the Autobahn test suite, for tools that read that format: `index.json` and one file per
/// case.
package enum AutobahnJSON {
    /// Returns the content of `index.json`: the results keyed by agent and case.
    package static func index(_ report: ConformanceReport) -> JSON {
        .object(
            report.agents.map { agent in
                let results = report.results.filter { $0.agent == agent }
                return JSONMember(agent, .object(results.map { JSONMember($0.id.description, entry($0, report)) }))
            }
        )
    }

    package static func fileName(_ result: ConformanceResult, _ report: ConformanceReport) -> String {
        "\(report.plainName(of: result)).json"
    }

    private static func entry(_ result: ConformanceResult, _ report: ConformanceReport) -> JSON {
        [
            "behavior": .string(result.behavior.rawValue),
            "behaviorClose": .string(result.closeBehavior.rawValue),
            "duration": .integer(result.duration.milliseconds),
            "remoteCloseCode": result.remoteCode.map { .integer(Int64($0)) } ?? .null,
            "reportfile": .string(fileName(result, report)),
        ]
    }

    /// Returns the content of one case's file.
    package static func detail(_ result: ConformanceResult, _ report: ConformanceReport) -> JSON {
        let testCase = report.cases[result.id]
        return [
            "id": .string(result.id.description),
            "agent": .string(result.agent),
            "description": .string(testCase?.title ?? ""),
            "expectation": .string(testCase?.allowed ?? ""),
            "sections": .array((testCase?.sections ?? []).map { .string($0) }),
            "behavior": .string(result.behavior.rawValue),
            "behaviorClose": .string(result.closeBehavior.rawValue),
            "result": .string(result.why),
            "resultClose": .string(result.closeWhy),
            "duration": .integer(result.duration.milliseconds),
            "isServer": .bool(result.testedRole == .client),
            "expected": .object(
                result.expected.map { JSONMember($0.behavior.rawValue, .array($0.summaries.map { .string($0) })) }
            ),
            "received": .array(result.events.map { .string($0.summary) }),
            "closedByMe": .bool(result.closedByUs),
            "failedByMe": .bool(result.failedByUs),
            "droppedByMe": .bool(result.droppedByUs),
            "wasClean": .bool(result.wasClean),
            "wasNotCleanReason": result.wasClean ? .null : .string(result.closeWhy),
            "httpRequest": http(0, result),
            "httpResponse": http(1, result),
            "localCloseCode": result.localCode.map { .integer(Int64($0)) } ?? .null,
            "remoteCloseCode": result.remoteCode.map { .integer(Int64($0)) } ?? .null,
            "remoteCloseReason": result.remoteReason.map { .string($0) } ?? .null,
            "txOctets": .integer(Int64(result.log.bytesSent)),
            "rxOctets": .integer(Int64(result.log.bytesReceived)),
            "wirelog": .array(result.log.entries.map(line)),
        ]
    }

    /// Returns the head of the handshake request (`place` 0) or response (`place` 1); null if it was not received.
    private static func http(_ place: Int, _ result: ConformanceResult) -> JSON {
        let heads = result.log.entries.filter { $0.text == "HTTP" }
        return place < heads.count ? .string(String(decoding: heads[place].bytes, as: UTF8.self)) : .null
    }

    private static func line(_ entry: WireLog.Entry) -> JSON {
        var json: JSON = [
            "at_ns": .integer(entry.at.nanoseconds), "direction": .string(entry.direction.rawValue),
            "length": .integer(Int64(entry.length)), "bytes": .string(hex(entry.bytes)),
        ]
        if !entry.text.isEmpty { json.set("text", to: .string(entry.text)) }
        if let header = entry.header {
            json.set("opcode", to: .integer(Int64(header.opcode.rawValue)))
            json.set("fin", to: .bool(header.fin))
            json.set("rsv", to: .integer((header.rsv1 ? 4 : 0) + (header.rsv2 ? 2 : 0) + (header.rsv3 ? 1 : 0)))
            json.set("masked", to: .bool(header.maskKey != nil))
        }
        return json
    }

    package static func hex(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
