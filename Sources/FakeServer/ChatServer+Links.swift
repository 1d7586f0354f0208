import ChatWire
import Faults
import SquallCore
import WebSocketWire

/// Accepts connections, reads from them and ends them.
extension ChatServer {
    mutating func accept(_ id: LinkID) {
        guard isListening else {
            outputs.append(.end(id, .rst))
            return
        }
        links.add(ServerLink(id: id, request: IncomingRequest(bodyLimit: profile.maxMessageSize), lastHeard: now))
        note("server.accepted", of: id.client)
    }

    mutating func receive(_ bytes: [UInt8], on id: LinkID) {
        switch links.read(id, \.phase) {
        case .requesting: readRequest(bytes, on: id)
        case .upgrading: links.change(id) { $0.request.parser.append(bytes) }
        case .socket: readMessages(bytes, on: id)
        case .answering, .unresponsive, .ended, nil: break
        }
    }

    mutating func peerEnded(_ id: LinkID, _ end: LinkEnd) {
        guard let phase = links.read(id, \.phase) else { return }
        if let session = session(polledOn: id) {
            links.change(session) { $0.polling?.poll = nil }
            endSession(session, end)
        }
        switch phase {
        case .ended: break
        case .unresponsive: noteClosed(id)
        case .requesting, .upgrading, .answering, .socket:
            if end == .fin { outputs.append(.end(id, .fin)) }
            noteClosed(id)
            leave(id)
        }
        links.remove(id)
    }

    /// Ends the server's side of a connection, so that nothing more is written to it.
    ///
    /// After a FIN the connection is half-closed until the peer closes it; after an RST it is removed.
    mutating func end(_ id: LinkID, _ how: LinkEnd) {
        if links.read(id, { $0.polling != nil }) == true { return endSession(id, how) }
        guard let phase = links.read(id, \.phase), phase != .ended, phase != .unresponsive else { return }
        outputs.append(.end(id, how))
        noteClosed(id)
        leave(id)
        switch how {
        case .fin: links.change(id) { $0.phase = .ended }
        case .rst: links.remove(id)
        }
    }

    mutating func noteClosed(_ id: LinkID) {
        let code = links.read(id, \.closeCode).flatMap(\.self).map { JSON.integer(Int64($0.rawValue)) }
        note("server.closed", .fields([("code", code)]), of: id.client)
    }

    /// Removes the connection's session, and announces the user as offline unless they have another connection. An MQTT
    /// session is kept for the next connection.
    mutating func leave(_ id: LinkID) {
        keepMQTTSession(of: id)
        let wasThere = links.change(id) { link in
            defer { link.session = nil }
            return link.session != nil
        }
        guard wasThere == true else { return }
        if let (user, status) = presence.left(id, at: clock(), policy: policy.presence.leaving) {
            announce(user, status)
        }
    }
}

// MARK: - WebSockets

extension ChatServer {
    func readLimits() -> WebSocketConnection.Limits {
        WebSocketConnection.Limits(message: Int(clamping: profile.maxMessageSize))
    }

    mutating func readMessages(_ bytes: [UInt8], on id: LinkID) {
        let events = links.change(id) { [now] link in
            link.lastHeard = now
            return link.socket?.receive(bytes) ?? []
        }
        flush(id)
        for event in events ?? [] {
            switch event {
            case .received(.text(let text)) where wire.isBinary: violate("a text message: \(text.prefix(40))", on: id)
            case .received(.text(let text)): for frame in wire.frames(in: text) { receive(frame, on: id) }
            case .received(.binary(let message)) where wire.isBinary: readPackets(message, on: id)
            case .received(.binary): refuse(malformed: "a binary message", on: id)
            case .received(.close(let close)): peerClosed(close, on: id)
            case .received(.ping), .received(.pong), .opened: break
            case .failed(let failure): fail(failure, on: id)
            }
        }
    }

    /// Writes the bytes that the WebSocket has queued, such as pongs and close frames.
    mutating func flush(_ id: LinkID) {
        let bytes = links.change(id) { $0.socket?.takeOutput() ?? [] }
        if let bytes, !bytes.isEmpty { outputs.append(.write(id, bytes)) }
    }

    /// Starts the closing handshake.
    mutating func close(_ id: LinkID, _ reason: CloseReason) {
        guard links.read(id, { $0.phase == .socket && !$0.isClosing }) == true else { return }
        if links.read(id, { $0.polling != nil }) == true { return closeSession(id, reason) }
        links.change(id) { link in
            let code = CloseCode(reason.code)
            link.socket?.sendClose(code, reason: reason.text)
            link.closeCode = code
            link.isClosing = true
        }
        flush(id)
        tasks.add(.endClosing(id), at: now + profile.close.limit)
    }

    /// Sends a close frame and then a FIN, without waiting for the peer's close frame.
    mutating func closeAndEnd(_ id: LinkID, _ reason: CloseReason) {
        close(id, reason)
        end(id, .fin)
    }

    private mutating func peerClosed(_ close: ClosePayload, on id: LinkID) {
        links.change(id) { link in
            link.socket?.sendClose(close.code)
            link.closeCode = link.closeCode ?? close.code ?? .noStatus
            link.isClosing = true
        }
        flush(id)
        end(id, .fin)
    }

    private mutating func fail(_ failure: WebSocketConnection.Failure, on id: LinkID) {
        guard case .violation(let violation) = failure else { return }
        note("server.protocol_error", ["reason": .string(violation.description)], of: id.client)
        links.change(id) { $0.closeCode = $0.closeCode ?? violation.closeCode }
        end(id, .fin)
    }
}
