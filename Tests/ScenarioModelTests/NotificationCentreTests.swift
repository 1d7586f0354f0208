import ChatWire
import ReferenceClient
import SquallCore
import Testing

@testable import ScenarioModel

/// Tests notifications on a phone, both while the app is running and while it is not.
@Suite struct NotificationCentreTests {
    private func push(_ message: String, in conversation: String = "stukov") -> Push {
        Push(for: "client", conversation: conversation, message: message, sender: conversation, text: "hello")
    }

    private func made(_ push: Push, _ policy: Policy = .reference) -> PhoneNotification {
        PhoneNotification(push, ClientProfile(), policy)
    }

    private func centre() -> NotificationCentre { NotificationCentre(ClientProfile()) }

    private func listed(_ centre: NotificationCentre) -> [String] { centre.entries.map(\.notification.push.message) }

    private func summaries(_ observations: [Observation]) -> [JSON] {
        observations.compactMap { observation in
            guard observation.name == "notification.summary", case .set(let value) = observation.change else {
                return nil
            }
            return value
        }
    }

    @Test("A push arrives after its delay")
    func aPushArrivesAfterItsDelay() {
        var centre = centre()
        let delay = ClientProfile().device.pushDelay
        centre.take(push("m1"), label: nil, isReachable: true, at: .zero)
        #expect(centre.nextDeadline == Instant.zero + delay)
        #expect(centre.arrivals(isReachable: true, at: .zero + delay - .milliseconds(1)).isEmpty)
        #expect(centre.arrivals(isReachable: true, at: .zero + delay) == [push("m1")])
        #expect(centre.arrivals(isReachable: true, at: .zero + delay).isEmpty)
        #expect(centre.nextDeadline == nil)
    }

    @Test("A push is delayed until there is a network")
    func aPushWaitsForTheNetwork() {
        var centre = centre()
        centre.take(push("m1"), label: nil, isReachable: true, at: .zero)
        #expect(centre.arrivals(isReachable: false, at: .zero + .seconds(1)).isEmpty)
        centre.take(push("m2"), label: nil, isReachable: false, at: .zero + .seconds(2))
        #expect(centre.nextDeadline == nil)
        centre.becameReachable(at: .zero + .seconds(9))
        #expect(centre.arrivals(isReachable: true, at: .zero + .seconds(10)) == [push("m1"), push("m2")])
    }

    @Test("A repeated notification replaces the earlier one")
    func theSameNotificationTakesItsOwnPlace() {
        var centre = centre()
        for message in ["m1", "m2", "m1"] { _ = centre.show(made(push(message)), Presentation.allCases) }
        #expect(listed(centre) == ["m1", "m2"])
    }

    @Test("A repeated notification that gets a new id is listed twice")
    func aNotificationWithAnotherIDIsListedTwice() {
        var policy = Policy.reference
        policy.notifications.duplicates = .areShown
        var centre = centre()
        for _ in 0..<2 { _ = centre.show(made(push("m1"), policy), Presentation.allCases) }
        #expect(listed(centre) == ["m1", "m1"])
    }

    @Test("A suppressed notification is not listed")
    func aSuppressedNotificationIsNotListed() {
        var centre = centre()
        let told = centre.show(made(push("m1")), [])
        #expect(listed(centre).isEmpty)
        #expect(told.map(\.name) == ["client.notification_suppressed", "notification.presentation"])
    }

    @Test("A group of two or more notifications has a summary")
    func aGroupSumsItselfUpFromTwoOn() {
        var centre = centre()
        #expect(summaries(centre.show(made(push("m1")), Presentation.allCases)) == [.null])
        #expect(summaries(centre.show(made(push("m2")), Presentation.allCases)) == ["2 messages from Stukov."])
        let other = centre.show(made(push("m3", in: "anna")), Presentation.allCases)
        #expect(summaries(other) == ["2 messages from Stukov.", .null])
        #expect(summaries(centre.remove(made(push("m1")))) == [.null, .null])
    }

