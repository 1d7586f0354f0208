import ScenarioModel
import SquallCore

/// A way to simplify a draft: a sequence of simpler drafts to try.
enum ShrinkPass: CaseIterable, Sendable {
    /// Removes sequences of moves (steps): first all of them, then ever shorter sequences, down to single moves.
    case moves
    case expectations
    case settings
    case clients
    case profile
    case arguments
    case values
    case pauses

    /// Returns the number of simpler drafts to try.
    func count(of draft: Draft) -> Int {
        switch self {
        case .moves: Self.ranges(draft.size).count
        case .expectations: draft.expectations.count > 1 ? draft.expectations.count : 0
        case .settings: draft.settings.count
        case .clients: draft.groups.isEmpty && draft.clients != [.only] ? draft.clients.count : 0
        case .profile: draft.profile == "default" ? 0 : 1
        case .arguments: draft.moves.reduce(0) { $0 + Self.optional($1).count }
        case .values: draft.moves.reduce(0) { $0 + Self.simpler($1).count }
        case .pauses: draft.moves.reduce(0) { $0 + Self.shorter($1).count }
        }
    }

    func candidate(_ place: Int, of draft: Draft) -> Draft? {
        switch self {
        case .moves:
            let range = Self.ranges(draft.size)[place]
            return draft.keeping { !range.contains($0) }
        case .expectations:
            var simpler = draft
            simpler.expectations.remove(at: place)
            return simpler
        case .settings:
            var simpler = draft
            simpler.settings.remove(at: place)
            return simpler
        case .clients:
            if draft.clients.count == 1 { return draft.withOnlyClient }
            // The last client is removed first, so that the names of the other clients remain the same.
            return draft.without(draft.clients[draft.clients.count - 1 - place])
        case .profile:
            var simpler = draft
            simpler.profile = "default"
            return simpler
        case .arguments: return Self.changed(draft, place, Self.optional)
        case .values: return Self.changed(draft, place, Self.simpler)
        case .pauses: return Self.changed(draft, place, Self.shorter)
        }
    }

    /// Returns the position of the candidate to try next, after the candidate at `place` was accepted and produced the
    /// draft `shrunk`.
    func next(after place: Int, of draft: Draft, becoming shrunk: Draft) -> Int {
        guard self == .moves else { return place }
        let taken = Self.ranges(draft.size)[place]
        let ranges = Self.ranges(shrunk.size)
        return ranges.firstIndex { $0.count <= taken.count && $0.lowerBound <= taken.lowerBound } ?? ranges.count
    }

    // MARK: - Removing moves

    /// Returns the ranges of moves to remove: larger ranges first and, among ranges of equal size, those nearer the end
    /// first.
    private static func ranges(_ count: Int) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var size = count
        while size >= 1 {
            var end = count
            while end > 0 {
                found.append(max(0, end - size)..<end)
                end -= size
            }
            size = size == 1 ? 0 : (size + 1) / 2
        }
        return found
    }

    // MARK: - Changing moves

    private static func changed(_ draft: Draft, _ place: Int, _ variants: (Move) -> [Move?]) -> Draft? {
        var place = place
        for (index, move) in draft.moves.enumerated() {
            let found = variants(move)
            guard place >= found.count else { return draft.replacing(index, by: found[place]) }
            place -= found.count
        }
        return nil
    }

    /// Returns the variants of a move without its label or without one of its optional arguments.
    private static func optional(_ move: Move) -> [Move?] {
        guard let (entry, arguments) = move.action else { return [] }
        var found: [Move?] = entry.parameters.filter { !$0.required && arguments[$0.name] != nil }.map { parameter in
            let others = arguments.values.filter { $0.name != parameter.name }
            return move.with(Arguments(others, label: arguments.label))
        }
        if arguments.label != nil { found.append(move.with(Arguments(arguments.values))) }
        return found
    }

    /// Returns the variants of a move in which one argument has a simpler value.
    private static func simpler(_ move: Move) -> [Move?] {
        guard let (_, arguments) = move.action else { return [] }
        return arguments.values.flatMap { name, value -> [Move?] in
            simpler(value).map { move.with(arguments.replacing(name, by: $0)) }
        }
    }

    private static func simpler(_ value: ArgumentValue) -> [ArgumentValue] {
        switch value {
        case .duration(let span): simpler(span).map { .duration($0) }
        case .integer(let number): [1, number / 2].filter { $0 > 0 && $0 < number }.map { .integer($0) }
        case .text, .flag, .list, .json: []
        }
    }

    /// Returns shrinking candidates for a duration: shorter round durations, shortest first. If the duration is not a
    /// whole number of seconds, they include 1 s, even if that is longer than the duration.
    private static func simpler(_ span: TimeSpan) -> [TimeSpan] {
        let round: [TimeSpan] = [.seconds(1), .seconds(10), .seconds(30)]
        let isRound = span.nanoseconds % TimeSpan.seconds(1).nanoseconds == 0
        return round.filter { $0 < span || $0 == round[0] && !isRound }
    }

    // MARK: - Pauses

    /// Returns the shrinking candidates for a pause: nil, which removes it, then shorter round durations and half its
    /// length in whole seconds.
    private static func shorter(_ move: Move) -> [Move?] {
        guard let span = move.rest else { return [] }
        let half = TimeSpan(nanoseconds: span.nanoseconds / 2)
        let whole = TimeSpan.seconds(half.nanoseconds / 1_000_000_000)
        let others = simpler(span) + (whole > .zero && !simpler(span).contains(whole) ? [whole] : [])
        return [nil] + others.map { .rest($0) }
    }
}

