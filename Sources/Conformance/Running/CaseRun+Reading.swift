import Faults
import SquallCore
import WebSocketWire

extension CaseRun {
    mutating func read(_ bytes: [UInt8]) {
        switch phase {
        case .opening where role == .client: readResponse(bytes)
        case .opening: readBehindRefusal(bytes)
        case .open: readFrames(bytes)
        // Bytes that follow a protocol violation cannot be parsed.
        case .ending: if violation == nil { readFrames(bytes) }
        case .finished: break
        }
    }

    /// Handles bytes from a client that sends data even though Squall's response did not open the connection.
    private mutating func readBehindRefusal(_ bytes: [UInt8]) {
        log.bytes(bytes, .received, at: elapsed)
        guard openingVerdict == nil, let first = bytes.first else { return }
        switch opening?.expected {
        case .informational?: openingVerdict = (.informational, "the client considers the connection open")
        case .fails? where bytes.starts(with: Array("GET ".utf8)):
            openingVerdict = (
                .nonStrict, "the client treats the response as plain HTTP and sends another request on the connection"
            )
        case .fails? where Opcode(rawValue: first) == .close:
            openingVerdict = (.nonStrict, "the client sends a close on a connection that did not open")
        case .fails?, .refuses?, .opens?, nil:
            openingVerdict = (.failed, "the client considers the connection open and sends on it")
        }
        end(.rst)
        finish()
    }

    private mutating func readFrames(_ bytes: [UInt8]) {
        decoder.append(bytes)
        do throws(ProtocolViolation) {
            while violation == nil {
                guard let frame = try decoder.next() else {
                    if let frame = decoder.arriving { try assembler.inspect(frame) }
                    return
                }
                log.frame(frame, .received, at: elapsed)
                guard let message = try assembler.receive(frame) else { continue }
                received(message)
            }
        } catch {
            fail("\(error)", error.closeCode)
        }
    }

    private mutating func fail(_ why: String, _ code: CloseCode) {
        violation = "the peer violated the protocol: \(why)"
        log.note("Squall fails the connection: \(why)", at: elapsed)
        queue.removeAll()
        if !hasSentClose {
            hasSentClose = true
            localCode = code.rawValue
            let payload = ClosePayload(code).encode()
            write(CaseFrame(.close, .bytes(payload)).frame(from: role, key: 0x5A5A_5A5A).encode())
        }
        phase = .ending
        end(.fin)
        limit = now + Self.disconnectTimeout
    }

    private mutating func received(_ message: WebSocketMessage) {
        switch message {
        case .text where remoteClose != nil, .binary where remoteClose != nil:
            fail("data after its own close frame (RFC 6455 section 5.5.1)", .protocolError)
        case .text(let text) where echo != nil: echoed(Array(text.utf8), isText: true)
        case .binary(let bytes) where echo != nil: echoed(bytes, isText: false)
        case .text(let text): note(.text(Array(text.utf8)))
        case .binary(let bytes): note(.binary(bytes))
        case .ping(let bytes): if expectation.answersPings, remoteClose == nil { pong(bytes) }
        case .pong(let bytes): note(.pong(bytes))
        // Only the first close frame is evaluated.
        case .close(let close): if remoteClose == nil { closed(close) }
        }
    }

    private mutating func note(_ event: CaseEvent) {
        if event == expectation.needed { hasNeeded = true }
        if !expectation.ignored.contains(event.kind) { events.append(event) }
        guard expectation.closesWhenDone, nextStep >= steps.count, !hasSentClose else { return }
        guard hasAllNeeded, expectation.alternatives.contains(where: { $0.isMet(by: events) }) else { return }
        // Squall's close frame is queued behind any frames not yet written.
        begin(closing: [0x03, 0xE8])
    }

    var hasAllNeeded: Bool { expectation.needed == nil || hasNeeded }

    private mutating func closed(_ close: ClosePayload) {
        remoteClose = close
        wasClean = true
        queue.removeAll()
        wake = nil
        if !hasSentClose {
            hasSentClose = true
            localCode = close.code?.rawValue
            let frame = CaseFrame(.close, .bytes(ClosePayload(close.code).encode())).frame(from: role, key: 0x5A5A_5A5A)
            log.frame(frame, .sent, at: elapsed)
            write(frame.encode())
        }
        phase = .ending
        // The server ends the TCP connection first (RFC 6455, section 7.1.1).
        if role == .server { end(.fin) }
        limit = now + Self.disconnectTimeout
    }

    /// Handles the expiry of ``limit``.
    mutating func limitReached() {
        limit = nil
        switch phase {
        case .opening:
            openingLate()
        case .open where !hasSentClose && expectsOurClose:
            // The peer has already missed the deadline, but a normal close reveals more about the peer than a reset.
            begin(closing: [0x03, 0xE8])
            limit = now + closeTimeout
            advance()
        case .open:
            droppedByUs = true
            end(.rst)
            finish()
        case .ending:
            droppedByUs = true
            finish()
        case .finished: break
        }
    }

    private var expectsOurClose: Bool {
        if case .ours = expectation.ending { true } else { false }
    }

    private mutating func openingLate() {
        let verdict: (CaseBehavior, String) =
            switch opening?.expected {
            case .fails?: (.failed, "the client did not end a connection that did not open")
            case .informational?: (.informational, "nothing happened")
            case .opens?, .refuses?, nil: (.failed, "received no response")
            }
        openingVerdict = openingVerdict ?? verdict
        droppedByUs = true
        end(.rst)
        finish()
    }
}
