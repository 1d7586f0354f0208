import SquallCore
import WebSocketWire

/// Applies a ``Fault/Frames`` fault to the messages that it selects, and passes all other bytes on unchanged.
struct FrameShaper: Shaper {
    private enum State {
        /// The shaper is between messages, or within a message that it passes on unread. The next state is
        /// ``buffering(_:)``.
        case passing
        /// The shaper is within a message that the fault might select. It holds the bytes until the message is
        /// complete. The next state is ``passing``.
        case buffering(BufferedMessage)
    }

    private var fault: Fault.Frames
    private var generator: SeededGenerator
    private var tracker: StreamTracker?
    private var state = State.passing
    /// Whether the next bytes continue a message that is forwarded unread, because it began before the fault or is too
    /// large to be buffered.
    private var isMidMessage: Bool
    private var matches: Int64 = 0
    /// The bytes of a message held back so that it can be sent after the next one.
    private var held: [UInt8] = []
    /// The header of the frame whose payload is arriving.
    private var lastHeader: FrameHeader?
    /// The number of bytes of the current header that were passed on before this fault began.
    private var passedHeader: Int
    private var hasReportedMissed = false

    init(_ fault: Fault.Frames, _ generator: SeededGenerator, following tracker: StreamTracker?) {
        self.fault = fault
        self.generator = generator
        self.tracker = tracker
        passedHeader = tracker?.cursor.partial.count ?? 0
        isMidMessage = tracker?.isInMessage == true || tracker?.cursor.isAtBoundary == false
    }

    mutating func shape(_ piece: Piece, at arrival: Instant, into queue: inout PieceQueue) -> ShapingEffect {
        var effect = ShapingEffect.none
        guard case .bytes(let bytes) = piece else {
            queue.append(.bytes(takeHeld()), due: arrival)
            queue.append(piece, due: arrival)
            return effect
        }
        guard tracker != nil else {
            queue.append(piece, due: arrival)
            return effect
        }
        var rest = bytes[...]
        while let first = rest.first, effect.severed == nil {
            tracker?.resolveUpgrade(first)
            switch tracker?.phase {
            case .requests?, .responses?:
                let count = tracker?.takeHTTP(rest).count ?? rest.count
                queue.append(.bytes(Array(rest.prefix(count))), due: arrival)
                rest = rest.dropFirst(count)
            case .frames?:
                takeFrames(&rest, at: arrival, &queue, &effect)
            case .opaque?, nil:
                queue.append(.bytes(Array(rest)), due: arrival)
                rest = []
            }
        }
        if effect.severed != nil { effect.dropped += rest.count }
        return effect
    }

    mutating func takeHeld() -> [UInt8] {
        var all = held
        held = []
        if case .buffering(let gathered) = state { all += gathered.raw }
        state = .passing
        // The rest of the current message is passed on without being buffered.
        isMidMessage = tracker?.isInMessage == true || tracker?.cursor.isAtBoundary == false
        let header = tracker?.cursor.partial.dropFirst(passedHeader) ?? []
        passedHeader += header.count
        return all + header
    }

    mutating func adjust(to fault: any LinkFault, queue: inout PieceQueue, at now: Instant) {
        guard let fault = fault as? Fault.Frames else { return }
        self.fault = fault
        matches = 0
    }

    // MARK: - Frames

    private mutating func takeFrames(
        _ rest: inout ArraySlice<UInt8>,
        at arrival: Instant,
        _ queue: inout PieceQueue,
        _ effect: inout ShapingEffect
    ) {
        // These bytes are passed on without being buffered. They enter the queue as one piece.
        var passed: [UInt8] = []
        while effect.severed == nil, let step = tracker?.takeFrames(&rest) {
            switch step {
            case .header(let header, let whole):
                let raw = Array(whole.dropFirst(passedHeader))
                passedHeader = 0
                if header.rsv1, isWanted(header.opcode), !hasReachedCount, !hasReportedMissed {
                    hasReportedMissed = true
                    effect.passedUnread = true
                }
                if case .passing = state, begins(header) {
                    queue.append(.bytes(passed), due: arrival)
                    passed = []
                    state = .buffering(BufferedMessage(header: header))
                }
                guard case .buffering(var gathered) = state else {
                    passed += raw
                    if !header.opcode.isControl, header.fin, header.length == 0 { isMidMessage = false }
                    note(header)
                    continue
                }
                state = .passing
                gathered.begin(header, raw)
                let room = Fault.Frames.maximumMessageSize - gathered.raw.count
                // Headers count as well, because an endless series of empty frames would otherwise never exceed the
                // limit.
                if room < 0 || header.length > UInt64(room) {
                    passed += gathered.raw
                    isMidMessage = true
                    note(header)
                } else if header.length == 0, gathered.isWhole(header) {
                    judge(gathered, at: arrival, &queue, &effect)
                } else {
                    lastHeader = header
                    state = .buffering(gathered)
                }
            case .payload(let bytes, let isLast):
                guard case .buffering(var gathered) = state else {
                    passed += bytes
                    if isLast { finishPassing() }
                    continue
                }
                state = .passing
                gathered.append(bytes)
                if isLast, let header = lastHeader, gathered.isWhole(header) {
                    judge(gathered, at: arrival, &queue, &effect)
                } else {
                    state = .buffering(gathered)
                }
            }
        }
        queue.append(.bytes(passed), due: arrival)
    }

