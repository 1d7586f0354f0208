/// The description of a JSON object inside a frame or in an HTTP body.
package struct ObjectShape: Hashable, Sendable {
    /// The name that other descriptions use to refer to the object, such as `message page`.
    package let name: String
    package let meaning: String
    package let fields: [FieldShape]

    init(_ name: String, _ meaning: String, _ fields: [FieldShape]) {
        self.name = name
        self.meaning = meaning
        self.fields = fields
    }

    /// All objects of the protocol. Each object comes after the objects that it contains.
    package static let all: [ObjectShape] = [
        MediaMetadata.shape, ChatMessage.shape, ServerFrame.Confirmation.shape, ServerFrame.ServerError.shape,
        SendBody.shape,
        MessagePage.shape, ConversationSummary.shape, ConversationList.shape, Agent.shape, AgentList.shape,
        UnreadCount.shape, UnreadCounts.shape, PushRegistration.shape, UploadReceipt.shape,
        StatusBody.shape,
    ]

    /// The fields that the conformance tests require, excluding those of optional features.
    package var testedFields: [FieldShape] { fields.filter { !$0.isExtra } }

    var allFields: [WireField] { fields.map(\.field) }
}
