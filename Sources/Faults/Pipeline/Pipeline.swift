import SquallCore

/// The faults that shape one direction of a link, in the order in which they began; what leaves one enters the next.
///
/// Bytes come out as they went in: in order and without a hole, however faults come and go.
struct Pipeline: Sendable {
    /// Bytes that may lie in a stage, or before a connection that is not open yet, while their source is still read.
    static let capacity = 256 * 1024
    /// Parts that may lie in a stage: each costs more than its bytes where it has few.
    static let mostParts = 16 * 1024
    /// Parts that a stage may make of what it is given at once, about.
    static let partsAtOnce = 256

    private struct Stage: Sendable {
        let fault: Int
        var shaper: any Shaper
        var queue = PieceQueue()
        /// Its fault has done something here.
        var hasHit = false

        /// Than this part of what may lie in it.
        func isFuller(than divisor: Int) -> Bool {
            queue.byteCount > shaper.capacity / divisor || queue.count > Pipeline.mostParts / divisor
        }

        mutating func shape(_ piece: Piece, at arrival: Instant) -> ShapingEffect {
            shaper.shape(piece, at: arrival, into: &queue)
        }

        mutating func adjust(to kind: Fault.Kind, at now: Instant) {
            shaper.adjust(to: kind, queue: &queue, at: now)
            // It has begun anew, and is told of anew.
            hasHit = false
        }
    }

    /// What came out, and what happened on the way.
    struct Flow: Hashable, Sendable {
        var pieces: [Piece] = []
        var severed: LinkEnd?
        var dropped = 0
        var deeds: [String] = []
        /// A message passed that should perhaps have been hit.
        var hasMissed = false
        /// The faults that have done something here for the first time.
        var hits: [Int] = []
    }

    private var stages: [Stage] = []

    var isEmpty: Bool { stages.isEmpty }
    var isStalled: Bool { stages.contains { $0.shaper.holdsAll } }
    var isOverfull: Bool { stages.contains { $0.isFuller(than: 1) } }
    /// Half of what overfull is, so that a full pipeline does not start and stop its source for each piece.
    var hasRoom: Bool { !stages.contains { $0.isFuller(than: 2) } }
    /// Bytes that may be pushed at once.
    var bite: Int { stages.reduce(.max) { min($0, $1.shaper.bite) } }

    /// When a piece leaves some stage next; nil where none will.
    var nextDue: Instant? {
        var next = Instant.never
        for stage in stages { next = min(next, stage.queue.nextDue ?? .never) }
        return next == .never ? nil : next
    }

    mutating func push(_ piece: Piece, at now: Instant) -> Flow {
        var flow = Flow()
        enter(piece, 0, at: now, &flow)
        run(to: now, &flow)
        return flow
    }

    /// What has come due by `now`.
    mutating func advance(to now: Instant) -> Flow {
        var flow = Flow()
        run(to: now, &flow)
        return flow
    }

    /// Puts a fault's shaper where it belongs: behind those of faults that began before it.
    mutating func insert(_ shaper: any Shaper, of fault: Int) {
        let place = stages.firstIndex { $0.fault > fault } ?? stages.count
        stages.insert(Stage(fault: fault, shaper: shaper), at: place)
    }

    /// The line that a fault's shaper shares with others; nil where it shares none.
    subscript(lineOf fault: Int) -> Line? {
        get { stages.first { $0.fault == fault }?.shaper.sharedLine }
        set {
            guard let place = stages.firstIndex(where: { $0.fault == fault }) else { return }
            stages[place].shaper.sharedLine = newValue
        }
    }

    func contains(_ fault: Int) -> Bool {
        stages.contains { $0.fault == fault }
    }

    mutating func adjust(_ fault: Int, to kind: Fault.Kind, at now: Instant) -> Flow {
        for place in stages.indices where stages[place].fault == fault {
            stages[place].adjust(to: kind, at: now)
        }
        return advance(to: now)
    }

    /// Takes a fault's shaper out: what lies in it goes on its way at once; true where bytes are missing behind it.
    mutating func remove(_ fault: Int, at now: Instant) -> (flow: Flow, hasHole: Bool) {
        var flow = Flow()
        guard let place = stages.firstIndex(where: { $0.fault == fault }) else { return (flow, false) }
        var stage = stages.remove(at: place)
        let hasHole = stage.shaper.hasSwallowed
        // What stands behind a hole may never come out.
        if hasHole { flow.dropped += empty(..<place) }
        for entry in stage.queue.removeAll() { enter(entry.piece, place, at: now, &flow) }
        let held = stage.shaper.surrender()
        if !held.isEmpty { enter(.bytes(held), place, at: now, &flow) }
        run(to: now, &flow)
        return (flow, hasHole)
    }

    /// Loses everything that is under way; how many bytes.
    mutating func removeAll() -> Int {
        empty(..<stages.count)
    }

    private mutating func empty(_ places: PartialRangeUpTo<Int>) -> Int {
        var lost = 0
        for place in stages[places].indices {
            lost += stages[place].queue.byteCount
            _ = stages[place].queue.removeAll()
        }
        return lost
    }

    private mutating func enter(_ piece: Piece, _ place: Int, at arrival: Instant, _ flow: inout Flow) {
        guard place < stages.count else {
            flow.pieces.append(piece)
            return
        }
        let effect = stages[place].shape(piece, at: arrival)
        flow.dropped += effect.dropped
        flow.deeds += effect.deeds
        if effect.hasMissed { flow.hasMissed = true }
        if effect.isHit, !stages[place].hasHit {
            stages[place].hasHit = true
            flow.hits.append(stages[place].fault)
        }
        if let how = effect.severed { flow.severed = how }
    }

    private mutating func run(to now: Instant, _ flow: inout Flow) {
        for place in stages.indices {
            while let entry = stages[place].queue.pop(through: now) {
                enter(entry.piece, place + 1, at: entry.due, &flow)
            }
        }
    }
}
