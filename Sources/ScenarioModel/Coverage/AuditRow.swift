package import SquallCore

/// One row of the catalogue: a testable requirement from an audit of chat clients.
package struct AuditRow: Hashable, Sendable {
    /// The extent to which a row's statement can be observed without looking at the client's screen.
    package enum Checkability: Hashable, Sendable {
        case yes
        /// Only a part of the statement is observable; `observedInstead` says what is observed instead of the screen.
        case partly(observedInstead: String)
        /// The statement cannot be observed, for the reason given in `because`.
        case no(because: String)
    }

    /// A number or string in the statement that must also occur in the expectations that prove the row.
    package enum Assertion: Hashable, Sendable {
        case text(String)
        case number(Int64)
        case duration(TimeSpan)
    }

    /// The source of the statement.
    package enum Origin: String, Hashable, Sendable, CaseIterable {
        /// The audit makes the statement explicitly.
        case stated
        /// The statement follows from other statements of the audit.
        case derived
        /// The audit merely names the topic; the numbers in the statement are the catalogue's own proposals.
        case inferred
    }

    package var id: String
    package var title: String
    /// The name of the audit, which is also the name of the profile that contains the audit's settings.
    package var audit: String
    package var area: String
    package var section: String
    /// The priority in the audit's own words, such as `critical` or `p0`; nil if the row has no priority.
    package var priority: String?
    package var origin: Origin
    package var checkability: Checkability
    package var asserts: [Assertion]
    /// The names of planted defects (deliberate bugs), each of which must violate the statement.
    package var defects: [String]
    /// The catalogue rows and audit findings that prove this row. A finding such as `UX-1.3` is proven by any of its
    /// rows.
    package var dependsOn: [String]
    /// The unit test (`Target/function`) that proves the row, if no scenario can prove it; otherwise nil.
    package var test: String?
    /// Patterns for the ids of the conformance cases that prove the row, such as `P.9.3`. A row with conformance cases
    /// states a server guarantee.
    package var conformance: [String]

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
        dependsOn: [String] = [],
        test: String? = nil,
        conformance: [String] = []
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
        self.dependsOn = dependsOn
        self.test = test
        self.conformance = conformance
    }

    package var isTestable: Bool {
        if case .no = checkability { false } else { true }
    }

    /// The audit finding to which the row belongs: `UX-1.3` for `UX-1.3a`.
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
