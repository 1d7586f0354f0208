import ChatWire
import Faults
import ReferenceClient
import SquallCore
import Testing

/// Tests that a signed-out client is indistinguishable from a fresh one in what it displays, stores and requests.
@Suite struct SignedOutTests {
    /// A profile with every optional feature enabled.
    private var everything: ClientProfile {
        var profile = ClientProfile.exact
        profile.start.asksForPartners = true
        profile.switching.keepsDimmed = true
        profile.times.isShown = true
        profile.unread.refresh = .seconds(60)
        profile.people.refresh = .seconds(60)
        return profile
    }

    private let stukov = Agent(user: "stukov", conversation: "stukov", name: "Alexei", status: .busy, text: "In a call")
    private let kerrigan = Agent(user: "kerrigan", conversation: "kerrigan", name: "Sarah", status: .online)
    private let zagara = Agent(
        user: "zagara",
        conversation: "zagara",
        name: "Zagara",
        status: .idle,
        about: "A broodmother"
    )
    private let hive = ["abathur", "izsha"].map {
        Agent(user: $0, conversation: "hive", name: $0, status: .online)
    }
    private let phone = Phone(token: "t1", permission: .denied)

    /// Returns a client whose user has used every part of the app and has signed out with much work still in progress.
    private func leftByItsUser() -> Driver {
        var driver = Driver(everything, phone: phone)
        driver.start()
        driver.answer("/push_token")
        driver.connect(lastSequence: 20)
        driver.replay([], through: 20)
        read(&driver)
        write(&driver)
        goElsewhere(&driver)
        driver.signOut()
        return driver
    }

    private func read(_ driver: inout Driver) {
        driver.answerAgents([stukov, kerrigan, zagara] + hive)
        #expect(driver.text("view.conversation") == "stukov")
        driver.answerPage("/conversations/stukov/messages", (11...20).map { message($0) }, hasMore: true)
        driver.command(.scroll(to: .start))
        driver.answerPage("/conversations/stukov/messages", (6...10).map { message($0) }, hasMore: true)
        driver.receive(.message(message(21)))
        driver.receive(.message(message(22, in: "kerrigan", from: "kerrigan")))
        driver.receive(.message(picture(23)))
        driver.receive(.typing(conversation: "stukov", user: "stukov", active: true))
        driver.receive(.presence(user: "stukov", status: .online, lastSeen: nil))
        driver.receive(
            .token(ServerFrame.Token(conversation: "stukov", messageID: "m99", index: 0, text: "a", final: false))
        )
        driver.command(.openList)
        driver.answerList([message(21), message(22, in: "kerrigan", from: "kerrigan")])
        driver.answerAgents([stukov, kerrigan, zagara] + hive)
        driver.command(.longPress(message: "m21"))
    }

    private func write(_ driver: inout Driver) {
        driver.send("said")
        driver.confirm(driver.key, sequence: 24)
        driver.command(.delete(message: driver.key))
        driver.command(.confirmDelete)
        driver.command(.delete(message: driver.key))
        driver.command(.execute("make coffee"))
        driver.send("on the wire")
        driver.share(40_000)
        driver.sendImage(1000)
        driver.attach(1000)
        driver.receive(.error(ServerFrame.ServerError(code: .sessionLocked, message: "No.", clientMessageID: nil)))
    }

    private func goElsewhere(_ driver: inout Driver) {
        driver.tap("stukov", message: "m12")
        driver.push("hello", in: "kerrigan", message: "m22")
        driver.command(.background)
        driver.receive(.message(message(25)))
        driver.command(.foreground)
        driver.command(.open(conversation: "zagara"))
        driver.answerPage("/conversations/zagara/messages", [])
        driver.command(.takeSuggestion(1))
        driver.tap("abathur", message: "m40")
    }

    /// Returns a new client without a signed-in user, started with the data that `other` has left in its store.
    private func neverUsed(_ other: Driver) -> Driver {
        var driver = Driver(everything, seed: 2, store: other.store, phone: phone)
        driver.now = other.now
        driver.start()
        return driver
    }

    /// Describes the non-empty values that `used` reports and `fresh` does not.
    private func leftovers(_ used: Driver, _ fresh: Driver) -> [String] {
        used.shown.compactMap { name, value in
            let apps = ["metrics.", "app.", "push_token.", "permission.", "connection.host"]
            let isOfTheApp = apps.contains { name.hasPrefix($0) }
            // The status of messages and files that the server has not received may remain.
            let waits = ["message.status[", "upload.state["].contains { name.hasPrefix($0) }
            let isNothing = [JSON.null, false, 0, .array([])].contains(value)
            guard fresh.shown[name] != value, !isOfTheApp, !isNothing else { return nil }
            return waits && ["queued", "waiting", "uploading"].contains(value) ? nil : "\(name) = \(value)"
        }.sorted()
    }

