import Testing

@testable import ReferenceClient

/// Checks that the table of state transitions does not allow invalid ones.
@Suite struct ConnectionStepsTests {
    @Test("The connected state follows only the authenticating state")
    func onlyAnAcceptedKeyLeadsToAConnection() {
        let before = ConnectionState.allCases.filter { $0.next.contains(.connected) }
        #expect(before == [.authenticating])
    }

    @Test("An announced shutdown may cut short any attempt")
    func shutdownDuringAnAttempt() {
        for state in [ConnectionState.connecting, .authenticating, .reconnecting, .degraded] {
            #expect(state.next.contains(.draining))
        }
    }

    @Test("A client that has given up neither reconnects nor authenticates directly")
    func givenUpStatesDoNotReconnect() {
        for state in [ConnectionState.authRequired, .unavailable, .offline, .suspended] {
            #expect(!state.next.contains(.reconnecting))
            #expect(!state.next.contains(.authenticating))
        }
    }

    @Test("Every state can be entered and left, and none follows itself")
    func noStateFollowsItselfAndEachCanBeLeftAndReached() {
        for state in ConnectionState.allCases {
            #expect(!state.next.contains(state))
            #expect(!state.next.isEmpty)
            #expect(Set(state.next).count == state.next.count)
            #expect(ConnectionState.allCases.contains { $0.next.contains(state) })
        }
    }
}