    @Test("Without a label, an action applies to the newest notification")
    func theNewestIsMeantWhereNoneIsNamed() {
        var centre = centre()
        for (message, label) in [("m1", "first"), ("m2", "second")] {
            centre.take(push(message), label: label, isReachable: true, at: .zero)
            _ = centre.show(made(push(message)), Presentation.allCases)
        }
        #expect(centre.entry(of: nil)?.notification.push.message == "m2")
        #expect(centre.entry(of: "first")?.notification.push.message == "m1")
        #expect(centre.entry(of: "third") == nil)
        #expect(!centre.clear().isEmpty)
        #expect(centre.entry(of: nil) == nil)
        #expect(centre.clear().isEmpty)
    }

    @Test("Notifications are shown only to their user and with permission")
    func notificationsAreShownToTheirUserOnly() {
        var centre = centre()
        #expect(centre.shows(push("m1")))
        centre.showNotifications(of: "anna")
        #expect(!centre.shows(push("m1")))
        centre.showNotifications(of: "client")
        #expect(centre.shows(push("m1")))
        centre.showNotifications(of: nil)
        #expect(!centre.shows(push("m1")))
        centre.showNotifications(of: "client")
        _ = centre.permit(.denied)
        #expect(!centre.shows(push("m1")))
    }

    @Test("Only the first decision answers the permission prompt; a later decision still changes the permission")
    func onlyTheFirstWordIsAnAnswer() {
        var centre = centre()
        let first = centre.permit(.denied)
        let second = centre.permit(.granted)
        #expect(first && !second)
        #expect(centre.permission == .granted)
    }

    @Test("A phone that is off receives its pushes after it is on again")
    func aPhoneThatIsOffTakesNoPushAndLosesNone() {
        var centre = centre()
        let delay = ClientProfile().device.pushDelay
        _ = centre.show(made(push("m1")), Presentation.allCases)
        centre.take(push("m2"), label: nil, isReachable: true, at: .zero)
        centre.take(push("m3"), label: nil, isReachable: false, at: .zero)
        #expect(centre.arrivals(isReachable: false, at: .zero + delay).isEmpty)
        #expect(centre.nextDeadline == nil)
        centre.becameReachable(at: .zero + .seconds(9))
        #expect(centre.arrivals(isReachable: true, at: .zero + .seconds(9) + delay) == [push("m2"), push("m3")])
        #expect(centre.entry(of: nil)?.notification.push.message == "m1")
    }

    // MARK: - The permission prompt

    private func askingCentre() -> NotificationCentre {
        var profile = ClientProfile()
        profile.notification.asks = .afterSend
        return NotificationCentre(profile)
    }

    @Test("Notifications are shown once the user has allowed them in the prompt, and not before")
    func thePromptDecides() {
        var centre = askingCentre()
        #expect(!centre.shows(push("m1")))
        #expect(centre.prompt() == [.set("permission.prompt", to: true)])
        #expect(centre.prompt().isEmpty)
        #expect(!centre.shows(push("m1")))
        #expect(centre.endPrompt(with: .granted) == [.set("permission.prompt", to: false)])
        #expect(centre.shows(push("m1")))
    }

    @Test("The prompt is not shown again after an answer, whatever the answer was", arguments: PushPermission.allCases)
    func oneAnswerIsFinal(answer: PushPermission) {
        var centre = askingCentre()
        _ = centre.prompt()
        _ = centre.endPrompt(with: answer)
        #expect(centre.prompt().isEmpty)
        #expect(centre.permission == answer)
    }

    @Test("A prompt that ends without an answer can be shown again") func anUnansweredPromptReturns() {
        var centre = askingCentre()
        _ = centre.prompt()
        #expect(centre.endPrompt() == [.set("permission.prompt", to: false)])
        #expect(centre.permission == nil)
        #expect(centre.endPrompt(with: .granted).isEmpty)
        #expect(centre.permission == nil)
        #expect(!centre.prompt().isEmpty)
    }

    @Test("A change in the settings is no answer to the app's request") func settingsAreNoAnswer() {
        var centre = askingCentre()
        let isAnswer = centre.permit(.granted)
        #expect(!isAnswer)
        var other = self.centre()
        let answers = [other.permit(.granted), other.permit(.denied)]
        #expect(answers == [true, false])
    }
}
