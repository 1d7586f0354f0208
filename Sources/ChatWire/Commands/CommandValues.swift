package import SquallCore

// The types of values that commands carry.

/// An image that the user has taken or chosen.
package struct ChosenImage: Hashable, Sendable {
    package enum Source: String, Hashable, Sendable, CaseIterable { case camera, library }

    package var file: String
    package var source: Source
    package var bytes: Int64
    /// The width and height of the image in pixels.
    package var width: Int64
    package var height: Int64
    /// The conversation to which the image will be sent; nil for the open conversation.
    package var conversation: String?

    package init(
        file: String,
        source: Source,
        bytes: Int64,
        width: Int64,
        height: Int64,
        conversation: String? = nil
    ) {
        self.file = file
        self.source = source
        self.bytes = bytes
        self.width = width
        self.height = height
        self.conversation = conversation
    }
}

/// A message that the user writes in the app's share extension, within another app.
package struct SharedDraft: Hashable, Sendable {
    package var conversation: String
    package var text: String
    /// The file name of the image to send; nil for a text message.
    package var file: String?
    /// The image's size in bytes.
    package var bytes: Int64

    package init(conversation: String, text: String, file: String? = nil, bytes: Int64 = 0) {
        self.conversation = conversation
        self.text = text
        self.file = file
        self.bytes = bytes
    }
}

/// The position that a user scrolls to.
package enum ScrollTarget: Hashable, Sendable {
    /// The oldest message that the client has.
    case start
    /// The end of the list, after the newest message.
    case end
    /// The message to scroll to, specified by its scenario label or its ID. It becomes the first visible one.
    case message(String)

    package init(word: String) {
        self =
            switch word {
            case "start": .start
            case "end": .end
            default: .message(word)
            }
    }

    /// The target as written in scenarios and in the adapter protocol.
    package var word: String {
        switch self {
        case .start: "start"
        case .end: "end"
        case .message(let id): id
        }
    }
}

/// The order in which a phone handles overdue timers and received frames when it wakes from suspension.
package enum WakeOrder: String, Hashable, Sendable, CaseIterable {
    case timersFirst = "timers_first"
    case framesFirst = "frames_first"
}

/// The state of the phone's network, as written in scenarios and in the adapter protocol.
package enum NetworkState: String, Hashable, Sendable, CaseIterable { case on, off }

/// The state of the phone's storage: full, or with space for the app's data.
package enum DiskState: String, Hashable, Sendable, CaseIterable { case full, free }

/// A type whose values can be arguments of a command.
package protocol CommandValue: Sendable {
    var argument: ArgumentValue { get }
}

extension CommandValue where Self: RawRepresentable<String> {
    package var argument: ArgumentValue { .text(rawValue) }
}

extension String: CommandValue {
    package var argument: ArgumentValue { .text(self) }
}

extension Int64: CommandValue {
    package var argument: ArgumentValue { .integer(self) }
}

extension TimeSpan: CommandValue {
    package var argument: ArgumentValue { .duration(self) }
}

extension WakeOrder: CommandValue {}
extension NetworkState: CommandValue {}
extension DiskState: CommandValue {}
extension PushPermission: CommandValue {}
extension ChosenImage.Source: CommandValue {}
