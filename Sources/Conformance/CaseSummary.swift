/// A description of a case, used in reports.
package struct CaseSummary: Hashable, Sendable {
    package let id: CaseID
    /// A short description of the frames, requests or bytes that the case sends.
    package let title: String
    /// The behaviour that the standard allows, and why.
    package let allowed: String
    /// The sections of the standard that specify the behaviour, such as `RFC 6455 5.2`.
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
