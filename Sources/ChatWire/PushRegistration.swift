/// Where a user's notifications go.
package struct PushRegistration: Hashable, Sendable {
    /// Nil takes the registration back, as at sign-out.
    package var token: String?

    package init(token: String?) {
        self.token = token
    }
}

extension PushRegistration: WireObject {
    package static let shape = ObjectShape(
        "push registration",
        "Where this user's notifications go.",
        [.may(.pushToken, .text, "The device's token; left out to take the registration back.")]
    )

    package func write(to writer: inout ObjectWriter) {
        writer.put(.pushToken, token)
    }

    package init(from reader: inout ObjectReader) throws(Malformed) {
        token = try reader.textIfAny(.pushToken)
    }
}
