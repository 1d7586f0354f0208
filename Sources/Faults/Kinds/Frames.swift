package import SquallCore
import WebSocketWire

extension Fault {
    /// A fault that drops, delays or changes selected WebSocket messages. Both ends can still parse the stream.
    ///
    /// The fault parses HTTP/1.1 up to the upgrade, and frames after it. A fragmented message counts as one message;
    /// control frames between its fragments are passed on in their original positions. A connection that was open
    /// before the fault is affected only if it has been parsed from its first byte.
    package struct Frames: Hashable, Sendable {
        package enum Action: String, Hashable, Sendable, CaseIterable {
            case drop
            /// The message arrives later, and so do all bytes after it.
            case delay
            /// The message arrives twice.
            case duplicate
            /// The message arrives after the next one.
            case reorder
            /// Only the beginning of the payload arrives.
            case truncate
            /// The message arrives with a different payload.
            case rewrite
            /// One byte of the payload is changed.
            case corrupt
            /// A close frame arrives in place of the message, followed by a FIN.
            case close
            /// A FIN arrives in place of the message.
            case fin
            /// An RST arrives in place of the message.
            case rst
        }

        /// The opcodes of the messages that the fault selects.
        package enum Content: String, Hashable, Sendable, CaseIterable {
            /// Text and binary messages.
            case message
            case text, binary, ping, pong, close
        }

        package var action: Action
        package var content = Content.message
        /// The JSON `type` of the messages to select; nil to select messages regardless of their type.
        package var type: String?
        /// A string that a message's payload must contain for it to be selected; nil if any payload will do.
        package var contains: String?
        /// The ordinal of the first matching message to affect, counted from 1 in each connection and direction.
        package var nth: Int64 = 1
        /// The number of messages to affect; 0 means all messages from ``nth`` on.
        package var count: Int64 = 0
        /// The delay of a message, if the action is ``Action/delay``.
        package var delay = TimeSpan.zero
        /// The number of payload bytes that remain, if the action is ``Action/truncate``.
        package var bytes: Int64 = 0
        /// The new payload if the action is ``Action/rewrite``; the close frame's reason if it is ``Action/close``.
        package var text = ""
        /// The close frame's status code if the action is ``Action/close`` or a close frame is rewritten; see
        /// ``isAllowed(code:)``.
        package var code: Int64 = 1001
        package var stream = Stream.both

        package init(_ action: Action) {
            self.action = action
        }

        /// Returns whether a close frame may carry `code` (RFC 6455 section 7.4).
        package static func isAllowed(code: Int64) -> Bool {
            UInt16(exactly: code).map { CloseCode($0).isAllowedOnWire } == true
        }

        /// The total size of a message's frames, in bytes, above which the message is passed on unread.
        package static let maximumMessageSize = 128 * 1024
    }
}

extension Fault.Kind {
    package static func frames(_ fault: Fault.Frames) -> Self { Self(fault) }
}

extension Fault.Frames: LinkFault {
    static let declaration = FaultDeclaration(
        "frames",
        Self(.drop),
        main: "action",
        [
            .word("action", \.action, required: true, "The action that is applied to the messages."),
            .word("content", \.content, "The kind of the affected messages: message (text and binary), or one opcode."),
            .text("type", \.type, "The `type` member of the messages' JSON; if omitted, messages of any type."),
            .text("contains", \.contains, "A string that the messages' payload contains; if omitted, any payload."),
            .integer(
                "nth",
                \.nth,
                in: 1...1_000_000_000,
                "The first matching message that is affected, counted from 1."
            ),
            .integer(
                "count",
                \.count,
                in: 0...1_000_000_000,
                "The number of affected messages; 0 for all from nth on."
            ),
            .duration("delay", \.delay, "The delay of the messages, for the action delay."),
            .integer(
                "bytes",
                \.bytes,
                in: Fault.byteRange,
                "The number of payload bytes that arrive, for the action truncate."
            ),
            .text(
                "text",
                \.text,
                "The payload that arrives instead, for the action rewrite; the close reason, for the action close."
            ),
            .integer(
                "code",
                \.code,
                in: 1000...4999,
                where: isCode,
                "The close code of a close frame that is sent or rewritten (1000 to 1003, 1007 to 1014, or from 3000 "
                    + "on)."
            ),
            .stream(\.stream),
        ],
        common: .toxicityDurationAndClients,
        "Selected WebSocket messages are dropped, delayed or altered, on connections that Squall parses from their "
            + "start."
    )

    private static let isCode = FaultParameter.Condition(
        meaning: "one that a close frame may carry (RFC 6455 section 7.4)",
        holds: isAllowed
    )

    static var target: FaultTarget? { .message }
    var hiddenActions: HiddenActions { .nothing }
    var needsStreamTracking: Bool { true }
    var readsMessages: Bool { true }
    var messageType: String? { type }

    func shaper(drawing generator: SeededGenerator, following tracker: StreamTracker?) -> (any Shaper)? {
        FrameShaper(self, generator, following: tracker)
    }
}
