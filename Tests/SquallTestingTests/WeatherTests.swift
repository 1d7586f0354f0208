import Foundation
import SquallTesting
import Testing

/// Tests `withWeather`, which lets a test control a server and a network.
@Suite(.timeLimit(.minutes(2)))
struct WeatherTests {
    private func scenario(_ yaml: String) throws -> ScenarioCase {
        try #require(try Scenarios.cases(yaml: "squall: 1\nname: head\n\(yaml)\n").first)
    }

    @Test("An event that occurred before the call of next() is returned, exactly once")
    func pastEventsAreReturnedOnce() async throws {
        try await withWeather { weather in
            #expect(await Caller.reaches(weather.addresses.webSocketURL))
            let accepted = try await weather.next("network.accepted", within: .seconds(60))
            let closed = try await weather.next("network.closed", within: .seconds(60))
            #expect(closed.index > accepted.index && closed.time >= accepted.time)
            // `next` returns each event only once, so a second call waits for another event.
            let error = await #expect(throws: SquallTestingError.self) {
                try await weather.next("network.closed", within: .milliseconds(50))
            }
            #expect(error?.kind == .notInTime)
            // until() also accepts past events.
            try await weather.until("network.closed", within: .milliseconds(50))
        }
    }

    @Test("An action has taken effect when its call returns")
    func actionsAreDoneWhenTheyReturn() async throws {
        try await withWeather { weather in
            try await weather.network.refuse(as: "shut")
            #expect(await !Caller.reaches(weather.addresses.webSocketURL))
            try await weather.network.heal("shut")
            #expect(await Caller.reaches(weather.addresses.webSocketURL))
            let names = try await weather.trace().events.map(\.name)
            #expect(names.contains("fault.began") && names.contains("fault.ended"))
        }
    }

    @Test("Steps in the scenario language have the same effect as the Swift methods")
    func theScenariosOwnWordsDoTheSame() async throws {
        try await withWeather { weather in
            try await weather.perform(
                """
                - server: { post: { to: stukov, count: 3 } }
                  as: news
                - network: { latency: { delay: 10ms } }
                """
            )
            let stored = try await weather.next("server.stored[news-2]", within: .seconds(60))
            #expect(stored.key == "news-2" && stored.client == nil)
            try await weather.server.post(to: "stukov", count: 2, as: "more")
            try await weather.next("server.stored[more-1]", within: .seconds(60))
            // A later call may reuse a fault's label.
            for _ in 1...2 { try await weather.network.latency(delay: .milliseconds(5), as: "slow") }
            try await weather.network.heal("slow")
        }
    }

    @Test("An error in a scenario fragment is reported with its location")
    func aMistakeInAFragmentHasItsLocation() async throws {
        try await withWeather { weather in
            var error = await #expect(throws: SquallTestingError.self) {
                try await weather.perform("network: { stal: { for: 3s } }")
            }
            #expect(error?.kind == .scenario)
            #expect(error?.message.contains("fragment:1:12: error: unknown network action 'stal'") == true)
            #expect(error?.message.contains("did you mean 'stall'?") == true)
            error = await #expect(throws: SquallTestingError.self) {
                try await weather.perform("network: { stall: { for: soon } }")
            }
            #expect(error?.message.contains("'for' must be a duration") == true, "\(error?.message ?? "")")
            error = await #expect(throws: SquallTestingError.self) {
                try await weather.perform("network: { heal: nothing }")
            }
            #expect(error?.message.contains("unknown label 'nothing'") == true)
            error = await #expect(throws: SquallTestingError.self) { try await weather.perform("wait: 3s") }
            #expect(error?.message.contains("fragment:1:1: error: 'wait' is only allowed in a script") == true)
            error = await #expect(throws: SquallTestingError.self) { try await weather.perform("network: [") }
            #expect(error?.message.hasPrefix("fragment:") == true, "\(error?.message ?? "")")
            error = await #expect(throws: SquallTestingError.self) {
                try await weather.next("client.conected", within: .seconds(1))
            }
            #expect(error?.message.contains("did you mean 'client.connected'?") == true)
        }
    }

    @Test("Weather refuses actions and observables of the client")
    func clientActionsAreRefused() async throws {
        try await withWeather { weather in
            var error = await #expect(throws: SquallTestingError.self) {
                try await weather.perform("user: { open: stukov }")
            }
            #expect(error?.message.contains("have it open there") == true)
            error = await #expect(throws: SquallTestingError.self) {
                try await weather.until("{ connection.state: connected }", within: .seconds(1))
            }
            #expect(error?.message.contains("link.state says whether it is connected") == true)
            error = await #expect(throws: SquallTestingError.self) {
                try await weather.next("client.connected", within: .zero)
            }
            #expect(error?.kind == .usage)
        }
    }

    @Test("'until' waits for a state to hold, and 'next' waits for a change to the state")
    func aStateIsWaitedForAsItIsAndAsItComes() async throws {
        try await withWeather { weather in
            let calling = Task { try await Caller.stay(at: weather.addresses.webSocketURL) }
            defer { calling.cancel() }
            try await weather.until("{ link.state: open }", within: .seconds(60))
            try await weather.until("{ link.state: open }", within: .milliseconds(1))
            calling.cancel()
            let gone = try await weather.next("{ link.state: none }", within: .seconds(60))
            #expect(gone.name == "link.state" && gone.value == "none" && gone.client == "client")
        }
    }

    @Test("The error of a wait that times out contains the observed value")
    func aWaitInVainSaysWhatWasTheCaseInstead() async throws {
        try await withWeather { weather in
            let error = await #expect(throws: SquallTestingError.self) {
                try await weather.until("{ link.state: connected }", within: .milliseconds(50))
            }
            #expect(error?.kind == .notInTime)
            #expect(error?.message.contains("link.state") == true)
            #expect(error?.message.contains("expected connected within 50ms") == true)
        }
    }

    @Test("Each of several clients has its own addresses")
    func severalClientsHaveTheirOwnAddresses() async throws {
        try await withWeather(try scenario("clients: [anna, ben]")) { weather in
            let ben = try await weather.addresses(of: "ben")
            #expect(ben.client == "ben" && weather.addresses.client == "anna")
            #expect(ben.webSocketURL != weather.addresses.webSocketURL)
            try await weather.perform("ben.network: refuse")
            #expect(await Caller.reaches(weather.addresses.webSocketURL))
            #expect(await !Caller.reaches(ben.webSocketURL))
            let error = await #expect(throws: SquallTestingError.self) { try await weather.addresses(of: "carl") }
            #expect(error?.message.contains("there is no client 'carl'; the clients are: anna, ben") == true)
        }
    }

    @Test("At its end the weather is judged by the scenario's expectations")
    func theEndIsJudgedByWhatTheScenarioExpects() async throws {
        let head = "expect:\n  - count: { of: network.accepted, exactly: 1 }"
        for calls in 1...2 {
            let result = try await withWeather(try scenario(head)) { weather in
                for _ in 1...calls {
                    #expect(await Caller.reaches(weather.addresses.webSocketURL))
                    try await weather.next("network.closed", within: .seconds(60))
                }
                let result = try await weather.end()
                #expect(try await weather.end().trace.jsonLines == result.trace.jsonLines)
                await #expect(throws: SquallTestingError.self) { try await weather.network.drop() }
                return result
            }
            #expect((result.verdict == .pass) == (calls == 1), "\(result.message)")
        }
    }

    /// An expectation that holds for one connection and fails for two.
    private static let once = "expect:\n  - count: { of: network.accepted, exactly: 1 }"

    private func connect(_ count: Int, in weather: Weather) async throws {
        for _ in 1...count {
            #expect(await Caller.reaches(weather.addresses.webSocketURL))
            try await weather.next(.networkClosed, within: .seconds(60))
        }
    }

    @Test("Weather is judged at the end of its closure even without a call of end()")
    func judgesOnExit() async throws {
        let (sound, broken) = (try scenario(Self.once), try scenario(Self.once))
        try await withWeather(sound) { try await connect(1, in: $0) }
        let result = try await withWeather(broken) { weather in
            try await connect(2, in: weather)
            return try await weather.end()
        }
        #expect(result.verdict != .pass)
    }

    @Test("Weather that is discarded is not judged")
    func discards() async throws {
        try await withWeather(try scenario(Self.once)) { weather in
            try await connect(2, in: weather)
            weather.discard()
        }
    }

    @Test("The weather trait gives each test its own weather", .weather())
    func hasWeather() async throws {
        let weather = try #require(Weather.current)
        #expect(await Caller.reaches(weather.addresses.webSocketURL))
        try await weather.until(.networkClosed, within: .seconds(60))
    }

    @Test("Weather without any expectation passes")
    func weatherWithoutExpectationsPasses() async throws {
        let result = try await withWeather { try await $0.end() }
        #expect(result.verdict == .pass && result.parts.isEmpty)
    }

    @Test("A fault that had no effect makes the weather inconclusive")
    func aFaultThatMetNothingProvesNothing() async throws {
        let result = try await withWeather { weather in
            try await weather.network.drop()
            return try await weather.end()
        }
        #expect(result.verdict == .inconclusive)
        #expect(result.message.contains("had no effect: there was no connection"))
    }

    /// If the package was built without TLS, the error states what is missing.
    @Test("With TLS the weather provides the CA file for the client")
    func tlsWeatherHasAnAuthorityFile() async throws {
        let head = try scenario("server: { tls: true }")
        do {
            try await withWeather(head) { weather in
                #expect(weather.addresses.webSocketURL.hasPrefix("wss://"))
                let file = try #require(weather.addresses.authorityFile)
                #expect(try String(contentsOfFile: file, encoding: .utf8).hasPrefix("-----BEGIN CERTIFICATE-----"))
            }
        } catch let error as SquallTestingError {
            #expect(error.kind == .usage && error.message.contains("--traits TLS"), "\(error)")
        }
    }

    // MARK: - Cleanup after the closure ends

    private struct Enough: Error {}

    @Test("The weather's server is stopped after the closure throws an error")
    func whateverThrowsTheServerIsGone() async throws {
        let (addresses, address) = AsyncStream.makeStream(of: String.self)
        await #expect(throws: Enough.self) {
            try await withWeather { weather in
                address.yield(weather.addresses.webSocketURL)
                throw Enough()
            }
        }
        var iterator = addresses.makeAsyncIterator()
        let url = try #require(await iterator.next())
        #expect(await !Caller.reaches(url))
    }

    @Test("Cancelling a test stops the weather's server")
    func aCancelledTestLeavesNothing() async throws {
        let (addresses, address) = AsyncStream.makeStream(of: String.self)
        let test = Task {
            try await withWeather { weather in
                address.yield(weather.addresses.webSocketURL)
                try await weather.next("client.connected", within: .seconds(3600))
            }
        }
        var iterator = addresses.makeAsyncIterator()
        let url = try #require(await iterator.next())
        #expect(await Caller.reaches(url))
        test.cancel()
        await #expect(throws: CancellationError.self) { try await test.value }
        #expect(await !Caller.reaches(url))
    }

    @Test("An unknown profile for weather throws an error")
    func aProfileThatThereIsNotIsAnError() async throws {
        let error = await #expect(throws: SquallTestingError.self) { try await withWeather(profile: "sunny") { _ in } }
        #expect(error?.message.contains("there is no profile 'sunny'") == true)
    }

    @Test("A scenario that is restricted to sim cannot be used as weather")
    func aScenarioForSimAloneIsAnError() async throws {
        let head = try scenario("worlds: sim\nwhy: it takes a week")
        let error = await #expect(throws: SquallTestingError.self) { try await withWeather(head) { _ in } }
        #expect(error?.message.contains("it takes a week") == true)
    }
}