extension Draft {
    /// Returns the draft with only the moves whose positions satisfy `isKept`. Positions are counted through the
    /// opening and then the body.
    func keeping(_ isKept: (Int) -> Bool) -> Draft {
        var draft = self
        draft.opening = opening.enumerated().filter { isKept($0.offset) }.map(\.element)
        draft.body = body.enumerated().filter { isKept($0.offset + opening.count) }.map(\.element)
        return draft
    }

    /// Returns the draft with the move at a position replaced, or removed if `move` is nil.
    func replacing(_ place: Int, by move: Move?) -> Draft {
        guard let move else { return keeping { $0 != place } }
        var draft = self
        if place < opening.count {
            draft.opening[place] = move
        } else {
            draft.body[place - opening.count] = move
        }
        return draft
    }

    /// The draft with consecutive pauses merged into one.
    var withMergedPauses: Draft {
        func merged(_ moves: [Move]) -> [Move] {
            moves.reduce(into: []) { merged, move in
                guard let span = move.rest, let before = merged.last?.rest else {
                    merged.append(move)
                    return
                }
                merged[merged.count - 1] = .rest(before + span)
            }
        }
        var draft = self
        draft.opening = merged(opening)
        draft.body = merged(body)
        if draft.opening.last?.rest != nil, draft.body.first?.rest != nil {
            draft.opening = merged(draft.opening + [draft.body.removeFirst()])
        }
        return draft
    }

    /// The draft without the pauses at its end, which are not needed because the draft's ending has its own pause.
    package var withoutLastPause: Draft {
        var draft = self
        while draft.body.last?.rest != nil { draft.body.removeLast() }
        while draft.body.isEmpty, draft.opening.last?.rest != nil { draft.opening.removeLast() }
        return draft
    }

    /// The draft with its only named client replaced by a single unnamed one.
    var withOnlyClient: Draft {
        var draft = self
        draft.clients = [.only]
        draft.opening = opening.map(\.ofAll)
        draft.body = body.map(\.ofAll)
        return draft
    }

    /// Returns the draft without `client` and without the moves that affect only that client.
    func without(_ client: ClientID) -> Draft {
        var draft = self
        draft.clients.removeAll { $0 == client }
        draft.opening = opening.filter { $0.clients != [client] }.map { $0.without(client) }
        draft.body = body.filter { $0.clients != [client] }.map { $0.without(client) }
        return draft
    }
}

extension Move {
    func with(_ arguments: Arguments) -> Move {
        guard case .act(let entry, _) = kind else { return self }
        return Move(.act(entry, arguments), clients: clients, anchor: anchor)
    }

    fileprivate var ofAll: Move { Move(kind, anchor: anchor) }

    fileprivate func without(_ client: ClientID) -> Move {
        Move(kind, clients: clients.filter { $0 != client }, anchor: anchor)
    }
}

extension Arguments {
    fileprivate func replacing(_ name: String, by value: ArgumentValue) -> Arguments {
        Arguments(values.map { ($0.name, $0.name == name ? value : $0.value) }, label: label)
    }
}
