import SquallCore

/// The shapers of one direction of a link, in the order in which their faults began. A shaper applies one fault to the
/// bytes; its output is the input of the next shaper.
///
/// Unless a fault discards bytes, all bytes leave in order and without gaps, even if faults begin or end meanwhile.
struct Pipeline: Sendable {
    /// The maximum number of bytes held in one stage (a shaper and its queue), and also the maximum number held until
    /// the server is connected. The relay does not read from the source while either limit is exceeded.
    static let capacity = 256 * 1024
    /// The maximum number of parts in one stage (a shaper and its queue). While the limit is exceeded, the relay does
    /// not read from the source. This limit is separate from ``capacity``, because the bookkeeping for a small part
    /// takes more memory than its bytes.
    static let maximumPartCount = 16 * 1024
    /// The approximate maximum number of parts into which a stage divides its input at one time.
    static let partsPerInput = 256

    private struct Stage: Sendable {
        let fault: Int
        var shaper: any Shaper
        var queue = PieceQueue()
        /// Whether the fault has hit its target in this stage.
        var hasHit = false

        /// Returns whether the stage uses more than 1/`divisor` of its capacity.
        func isFilled(beyond divisor: Int) -> Bool {
            queue.byteCount > shaper.capacity / divisor || queue.count > Pipeline.maximumPartCount / divisor
        }

        mutating func shape(_ piece: Piece, at arrival: Instant) -> ShapingEffect {
            shaper.shape(piece, at: arrival, into: &queue)
        }

        mutating func adjust(to fault: any LinkFault, at now: Instant) {
            shaper.adjust(to: fault, queue: &queue, at: now)
            // The fault counts as newly begun, so its next hit must be reported again.
            hasHit = false
        }
    }

    /// The pieces that have left the last stage, and the combined effects of all stages; see ``ShapingEffect``.
    struct Flow: Hashable, Sendable {
        var pieces: [Piece] = []
        var severed: LinkEnd?
        var dropped = 0
        var operations: [String] = []
        var passedUnread = false
        /// The numbers of the faults that have hit their target in this direction for the first time.
        var hits: [Int] = []
    }

    private var stages: [Stage] = []

    var isEmpty: Bool { stages.isEmpty }
    var isStalled: Bool { stages.contains { $0.shaper.holdsAll } }
    var isOverfull: Bool { stages.contains { $0.isFilled(beyond: 1) } }
    /// Whether every stage is at most half full. Once a pipeline is full, the relay resumes reading from its source
    /// only when this property is true, so that reading does not stop and start for each piece.
    var hasRoom: Bool { !stages.contains { $0.isFilled(beyond: 2) } }
    /// The maximum number of bytes to push at a time.
    var chunkLimit: Int { stages.reduce(.max) { min($0, $1.shaper.chunkLimit) } }

    /// The earliest time at which a piece will leave a stage; nil if no piece will leave.
    var nextDue: Instant? {
        var next = Instant.never
        for stage in stages { next = min(next, stage.queue.nextDue ?? .never) }
        return next == .never ? nil : next
    }

    /// Puts a piece into the first stage, and advances all pieces that are due.
    mutating func push(_ piece: Piece, at now: Instant) -> Flow {
        var flow = Flow()
        enter(piece, 0, at: now, &flow)
        run(to: now, &flow)
        return flow
    }

    /// Advances all pieces that are due by `now`.
    mutating func advance(to now: Instant) -> Flow {
        var flow = Flow()
        run(to: now, &flow)
        return flow
    }

    /// Inserts a fault's shaper after the shapers of all faults that began earlier.
    mutating func insert(_ shaper: any Shaper, of fault: Int) {
        assert(!contains(fault), "a fault has one shaper in each direction")
        let index = stages.firstIndex { $0.fault > fault } ?? stages.count
        stages.insert(Stage(fault: fault, shaper: shaper), at: index)
    }

    /// The transmission line that a fault's shaper shares with other connections; nil if the shaper does not share one.
    subscript(lineOf fault: Int) -> TransmissionLine? {
        get { stages.first { $0.fault == fault }?.shaper.sharedLine }
        set {
            guard let index = stages.firstIndex(where: { $0.fault == fault }) else { return }
            stages[index].shaper.sharedLine = newValue
        }
    }

    func contains(_ fault: Int) -> Bool {
        stages.contains { $0.fault == fault }
    }

    /// Applies a fault's new attributes to its shaper; the kind of fault is unchanged.
    mutating func adjust(_ fault: Int, to behaviour: any LinkFault, at now: Instant) -> Flow {
        for index in stages.indices where stages[index].fault == fault {
            stages[index].adjust(to: behaviour, at: now)
        }
        return advance(to: now)
    }

    /// Removes a fault's shaper; the pieces in its queue enter the next stage immediately. `dropsBytes` is true if the
    /// shaper has discarded bytes.
    mutating func remove(_ fault: Int, at now: Instant) -> (flow: Flow, dropsBytes: Bool) {
        var flow = Flow()
        guard let index = stages.firstIndex(where: { $0.fault == fault }) else { return (flow, false) }
        var stage = stages.remove(at: index)
        let dropsBytes = stage.shaper.dropsBytes
        // The stream has a gap where the shaper discarded bytes. The pieces in earlier stages follow the gap, so they
        // must not be delivered.
        if dropsBytes { flow.dropped += empty(..<index) }
        for entry in stage.queue.removeAll() { enter(entry.piece, index, at: now, &flow) }
        let held = stage.shaper.takeHeld()
        if !held.isEmpty { enter(.bytes(held), index, at: now, &flow) }
        run(to: now, &flow)
        return (flow, dropsBytes)
    }

    /// Discards everything in flight, and returns the number of discarded bytes.
    mutating func removeAll() -> Int {
        empty(..<stages.count)
    }

    private mutating func empty(_ places: PartialRangeUpTo<Int>) -> Int {
        var lost = 0
        for index in stages[places].indices {
            lost += stages[index].queue.byteCount
            _ = stages[index].queue.removeAll()
        }
        return lost
    }

    private mutating func enter(_ piece: Piece, _ index: Int, at arrival: Instant, _ flow: inout Flow) {
        guard index < stages.count else {
            flow.pieces.append(piece)
            return
        }
        let effect = stages[index].shape(piece, at: arrival)
        flow.dropped += effect.dropped
        flow.operations += effect.operations
        if effect.passedUnread { flow.passedUnread = true }
        if effect.isHit, !stages[index].hasHit {
            stages[index].hasHit = true
            flow.hits.append(stages[index].fault)
        }
        if let how = effect.severed { flow.severed = how }
    }

    private mutating func run(to now: Instant, _ flow: inout Flow) {
        for index in stages.indices {
            while let entry = stages[index].queue.pop(through: now) {
                enter(entry.piece, index + 1, at: entry.due, &flow)
            }
        }
    }
}
