import Faults
import SquallCore
import WebSocketWire

/// A human-readable description of the bytes that a case sends.
package enum CaseBytes {
    /// The masking key from the examples in RFC 6455, section 5.7. A run uses other keys.
    private static let key: UInt32 = 0x37FA_213D
    /// The maximum number of bytes displayed per frame.
    private static let most = 48

    /// Returns one line per step, showing what is sent to a server or, if the case applies only to clients, to a
    /// client.
    package static func lines(_ testCase: ConformanceCase) -> [String] {
        let sender: WebSocketRole = testCase.testedRoles.contains(.server) ? .client : .server
        var lines = (testCase.deflate?.offers ?? []).map { "offers \($0.asExtension.text)" }
        switch testCase.plan {
        case .script(let steps, _): lines += steps.flatMap { line($0, from: sender) }
        case .echo(let plan): lines += echo(plan)
        case .opening(let plan): lines += opening(plan, from: sender)
        }
        return folded(lines)
    }

    /// Collapses each run of equal lines into one line with a repetition count.
    private static func folded(_ lines: [String]) -> [String] {
        var runs: [(line: String, count: Int)] = []
        for line in lines {
            if runs.last?.line == line { runs[runs.count - 1].count += 1 } else { runs.append((line, 1)) }
        }
        return runs.map { $0.count > 1 ? "\($0.count) times \($0.line)" : $0.line }
    }

    private static func line(_ step: CaseStep, from sender: WebSocketRole) -> [String] {
        switch step {
        case .frame(let frame, let pacing):
            return ["\(hex(frame.frame(from: sender, key: key).encode()))\(words(pacing))"]
        case .fragments(let opcode, let payload, let size):
            let first = CaseFrame(opcode, .bytes(Array(payload.make().prefix(size))), fin: size >= payload.count)
            let more = (payload.count + size - 1) / max(size, 1) - 1
            return [
                hex(first.frame(from: sender, key: key).encode())
                    + (more > 0 ? " and \(more) continuation frames of up to \(size) bytes" : "")
            ]
        case .bytes(let bytes, let pacing): return ["\(hex(bytes))\(words(pacing))"]
        case .close(let payload):
            return [hex(CaseFrame(.close, .bytes(payload)).frame(from: sender, key: key).encode())]
        case .wait(let span, _): return ["(\(span))"]
        case .end(let how): return [how == .fin ? "(FIN)" : "(RST)"]
        case .compressed(let opcode, let payload, let size):
            let frames = size > 0 ? " in frames of up to \(size) bytes" : ""
            return ["\(opcode) of \(payload.count) bytes, compressed as negotiated\(frames): \(hex(payload.make()))"]
        }
    }

    private static func words(_ pacing: Pacing) -> String {
        switch pacing {
        case .together, .alone: ""
        case .chops(let size): ", \(size) \(size == 1 ? "byte" : "bytes") per write"
        case .cuts(let places, let pause, _):
            ", cut at \(places.map(String.init).joined(separator: ", ")) of the payload, \(pause) between writes"
        }
    }

    private static func echo(_ plan: EchoPlan) -> [String] {
        let size: Int
        switch plan.source {
        case .payload(let payload): size = payload.count
        case .slices(_, let length): size = length
        }
        let kind = plan.isText ? "text" : "binary"
        let frames = plan.fragment > 0 ? " in frames of up to \(plan.fragment) bytes" : ""
        let how = (plan.isCompressed ? ", compressed as negotiated" : "") + frames + words(plan.pacing)
        guard plan.count > 1 else { return ["\(kind) of \(size) bytes\(how)"] }
        return ["\(plan.count) times \(kind) of \(size) bytes\(how), each after the echo of the previous one"]
    }

    private static func opening(_ plan: OpeningPlan, from sender: WebSocketRole) -> [String] {
        let key = Array("the sample nonce".utf8)
        let request = WebSocketHandshake.request(host: "HOST", path: "/PATH", key: key, subprotocols: plan.subprotocols)
        var bytes: [UInt8]
        if let raw = plan.raw {
            bytes = raw
        } else if sender == .client {
            bytes = plan.changed(request).encode()
        } else {
            bytes = (try? WebSocketHandshake.accept(request)).map { plan.changed($0).encode() } ?? []
        }
        let hasMore = bytes.count > 1024
        bytes = Array(bytes.prefix(1024))
        let text = String(decoding: bytes, as: UTF8.self)
        var lines = text.split(separator: "\r\n", omittingEmptySubsequences: true).map(shown)
        if hasMore { lines.append("and more") }
        if let early = plan.early { lines.append("in the same write a text of '\(early)'") }
        if plan.pacing != .together { lines.append("(\(words(plan.pacing).dropFirst(2)))") }
        if let ending = plan.ending { lines += line(.end(ending), from: sender) }
        return lines
    }

    /// Escapes control characters, so that a terminal does not interpret them.
    private static func shown(_ text: Substring) -> String {
        text.unicodeScalars.map { $0.isShowable ? String($0) : $0.escaped(asASCII: true) }.joined()
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        let shown = bytes.prefix(most).map { AutobahnJSON.hex([$0]) }.joined(separator: " ")
        return bytes.count > most ? "\(shown) and \(bytes.count - most) more" : shown
    }
}
