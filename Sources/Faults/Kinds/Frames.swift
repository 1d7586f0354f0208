package import SquallCore
import WebSocketWire

extension Fault {
    /// Something is done to chosen WebSocket messages, the stream staying one that both ends can read.
    ///
    /// Reads HTTP/1.1 up to the upgrade and frames behind it. A message of several frames is one; control frames between
    /// them pass where they are. A connection that was there before and was not followed is not touched.
    package struct Frames: Hashable, Sendable {
        package enum Action: String, Hashable, Sendable, CaseIterable {
            case drop
            /// Comes later, and so does what is behind it.
            case delay
            /// Comes twice.
            case duplicate
            /// Comes behind the next message.
            case reorder
            /// Only the first bytes of its payload come.
            case truncate
            /// Comes with another payload.
            case rewrite
            /// One byte of its payload is another.
            case corrupt
            /// A close frame comes in its place, and then a FIN.
            case close
            /// A FIN in its place.
            case fin
            /// An RST in its place.
            case rst
        }

        /// What a message is.
        package enum Content: String, Hashable, Sendable, CaseIterable {
            /// Text or binary.
            case message
            case text, binary, ping, pong, close
        }

        package var action: Action
        package var content = Content.message
        /// The payload is a JSON object whose `type` is this; nil: whatever it is.
        package var type: String?
        /// The payload contains this; nil: whatever it does.
        package var contains: String?
        /// The first that is hit, counted over those that fit in each connection and direction, from 1.
        package var nth: Int64 = 1
        /// How many are hit; 0: all from there on.
        package var count: Int64 = 0
        /// Of ``Action/delay``.
        package var delay = TimeSpan.zero
        /// Of ``Action/truncate``.
        package var bytes: Int64 = 0
        /// Of ``Action/rewrite``, and the reason of ``Action/close``.
        package var text = ""
        /// Of ``Action/close``, and of a close frame that is rewritten; see ``canSay(code:)``.
        package var code: Int64 = 1001
        package var stream = Stream.both

        package init(_ action: Action) {
            self.action = action
        }

        /// Whether a close frame may carry it (RFC 6455 section 7.4).
        package static func canSay(code: Int64) -> Bool {
            UInt16(exactly: code).map { CloseCode($0).isAllowedOnWire } == true
        }

        /// Messages larger than this pass without being looked at.
        package static let largest = 128 * 1024
    }
}

extension Fault.Frames: LinkFault {
    static let action = ActionEntry.toxic(
        "frames",
        main: "action",
        [
            Parameter("action", .words(Action.self), required: true, "What is done to them."),
            Parameter("content", .words(Content.self), "What they are: message, text or binary, unless said."),
            Parameter("type", .text, "The `type` of their JSON; any, unless said."),
            Parameter("contains", .text, "A part of their payload; any, unless said."),
            Parameter("nth", .integer(1...1_000_000_000), "The first that is hit, of those that fit: 1 unless said."),
            Parameter("count", .integer(0...1_000_000_000), "How many are hit; all that follow, unless said."),
            Parameter("delay", .duration, "Of delay: how much later they come."),
            Parameter("bytes", .integer(ActionEntry.byteRange), "Of truncate: how much of the payload comes."),
            Parameter("text", .text, "Of rewrite: what comes instead; of close: the reason."),
            Parameter(
                "code",
                .integer(1000...4999),
                "Of close, and of a close that is rewritten: one that a close frame may carry (1000 to 1003, 1007 to 1014, from 3000 on); 1001 unless said."
            ),
        ],
        "Something is done to chosen WebSocket messages of connections that are followed from their beginning."
    )

    init(_ arguments: FaultArguments) throws(FaultArguments.Unfit) {
        self.init(try arguments.word("action"))
        content = try arguments.word("content", default: .message)
        type = try arguments.text("type")
        contains = try arguments.text("contains")
        nth = try arguments.integer("nth", in: 1...1_000_000_000, default: 1)
        count = try arguments.integer("count", in: 0...1_000_000_000, default: 0)
        delay = try arguments.duration("delay", default: .zero)
        bytes = try arguments.integer("bytes", in: ActionEntry.byteRange, default: 0)
        text = try arguments.text("text") ?? ""
        code = try arguments.integer("code", in: 1000...4999, default: 1001)
        guard Self.canSay(code: code) else { throw FaultArguments.Unfit(name: "code") }
        stream = try arguments.stream()
    }

    var kind: Fault.Kind { .frames(self) }
    var hides: ClientVisibility { .nothing }
    static var target: FaultTarget? { .message }

    func shaper(drawing generator: SeededGenerator, following tracker: StreamTracker?) -> (any Shaper)? {
        FrameShaper(self, generator, following: tracker)
    }
}
