/// The path of a route with at most one placeholder segment, such as `/conversations/{conversation}/read`.
struct PathTemplate: Hashable, Sendable {
    private enum Segment: Hashable, Sendable {
        /// A fixed segment, percent-decoded for comparison.
        case literal(String)
        case open
    }

    let text: String
    private let segments: [Segment]

    /// Parses a path; `placeholder` is the placeholder segment, including its braces, or nil if the route has none.
    init(_ text: String, placeholder: String?) {
        self.text = text
        segments = text.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map {
            let segment = String(decoding: $0, as: UTF8.self)
            return segment == placeholder ? .open : .literal(PercentCoding.decode($0, in: .segment) ?? segment)
        }
    }

    /// Parses a path in which every segment that contains a template placeholder matches any value.
    init(withHoles text: String) {
        self.text = text
        segments = text.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map {
            let segment = String(decoding: $0, as: UTF8.self)
            return segment.contains("{")
                ? .open : .literal(PercentCoding.decode($0, in: .segment) ?? segment)
        }
    }

    /// Returns the path with `value` in place of the placeholder.
    func filled(with value: String, placeholder: String?) -> String {
        guard let placeholder else { return text }
        let encoded = PercentCoding.encode(value)
        return text.split(separator: "/", omittingEmptySubsequences: false)
            .map { $0 == placeholder ? encoded : String($0) }
            .joined(separator: "/")
    }

    /// Returns the placeholder's value in `path`, a list of decoded segments; the value is empty if the template has no
    /// placeholder.
    ///
    /// Returns nil if the path does not match. The value of a placeholder is never empty.
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

    /// Returns whether a path exists that matches both templates.
    func overlaps(_ other: PathTemplate) -> Bool {
        segments.count == other.segments.count
            && zip(segments, other.segments).allSatisfy { $0 == $1 || $0 == .open || $1 == .open }
    }

    /// Returns what is wrong with the template, as a phrase that follows the template's name; nil if the template is
    /// valid.
    func problem(placeholder: String?) -> String? {
        guard text.hasPrefix("/") else { return "does not begin with a slash" }
        if let placeholder {
            guard segments.count(where: { $0 == .open }) == 1 else {
                return "must contain the segment \(placeholder) exactly once"
            }
        }
        let legal = segments.allSatisfy { segment in
            guard case .literal(let literal) = segment else { return true }
            return literal.utf8.allSatisfy { PercentCoding.isAllowed($0, in: .segment) }
        }
        return legal ? nil : "contains a character that is not allowed in a path"
    }

    /// Returns the decoded value of a query parameter in a request target; nil if the parameter is missing or repeated.
    static func parameter(_ name: String, of target: String) -> String? {
        guard let query = split(target)?.query else { return nil }
        let fields = query.split(separator: UInt8(ascii: "&")).filter { field in
            field.split(separator: UInt8(ascii: "="), maxSplits: 1).first.map { $0.elementsEqual(name.utf8) } ?? false
        }
        guard fields.count == 1 else { return nil }
        return PercentCoding.decode(fields[0].dropFirst(name.utf8.count + 1), in: .query)
    }

    /// Splits a request target into its decoded path segments and its query; returns nil if the target is not an
    /// absolute path.
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
