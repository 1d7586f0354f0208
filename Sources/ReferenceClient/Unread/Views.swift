/// Tracks which conversations have a visible view.
///
/// Each view reports its own appearance and disappearance, so a view that disappears late does not affect the view that
/// has replaced it.
struct Views {
    private let policy: UnreadPolicy.Views
    private var active: [String: Bool] = [:]
    /// The conversations whose view has appeared, in order of first appearance.
    private(set) var names: [String] = []
    /// The visibility flag that all views share; used only with a planted defect.
    private var flag = false

    init(_ policy: UnreadPolicy.Views, chosen: String?) {
        self.policy = policy
        if let chosen { set(chosen, true) }
    }

    /// Returns whether the conversation's view is visible; `chosen` is the open conversation.
    func isActive(_ conversation: String, chosen: String?) -> Bool {
        policy == .shareOneFlag ? flag && conversation == chosen : active[conversation] ?? false
    }

    mutating func appeared(_ conversation: String) { set(conversation, true) }

    mutating func disappeared(_ conversation: String) {
        if policy != .neverDisappear { set(conversation, false) }
    }

    private mutating func set(_ conversation: String, _ isActive: Bool) {
        if active[conversation] == nil { names.append(conversation) }
        active[conversation] = isActive
        flag = isActive
    }
}