    private mutating func note(_ header: FrameHeader) {
        lastHeader = header
        if header.length == 0 { finishPassing() }
    }

    private mutating func finishPassing() {
        guard let header = lastHeader else {
            // The frame began before this fault, so only the tracker knows whether its message continues.
            isMidMessage = tracker?.isInMessage == true
            return
        }
        if !header.opcode.isControl { isMidMessage = !header.fin }
    }

    private var hasReachedCount: Bool {
        fault.count > 0 && matches >= fault.nth - 1 + fault.count
    }

    /// Returns whether this frame begins a message that must be buffered.
    private func begins(_ header: FrameHeader) -> Bool {
        guard !hasReachedCount || !held.isEmpty else { return false }
        if header.opcode.isControl { return held.isEmpty && isWanted(header.opcode) }
        // A compressed message can be neither read nor dropped. It is buffered only if the action `reorder` holds an
        // earlier message, which is sent after the next message of any kind.
        if header.rsv1, held.isEmpty { return false }
        return !isMidMessage && header.opcode != .continuation && (isWanted(header.opcode) || !held.isEmpty)
    }

    private func isWanted(_ opcode: Opcode) -> Bool {
        switch fault.content {
        case .message: opcode == .text || opcode == .binary
        case .text: opcode == .text
        case .binary: opcode == .binary
        case .ping: opcode == .ping
        case .pong: opcode == .pong
        case .close: opcode == .close
        }
    }

    private mutating func fits(_ gathered: BufferedMessage) -> Bool {
        guard isWanted(gathered.header.opcode), !gathered.header.rsv1 else { return false }
        if let type = fault.type {
            guard let json = try? JSON.decode(gathered.payload), json["type"]?.stringValue == type else { return false }
        }
        if let part = fault.contains.map({ Array($0.utf8) }), !part.isEmpty {
            let places = gathered.payload.indices.dropLast(part.count - 1)
            guard places.contains(where: { gathered.payload[$0...].starts(with: part) }) else { return false }
        }
        guard !hasReachedCount else { return false }
        matches += 1
        return matches >= fault.nth
    }

    // MARK: - Actions

    private mutating func judge(
        _ gathered: BufferedMessage,
        at arrival: Instant,
        _ queue: inout PieceQueue,
        _ effect: inout ShapingEffect
    ) {
        guard fits(gathered) else {
            queue.append(.bytes(gathered.raw + held), due: arrival)
            held = []
            return
        }
        effect.operations.append(fault.action.rawValue)
        var other: WebSocketFrame?
        switch fault.action {
        case .drop:
            queue.append(.bytes(gathered.control), due: arrival)
            effect.dropped += gathered.raw.count - gathered.control.count
        case .delay: queue.append(.bytes(gathered.raw), due: arrival + max(fault.delay, .zero))
        case .duplicate:
            queue.append(.bytes(gathered.raw + gathered.withoutControl), due: arrival)
        case .reorder:
            // If an earlier message is already held, it is sent after the current message.
            queue.append(.bytes(held.isEmpty ? gathered.control : gathered.raw + held), due: arrival)
            held = held.isEmpty ? gathered.withoutControl : []
        case .truncate: other = gathered.truncated(to: Int(clamping: max(0, fault.bytes)))
        case .rewrite: other = gathered.rewritten(fault.text, closing: closePayload)
        case .corrupt:
            var payload = gathered.payload
            if !payload.isEmpty {
                let index = Int(generator.below(UInt64(payload.count)))
                payload[index] ^= UInt8(truncatingIfNeeded: generator.below(255) + 1)
            }
            other = gathered.frame(payload)
        case .close:
            let frame = WebSocketFrame(.close, maskKey: gathered.header.maskKey, payload: closePayload.encode())
            queue.append(.bytes(gathered.control + frame.encode()), due: arrival)
            sever(.fin, at: arrival, &queue, &effect)
        case .fin, .rst:
            queue.append(.bytes(gathered.control), due: arrival)
            sever(fault.action == .fin ? .fin : .rst, at: arrival, &queue, &effect)
        }
        if let other { queue.append(.bytes(gathered.control + other.encode()), due: arrival) }
    }

    private var closePayload: ClosePayload {
        ClosePayload(CloseCode(UInt16(clamping: fault.code)), reason: fault.text)
    }

    private func sever(_ how: LinkEnd, at arrival: Instant, _ queue: inout PieceQueue, _ effect: inout ShapingEffect) {
        queue.append(.end(how), due: arrival)
        effect.severed = how
    }
}
