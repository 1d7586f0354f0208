import Foundations

/// What every observable showed last.
///
/// Only what differs becomes an observation.
struct Display {
    private enum Shown {
        case nothing
        case value(JSON)
        case list([String])
    }

    /// The names, and under the number of each, from 1, its keys.
    private var names = TextNumbers()
    private var shown: [Shown] = []

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
        if let key { place = names.number(of: key, in: place + 1) }
        while shown.count < names.count { shown.append(.nothing) }
        return place
    }

    /// Whether it was ever shown.
    mutating func hasShown(_ name: String) -> Bool {
        if case .nothing = shown[place(of: name, nil)] { false } else { true }
    }

    mutating func show(_ name: String, key: String? = nil, _ value: JSON, _ step: inout Step) {
        let place = place(of: name, key)
        if case .value(let before) = shown[place], before == value { return }
        shown[place] = .value(value)
        step.perform(.observe(.set(name, key: key, to: value)))
    }

    mutating func show(_ name: String, key: String? = nil, _ text: String?, _ step: inout Step) {
        show(name, key: key, text.map { .string($0) } ?? .null, &step)
    }

    /// A list travels as edits; the first time as a whole.
    mutating func show(_ name: String, key: String? = nil, list: [String], _ step: inout Step) {
        let place = place(of: name, key)
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
