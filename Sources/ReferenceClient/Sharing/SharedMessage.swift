/// A user's message that the share extension has left for the app, in the container that both processes share.
package struct SharedMessage: Hashable, Sendable {
    package struct Image: Hashable, Sendable {
        package let file: String
        /// The size of the image in bytes.
        package let bytes: Int64
    }

    /// The client message ID, which the app keeps when it sends the message, so that the server can detect repeats.
    package let key: String
    /// The message's label in the scenario; nil if it has none.
    package let label: String?
    /// The user who was signed in when the message was written.
    package let user: String
    package let conversation: String
    package let text: String
    /// The image to send; nil for a text message, or if the container does not have the image's file.
    package var image: Image?
    /// The time at which the user sent the message, in milliseconds since 1970 on the phone's clock.
    package let createdAt: Int64
}
