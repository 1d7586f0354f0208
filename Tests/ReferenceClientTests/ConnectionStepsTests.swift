import Testing

@testable import ReferenceClient

/// The table of legal steps, read for what it must never allow.
@Suite struct ConnectionStepsTests {
    @Test func onlyAnAcceptedKeyLeadsToAConnection() {
        let before = ConnectionState.allCases.filter { $0.next.contains(.connected) }
        #expect(before == [.authenticating])
    }

    @Test func whoHasGivenUpBeginsAnewOrStaysAway() {
        for state in [ConnectionState.authRequired, .unavailable, .offline, .suspended] {
            #expect(!state.next.contains(.reconnecting))
            #expect(!state.next.contains(.authenticating))
        }
    }

    @Test func noStateFollowsItselfAndEachCanBeLeftAndReached() {
        for state in ConnectionState.allCases {
            #expect(!state.next.contains(state))
            #expect(!state.next.isEmpty)
            #expect(Set(state.next).count == state.next.count)
            #expect(ConnectionState.allCases.contains { $0.next.contains(state) })
        }
    }
}
