/// Which conversations have their view on the screen.
///
/// Each view says for itself when it appears and disappears: one that leaves late says nothing about the next.
struct Views {
    private let areShared: Bool
    private var active: [String: Bool] = [:]
    /// In the order of their first appearance.
    private(set) var names: [String] = []
    /// The conversation that the user has chosen.
    private(set) var chosen: String?
    /// What all views share; only a defect looks at it.
    private var flag = false

    init(areShared: Bool, chosen: String?) {
        self.areShared = areShared
        if let chosen { choose(chosen) }
    }

    /// Whether its view is on the screen.
    func isActive(_ conversation: String) -> Bool {
        areShared ? flag && conversation == chosen : active[conversation] ?? false
    }

    /// The user has turned to a conversation: its view is there, and that of the one before is not.
    mutating func choose(_ conversation: String) {
        if let chosen { set(chosen, false) }
        chosen = conversation
        set(conversation, true)
    }

    /// The user has turned to none.
    mutating func chooseNone() {
        if let chosen { set(chosen, false) }
        chosen = nil
    }

    mutating func appeared(_ conversation: String) { set(conversation, true) }

    mutating func disappeared(_ conversation: String) { set(conversation, false) }

    private mutating func set(_ conversation: String, _ isActive: Bool) {
        if active[conversation] == nil { names.append(conversation) }
        active[conversation] = isActive
        flag = isActive
    }
}
