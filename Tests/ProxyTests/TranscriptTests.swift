import Foundation
import Proxy
import SquallCore
import TestSupport
import Testing

/// Compares every endpoint's responses (status, body and content type) with those recorded from Toxiproxy 2.12.
@Suite(.ownThread, .timeLimit(.minutes(20)))
struct TranscriptTests {
    struct Exchange {
        var method: String
        var path: String
        var headers: [String]
        var body: String?
        var answer: [String]
    }

    private static func exchanges() throws -> [Exchange] {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Fixtures/toxiproxy/api.transcript")
        let text = try String(contentsOf: file, encoding: .utf8)
        return text.components(separatedBy: "\n\n").compactMap { block in
            let lines = block.split(separator: "\n").map(String.init)
            guard let first = lines.first, !first.hasPrefix("#") else { return nil }
            let words = first.components(separatedBy: " ")
            let isHeader = { (line: String) in line.contains(": ") && line.first?.isUppercase == true }
            let request = lines.dropFirst().filter { !$0.hasPrefix("<") }
            let own = lines.filter { $0.hasPrefix("<<") }.map { String($0.dropFirst()) }
            let answer = own.isEmpty ? lines.filter { $0.hasPrefix("<") } : own
            return Exchange(
                method: words[0],
                path: words[1],
                headers: request.filter(isHeader),
                body: request.first { !isHeader($0) },
                answer: answer
            )
        }
    }

    @Test("The API answers as Toxiproxy 2.12 does, except where the transcript marks a difference")
    func answersAsToxiproxy() throws {
        let ports = try ["a", "b", "c", "up"].map { ($0, try Upstream()) }
        let numbers = ports.map { ($0.0, "\($0.1.port)") }
        for (_, upstream) in ports { upstream.close() }
        let exchanges = try Self.exchanges()
        #expect(exchanges.count > 90)
        try Bench.with { bench in
            for exchange in exchanges {
                var body = exchange.body
                for (name, port) in numbers { body = body?.replacingOccurrences(of: "${\(name)}", with: port) }
                let reply = try bench.call(
                    exchange.method,
                    exchange.path,
                    body,
                    ["User-Agent: transcript"].filter { _ in !exchange.headers.contains { $0.hasPrefix("User-Agent") } }
                        + exchange.headers
                )
                #expect(
                    Self.render(reply, numbers) == exchange.answer,
                    "\(exchange.method) \(exchange.path) \(body ?? "")"
                )
            }
        }
    }

    private static func render(_ reply: Bench.Reply, _ ports: [(String, String)]) -> [String] {
        var text = reply.body
        for (name, port) in ports { text = text.replacingOccurrences(of: ":\(port)", with: ":${\(name)}") }
        text = text.replacingOccurrences(
            of: #"127\.0\.0\.1:(?!1")\d+"#,
            with: "127.0.0.1:<any>",
            options: .regularExpression
        )
        text = text.replacingOccurrences(of: "\n", with: "\\n")
        let marks =
            (reply.headers["x-toxiproxy-request-id"]?.count == 20 ? " numbered" : "")
            + (reply.headers["x-content-type-options"] == "nosniff" ? " nosniff" : "")
        return ["< \(reply.status) \(reply.headers["content-type"] ?? "-")\(marks)", text.isEmpty ? "<" : "< \(text)"]
    }
}
