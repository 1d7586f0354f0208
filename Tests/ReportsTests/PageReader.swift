import Deflate
import Foundation
import SquallCore
import WebSocketWire

/// Divides a page into its data elements and the rest, as a browser would.
struct PageReader {
    struct Unreadable: Error {}

    /// The decoded contents of the data elements, with their ids, in page order. The id of run 3 is `run-3`.
    private(set) var data: [(id: String, value: JSON)] = []
    /// The page without the contents of the data elements.
    private(set) var shell = ""

    private static let opening = "<script type=\"application/"

    init(_ page: String) throws {
        var rest = page[...]
        while let start = rest.range(of: Self.opening, options: .literal) {
            shell += rest[..<start.upperBound]
            rest = rest[start.upperBound...]
            // As in a browser, the element ends at the first closing tag, even inside a string or a comment.
            guard let tag = rest.range(of: ">", options: .literal),
                let end = rest.range(of: "</script", options: [.literal, .caseInsensitive])
            else { break }
            let attributes = rest[..<tag.lowerBound].split(separator: "\"").map(String.init)
            shell += attributes[0]
            let text = String(rest[tag.upperBound..<end.lowerBound])
            let name = attributes.last ?? ""
            if attributes[0] == "json" {
                data.append((name, try JSON.decode(text)))
            } else {
                let lines = try Self.inflated(text)
                for (index, line) in lines.enumerated() {
                    data.append((Int(name).map { "run-\($0 + index)" } ?? name, try JSON.decode(line)))
                }
            }
            rest = rest[end.lowerBound...]
        }
        shell += rest
    }

    /// Decompresses an element and returns its lines.
    private static func inflated(_ text: String) throws -> [String] {
        guard let bytes = Base64.decode(text), bytes.suffix(9) == [0, 0, 0xFF, 0xFF, 1, 0, 0, 0xFF, 0xFF] else {
            throw Unreadable()
        }
        var inflater = Inflater(windowBits: 15)
        var plain: [UInt8] = []
        try inflater.decompress(bytes.dropLast(9), into: &plain, limit: 64 << 20)
        try inflater.finish(into: &plain, limit: 64 << 20)
        return String(decoding: plain, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    subscript(id: String) -> JSON? { data.first { $0.id == id }?.value }
}

extension JSON {
    /// Returns whether the text occurs anywhere in the value, either in a member name or in a string.
    func mentions(_ text: String) -> Bool {
        switch self {
        case .string(let value): value.contains(text)
        case .array(let items): items.contains { $0.mentions(text) }
        case .object(let members): members.contains { $0.name.contains(text) || $0.value.mentions(text) }
        case .null, .bool, .integer, .number: false
        }
    }
}
