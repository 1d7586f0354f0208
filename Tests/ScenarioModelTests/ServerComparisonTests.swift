import ChatWire
import SquallCore
import Testing
import Trace

@testable import FakeServer
@testable import ScenarioModel

@Suite struct ServerComparisonTests {
    private static func message(
        _ key: String,
        from sender: String = "stukov",
        isUnread: Bool = false,
        text: String? = nil
    ) -> ServerTruth.Message {
        let message = ChatMessage(
            id: key,
            conversation: "stukov",
            sender: sender,
            sequence: 1,
            timestamp: 0,
            text: text ?? "text of \(key)"
        )
        return ServerTruth.Message(message, name: key, isUnread: isUnread, isOld: false)
    }

    /// Compares a client's reports with the state of a server that stores the messages a, b and c.
    private func differences(
        _ shown: [(name: String, key: String?, value: JSON)],
        unread: Int64 = 0,
        presence: [String: PresenceStatus] = [:],
        hasList: Bool = false,
        lostKeys: Set<String> = [],
        hasUnannounced: Bool = false
    ) -> [String]? {
        let truth = ServerTruth(
            user: "client",
            conversations: [
                .init(
                    id: "stukov",
                    messages: [
                        Self.message("a"), Self.message("b", from: "client"), Self.message("c", isUnread: unread > 0),
                    ],
                    unread: unread
                )
            ],
            hasForgotten: false,
            hasLostState: false,
            presence: presence,
            pushToken: nil
        )
        var state = ObservedState()
        for (index, value) in shown.enumerated() {
            let observation = Observation(value.name, key: value.key, .set(value.value), by: .reported)
            state.apply(TraceEvent(index: index, time: .zero, client: .only, observation: observation))
        }
        let comparison = Comparison(
            truth: truth,
            shown: state,
            client: .only,
            showsWholeTexts: true,
            wasCorrupted: false,
            isRateLimited: false,
            beforeRestart: nil,
            isFirstProcess: true,
            hasList: hasList,
            hasFailedPage: false,
            isCurrent: { _ in true },
            agreesOnUnread: true,
            lostKeys: lostKeys,
            hasUnannounced: hasUnannounced
        )
        return comparison.differences()
    }

    private static let connected = (name: "connection.state", key: String?.none, value: JSON.string("connected"))

    private static func list(_ keys: String...) -> (name: String, key: String?, value: JSON) {
        ("conversation.messages", "stukov", .array(keys.map(JSON.string)))
    }

    @Test(
        "A list of messages that equals the end of the server's list agrees with the server",
        arguments: [["a", "b", "c"], ["b", "c"], []]
    )
    func agreement(keys: [String]) {
        let list = (
            name: "conversation.messages", key: String?.some("stukov"), value: JSON.array(keys.map(JSON.string))
        )
        #expect(differences([Self.connected, list]) == [])
    }

    @Test(
        "A gap, a different order or a missing newest message is a difference from the server",
        arguments: [
            ["a", "c"], ["b", "a", "c"], ["a", "b"], ["a", "b", "c", "c"],
        ]
    )
    func lists(keys: [String]) {
        let list = (
            name: "conversation.messages", key: String?.some("stukov"), value: JSON.array(keys.map(JSON.string))
        )
        #expect(differences([Self.connected, list])?.isEmpty == false)
    }

    @Test("A view that calls its conversation empty differs from a server that holds messages of it")
    func emptyView() {
        func view(_ phase: String) -> [(name: String, key: String?, value: JSON)] {
            [
                Self.connected, ("view.conversation", nil, .string("stukov")), Self.list(),
                ("view.phase", nil, .string(phase)),
            ]
        }
        #expect(differences(view("empty")) == ["view.phase is empty; the server holds [\"a\", \"b\", \"c\"] in stukov"])
        #expect(differences(view("rows")) == [])
        #expect(differences(view("empty"), hasUnannounced: true) == [])
    }

    @Test("A message that the server does not have is a difference unless it is shown as failed")
    func unstoredMessage() {
        let list = Self.list("a", "b", "c", "mine")
        #expect(differences([Self.connected, list, ("message.status", "mine", "sending")])?.count == 1)
        #expect(differences([Self.connected, list, ("message.status", "mine", "failed")]) == [])
    }

    @Test("A message that is stored but still shown as sending is a difference")
    func lateStatus() {
        let found = differences([Self.connected, Self.list("a", "b", "c"), ("message.status", "b", "sending")])
        #expect(found == ["message.status[b] is sending, and the server holds the message"])
        // The queued message belongs to another user, who has signed out.
        #expect(differences([Self.connected, Self.list("a", "b", "c"), ("message.status", "a", "queued")]) == [])
    }

    @Test("A text that differs from the server's is a difference")
    func texts() {
        let found = differences([Self.connected, Self.list("c"), ("message.text", "c", "other")])
        #expect(found == ["message.text[c] is other; the server holds text of c"])
    }

