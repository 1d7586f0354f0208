package import SquallCore
import WebSocketWire

extension Fault {
    /// Selected WebSocket messages are dropped, delayed or changed; the stream remains one that both ends can parse.
    ///
    /// The fault reads HTTP/1.1 up to the upgrade and frames after it. Several frames of one message count as one
    /// message; control frames between them pass where they are. A connection that was open before and was not
    /// followed is left alone.
    package struct Frames: Hashable, Sendable {
        package enum Action: String, Hashable, Sendable, CaseIterable {
            case drop
            /// The message arrives later, and so does everything behind it.
            case delay
            /// The message arrives twice.
            case duplicate
            /// The message arrives behind the next one.
            case reorder
            /// Only the first bytes of the payload arrive.
            case truncate
            /// The message arrives with another payload.
            case rewrite
            /// One byte of the payload is changed.
            case corrupt
            /// A close frame arrives in its place, followed by a FIN.
            case close
            /// A FIN in its place.
            case fin
            /// An RST in its place.
            case rst
        }

        /// The opcodes of the messages that are chosen.
        package enum Content: String, Hashable, Sendable, CaseIterable {
            /// Text or binary.
            case message
            case text, binary, ping, pong, close
        }

        package var action: Action
        package var content = Content.message
        /// Selects messages whose payload is a JSON object with this `type`; nil for messages with any payload.
        package var type: String?
        /// Selects messages whose payload contains this text; nil for messages with any payload.
        package var contains: String?
        /// The first message that is hit, counted from 1 over those that fit, in each connection and direction.
        package var nth: Int64 = 1
        /// How many messages are hit; 0: all from ``nth`` on.
        package var count: Int64 = 0
        /// How much ``Action/delay`` delays a message.
        package var delay = TimeSpan.zero
        /// How many bytes of a payload ``Action/truncate`` keeps.
        package var bytes: Int64 = 0
        /// The payload for ``Action/rewrite``, and the reason of the close frame for ``Action/close``.
        package var text = ""
        /// The code of the close frame for ``Action/close``, and of a rewritten one; see ``canSay(code:)``.
        package var code: Int64 = 1001
        package var stream = Stream.both

        package init(_ action: Action) {
            self.action = action
        }

        /// Whether a close frame may carry this code (RFC 6455 section 7.4).
        package static func canSay(code: Int64) -> Bool {
            UInt16(exactly: code).map { CloseCode($0).isAllowedOnWire } == true
        }

        /// The largest message that is read, in bytes of all its frames; a larger one passes unread.
        package static let largest = 128 * 1024
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
            .word("action", \.action, required: true, "The action on the messages."),
            .word("content", \.content, "The messages: text or binary, message, or only those of one opcode."),
            .text("type", \.type, "The `type` of the messages' JSON; without it, any."),
            .text("contains", \.contains, "A part of the messages' payload; without it, any."),
            .integer(
                "nth",
                \.nth,
                in: 1...1_000_000_000,
                "The first message that is hit, counted over those that fit."
            ),
            .integer("count", \.count, in: 0...1_000_000_000, "How many messages are hit; 0: all from the nth on."),
            .duration("delay", \.delay, "For delay: how much later the messages arrive."),
            .integer("bytes", \.bytes, in: Fault.byteRange, "For truncate: how many bytes of the payload arrive."),
            .text("text", \.text, "For rewrite: the payload that arrives instead; for close: the reason."),
            .integer(
                "code",
                \.code,
                in: 1000...4999,
                where: isCode,
                "For close, and for a rewritten close frame: its code (1000 to 1003, 1007 to 1014, or from 3000 on)."
            ),
            .stream(\.stream),
        ],
        common: .lastingOnShare,
        "Drops, delays or changes chosen WebSocket messages of connections that are followed from their beginning."
    )

    private static let isCode = FaultParameter.Condition(
        meaning: "one that a close frame may carry (RFC 6455 section 7.4)",
        holds: canSay
    )

    static var target: FaultTarget? { .message }
    var hides: ClientVisibility { .nothing }
    var needsStreamTracking: Bool { true }
    var readsMessages: Bool { true }
    var messageType: String? { type }

    func shaper(drawing generator: SeededGenerator, following tracker: StreamTracker?) -> (any Shaper)? {
        FrameShaper(self, generator, following: tracker)
    }
}
