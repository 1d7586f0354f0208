/// What people read of a case, whatever it plays.
package struct CaseSummary: Hashable, Sendable {
    package let id: CaseID
    /// What is sent.
    package let title: String
    /// What is allowed, and why.
    package let allowed: String
    /// As in `RFC 6455 5.2`.
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
