import ChatWire
import FakeServer
import ScenarioLanguage
import ScenarioModel
import SquallCore
import TemporalLogic
import Testing

/// Tests scenarios with several clients and groups of clients.
@Suite struct ClientsTests {
    private static let head = "clients: { anna: 1, crowd: 3 }\n"
    private let anna = ClientID("anna")
    private let crowd = (1...3).map { ClientID("crowd-\($0)") }

    private func expectation(_ line: String) throws -> TemporalLogic.Expectation {
        try #require(try scenario("\(Self.head)expect:\n  - \(line)").expectations.first)
    }

    private func steps(_ lines: String) throws -> [Step] {
        try scenario("\(Self.head)script:\n\(lines)").script
    }

    @Test("A client without a name is reported as such")
    func withoutName() {
        #expect(complaints("clients: [anna, '']") == ["a client's name is missing"])
    }

    @Test("An actor in a step may name a client or a group of clients")
    func actors() throws {
        let steps = try steps(
            """
              - anna.user: { open: stukov }
              - crowd.device: background
              - user: reconnect
              - anna.network: drop
              - network: { drop: { clients: [crowd, anna] } }
              - crowd-2.server: { close: 1001 }
              - crowd.server: { close: 1001 }
              - server: { close: { code: 1001, client: anna } }
              - anna.server: { identify: { user: guest } }
            """
        )
        #expect(
            steps.compactMap(\.stimulus?.clients) == [
                [anna], crowd, [], [anna], crowd + [anna], [crowd[1]], [crowd[0]], [crowd[1]], [crowd[2]], [anna],
                [anna],
            ]
        )
        #expect(steps.last?.stimulus?.operation == .server(.identify(anna, user: "guest")))
        #expect(steps[5].stimulus?.operation == .server(.close(code: 1001, reason: "", client: crowd[1])))
    }

    @Test(
        "A client or group name before an event restricts the event to that client or group",
        arguments: [
            ("anna.connected", ClientSelector.one(ClientID("anna"))),
            ("anna.client.connected", .one(ClientID("anna"))),
            ("crowd-2.connected", .one(ClientID("crowd-2"))),
            ("crowd.connected", .each),
            ("client.connected", .each),
        ]
    )
    func eventsOfClients(_ name: String, _ client: ClientSelector) throws {
        let found = try expectation("eventually: \(name)")
        #expect(found.formula == .eventually(.event(EventPattern("client.connected", of: client))))
        #expect(found.clients == (name.hasPrefix("crowd.") ? crowd : [anna] + crowd))
    }

    @Test("An event of the server applies to all clients unless the expectation names one")
    func eventsOfTheServerHaveNoClientUnlessNamed() throws {
        #expect(try expectation("never: server.accepted").formula == .never(.event(EventPattern("server.accepted"))))
        let ofAnna = EventPattern("server.accepted", of: .one(anna))
        #expect(try expectation("never: anna.server.accepted").formula == .never(.event(ofAnna)))
    }

    @Test("A client or group name before an observable selects the clients")
    func observables() throws {
        func state(_ client: ClientSelector) -> Condition {
            .state(ObservablePredicate(ObservableReference("connection.state", of: client), .equals("connected")))
        }
        let cases: [(String, ClientSelector, [ClientID])] = [
            ("anna.connection.state", .one(anna), [anna] + crowd),
            ("crowd.connection.state", .each, crowd),
            ("connection.state", .each, [anna] + crowd),
        ]
        for (name, client, clients) in cases {
            let found = try expectation("eventually: { \(name): connected }")
            #expect(found.formula == .eventually(state(client)))
            #expect(found.clients == clients)
        }
    }

    @Test("An observable of one client can be compared with that of another client")
    func comparisonsBetweenClients() throws {
        let reference = ObservableReference("view.rows", of: .one(anna))
        let found = try expectation("always: { crowd.view.rows: { same_as: anna.view.rows } }")
        let level = ObservablePredicate(ObservableReference("view.rows", of: .each), .sameAs(reference))
        #expect(found.formula == .always(StateCondition([level])))
    }

    @Test("A delivered expectation can name a client or a group")
    func deliveries() throws {
        #expect(
            try expectation("delivered: { client: anna, lost: 0 }").formula
                == .delivered(Delivery(conversation: nil, of: .one(anna), lost: .exactly(0)))
        )
        let each = try expectation("delivered: { client: crowd, lost: 0 }")
        #expect(each.formula == .delivered(Delivery(conversation: nil, of: .each, lost: .exactly(0))))
        #expect(each.clients == crowd)
        #expect(try expectation("delivered: { lost: 0 }").clients == [anna] + crowd)
    }

    @Test("A wait for an observable of a group waits for each of its clients")
    func waits() throws {
        let steps = try steps(
            """
              - wait: { connection.state: connected }
              - wait: { crowd.connection.state: connected }
              - wait: { next: client.connected }
              - wait: anna.connected
            """
        )
        let conditions = steps.compactMap { step in
            if case .wait(let condition, _, _) = step.kind { condition } else { nil }
        }
        func level(_ client: ClientSelector) -> ObservablePredicate {
            ObservablePredicate(ObservableReference("connection.state", of: client), .equals("connected"))
        }
        #expect(
            conditions == [
                .state(level(.each)),
                Condition(event: nil, state: StateCondition(crowd.map { level(.one($0)) })),
                .event(EventPattern("client.connected", of: .each)),
                .event(EventPattern("client.connected", of: .one(anna))),
            ]
        )
    }

    @Test("Expectations apply to the only client even if it has a name")
    func oneClientWithAName() throws {
        let found = try scenario("clients: [anna]\nexpect:\n  - eventually: { connection.state: connected }")
            .expectations
        let level = ObservablePredicate(ObservableReference("connection.state", of: .one(anna)), .equals("connected"))
        #expect(found.first?.formula == .eventually(.state(level)))
    }
}
