/// An answer that says no more than that all is well.
package struct StatusBody: Hashable, Sendable {
    package var status: String

    package init(_ status: String) {
        self.status = status
    }

    package static let ok = StatusBody("ok")
}

extension StatusBody: WireObject {
    package static let shape = ObjectShape(
        "status",
        "An answer that says no more than that all is well.",
        [.needs(.status, .text, "`ok`. A probe takes nothing else for this server.")]
    )

    package func write(to writer: inout ObjectWriter) {
        writer.put(.status, status)
    }

    package init(from reader: inout ObjectReader) throws(Malformed) {
        status = try reader.text(.status)
    }
}
