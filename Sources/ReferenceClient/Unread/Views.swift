/// Which conversations have their view on the screen.
///
/// Each view says for itself when it appears and disappears: one that leaves late says nothing about the next.
struct Views {
    private let areShared: Bool
    private var active: [String: Bool] = [:]
    /// In the order of their first appearance.
    private(set) var names: [String] = []
    /// What all views share; only a defect looks at it.
    private var flag = false

    init(areShared: Bool, chosen: String?) {
        self.areShared = areShared
        if let chosen { set(chosen, true) }
    }

    /// Whether its view is on the screen; `chosen` is the conversation that the user has turned to.
    func isActive(_ conversation: String, chosen: String?) -> Bool {
        areShared ? flag && conversation == chosen : active[conversation] ?? false
    }

    mutating func appeared(_ conversation: String) { set(conversation, true) }

    mutating func disappeared(_ conversation: String) { set(conversation, false) }

    private mutating func set(_ conversation: String, _ isActive: Bool) {
        if active[conversation] == nil { names.append(conversation) }
        active[conversation] = isActive
        flag = isActive
    }
}
