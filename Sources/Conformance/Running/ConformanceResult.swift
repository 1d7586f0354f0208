package import SquallCore
package import WebSocketWire

/// The result of one case for one peer.
package struct ConformanceResult: Sendable {
    package var id: CaseID
    /// The name that identifies the peer in reports.
    package var agent: String
    /// The role of the tested peer.
    package var testedRole: WebSocketRole
    package var behavior: CaseBehavior
    package var why: String
    package var closeBehavior: CloseBehavior
    package var closeWhy: String
    package var duration: TimeSpan
    /// The code in the peer's close frame; nil if there was none.
    package var remoteCode: UInt16?
    package var remoteReason: String?
    package var localCode: UInt16?
    package var wasClean: Bool
    package var closedByUs: Bool
    package var failedByUs: Bool
    package var droppedByUs: Bool
    package var events: [CaseEvent]
    package var expected: [Expectation.Alternative]
    package var log: WireLog
    /// The HTTP status of a server's response to the opening handshake; nil if there was no response.
    package var status: Int?

    /// Whether the peer failed the case.
    package var isFailure: Bool { behavior == .failed }
}

extension ConformanceResult {
    /// Returns a failed result for a case in which the peer did not connect.
    package static func notConnected(
        _ id: CaseID,
        of agent: String,
        testedRole: WebSocketRole,
        why: String
    ) -> ConformanceResult {
        ConformanceResult(
            id: id,
            agent: agent,
            testedRole: testedRole,
            behavior: .failed,
            why: why,
            closeBehavior: .failed,
            closeWhy: why,
            duration: .zero,
            remoteCode: nil,
            remoteReason: nil,
            localCode: nil,
            wasClean: false,
            closedByUs: false,
            failedByUs: false,
            droppedByUs: false,
            events: [],
            expected: [],
            log: WireLog()
        )
    }
}
