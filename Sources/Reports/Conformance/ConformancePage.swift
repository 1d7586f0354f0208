package import Conformance
import SquallCore
import WebSocketWire

/// Renders conformance results as one self-contained HTML page without scripts.
///
/// All text from a peer is escaped, and the page's content security policy allows only its own style.
package enum ConformancePage {
    package static func render(_ report: ConformanceReport) -> String {
        var page = head(report)
        page += summary(report)
        for agent in report.agents {
            let results = report.results.filter { $0.agent == agent }
            page += "<section><h2>\(escaped(agent)) <small>\(counts(report, results))</small></h2>\n"
            page += grid(report, results)
            page += failureList(report, results)
            page += "</section>\n"
        }
        page += remarks(report)
        page += "<section><h2>Every case</h2>\n"
        for (id, title) in ConformanceCatalogue.categories {
            let part = report.results.filter { $0.id.category == id }
            guard !part.isEmpty else { continue }
            let isOpen = part.contains(where: \.isFailure)
            page +=
                """
                <details\(isOpen ? " open" : "") class=\"category\"><summary>\(id) \(title) \
                <small>\(counts(report, part))</small></summary>\n
                """
            for result in part { page += detail(result, report) }
            page += "</details>\n"
        }
        return page + "</section>\n</main>\n</body>\n</html>\n"
    }

    private static func title(_ report: ConformanceReport) -> String {
        report.isOfChat ? "Chat protocol conformance" : "WebSocket conformance"
    }

    private static func head(_ report: ConformanceReport) -> String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>\(title(report))</title>
        <style>
        \(ConformancePageStyle.text)
        </style>
        </head>
        <body>
        <main>

        """
    }

    // MARK: - Summary

    private static func summary(_ report: ConformanceReport) -> String {
        let (bad, known) = (report.failures.count, report.knownFailures.count)
        let best = report.exitStatus == .inconclusive ? "nothing judged" : report.isWhole ? "passed" : "interrupted"
        let word = bad == 0 && report.stale.isEmpty ? best : "failed"
        let kind = word == "passed" ? "ok" : word == "failed" ? "failed" : "informational"
        var text = "<header><h1>\(title(report))</h1>\n<p><b class=\"\(kind)\">\(word)</b> "
        text += "\(report.results.count) cases played against \(report.agents.map(escaped).joined(separator: ", "))"
        text += bad > 0 ? ", \(bad) failed" : ""
        text += report.isWhole ? "" : ", out of \(report.cases.count) selected"
        text += report.skipped.isEmpty ? "" : ", \(report.skipped.count) skipped"
        text += known > 0 ? ", \(known) failed as known" : ""
        text += ".</p>\n<p class=\"legend\">"
        for (behavior, meaning) in legend(report) {
            text += "<span class=\"\(name(behavior))\">\(behavior.rawValue.lowercased())</span> \(meaning)<br>"
        }
        return text + "</p></header>\n"
    }

    private static func legend(_ report: ConformanceReport) -> [(CaseBehavior, String)] {
        let rule = report.isOfChat ? "the protocol" : "the RFC"
        let legend: [(CaseBehavior, String)] = [
            (.ok, "conforms to \(rule)"), (.nonStrict, "allowed, but not what \(rule) recommends"),
            (.informational, "left open by \(rule); reported but not judged"),
            (.unimplemented, "the peer does not offer the extension"),
            (.failed, "violates \(rule)"),
        ]
        return legend.filter { $0.0 != .unimplemented || !report.isOfChat }
    }

    private static func grid(_ report: ConformanceReport, _ results: [ConformanceResult]) -> String {
        var text = "<table class=\"grid\">\n"
        for (id, title) in ConformanceCatalogue.categories {
            let part = results.filter { $0.id.category == id }
            guard !part.isEmpty else { continue }
            text += "<tr><th>\(id)</th><th>\(title)</th><td>\(counts(report, part))</td><td class=\"cells\">"
            for result in part {
                let what = "\(result.id) \(result.behavior.rawValue): \(result.why)"
                text +=
                    """
                    <a href=\"#\(report.plainName(of: result))\" class=\"\(name(result.behavior))\" \
                    title=\"\(escaped(what))\">
                    """
                text += "\(mark(result.behavior))</a>"
            }
            text += "</td></tr>\n"
        }
        return text + "</table>\n"
    }

    /// Returns the list of failures, which most readers look for first.
    private static func failureList(_ report: ConformanceReport, _ results: [ConformanceResult]) -> String {
        let bad = results.filter { $0.isFailure }
        guard !bad.isEmpty else { return "" }
        var text = "<ul class=\"worth\">\n"
        for result in bad {
            let known = report.known.entry(for: result).map { " <i>known: \(escaped($0.why))</i>" } ?? ""
            text +=
                """
                <li><a href=\"#\(report.plainName(of: result))\">\(result.id)</a> \
                \(escaped(report.cases[result.id]?.title ?? ""))
                """
            text += " <b class=\"failed\">\(escaped(result.why))</b>\(known)</li>\n"
        }
        return text + "</ul>\n"
    }

    /// Returns the list of skipped cases and stale known failures, which are cases that were expected to fail but did
    /// not.
    private static func remarks(_ report: ConformanceReport) -> String {
        let stale = report.stale.map { entry in
            "<li><b class=\"failed\">line \(entry.line) of the known failures</b> \(escaped(entry.pattern))"
                + "\(entry.agent.map { " of \(escaped($0))" } ?? "") did not fail; remove the entry</li>\n"
        }
        let skipped = report.skippedByReason.map { why, ids in
            "<li><details><summary>\(ids.count) skipped: \(escaped(why))</summary>"
                + "<small>\(ids.map(\.description).joined(separator: " "))</small></details></li>\n"
        }
        guard !stale.isEmpty || !skipped.isEmpty else { return "" }
        return
            """
            <section><h2>Skipped cases and outdated known failures</h2>\n<ul \
            class=\"worth\">\n\((stale + skipped).joined())</ul></section>\n
            """
    }

    // MARK: - Individual cases

    private static func detail(_ result: ConformanceResult, _ report: ConformanceReport) -> String {
        let testCase = report.cases[result.id]
        let kind = name(result.behavior)
        var text = "<details id=\"\(report.plainName(of: result))\"\(result.isFailure ? " open" : "")><summary>"
        text += "<b class=\"\(kind)\">\(result.behavior.rawValue.lowercased())</b> <code>\(result.id)</code> "
        text += "\(escaped(testCase?.title ?? "")) <small>\(escaped(result.agent))</small></summary>\n<dl>"
        text += pair("Allowed", testCase?.allowed ?? "")
        text += pair("Specified in", testCase?.sections.joined(separator: ", ") ?? "")
        text += pair("Observed", result.why)
        if result.closeWhy != result.why {
            text += pair("Closing", "\(result.closeBehavior.rawValue.lowercased()): \(result.closeWhy)")
        }
        let codes = [result.localCode.map { "ours \($0)" }, result.remoteCode.map { "the peer's \($0)" }].compactMap(
            \.self
        )
        if !codes.isEmpty { text += pair("Close codes", codes.joined(separator: ", ")) }
        text += pair("Duration", "\(TimeSpan(nanoseconds: result.duration.nanoseconds / 1_000_000 * 1_000_000))")
        text += "</dl>\n<table class=\"wire\">\n"
        let shown = result.isFailure ? result.log.entries : Array(result.log.entries.prefix(24))
        for entry in shown { text += row(entry, isText: report.isOfChat) }
        let left = result.log.omitted + result.log.entries.count - shown.count
        if left > 0 { text += "<tr><td></td><td></td><td colspan=\"2\">and \(left) more</td></tr>\n" }
        return text + "</table>\n</details>\n"
    }

    private static func pair(_ name: String, _ value: String) -> String { "<dt>\(name)</dt><dd>\(escaped(value))</dd>" }

    /// Returns the HTML of an entry in the wire log. If `isText` is true, the payload of a text frame is displayed as
    /// text.
    private static func row(_ entry: WireLog.Entry, isText: Bool) -> String {
        let time = "<td class=\"time\">\(Instant.zero + entry.at)</td>"
        switch entry.direction {
        case .note: return "<tr class=\"note\">\(time)<td></td><td colspan=\"2\">\(escaped(entry.text))</td></tr>\n"
        case .sent, .received:
            let arrow = entry.direction == .sent ? "sent &rarr;" : "&larr; received"
            return
                """
                <tr class=\"\(entry.direction.rawValue)\">\(time)<td \
                class=\"way\">\(arrow)</td><td>\(what(entry))</td><td>\(payload(entry, isText: isText))</td></tr>\n
                """
        }
    }

    /// Returns a description of a frame's header fields.
    private static func what(_ entry: WireLog.Entry) -> String {
        guard let header = entry.header else { return entry.text.isEmpty ? "\(entry.length) bytes" : entry.text }
        var boxes = [header.fin ? "FIN" : "<s>FIN</s>"]
        for (set, name) in [(header.rsv1, "RSV1"), (header.rsv2, "RSV2"), (header.rsv3, "RSV3")] where set {
            boxes.append(name)
        }
        boxes.append("<em>\(header.opcode)</em>")
        if header.maskKey != nil { boxes.append("mask") }
        boxes.append("\(header.length)")
        if header.lengthForm != FrameHeader.LengthForm(for: header.length) {
            boxes.append(header.lengthForm == .bits16 ? "in 16 bits" : "in 64 bits")
        }
        return "<span class=\"frame\">\(boxes.map { "<span>\($0)</span>" }.joined())</span>"
    }

    private static func payload(_ entry: WireLog.Entry, isText: Bool) -> String {
        guard !entry.bytes.isEmpty else { return "" }
        if entry.text == "HTTP" {
            let more = entry.length > entry.bytes.count ? " ..." : ""
            return "<pre>\(escaped(String(decoding: entry.bytes, as: UTF8.self)))\(more)</pre>"
        }
        if isText, entry.header?.opcode == .text, let text = String(validating: entry.bytes, as: UTF8.self) {
            let left = entry.length - entry.bytes.count
            return "<pre>\(escaped(text))\(left > 0 ? " <small>and \(left) more</small>" : "")</pre>"
        }
        let shown = Array(entry.bytes.prefix(64))
        let hex = shown.map { AutobahnJSON.hex([$0]) }.joined(separator: " ")
        let text = String(decoding: shown.map { 0x20...0x7E ~= $0 ? $0 : UInt8(ascii: ".") }, as: UTF8.self)
        let more = entry.length > shown.count ? " <small>and \(entry.length - shown.count) more</small>" : ""
        return "<code class=\"hex\">\(hex)</code> <code>\(escaped(text))</code>\(more)"
    }

    // MARK: - Text

    private static func counts(_ report: ConformanceReport, _ results: [ConformanceResult]) -> String {
        legend(report).compactMap { behavior, _ in
            let count = report.count(behavior, in: results)
            return count > 0 ? "\(count) \(behavior.rawValue.lowercased())" : nil
        }.joined(separator: ", ")
    }

    private static func name(_ behavior: CaseBehavior) -> String {
        switch behavior {
        case .ok: "ok"
        case .nonStrict: "nonstrict"
        case .informational: "informational"
        case .unimplemented: "unimplemented"
        case .failed: "failed"
        }
    }

    /// Returns a symbol for the verdict, so that verdicts can be distinguished without colour.
    private static func mark(_ behavior: CaseBehavior) -> String {
        switch behavior {
        case .ok: "&middot;"
        case .nonStrict: "~"
        case .informational: "i"
        case .unimplemented: "&minus;"
        case .failed: "&times;"
        }
    }

    private static func escaped(_ text: String) -> String { SanitizedText(lines: text).markup }
}
