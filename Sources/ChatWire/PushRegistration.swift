/// A device's registration for a user's push notifications.
package struct PushRegistration: Hashable, Sendable {
    /// The device's token; nil removes the registration, as on sign-out.
    package var token: String?

    package init(token: String?) {
        self.token = token
    }
}

extension PushRegistration: WireObject {
    package static let shape = ObjectShape(
        "push registration",
        "Registers a device for this user's notifications.",
        [.may(.pushToken, .text, "The device's token; omitted to remove the registration.")]
    )

    package func write(to writer: inout ObjectWriter) {
        writer.put(.pushToken, token)
    }

    package init(from reader: inout ObjectReader) throws(Malformed) {
        token = try reader.textIfAny(.pushToken)
    }
}
