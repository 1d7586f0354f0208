import Testing

@testable import ReferenceClient

/// Checks that the table of state transitions contains no invalid transitions.
@Suite struct ConnectionStepsTests {
    @Test("The state connected can only follow the state authenticating")
    func onlyAnAcceptedKeyLeadsToAConnection() {
        let before = ConnectionState.allCases.filter { $0.next.contains(.connected) }
        #expect(before == [.authenticating])
    }

    @Test("The state draining can follow every state of a connection attempt")
    func shutdownDuringAnAttempt() {
        for state in [ConnectionState.connecting, .authenticating, .reconnecting, .degraded] {
            #expect(state.next.contains(.draining))
        }
    }

    @Test("A client that has given up or is suspended enters neither reconnecting nor authenticating directly")
    func givenUpStatesDoNotReconnect() {
        for state in [ConnectionState.authRequired, .unavailable, .offline, .suspended] {
            #expect(!state.next.contains(.reconnecting))
            #expect(!state.next.contains(.authenticating))
        }
    }

    @Test("Every connection state can be entered and left, and no state follows itself")
    func noStateFollowsItselfAndEachCanBeLeftAndReached() {
        for state in ConnectionState.allCases {
            #expect(!state.next.contains(state))
            #expect(!state.next.isEmpty)
            #expect(Set(state.next).count == state.next.count)
            #expect(ConnectionState.allCases.contains { $0.next.contains(state) })
        }
    }
}
