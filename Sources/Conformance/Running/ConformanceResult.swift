package import SquallCore
package import WebSocketWire

/// What one case said of one peer.
package struct ConformanceResult: Sendable {
    package var id: CaseID
    /// The peer's name.
    package var agent: String
    /// Which end the peer is.
    package var judged: WebSocketRole
    package var behavior: CaseBehavior
    package var why: String
    package var closeBehavior: CloseBehavior
    package var closeWhy: String
    package var duration: TimeSpan
    /// Nil where no close frame with a code has come.
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
    /// Of a server's answer to the opening handshake, where one came.
    package var status: Int?

    /// Whether the peer keeps to the RFC as far as this case asks.
    package var isFailure: Bool { behavior == .failed }
}

extension ConformanceResult {
    /// A case that came to no connection, which is the peer's fault.
    package static func unplayed(
        _ id: CaseID,
        of agent: String,
        judged: WebSocketRole,
        why: String
    ) -> ConformanceResult {
        ConformanceResult(
            id: id,
            agent: agent,
            judged: judged,
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
