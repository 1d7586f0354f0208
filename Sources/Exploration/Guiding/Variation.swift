import ScenarioModel
import SquallCore

/// Changes a draft at random: inserts, removes, swaps or repeats moves, changes their arguments, combines them with
/// moves from another draft, and shortens or lengthens pauses.
///
/// A change can make later moves impossible, such as a retry of a message that is no longer sent;
/// ``Draft/legalised(_:)`` removes such moves.
struct Variation {
    private(set) var draft: Draft
    var generator: SeededGenerator
    private let instants: [Instant]
    private let roster: Roster
    private let sets: ValueSets
    private let swarm: Swarm
    /// The highest number reserved so far for new or renamed labels, which contain a number to make them unique.
    private var labels = 0

    /// The number of moves beyond which no change lengthens a draft.
    private static let maximumMoves = 80
    private static let longestSlice: UInt64 = 6
    /// The maximum number of attempts to draw a move that is possible at its position in the draft.
    private static let tries = 12

    init(of entry: Corpus.Entry, _ profile: Profile, generator: SeededGenerator) {
        (draft, instants, self.generator) = (entry.draft, entry.instants, generator)
        roster = Roster(of: entry.draft)
        let favourites = Seed(self.generator.next())
        sets = ValueSets(entry.draft.tuned(profile), roster: roster, favourites: favourites)
        swarm = Swarm(Registry.actions, Theme(), &self.generator)
    }

    /// Makes one change; `entries` are the drafts that can be combined with this one.
    mutating func change(among entries: [Corpus.Entry]) {
        switch generator.below(10) {
        case 0, 1: insert { drawing, swarm in drawing.move(swarm, tries: Self.tries) }
        case 2, 3: disturb()
        case 4: remove()
        case 5: swap()
        case 6: changePause()
        case 7: changeArguments()
        case 8: repeatSlice()
        default: if let other = generator.pick(entries) { splice(other.draft) }
        }
    }

    // MARK: - Changes

    /// Inserts a fault at the time of an event in the run from which the draft was taken.
    mutating func disturb() {
        guard let time = generator.pick(instants), let fault = generator.pick(Disturbance.all) else { return }
        insert(fault, at: time)
    }

    /// Inserts the action `entry` at `time`, with random arguments; does nothing if it is impossible at that time.
    mutating func insert(_ entry: ActionEntry, at time: Instant) {
        let index = draft.splitBody(at: time)
        insert(at: index) { drawing, _ in drawing.move(entry, tries: Self.tries) }
    }

    private mutating func insert(_ draw: (inout Drawing, Swarm) -> Move?) {
        insert(at: Int(generator.below(UInt64(draft.body.count + 1))), draw)
        guard generator.below(2) == 0 else { return }
        draft.body.insert(.rest(sets.pause(&generator)), at: Int(generator.below(UInt64(draft.body.count + 1))))
    }

    private mutating func insert(at index: Int, _ draw: (inout Drawing, Swarm) -> Move?) {
        guard draft.size < Self.maximumMoves else { return }
        let past = draft.opening + draft.body[..<index]
        var drawing = Drawing(after: past, roster: roster, sets: sets, generator: generator, labels: newLabels())
        let move = draw(&drawing, swarm)
        generator = drawing.generator
        if let move { draft.body.insert(move, at: index) }
    }

    private mutating func remove() {
        guard let range = slice() else { return }
        draft.body.removeSubrange(range)
    }

    /// Swaps two consecutive actions without moving the pause between them.
    private mutating func swap() {
        let actions = draft.body.indices.filter { draft.body[$0].name != nil }
        guard actions.count > 1 else { return }
        let first = Int(generator.below(UInt64(actions.count - 1)))
        draft.body.swapAt(actions[first], actions[first + 1])
    }

    private mutating func changePause() {
        let pauses = draft.body.indices.filter { draft.body[$0].rest != nil }
        guard let index = generator.pick(pauses), let pause = draft.body[index].rest else { return }
        let other: TimeSpan =
            switch generator.below(4) {
            case 0: pause + pause
            case 1: TimeSpan(nanoseconds: pause.nanoseconds / 2)
            case 2: .zero
            default: sets.pause(&generator)
            }
        draft.body[index] = .rest(min(other, Self.longestPause))
    }

