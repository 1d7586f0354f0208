/// The body of a response that only reports success.
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
        "The body of a response that only reports success.",
        [.needs(.status, .text, "`ok`. A health probe accepts no other value.")]
    )

    package func write(to writer: inout ObjectWriter) {
        writer.put(.status, status)
    }

    package init(from reader: inout ObjectReader) throws(Malformed) {
        status = try reader.text(.status)
    }
}
