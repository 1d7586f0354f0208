import SquallCore

/// Stores the last reported value of every observable.
///
/// A value is emitted as an observation only if it differs from the last reported value.
struct Display {
    fileprivate enum Shown: Equatable {
        case nothing
        case value(JSON)
        case count(Int64)
        case list([String])
    }

    /// Assigns a number to each name and each key. Names are numbered in group 0; the keys of the name with number n
    /// are numbered in group n + 1.
    private var names = StringInterner()
    /// The last reported values, indexed by the numbers that ``names`` has assigned to the observables.
    private var shown: [Shown] = []
    /// The name and the key to which each number was assigned; the key is nil if the number was assigned to a name
    /// alone.
    private var labels: [(name: String, key: String?)] = []
    /// The indices of the observables reported since the last call to ``renew()``; nil unless a renewal is in progress.
    private var renewed: Set<Int>?

    private var connection: Connection.Look?
    private var session: Session.Look?
    private var notices: Notices.Look?
    private var screen: ScreenLook?

    /// Returns whether `look` differs from the value passed to the previous call; if so, its observables have to be
    /// reported.
    mutating func isNew(_ look: Connection.Look) -> Bool { Self.isNew(look, &connection) }
    mutating func isNew(_ look: ScreenLook) -> Bool { Self.isNew(look, &screen) }
    mutating func isNew(_ look: Session.Look) -> Bool { Self.isNew(look, &session) }
    mutating func isNew(_ look: Notices.Look) -> Bool { Self.isNew(look, &notices) }

    private static func isNew<Look: Equatable>(_ look: Look, _ latest: inout Look?) -> Bool {
        guard look != latest else { return false }
        latest = look
        return true
    }

    private mutating func index(of name: String, _ key: String?) -> Int {
        var index = names.number(of: name)
        note(name, nil)
        if let key {
            index = names.number(of: key, in: index + 1)
            note(name, key)
        }
        return index
    }

    /// Adds an entry for a name or key that was numbered for the first time.
    private mutating func note(_ name: String, _ key: String?) {
        guard shown.count < names.count else { return }
        shown.append(.nothing)
        labels.append((name, key))
    }

    /// Returns whether the observable `name`, which has no key, has been reported.
    mutating func hasShown(_ name: String) -> Bool {
        if case .nothing = shown[index(of: name, nil)] { false } else { true }
    }

    mutating func show(_ name: String, key: String? = nil, _ value: JSON, _ step: inout Step) {
        let index = index(of: name, key)
        renewed?.insert(index)
        if case .value(let before) = shown[index], before == value { return }
        shown[index] = .value(value)
        step.perform(.observe(.set(name, key: key, to: value)))
    }

    mutating func show(_ name: String, key: String? = nil, _ text: String?, _ step: inout Step) {
        show(name, key: key, text.map { .string($0) } ?? .null, &step)
    }

    /// Reports null for a key that has a value; a key that was never reported stays absent.
    mutating func clear(_ name: String, key: String, _ step: inout Step) {
        if case .nothing = shown[index(of: name, key)] { return }
        show(name, key: key, .null, &step)
    }

    /// Reports a string; nil is reported only after a first non-nil value.
    mutating func showOnceSet(_ name: String, _ text: String?, _ step: inout Step) {
        if text != nil || hasShown(name) { show(name, text, &step) }
    }

    /// Reports a count, which is never null.
    mutating func show(_ name: String, key: String? = nil, count: Int64, _ step: inout Step) {
        let index = index(of: name, key)
        renewed?.insert(index)
        if case .count(let before) = shown[index], before == count { return }
        shown[index] = .count(count)
        step.perform(.observe(.set(name, key: key, to: .integer(count))))
    }

    /// Reports a list: the first time as a whole, later as edits of the previous list.
    mutating func show(_ name: String, key: String? = nil, list: [String], _ step: inout Step) {
        let index = index(of: name, key)
        renewed?.insert(index)
        let before = shown[index]
        shown[index] = .list(list)
        guard case .list(let before) = before else {
            step.perform(.observe(.set(name, key: key, to: .array(list.map { .string($0) }))))
            return
        }
        for change in ListEdits.between(before, list) {
            step.perform(.observe(Observation(name, key: key, change, by: .reported)))
        }
    }
}

// MARK: - Checking

extension Display {
    /// Makes the next call to each `isNew` method return true, so that all observables are reported again.
    mutating func forgetLooks() {
        connection = nil
        session = nil
        notices = nil
        screen = nil
    }

    /// Describes each observable whose reported value differs from its value in `current`, a later state of this
    /// display.
    func differences(from current: Display, except excluded: Set<String>) -> [String] {
        shown.indices.compactMap { index -> String? in
            let (name, key) = labels[index]
            guard shown[index] != .nothing, shown[index] != current.shown[index], !excluded.contains(name) else {
                return nil
            }
            let title = key.map { "\(name)[\($0)]" } ?? name
            return "\(title) is \(shown[index].text), and the client's state says \(current.shown[index].text)"
        }
    }
}

extension Display.Shown {
    fileprivate var text: String {
        switch self {
        case .nothing: "nothing"
        case .value(let value): value.description
        case .count(let count): "\(count)"
        case .list(let list): "\(list.suffix(12))"
        }
    }
}

// MARK: - Switching users

extension Display {
    var isRenewing: Bool { renewed != nil }

    /// Begins a renewal: every observable in use is reported again, and ``clearUnreported(_:)`` then clears the others.
    mutating func renew() {
        renewed = []
        forgetLooks()
    }

    /// Ends a renewal: observables that were not reported since ``renew()`` become null, 0, false or an empty list.
    mutating func clearUnreported(_ step: inout Step) {
        guard let renewed else { return }
        self.renewed = nil
        for index in shown.indices where !renewed.contains(index) {
            let (name, key) = labels[index]
            switch shown[index] {
            case .nothing: break
            case .list: show(name, key: key, list: [], &step)
            case .count: show(name, key: key, count: 0, &step)
            // A flag is reset to false, because flags are never null.
            case .value(let value): show(name, key: key, value.boolValue == nil ? .null : false, &step)
            }
        }
    }
}

/// Computes the edits that turn one list into another.
enum ListEdits {
    /// Returns the edits that turn `old` into `new`, to be applied in order.
    ///
    /// If items are both removed and inserted, the whole list is replaced by a single edit, so that an item that moves
    /// is never missing or duplicated in between.
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
