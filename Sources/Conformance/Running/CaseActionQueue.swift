/// A queue of a case's pending actions. Removing the first action takes constant time.
struct CaseActionQueue: Sendable {
    private var acts: [CaseRun.Action] = []
    private var start = 0

    var isEmpty: Bool { start == acts.count }

    mutating func append(_ more: CaseRun.Action...) {
        acts.append(contentsOf: more)
    }

    mutating func popFirst() -> CaseRun.Action? {
        guard !isEmpty else { return nil }
        start += 1
        let act = acts[start - 1]
        if isEmpty { removeAll() }
        return act
    }

    mutating func removeAll() {
        acts = []
        start = 0
    }
}
