import SquallCore

/// What every observable showed last.
///
/// Only what differs becomes an observation.
struct Display {
    private enum Shown {
        case nothing
        case value(JSON)
        case count(Int64)
        case list([String])
    }

    /// The names, and under the number of each, from 1, its keys.
    private var names = TextNumbers()
    private var shown: [Shown] = []
    /// What those numbers stand for.
    private var labels: [(name: String, key: String?)] = []
    /// What has been shown since ``renew()``; nil where that is nobody's matter.
    private var renewed: Set<Int>?

    private var connection: Connection.Look?
    private var session: Session.Look?
    private var notices: Notices.Look?
    private var screen: ScreenLook?

    /// Whether anything of the connection is to be shown anew.
    mutating func isNews(_ look: Connection.Look) -> Bool { Self.isNews(look, &connection) }
    mutating func isNews(_ look: ScreenLook) -> Bool { Self.isNews(look, &screen) }
    mutating func isNews(_ look: Session.Look) -> Bool { Self.isNews(look, &session) }
    mutating func isNews(_ look: Notices.Look) -> Bool { Self.isNews(look, &notices) }

    private static func isNews<Look: Equatable>(_ look: Look, _ latest: inout Look?) -> Bool {
        guard look != latest else { return false }
        latest = look
        return true
    }

    private mutating func place(of name: String, _ key: String?) -> Int {
        var place = names.number(of: name)
        note(name, nil)
        if let key {
            place = names.number(of: key, in: place + 1)
            note(name, key)
        }
        return place
    }

    /// Makes room for a name or key that has just come for the first time.
    private mutating func note(_ name: String, _ key: String?) {
        guard shown.count < names.count else { return }
        shown.append(.nothing)
        labels.append((name, key))
    }

    /// Whether it was ever shown.
    mutating func hasShown(_ name: String) -> Bool {
        if case .nothing = shown[place(of: name, nil)] { false } else { true }
    }

    mutating func show(_ name: String, key: String? = nil, _ value: JSON, _ step: inout Step) {
        let place = place(of: name, key)
        renewed?.insert(place)
        if case .value(let before) = shown[place], before == value { return }
        shown[place] = .value(value)
        step.perform(.observe(.set(name, key: key, to: value)))
    }

    mutating func show(_ name: String, key: String? = nil, _ text: String?, _ step: inout Step) {
        show(name, key: key, text.map { .string($0) } ?? .null, &step)
    }

    /// What is not there is not told of before it was there once.
    mutating func showOnceThere(_ name: String, _ text: String?, _ step: inout Step) {
        if text != nil || hasShown(name) { show(name, text, &step) }
    }

    /// How many there are of something: never null, but 0.
    mutating func show(_ name: String, key: String? = nil, count: Int64, _ step: inout Step) {
        let place = place(of: name, key)
        renewed?.insert(place)
        if case .count(let before) = shown[place], before == count { return }
        shown[place] = .count(count)
        step.perform(.observe(.set(name, key: key, to: .integer(count))))
    }

    /// A list travels as edits; the first time as a whole.
    mutating func show(_ name: String, key: String? = nil, list: [String], _ step: inout Step) {
        let place = place(of: name, key)
        renewed?.insert(place)
        let before = shown[place]
        shown[place] = .list(list)
        guard case .list(let before) = before else {
            step.perform(.observe(.set(name, key: key, to: .array(list.map { .string($0) }))))
            return
        }
        for change in ListEdits.between(before, list) {
            step.perform(.observe(Observation(name, key: key, change, by: .reported)))
        }
    }
}

// MARK: - Another user

extension Display {
    var isRenewing: Bool { renewed != nil }

    /// From here on everything is shown as if nothing had been; what is not shown by then, ``blankTheRest(_:)`` ends.
    mutating func renew() {
        renewed = []
        connection = nil
        session = nil
        notices = nil
        screen = nil
    }

    /// What was shown before ``renew()``, and has not been since, says nothing any more.
    mutating func blankTheRest(_ step: inout Step) {
        guard let renewed else { return }
        self.renewed = nil
        for place in shown.indices where !renewed.contains(place) {
            let (name, key) = labels[place]
            switch shown[place] {
            case .nothing: break
            case .list: show(name, key: key, list: [], &step)
            case .count: show(name, key: key, count: 0, &step)
            // A flag is never null.
            case .value(let value): show(name, key: key, value.boolValue == nil ? .null : false, &step)
            }
        }
    }
}

/// The edits that make one list of another.
enum ListEdits {
    /// To be applied one after the other.
    ///
    /// Where something moves, the whole list: nobody sees it lost or doubled in between.
    static func between(_ old: [String], _ new: [String]) -> [Change] {
        var head = 0
        while head < old.count, head < new.count, old[head] == new[head] { head += 1 }
        var tail = 0
        while tail < old.count - head, tail < new.count - head, old[old.count - 1 - tail] == new[new.count - 1 - tail] {
            tail += 1
        }
        let removed = head..<old.count - tail
        let inserted = head..<new.count - tail
        if removed.isEmpty { return inserted.map { .inserted(at: $0, .string(new[$0])) } }
        if inserted.isEmpty { return removed.reversed().map { .removed(at: $0) } }
        return [.set(.array(new.map { .string($0) }))]
    }
}
