/// The description of a case for people.
package struct CaseSummary: Hashable, Sendable {
    package let id: CaseID
    /// What the case sends.
    package let title: String
    /// What the peer may do, and why.
    package let allowed: String
    /// The sections that specify it, such as `RFC 6455 5.2`.
    package let sections: [String]

    package init(id: CaseID, title: String, allowed: String, sections: [String]) {
        self.id = id
        self.title = title
        self.allowed = allowed
        self.sections = sections
    }
}

extension ConformanceCase {
    package var summary: CaseSummary { CaseSummary(id: id, title: title, allowed: allowed, sections: sections) }
}
