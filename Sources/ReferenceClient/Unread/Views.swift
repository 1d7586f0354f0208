/// Tracks which conversations have their view on the screen.
///
/// Each view reports for itself when it appears and disappears, so one that disappears late does not affect the next.
struct Views {
    private let areShared: Bool
    private var active: [String: Bool] = [:]
    /// The conversations whose view has ever appeared, in the order of the first appearance.
    private(set) var names: [String] = []
    /// The flag that all views share; only a defect uses it.
    private var flag = false

    init(areShared: Bool, chosen: String?) {
        self.areShared = areShared
        if let chosen { set(chosen, true) }
    }

    /// Whether the conversation's view is on the screen; `chosen` is the open conversation.
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
