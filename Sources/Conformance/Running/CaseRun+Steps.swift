import Deflate
import Faults
import SquallCore
import WebSocketWire

/// Compresses the messages that Squall sends, if compression was negotiated.
typealias Deflation = Deflater

extension CaseRun {
    /// Performs actions until none is left or the run has to wait.
    mutating func advance() {
        while phase == .opening || phase == .open, wake == nil {
            guard let act = nextAction() else { return }
            switch act {
            case .write(let bytes): write(bytes)
            case .turn:
                wake = now
                // The time limit for a response starts when the whole request has been sent.
                if phase == .opening { limit = now + openingTimeout }
            case .pause(let span, let name): (wake, wakeName) = (now + span, name)
            case .end(let how):
                end(how)
                // Nothing more can arrive after a reset during the handshake.
                if how == .rst, phase == .opening { finish() }
            }
        }
    }

    private mutating func nextAction() -> Action? {
        while queue.isEmpty {
            guard phase == .open else { return nil }
            guard nextStep < steps.count else {
                if limit == nil && echo == nil { limit = now + expectation.limit }
                return nil
            }
            nextStep += 1
            perform(steps[nextStep - 1])
        }
        return queue.popFirst()
    }

    mutating func perform(_ step: CaseStep) {
        switch step {
        case .frame(let frame, let pacing): add(frame.frame(from: role, key: nextKey()), pacing)
        case .fragments(let opcode, let payload, let size): add(payload.make(), opcode, size: size, isCompressed: false)
        case .bytes(let bytes, let pacing):
            log.bytes(bytes, .sent, at: elapsed)
            add(bytes, pacing, payloadFrom: 0)
        case .close(let payload): begin(closing: payload)
        case .wait(let span, let name): queue.append(.pause(span, name: name))
        case .end(let how): queue.append(.end(how))
        case .compressed(let opcode, let payload, let size):
            let compressed = try? deflater?.compress(payload.make())
            add(compressed ?? payload.make(), opcode, size: size, isCompressed: compressed != nil)
        }
    }

    private mutating func nextKey() -> UInt32 { UInt32(truncatingIfNeeded: masks.next() >> 32) }

    /// Sends Squall's close frame unless it has already been sent. Frames from the peer are still read afterwards.
    mutating func begin(closing payload: [UInt8]) {
        guard !hasSentClose else { return }
        hasSentClose = true
        closedByUs = remoteClose == nil
        if payload.count >= 2 { localCode = UInt16(payload[0]) << 8 | UInt16(payload[1]) }
        let frame = CaseFrame(.close, .bytes(payload)).frame(from: role, key: nextKey())
        log.frame(frame, .sent, at: elapsed)
        queue.append(.write(frame.encode()))
        if nextStep >= steps.count { limit = now + closeTimeout }
    }

    private mutating func add(_ frame: WebSocketFrame, _ pacing: Pacing) {
        log.frame(frame, .sent, at: elapsed)
        add(frame.encode(), pacing, payloadFrom: frame.header.size)
    }

    /// Queues a pong after pending writes, so that the pong does not split a frame.
    mutating func pong(_ payload: [UInt8]) {
        guard !hasEnded else { return }
        add(CaseFrame(.pong, .bytes(payload)).frame(from: role, key: nextKey()), .together)
    }

    mutating func add(_ bytes: [UInt8], _ pacing: Pacing, payloadFrom start: Int) {
        switch pacing {
        case .together: queue.append(.write(bytes))
        case .alone: queue.append(.write(bytes), .turn)
        case .chops(let size):
            for place in stride(from: 0, to: bytes.count, by: max(size, 1)) {
                queue.append(.write(Array(bytes[place..<min(place + max(size, 1), bytes.count)])), .turn)
            }
        case .cuts(let places, let pause, let names):
            var from = 0
            for (index, place) in places.enumerated() {
                let to = min(start + place, bytes.count)
                queue.append(
                    .write(Array(bytes[from..<to])),
                    .pause(pause, name: index < names.count ? names[index] : nil)
                )
                from = to
            }
            queue.append(.write(Array(bytes[from...])))
        }
    }

    /// Queues a message in frames of at most `size` payload bytes; a `size` of 0 sends one frame. If the message is
    /// compressed, the first frame has RSV1 set.
    mutating func add(_ message: [UInt8], _ opcode: Opcode, size: Int, isCompressed: Bool) {
        let step = size > 0 ? size : max(message.count, 1)
        var bytes: [UInt8] = []
        var place = 0
        repeat {
            let to = min(place + step, message.count)
            let frame = CaseFrame(
                place == 0 ? opcode : .continuation,
                .bytes(Array(message[place..<to])),
                fin: to == message.count,
                reserved: isCompressed && place == 0 ? 4 : 0
            ).frame(from: role, key: nextKey())
            log.frame(frame, .sent, at: elapsed)
            frame.append(to: &bytes)
            place = to
        } while place < message.count
        queue.append(.write(bytes))
    }

    // MARK: - Echoes

    mutating func beginEcho() {
        guard let plan = echo?.plan else { return }
        limit = now + plan.limit
        sendNextEcho()
    }

    private mutating func sendNextEcho() {
        guard let plan = echo?.plan, let payload = echo?.next() else { return }
        let opcode: Opcode = plan.isText ? .text : .binary
        if plan.isCompressed {
            perform(.compressed(opcode, .bytes(payload), size: plan.fragment))
        } else if plan.fragment > 0 {
            perform(.fragments(opcode, .bytes(payload), size: plan.fragment))
        } else {
            perform(.frame(CaseFrame(opcode, .bytes(payload)), plan.pacing))
        }
    }

    /// Handles a received message, which must be the echo of the message that was sent last.
    mutating func echoed(_ bytes: [UInt8], isText: Bool) {
        guard var progress = echo, progress.fault == nil else { return }
        progress.received(bytes, isText: isText)
        echo = progress
        if progress.fault != nil || progress.isComplete {
            begin(closing: [0x03, 0xE8])
        } else {
            sendNextEcho()
        }
    }
}
