import Foundation

/// The protocol's documentation page, parsed into its parts.
struct ProtocolPage {
    /// The contents of the regions between `<!-- BEGIN name -->` and `<!-- END -->`, in order.
    private(set) var regions: [(name: String, text: String)] = []
    /// The fenced JSON blocks, each with the nearest heading above it.
    private(set) var examples: [(heading: String, json: String)] = []
    /// The table rows outside all regions.
    private(set) var looseRows: [String] = []

    static let file = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Sources/Squall/Squall.docc/ChatProtocol.md")

    init(_ text: String) {
        var heading = ""
        var region: (name: String, lines: [String])?
        var block: [String]?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            if let lines = block {
                block = line == "```" ? nil : lines + [line]
                if line == "```" { examples.append((heading, lines.joined(separator: "\n"))) }
            } else if line == "<!-- END -->", let ended = region {
                regions.append((ended.name, ended.lines.joined(separator: "\n")))
                region = nil
            } else if let open = region {
                region = (open.name, open.lines + [line])
            } else if let name = line.wrapped(in: "<!-- BEGIN ", " -->") {
                region = (name, [])
            } else if line == "```json" {
                block = []
            } else if line.hasPrefix("|") {
                looseRows.append(line)
            } else if line.hasPrefix("### ") {
                heading = String(line.dropFirst(4))
            }
        }
    }

    /// Returns the page with each given table written into the region of the same name; other regions are unchanged.
    static func rewriting(_ text: String, with tables: [(name: String, text: String)]) -> String {
        var lines: [String] = []
        var skipping = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            if line == "<!-- END -->" { skipping = false }
            if !skipping { lines.append(line) }
            let name = line.wrapped(in: "<!-- BEGIN ", " -->")
            if let name, let table = tables.first(where: { $0.name == name }) {
                lines += ["", table.text, ""]
                skipping = true
            }
        }
        return lines.joined(separator: "\n")
    }
}

extension String {
    fileprivate func wrapped(in prefix: String, _ suffix: String) -> String? {
        guard hasPrefix(prefix), hasSuffix(suffix), count > prefix.count + suffix.count else { return nil }
        return String(dropFirst(prefix.count).dropLast(suffix.count))
    }
}
