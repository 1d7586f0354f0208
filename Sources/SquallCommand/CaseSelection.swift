import Conformance
import Squall
import WebSocketWire

/// The conformance cases selected by `--case`, `--skip` and `--quick`.
struct CaseSelection {
    struct Candidate {
        var id: CaseID
        var testedRoles: Set<WebSocketRole>
        /// Whether `--quick` excludes the case.
        var isLeftOut: Bool
    }

    /// All conformance cases of the protocol under test.
    var pool: [Candidate]
    var isOfChat: Bool
    var only: [String]
    var skip: [String]

    /// Returns the selected cases that test a peer in the given role.
    ///
    /// - Throws: ``SquallError`` if a pattern matches no case, or only cases that are not run, or if no case is
    ///   selected.
    func ids(for role: WebSocketRole) throws(SquallError) -> Set<CaseID> {
        for pattern in only + skip where !pool.contains(where: { $0.id.matches(pattern) }) { throw unknown(pattern) }
        for pattern in only { try check(pattern, role) }
        let chosen = pool.filter { candidate in
            let (id, isWanted) = (candidate.id, only.isEmpty || only.contains { candidate.id.matches($0) })
            return isWanted && !candidate.isLeftOut && candidate.testedRoles.contains(role)
                && !skip.contains { id.matches($0) }
        }
        guard !chosen.isEmpty else {
            throw .usage("no case is left to judge a \(role) by: --skip leaves all out")
        }
        return Set(chosen.map(\.id))
    }

    /// Rejects a pattern that matches only cases that are not run: silently excluding them would look like success.
    private func check(_ pattern: String, _ role: WebSocketRole) throws(SquallError) {
        let named = pool.filter { $0.id.matches(pattern) }
        guard named.contains(where: { $0.testedRoles.contains(role) }) else {
            throw .usage(
                "'\(pattern)' judges \(role == .client ? "servers" : "clients"): "
                    + "use 'squall conformance \(role == .client ? "server" : "client")'"
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
            return .usage("'\(pattern)' belongs to another protocol: use --protocol \(said)")
        }
        return .usage("there is no case '\(pattern)'; \(CaseNames.help(for: pattern, among: pool.map(\.id)))")
    }
}
