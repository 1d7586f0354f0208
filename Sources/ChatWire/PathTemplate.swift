/// The path of a route with at most one segment left open: `/conversations/{conversation}/read`.
struct PathTemplate: Hashable, Sendable {
    private enum Segment: Hashable, Sendable {
        /// Decoded, for comparing.
        case literal(String)
        case open
    }

    let text: String
    private let segments: [Segment]

    /// `placeholder` is the open segment's text, braces and all; nil where the route leaves none open.
    init(_ text: String, placeholder: String?) {
        self.text = text
        segments = text.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map {
            let segment = String(decoding: $0, as: UTF8.self)
            return segment == placeholder ? .open : .literal(PercentCoding.decode($0, in: .segment) ?? segment)
        }
    }

    /// The path, with `value` in the open segment.
    func filled(with value: String, placeholder: String?) -> String {
        guard let placeholder else { return text }
        let encoded = PercentCoding.encode(value)
        return text.split(separator: "/", omittingEmptySubsequences: false)
            .map { $0 == placeholder ? encoded : String($0) }
            .joined(separator: "/")
    }

    /// What stands in the open segment of `path`, which is decoded and split; empty where there is no open segment.
    ///
    /// Nil where the path is another one. An open segment is never empty.
    func match(_ path: [String]) -> String? {
        guard path.count == segments.count else { return nil }
        var found = ""
        for (part, segment) in zip(path, segments) {
            switch segment {
            case .literal(let literal): guard part == literal else { return nil }
            case .open:
                guard !part.isEmpty else { return nil }
                found = part
            }
        }
        return found
    }

    /// Whether some path is both this one's and the other's.
    func overlaps(_ other: PathTemplate) -> Bool {
        segments.count == other.segments.count
            && zip(segments, other.segments).allSatisfy { $0 == $1 || $0 == .open || $1 == .open }
    }

    /// What is wrong with the text, in words that follow its name; nil where it can serve.
    func problem(placeholder: String?) -> String? {
        guard text.hasPrefix("/") else { return "does not begin with a slash" }
        if let placeholder {
            guard segments.count(where: { $0 == .open }) == 1 else {
                return "needs the segment \(placeholder) exactly once"
            }
        }
        let legal = segments.allSatisfy { segment in
            guard case .literal(let literal) = segment else { return true }
            return literal.utf8.allSatisfy { PercentCoding.isAllowed($0, in: .segment) }
        }
        return legal ? nil : "holds a character that a path cannot"
    }

    /// A request target's path, decoded and split at its slashes, and its query; nil where it is no path from the root.
    static func split(_ target: String) -> (path: [String], query: Substring.UTF8View?)? {
        guard target.utf8.first == UInt8(ascii: "/") else { return nil }
        let parts = target.utf8.split(
            separator: UInt8(ascii: "?"),
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        var path: [String] = []
        for segment in parts[0].dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            guard let decoded = PercentCoding.decode(segment, in: .segment) else { return nil }
            path.append(decoded)
        }
        return (path, parts.count > 1 ? parts[1] : nil)
    }
}
