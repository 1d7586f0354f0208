/// A client's request to the conformance server, identified by the request path. The paths are those of the Autobahn
/// test suite.
package enum ControlAddress: Hashable, Sendable {
    case caseCount
    /// Requests the description of the selected case at this position, counted from 1.
    case caseInfo(place: Int)
    case caseStatus(place: Int, agent: String)
    case runCase(place: Int, agent: String)
    case updateReports(shutsDown: Bool)
    case stop

    package struct Problem: Error, Hashable, Sendable {
        /// The HTTP status of the response.
        package var status: Int
        package var message: String
    }

    /// Parses a request target; `cases` are the selected cases in order.
    ///
    /// - Throws: ``Problem`` with status 404 for an unknown path or case id, and 400 for an invalid query.
    package init(target: String, cases: [ConformanceCase]) throws(Problem) {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let path = parts.first.map(String.init) ?? "/"
        var query: [String: String] = [:]
        for pair in (parts.count > 1 ? parts[1] : "").split(separator: "&") {
            let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            query[String(halves[0])] = halves.count > 1 ? Self.decoded(halves[1]) : ""
        }
        switch path {
        case "/getCaseCount": self = .caseCount
        case "/getCaseInfo": self = .caseInfo(place: try Self.place(query, cases))
        case "/getCaseStatus":
            self = .caseStatus(place: try Self.place(query, cases), agent: try Self.agent(query))
        case "/runCase": self = .runCase(place: try Self.place(query, cases), agent: try Self.agent(query))
        case "/updateReports": self = .updateReports(shutsDown: query["shutdownOnComplete"] == "true")
        case "/stopServer": self = .stop
        default:
            throw Problem(
                status: 404,
                message:
                    "unknown path \(path); use /getCaseCount, /getCaseInfo?case=n, /runCase?case=n&agent=x, "
                    + "/getCaseStatus?case=n&agent=x or /updateReports?agent=x"
            )
        }
    }

    private static func place(_ query: [String: String], _ cases: [ConformanceCase]) throws(Problem) -> Int {
        if let id = query["casetuple"] {
            guard let place = cases.firstIndex(where: { $0.id.description == id }) else {
                throw Problem(status: 404, message: "no case \(id) is selected")
            }
            return place + 1
        }
        guard let text = query["case"], let place = Int(text), 1...max(cases.count, 1) ~= place, !cases.isEmpty else {
            throw Problem(status: 400, message: "'case' must be a number from 1 to \(cases.count)")
        }
        return place
    }

    private static func agent(_ query: [String: String]) throws(Problem) -> String {
        let agent = AgentName.cleaned(query["agent"] ?? "")
        guard !agent.isEmpty else {
            throw Problem(status: 400, message: "missing agent name in the query: add agent=NAME")
        }
        return agent
    }

    /// Decodes percent-encoding, and `+` as a space. Keeps an invalid escape unchanged.
    private static func decoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): bytes.append(0x20)
            case UInt8(ascii: "%"):
                guard let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16), rest.count >= 2
                else {
                    bytes.append(byte)
                    continue
                }
                bytes.append(value)
                rest = rest.dropFirst(2)
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