    @Test("A wrong unread count is a difference")
    func unreadCounts() {
        #expect(differences([Self.connected, Self.list("c"), ("unread", "stukov", 0)], unread: 1)?.count == 1)
        #expect(differences([Self.connected, Self.list("c"), ("unread", "stukov", 1)], unread: 1) == [])
    }

    @Test("A client that has loaded only part of the unread messages may count only those until it opens its list")
    func partlyLoaded() {
        #expect(differences([Self.connected, Self.list(), ("unread", "stukov", 0)], unread: 1) == [])
        let opened = [Self.connected, Self.list(), ("unread", "stukov", 0)]
        #expect(differences(opened, unread: 1, hasList: true)?.count == 1)
    }

    @Test("A full disk excuses only the counts of the conversations whose last values are lost")
    func lostCounts() {
        let shown = [Self.connected, Self.list("c"), ("unread", "stukov", 0)]
        #expect(differences(shown, unread: 1, lostKeys: ["unread/stukov"]) == [])
        #expect(differences(shown, unread: 1, lostKeys: ["message/stukov/c"]) == [])
        #expect(differences(shown, unread: 1, lostKeys: ["unread/kerrigan", "session.id"])?.count == 1)
        #expect(differences(shown + [("badge.app", nil, 2)], unread: 0, lostKeys: ["receipt/stukov"]) == [])
        #expect(differences(shown + [("badge.app", nil, 2)], unread: 0, lostKeys: ["auth.key"])?.count == 1)
    }

    @Test("A client may lack messages that the server has stored without sending them")
    func unannouncedMessages() {
        #expect(differences([Self.connected, Self.list("a", "b")], hasUnannounced: true) == [])
        #expect(differences([Self.connected, Self.list("b", "a")], hasUnannounced: true)?.count == 1)
        #expect(differences([Self.connected, Self.list("a", "b")])?.count == 1)
    }

    @Test("An outdated preview or a missing badge in the list of conversations is a difference")
    func listOfConversations() {
        let list = (name: "list.conversations", key: String?.none, value: JSON.array(["stukov"]))
        let unread = (name: "unread", key: String?.some("stukov"), value: JSON.integer(1))
        let badge = (name: "badge.text", key: String?.some("stukov"), value: JSON.string("1"))
        func found(_ preview: String, _ others: [(name: String, key: String?, value: JSON)]) -> [String]? {
            let preview = (name: "list.preview", key: String?.some("stukov"), value: JSON.string(preview))
            return differences(
                [Self.connected, Self.list("c"), list, unread, preview] + others,
                unread: 1,
                hasList: true
            )
        }
        #expect(found("text of c", [badge]) == [])
        #expect(found("text of b", [badge])?.count == 1)
        #expect(found("text of c", [])?.count == 1)
    }

    @Test("The app badge, the header and the viewed conversation must agree with the rest of the screen")
    func surfaces() {
        let open = (name: "view.conversation", key: String?.none, value: JSON.string("stukov"))
        let unread = (name: "unread", key: String?.some("stukov"), value: JSON.integer(1))
        #expect(differences([Self.connected, Self.list("c"), unread, ("badge.app", nil, 2)], unread: 1)?.count == 1)
        #expect(differences([Self.connected, Self.list("c"), unread, ("badge.app", nil, 1)], unread: 1) == [])
        #expect(differences([Self.connected, open, ("app.viewing", nil, "kerrigan")])?.count == 1)
        let away = [open, ("peer.presence", "stukov", "online"), ("header.presence", nil, "offline")]
        #expect(differences([Self.connected] + away)?.count == 1)
    }

    @Test("A connection banner that is still shown while the client is connected is a difference")
    func banners() {
        #expect(differences([Self.connected, ("banner.kind", nil, "reconnecting")])?.count == 1)
        #expect(differences([Self.connected, ("banner.kind", nil, "rate_limited")]) == [])
    }

    @Test("A wrong presence is a difference unless it is shown as out of date")
    func presence() {
        let found = differences(
            [Self.connected, ("peer.presence", "stukov", "offline")],
            presence: ["stukov": .online]
        )
        #expect(found?.count == 1)
        let stale = differences(
            [Self.connected, ("peer.presence", "stukov", "last_seen")],
            presence: ["stukov": .online]
        )
        #expect(stale == [])
    }

    @Test(
        "An in-progress flag that is still set after the final undisturbed period is a difference",
        arguments: [
            "sync.in_flight", "refresh.in_flight", "history.in_flight", "app.signing_out",
        ]
    )
    func underWay(flag: String) {
        #expect(differences([Self.connected, (flag, nil, true)]) == ["\(flag) is true; expected false"])
    }

    @Test(
        "A client that waits for its user is not compared with the server",
        arguments: ["idle", "auth_required", "unavailable"]
    )
    func waitingForTheUser(state: String) {
        #expect(differences([("connection.state", nil, .string(state)), Self.list("a")]) == nil)
    }

    @Test("A client that is still reconnecting after the final undisturbed period is a difference")
    func notConnected() {
        let found = differences([("connection.state", nil, "reconnecting")])
        #expect(found == ["connection.state is reconnecting; expected connected or degraded"])
    }
}
