import ChatWire
import Faults
import ReferenceClient
import SquallCore
import Testing
import WebSocketWire

/// Tests the tables that other modules read: profile, defects, commands and registry.
@Suite struct TablesTests {
    @Test("Every field of the client profile can be read and set")
    func everyFieldCanBeReadAndSet() {
        for field in ClientProfile.fields {
            var profile = ClientProfile()
            let value: ArgumentValue
            switch (field.kind, field.get(profile)) {
            case (.text, .text(let text)): value = .text(text + "!")
            case (.flag, .flag(let flag)): value = .flag(!flag)
            case (.integer(let range), .integer(let number)):
                value = .integer(number < range.upperBound ? number + 1 : number - 1)
            case (.duration, .duration(let span)): value = .duration(span + .seconds(1))
            case (.word(let words), .text(let word)): value = .text(words.first { $0 != word } ?? word)
            default:
                Issue.record("\(field.name) gives a value of another kind than it says")
                continue
            }
            field.set(&profile, value)
            #expect(field.get(profile) == value, "\(field.name)")
            #expect(profile != ClientProfile(), "\(field.name)")
            let changed = ClientProfile.fields.filter { $0.get(profile) != $0.get(ClientProfile()) }
            #expect(changed.map(\.name) == [field.name])
        }
    }

    @Test("The names of the client profile's fields are unique")
    func fieldNamesAreUnique() {
        let names = ClientProfile.fields.map(\.name)
        #expect(Set(names).count == names.count)
    }

    @Test("A profile field ignores a value of the wrong type")
    func fieldsIgnoreValuesOfAnotherKind() {
        for field in ClientProfile.fields {
            var profile = ClientProfile()
            field.set(&profile, .list([]))
            field.set(&profile, .integer(-1))
            #expect(profile == ClientProfile(), "\(field.name)")
        }
    }

    @Test("Every client defect has a unique name and makes a distinct change")
    func defectsAreDifferentChangesAndNamedOnce() {
        var changes: [Defective: String] = [:]
        // The default client offers no compression, so a defect that disables it would have no effect.
        var sound = Defective()
        sound.profile.connect.compressAbove = 1024
        for defect in Defect.all {
            var changed = sound
            defect.apply(to: &changed.policy, &changed.profile)
            #expect(changed != sound, "\(defect.name) changes nothing")
            #expect(changes[changed] == nil, "\(defect.name) and \(changes[changed] ?? "") are the same change")
            changes[changed] = defect.name
            #expect(!defect.rows.isEmpty && !defect.breaks.isEmpty)
            #expect(Defect.named(defect.name)?.breaks == defect.breaks)
        }
        #expect(Set(Defect.all.map(\.name)).count == Defect.all.count)
        #expect(Defect.named("unknown") == nil)
    }

    @Test("The client has every defect that the scenarios are written for")
    func defectsThatAreAskedForAreThere() {
        let asked = [
            "noBackoff", "noJitter", "delayBelowFloor", "backoffNotReset", "retriesForever", "resetOnTcpOpen",
            "blindReconnectTimer", "noReconnectOnNetworkRestore", "redundantConnect", "noHeartbeat", "pingBeforeAuth",
            "pongIgnored", "halfOpenUnnoticed", "noPendingTimeout", "swallowSendError", "noRetryQueue",
            "noIdempotencyKey",
            "noResponseDedup", "noAck", "arrivalOrder", "clientClockUsed", "sendsBeforeAuth", "authRetryLoop",
            "promptDroppedOffline", "queueInMemory", "noFlush", "noAutoRetry", "statusUnclear", "drainingIgnored",
            "drainingCountsAsFailure", "drainHerd", "inflightLostOnDrain", "portalAsGenericFailure",
            "portalBurnsAttempts", "noPortalAlert", "probeFollowsRedirect", "any3xxIsPortal", "degradedAsOffline",
            "silentSync", "replayGapUnnoticed", "swallowServerError", "floodOnFlush", "noReconnectBanner",
            "noStaleReplyGuard", "crashOnUnknownType", "crashOnMalformed",
        ]
        #expect(asked.filter { Defect.named($0) == nil } == [])
    }

    private struct Defective: Hashable {
        var policy = Policy.reference
        var profile = ClientProfile()
    }

    @Test("The names in the reference client's registry are unique")
    func registryNamesAreUnique() {
        let names = Client.registry.map(\.name)
        #expect(Set(names).count == names.count)
    }

    /// The test uses most features of the client, and checks every observation against the registry.
    @Test("Every observation is registered and has the declared type")
    func observationsMatchTheRegistry() {
        var driver = Driver()
        driver.start()
        driver.open()
        driver.drop()
        driver.answer("/health", body: StatusBody.ok.encode(driver.wire))
        driver.advance(by: .seconds(1))
        driver.connect(lastSequence: 3)
        driver.command(.open(conversation: "stukov"))
        driver.answerPage("/conversations/stukov", [message(1), message(2)])
        driver.command(.send(conversation: nil, text: "Hello.", label: "hello"))
        driver.confirm(driver.sends.first?.clientMessageID ?? "", sequence: 4)
        driver.receive(.message(message(6)))
        driver.replay([message(5)], through: 6, complete: false)
        driver.failRequest("/conversations")
        driver.receive(.typing(conversation: "stukov", user: "stukov", active: true))
        driver.receive(.presence(user: "stukov", status: .busy, lastSeen: nil))
        driver.receive(
            .token(ServerFrame.Token(conversation: "stukov", messageID: "m9", index: 0, text: "a", final: false))
        )
        driver.receive(.readReceipt(conversation: "stukov", messageID: "m4", reader: "stukov"))
        driver.receive(text: #"{"type":"horoscope"}"#)
        driver.receive(text: "nonsense")
        driver.command(.refresh)
        driver.failRequest("/conversations/stukov")
        driver.advance(by: .seconds(45))
        driver.command(.network(reachable: false))
        driver.command(.network(reachable: true))
        driver.open()
        driver.refuseUpgrade(302, ["Location": "http://portal.test/"])
        driver.receive(.draining(message: "bye", retryAfter: nil))

        let entries = Dictionary(Client.registry.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        for (observation, _) in driver.observations {
            guard let entry = entries[observation.name] else {
                Issue.record("\(observation.name) is not in the registry")
                continue
            }
            #expect((entry.key != nil) == (observation.key != nil), "\(observation.name)")
            switch (observation.change, entry.value) {
            case (.happened(let fields), .fields(let known, _)):
                for member in fields.members ?? [] {
                    let field = known.first { $0.name == member.name }
                    #expect(field.map { $0.kind.problem(with: member.value) } == .some(nil), "\(observation)")
                }
            case (.set(let value), .word(let words)):
                #expect(value.isNull || value.stringValue.map(words.contains) ?? false, "\(observation)")
            case (.set(let value), .flag): #expect(value.boolValue != nil, "\(observation)")
            case (.set(let value), .integer), (.set(let value), .duration):
                #expect(value.isNull || value.intValue != nil, "\(observation)")
            case (.set(let value), .text): #expect(value.isNull || value.stringValue != nil, "\(observation)")
            case (.set(let value), .list): #expect(value.arrayValue != nil, "\(observation)")
            case (.inserted, .list), (.removed, .list), (.replaced, .list): break
            default: Issue.record("\(observation) is not of its kind")
            }
        }
    }
}
