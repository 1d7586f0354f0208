import Foundation
import SquallCore

/// Divides a page as a browser would: into its data elements and the rest.
struct PageReader {
    /// The decoded contents of the data elements, by their ids, in the page's order.
    private(set) var data: [(id: String, value: JSON)] = []
    /// The page without the contents of those elements.
    private(set) var shell = ""

    private static let opening = "<script type=\"application/json\" id=\""

    init(_ page: String) throws {
        var rest = page[...]
        while let start = rest.range(of: Self.opening, options: .literal) {
            shell += rest[..<start.upperBound]
            rest = rest[start.upperBound...]
            // As in a browser, the element ends at the first closing tag, even inside a string or a comment.
            guard let quote = rest.range(of: "\">", options: .literal),
                let end = rest.range(of: "</script", options: [.literal, .caseInsensitive])
            else { break }
            data.append(
                (String(rest[..<quote.lowerBound]), try JSON.decode(String(rest[quote.upperBound..<end.lowerBound])))
            )
            rest = rest[end.lowerBound...]
        }
        shell += rest
    }

    subscript(id: String) -> JSON? { data.first { $0.id == id }?.value }
}

extension JSON {
    /// Whether the value contains the text anywhere, as a name or as a value.
    func mentions(_ text: String) -> Bool {
        switch self {
        case .string(let value): value.contains(text)
        case .array(let items): items.contains { $0.mentions(text) }
        case .object(let members): members.contains { $0.name.contains(text) || $0.value.mentions(text) }
        case .null, .bool, .integer, .number: false
        }
    }
}