    @Test("A signed-out client shows nothing of its former user")
    func nothingOfItIsShown() {
        let used = leftByItsUser()
        #expect(used["app.user"] == .null)
        #expect(leftovers(used, neverUsed(used)) == [])
    }

    /// This test validates the others: they are meaningful only if every observable was in use.
    @Test("The session used by these tests has set every observable")
    func theWalkHasBeenEverywhere() {
        let known = Set(leftByItsUser().shown.keys.map { String($0.prefix { $0 != "[" }) })
        let untouched = Client.registry.filter { $0.kind == .observable && !known.contains($0.name) }.map(\.name)
        // The phone, not the client, reports the observables for notifications, prompts and the share extension.
        let phones = ["notification", "metrics.", "permission.prompt", "shared."]
        #expect(untouched.filter { name in !phones.contains { name.hasPrefix($0) } } == [])
    }

    @Test("After signing out the disk holds only data shared by all users and data kept for the user's return")
    func onlyUnownedAndWaitingDataStaysOnDisk() {
        let kept = leftByItsUser().store.entries.map(\.key)
        let known = ["account.user", "launches", "notifications.permission", "outbox/", "uploads/", "deletions/"]
        #expect(kept.filter { key in !known.contains { key.hasPrefix($0) } } == [])
        for prefix in known { #expect(kept.contains { $0.hasPrefix(prefix) }, "\(prefix) was not written at all") }
    }

    @Test("A signed-out client has no pending request and no timer")
    func nothingIsUnderWayAndNothingPlanned() {
        var used = leftByItsUser()
        #expect(used.open("/").isEmpty)
        used.forget()
        used.advance(by: .seconds(600))
        #expect(used.requests.isEmpty && used.attempts.isEmpty)
    }

    @Test("For the next user the app behaves like a freshly installed app")
    func theNextUserFindsTheAppAsItWasOnItsFirstDay() {
        var used = leftByItsUser()
        var fresh = neverUsed(used)
        begin(&used)
        begin(&fresh)
        #expect(leftovers(used, fresh) == [])
        #expect(used.requests.map(\.request.target) == fresh.requests.map(\.request.target))
        #expect(used.frames.map(\.role) == fresh.frames.map(\.role))
    }

    private func begin(_ driver: inout Driver) {
        driver.forget()
        driver.command(.signIn(user: "ben", key: "key-3"))
        driver.answer("/push_token")
        driver.connect(lastSequence: 30)
        driver.answerAgents([kerrigan])
        driver.answerPage("/conversations/kerrigan/messages", [message(29, in: "kerrigan")], hasMore: true)
        driver.command(.openList)
        driver.command(.open(conversation: "stukov"))
        driver.answerPage("/conversations/stukov/messages", [message(28)], hasMore: true)
        driver.command(.scroll(to: .start))
    }

    // MARK: - Data kept until its user signs in again

    private func signedIn(_ profile: ClientProfile = .exact) -> Driver {
        var driver = Driver(profile)
        driver.startConnected()
        return driver
    }

    private func signIn(_ driver: inout Driver, _ user: String) {
        driver.forget()
        driver.command(.signIn(user: user, key: "key-of-\(user)"))
        driver.connect()
    }

    @Test("A file is uploaded only with the key of the user who shared it", arguments: [false, true])
    func aFileLeavesWithItsUsersKeyAlone(_ killed: Bool) {
        var driver = signedIn()
        driver.share(40_000)
        driver.receipt(16_384, of: 40_000)
        driver.command(.signOut)
        signIn(&driver, "ben")
        driver.advance(by: .seconds(60))
        #expect(driver.chunks == [])
        #expect(driver["uploads.pending"] == 0)
        if killed { driver.killAndStart() }
        signIn(&driver, "client")
        #expect(driver.chunks == ["offset=16384&size=40000 16384"])
        #expect(driver["uploads.pending"] == 1)
    }

    @Test("A file whose transfer the phone completed after signing out is not uploaded again")
    func transferredFilesAreNotSentAgain() throws {
        var driver = signedIn()
        driver.share(20_000)
        let file = try #require(driver.files.first)
        driver.command(.background)
        #expect(driver.transfers.count == 1)
        driver.command(.signOut)
        let receipt = UploadReceipt(received: 20_000, isComplete: true)
        driver.feed(.transferred(file, ChatResponse(status: 201, body: receipt.encode(driver.wire))))
        driver.command(.foreground)
        signIn(&driver, "client")
        #expect(driver.chunks == ["offset=20000&size=20000 0"])
    }

    @Test("A deletion is requested only with the key of the user who deleted the message", arguments: [false, true])
    func aDeletionIsAskedForWithItsUsersKeyAlone(_ killed: Bool) {
        var driver = signedIn()
        driver.send()
        driver.confirm(driver.key, sequence: 1)
        driver.command(.delete(message: driver.key))
        driver.command(.confirmDelete)
        driver.command(.signOut)
        signIn(&driver, "ben")
        driver.advance(by: .seconds(60))
        #expect(driver.open("/messages/").isEmpty)
        if killed { driver.killAndStart() }
        signIn(&driver, "client")
        #expect(driver.open("/messages/m1").count == 1)
        #expect(driver.requests.last?.request.authorization == "Bearer key-of-client")
    }

    @Test("A message in flight when the user signs out is sent again with the same id after signing in")
    func messagesInFlightKeepTheirID() {
        var driver = signedIn()
        driver.send()
        let name = driver.key
        driver.command(.signOut)
        #expect(driver.text("message.status[\(name)]") == "queued")
        signIn(&driver, "client")
        #expect(driver.sends.map(\.clientMessageID) == [name])
    }

    // MARK: - During signing out

    @Test("Each part of signing out is reported after it is done")
    func eachPartIsDoneBeforeItIsReported() throws {
        var driver = signedIn()
        driver.command(.open(conversation: "stukov"))
        let outputs = driver.feed(.command(.signOut))
        func place(_ isIt: (ClientOutput) -> Bool) -> Int? { outputs.firstIndex(where: isIt) }
        func told(_ part: String) -> Int? {
            place { if case .observe(let told) = $0 { told.name == "client.sign_out.\(part)" } else { false } }
        }
        let cleared = try #require(place { $0 == .phone(.clearNotifications) })
        let ended = try #require(place { if case .end = $0 { true } else { false } })
        let cancelled = try #require(place { if case .cancel = $0 { true } else { false } })
        let (state, session, user) = try (#require(told("state")), #require(told("session")), #require(told("user")))
        #expect(cleared < state && state < ended && ended < session && cancelled < session && session < user)
    }

    @Test("A push token that arrives during signing out does not delay the sign-out")
    func aTokenThatComesMeanwhileHoldsNothingUp() {
        var driver = Driver()
        driver.startWithToken()
        driver.answer("/push_token")
        driver.command(.signOut)
        driver.command(.token("t2"))
        #expect(driver.open("/push_token").count == 1)
        driver.answer("/push_token")
        #expect(driver["app.user"] == .null)
        #expect(driver.open("/push_token").isEmpty)
        #expect(driver.text("push_token.state") == "unowned")
        driver.command(.signIn(user: "ben", key: "key-3"))
        #expect(driver.open("/push_token").count == 1)
    }

    @Test("No attempt to save the push token begins while it is being removed")
    func noTryBeginsWhileTheTokenIsTakenBack() {
        var driver = Driver()
        driver.startWithToken()
        driver.answer("/push_token", 503)
        #expect(driver.text("push_token.state") == "waiting")
        driver.command(.signOut)
        driver.advance(by: .seconds(5))
        #expect(driver.requests.map(\.request.method).filter { $0 != "GET" }.count == 1)
    }

    @Test("Signing in while in the background leaves the app in the background")
    func signingInLeavesTheAppInTheBackground() {
        var driver = Driver()
        driver.startWithToken()
        driver.answer("/push_token")
        driver.command(.signOut)
        driver.command(.background)
        driver.answer("/push_token")
        driver.command(.signIn(user: "ben", key: "key-3"))
        driver.connect()
        driver.command(.open(conversation: "stukov"))
        driver.receive(.message(message(1)))
        #expect(driver["unread[stukov]"] == 1)
    }

    @Test("A client without a user sends no request, whatever the commands")
    func aClientWithoutAUserRequestsNothing() {
        var profile = everything
        profile.start.asksForPartners = true
        var driver = Driver(profile)
        driver.startConnected()
        driver.command(.signOut)
        driver.killAndStart()
        driver.command(.openList)
        driver.command(.open(conversation: "stukov"))
        driver.command(.share(file: "photo.jpg", bytes: 10, label: nil))
        driver.command(.reconnect)
        driver.advance(by: .seconds(600))
        #expect(driver.requests.isEmpty && driver.attempts.isEmpty)
        #expect(driver["view.conversation"] == .null)
    }
}
