/// The abstract name of a frame, which a profile maps to the frame's type on the wire.
package enum FrameRole: String, Hashable, Sendable, CaseIterable {
    case connect, ping, send, messageAck = "message_ack", sync
    case readReceipt = "read_receipt", typing
    case executeCommand = "execute_command", stop
    case hello, connected, authError = "auth_error", pong, confirm, message, replay, token, presence, error, draining
    case commandStarted = "command_started", stopped
    case deleted

    /// The frame's name with an article for use in prose, such as "an `error` frame".
    package var inWords: String { "\("aeiou".contains(rawValue.prefix(1)) ? "an" : "a") `\(rawValue)` frame" }
}

extension ClientFrame {
    package var role: FrameRole {
        switch self {
        case .connect: .connect
        case .ping: .ping
        case .pong: .pong
        case .send: .send
        case .messageAck: .messageAck
        case .sync: .sync
        case .readReceipt: .readReceipt
        case .typing: .typing
        case .executeCommand: .executeCommand
        case .stop: .stop
        }
    }
}

extension ServerFrame {
    package var role: FrameRole {
        switch self {
        case .hello: .hello
        case .connected: .connected
        case .authError: .authError
        case .ping: .ping
        case .pong: .pong
        case .confirm: .confirm
        case .message: .message
        case .replay: .replay
        case .readReceipt: .readReceipt
        case .typing: .typing
        case .token: .token
        case .presence: .presence
        case .error: .error
        case .draining: .draining
        case .commandStarted: .commandStarted
        case .stopped: .stopped
        case .deleted: .deleted
        }
    }
}

extension FrameRole {
    /// The frames that a client may send.
    package static let fromClient: [FrameRole] = [
        .connect, .ping, .pong, .send, .messageAck, .sync, .readReceipt, .typing, .executeCommand,
        .stop,
    ]

    /// The frames that a server may send.
    package static let fromServer: [FrameRole] = [
        .hello, .connected, .authError, .ping, .pong, .confirm, .message, .replay, .readReceipt, .typing, .token,
        .presence, .error, .draining, .commandStarted, .stopped, .deleted,
    ]

    /// The roles for which a profile need not define a frame, because some apps have no such frame.
    static let unnamedMeansNone: Set<FrameRole> = [.executeCommand, .stop, .commandStarted, .stopped, .deleted]
}
