import SquallCore
import WebSocketWire

/// A third party on the network path that records each client's login: the bytes up to the end of its first WebSocket
/// message. It can replay a login on a separate connection.
///
/// Such a connection has only a server side, and its number is negative. Bytes that the server sends on it are
/// discarded.
struct LoginRecorder: Sendable {
    /// The bytes that a client has sent on one connection, up to the end of its first message.
    fileprivate struct Recording: Sendable {
        let link: LinkID
        var bytes: [UInt8] = []
        var tracker = StreamTracker(.upstream)
        /// Whether the first message is complete.
        var isComplete = false
        /// Whether the header of the message's last frame has arrived.
        var isEnding = false
    }

    /// The connections whose first message is not complete yet.
    private var open: [LinkID: Recording] = [:]
    /// The last complete login of each client.
    private var logins: [ClientID: [UInt8]] = [:]
    /// The recorder's own open connections, each with the bytes to send on it.
    private var replayConnections: [LinkID: [UInt8]] = [:]
    private var count = 0

    /// Handles the input; returns true if it concerns only the recorder.
    mutating func take(_ input: RelayInput, into outputs: inout [RelayOutput]) -> Bool {
        switch input {
        case .replayLogin(let client):
            replay(client, into: &outputs)
            return true
        case .accepted(let link):
            open[link] = Recording(link: link)
            return false
        case .received(let link, .client, let bytes):
            record(bytes, link)
            return false
        case .upstreamOpened(let link):
            guard let bytes = replayConnections[link] else { return false }
            outputs.append(.write(link, to: .server, bytes))
            return true
        case .upstreamFailed(let link, _): return replayConnections.removeValue(forKey: link) != nil
        case .received(let link, .server, _): return replayConnections[link] != nil
        case .ended(let link, .server, let how):
            guard replayConnections.removeValue(forKey: link) != nil else {
                open[link] = nil
                return false
            }
            if how == .fin { outputs.append(.end(link, side: .server, .fin)) }
            return true
        case .ended(let link, .client, _):
            open[link] = nil
            return false
        case .begin, .heal, .healAll, .login, .upstreamListening, .handshakeFailed, .timer: return false
        }
    }

    private mutating func record(_ bytes: [UInt8], _ link: LinkID) {
        guard var recording = open.removeValue(forKey: link) else { return }
        recording.take(bytes)
        guard recording.isComplete else {
            open[link] = recording
            return
        }
        logins[link.client] = recording.bytes
    }

    private mutating func replay(_ client: ClientID, into outputs: inout [RelayOutput]) {
        let login = logins[client]
        let fields: JSON = ["recorded": .bool(login != nil)]
        outputs.append(.observe(.happened("network.login_replayed", fields, by: .injected), client: client))
        guard let login else { return }
        count += 1
        let link = LinkID(client, -count)
        replayConnections[link] = login
        outputs.append(.connectUpstream(link))
    }
}

extension LoginRecorder.Recording {
    /// Records bytes from the client. Without an upgrade, the recording is never completed, because no frame follows.
    fileprivate mutating func take(_ piece: [UInt8]) {
        var rest = piece[...]
        while let first = rest.first, !isComplete {
            tracker.resolveUpgrade(first)
            switch tracker.phase {
            case .opaque: return
            case .requests, .responses:
                let (count, _) = tracker.takeHTTP(rest)
                bytes += rest.prefix(count)
                rest = rest.dropFirst(count)
            case .frames: takeFrames(&rest)
            }
        }
    }

    private mutating func takeFrames(_ rest: inout ArraySlice<UInt8>) {
        let given = rest
        while let step = tracker.takeFrames(&rest) {
            switch step {
            case .header(let header, _):
                isEnding = header.fin && !header.opcode.isControl
                isComplete = isEnding && header.length == 0
            case .payload(_, let isLast): isComplete = isEnding && isLast
            }
            if isComplete { break }
        }
        bytes += given.prefix(given.count - rest.count)
    }
}
