package import SquallCore

/// One testable statement of an audit.
package struct AuditRow: Hashable, Sendable {
    /// Whether what the row states can be seen without a screen.
    package enum Checkability: Hashable, Sendable {
        case yes
        /// In part: what is looked at in place of the picture.
        case partly(standsFor: String)
        /// Not at all, and why.
        case no(because: String)
    }

    /// A number or a text of the row, which whoever proves it has to name.
    package enum Assertion: Hashable, Sendable {
        case text(String)
        case number(Int64)
        case duration(TimeSpan)
    }

    /// Where the statement comes from.
    package enum Origin: String, Hashable, Sendable, CaseIterable {
        /// The audit says it.
        case stated
        /// It follows from what the audit says.
        case derived
        /// The audit names the topic and leaves it empty; its numbers are proposals.
        case inferred
    }

    package var id: String
    package var title: String
    /// The audit, by the name of the profile that holds its numbers.
    package var audit: String
    package var area: String
    package var section: String
    /// In the audit's own words, `critical` or `p0`; nil where it names none.
    package var priority: String?
    package var origin: Origin
    package var checkability: Checkability
    package var asserts: [Assertion]
    /// The names of the defects with which the row must fail.
    package var defects: [String]
    /// Rows and findings that prove this one: a finding, `UX-1.3`, by any of its rows.
    package var restsOn: [String]
    /// The unit test that holds the row, `Target/function`, where no scenario can.
    package var test: String?

    package init(
        id: String,
        title: String,
        audit: String = "",
        area: String = "",
        section: String = "",
        priority: String? = nil,
        origin: Origin = .stated,
        checkability: Checkability = .yes,
        asserts: [Assertion] = [],
        defects: [String] = [],
        restsOn: [String] = [],
        test: String? = nil
    ) {
        self.id = id
        self.title = title
        self.audit = audit
        self.area = area
        self.section = section
        self.priority = priority
        self.origin = origin
        self.checkability = checkability
        self.asserts = asserts
        self.defects = defects
        self.restsOn = restsOn
        self.test = test
    }

    package var isTestable: Bool {
        if case .no = checkability { false } else { true }
    }

    /// The finding that the row is one part of: `UX-1.3` of `UX-1.3a`.
    package var finding: String {
        guard let last = id.last, last.isLowercase else { return id }
        return String(id.dropLast())
    }
}

extension AuditRow.Assertion: CustomStringConvertible {
    package var description: String {
        switch self {
        case .text(let text): "\"\(text)\""
        case .number(let number): String(number)
        case .duration(let span): String(describing: span)
        }
    }
}
