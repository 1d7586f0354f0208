/// A JSON object that stands inside a frame, or alone as the body of an HTTP request or answer.
package struct ObjectShape: Hashable, Sendable {
    /// As tables refer to it: `message page`.
    package let name: String
    package let meaning: String
    package let fields: [FieldShape]

    init(_ name: String, _ meaning: String, _ fields: [FieldShape]) {
        self.name = name
        self.meaning = meaning
        self.fields = fields
    }

    /// Every object of the protocol, those that others are made of first.
    package static let all: [ObjectShape] = [
        MediaMetadata.shape, ChatMessage.shape, ServerFrame.Confirmation.shape, ServerFrame.ServerError.shape,
        SendBody.shape,
        MessagePage.shape, ConversationSummary.shape, ConversationList.shape, Agent.shape, AgentList.shape,
        UnreadCount.shape, UnreadCounts.shape, PushRegistration.shape, UploadReceipt.shape,
        StatusBody.shape,
    ]

    /// Without what nobody need know.
    package var judged: [FieldShape] { fields.filter { !$0.isExtra } }

    var allFields: [WireField] { fields.map(\.field) }
}
