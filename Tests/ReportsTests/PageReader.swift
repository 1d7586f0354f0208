import Foundations

/// What a browser would take from a page: its data elements, and all that is not data.
struct PageReader {
    /// The decoded contents of the data elements, by their ids, in the page's order.
    private(set) var data: [(id: String, value: JSON)] = []
    /// The page without what stands in those elements.
    private(set) var shell = ""

    private static let opening = "<script type=\"application/json\" id=\""

    init(_ page: String) throws {
        var rest = Substring(page)
        while let start = rest.firstRange(of: Self.opening) {
            shell += rest[..<start.upperBound]
            rest = rest[start.upperBound...]
            guard let quote = rest.firstRange(of: "\">"), let end = rest.firstRange(of: "</script") else { break }
            let text = rest[quote.upperBound..<end.lowerBound]
            data.append((String(rest[..<quote.lowerBound]), try JSON(decoding: Array(text.utf8))))
            rest = rest[end.lowerBound...]
        }
        shell += rest
    }

    subscript(id: String) -> JSON? { data.first { $0.id == id }?.value }
}

extension Substring {
    fileprivate func firstRange(of text: String) -> Range<Index>? {
        guard let first = text.first else { return nil }
        var start = startIndex
        while let found = self[start...].firstIndex(of: first) {
            if self[found...].hasPrefix(text) { return found..<index(found, offsetBy: text.count) }
            start = index(after: found)
        }
        return nil
    }
}