    private static let longestPause = TimeSpan.seconds(300)

    private mutating func changeArguments() {
        let actions = draft.body.indices.filter { !(draft.body[$0].action?.entry.parameters.isEmpty ?? true) }
        guard let index = generator.pick(actions), let entry = draft.body[index].action?.entry else { return }
        let label = draft.body[index].action?.arguments.label
        let before = draft
        draft.body.remove(at: index)
        insert(at: index) { drawing, _ in drawing.move(entry, tries: Self.tries) }
        guard draft.body.count == before.body.count, let drawn = draft.body[index].action else { return draft = before }
        // Keep the label, because later moves may refer to it.
        let arguments = Arguments(drawn.arguments.values, label: label)
        draft.body[index] = Move(.act(entry, arguments), clients: draft.body[index].clients)
    }

    private mutating func repeatSlice() {
        guard let range = slice(), draft.size + range.count <= Self.maximumMoves else { return }
        draft.body.insert(contentsOf: relabelled(Array(draft.body[range])), at: range.upperBound)
    }

    /// Replaces the end of the draft with the end of another draft that has the same clients.
    private mutating func splice(_ other: Draft) {
        guard other.clients == draft.clients, !other.body.isEmpty else { return }
        let end = Int(generator.below(UInt64(draft.body.count + 1)))
        let start = Int(generator.below(UInt64(other.body.count)))
        let added = relabelled(Array(other.body[start...]))
        draft.body = Array((draft.body[..<end] + added).prefix(Self.maximumMoves))
    }

    // MARK: - Parts

    private mutating func slice() -> Range<Int>? {
        guard !draft.body.isEmpty else { return nil }
        let start = Int(generator.below(UInt64(draft.body.count)))
        let length = 1 + Int(generator.below(Self.longestSlice))
        return start..<min(start + length, draft.body.count)
    }

    private mutating func newLabels() -> Int {
        labels += Self.maximumMoves
        return labels
    }

    /// Renames the labels defined by the moves, so that the moves can be added to a draft that already uses those
    /// labels.
    private mutating func relabelled(_ moves: [Move]) -> [Move] {
        labels += 1
        let defined = Set(moves.compactMap { $0.action?.arguments.label })
        func renamed(_ label: String) -> String { defined.contains(label) ? "\(label)-v\(labels)" : label }
        return moves.map { move in
            guard let (entry, arguments) = move.action else { return move }
            let values = arguments.values.map { name, value in
                guard case .text(let text) = value,
                    let parameter = entry.parameters.first(where: { $0.name == name }),
                    entry.labelKind(referredToBy: parameter, text) != nil
                else { return (name: name, value: value) }
                return (name: name, value: ArgumentValue.text(renamed(text)))
            }
            let changed = Arguments(values, label: arguments.label.map(renamed))
            return Move(.act(entry, changed), clients: move.clients)
        }
    }
}

/// The actions that disturb a client from outside: network faults, and server actions that affect frames and responses.
enum Disturbance {
    static let all = Registry.actions.filter { entry in
        switch entry.labelKind {
        case .fault, .hold, .rule: true
        case .message, .upload, nil: false
        }
    }
}

extension Draft {
    /// Splits the pause that contains `time`; returns the index in ``body`` at which to insert a move for that time.
    mutating func splitBody(at time: Instant) -> Int {
        var now = opening.reduce(Instant.zero) { $0 + ($1.rest ?? .zero) }
        for (index, move) in body.enumerated() {
            guard let pause = move.rest else { continue }
            guard now + pause > time else {
                now = now + pause
                continue
            }
            guard time > now else { return index }
            body.replaceSubrange(index...index, with: [.rest(time - now), .rest(now + pause - time)])
            return index + 1
        }
        if time > now { body.append(.rest(time - now)) }
        return body.count
    }
}
