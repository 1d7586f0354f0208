import Conformance
import Squall
import WebSocketWire

/// What `--case` and `--skip` select, and what is wrong with them.
struct CaseSelection {
    struct Candidate {
        var id: CaseID
        var judged: Set<WebSocketRole>
        /// By `--quick`.
        var isLeftOut: Bool
    }

    /// Of the protocol that is spoken.
    var pool: [Candidate]
    var isOfChat: Bool
    var only: [String]
    var skip: [String]

    /// For a peer in that role; throws where a name is wrong, selects nothing, or where nothing is left.
    func ids(for role: WebSocketRole) throws(SquallError) -> Set<CaseID> {
        for pattern in only + skip where !pool.contains(where: { $0.id.matches(pattern) }) { throw unknown(pattern) }
        for pattern in only { try check(pattern, role) }
        let chosen = pool.filter { candidate in
            let (id, isWanted) = (candidate.id, only.isEmpty || only.contains { candidate.id.matches($0) })
            return isWanted && !candidate.isLeftOut && candidate.judged.contains(role)
                && !skip.contains { id.matches($0) }
        }
        guard !chosen.isEmpty else {
            throw .usage("no case is left for a \(role) to be judged by: --skip leaves all out")
        }
        return Set(chosen.map(\.id))
    }

    /// What is asked for by name must not be left out in silence.
    private func check(_ pattern: String, _ role: WebSocketRole) throws(SquallError) {
        let named = pool.filter { $0.id.matches(pattern) }
        guard named.contains(where: { $0.judged.contains(role) }) else {
            throw .usage(
                "'\(pattern)' is for \(role == .client ? "servers" : "clients"): "
                    + "'squall conformance \(role == .client ? "server" : "client")' plays it"
            )
        }
        guard named.contains(where: { !$0.isLeftOut }) else { throw .usage("--quick leaves '\(pattern)' out") }
    }

    private func unknown(_ pattern: String) -> SquallError {
        let others =
            isOfChat
            ? ConformanceCatalogue.cases().map(\.id) : ChatCatalogue.cases(ChatTarget()).map(\.summary.id)
        guard !others.contains(where: { $0.matches(pattern) }) else {
            let said = isOfChat ? "websocket" : "chat"
            return .usage("'\(pattern)' is not of this protocol: --protocol \(said) plays it")
        }
        return .usage("no case is called '\(pattern)'; \(CaseNames.help(for: pattern, among: pool.map(\.id)))")
    }
}
