import SquallTesting
import Testing

#if canImport(TinyChat)
    import TinyChat
#endif

@Suite(.timeLimit(.minutes(2)))
struct WeatherTests {
    @Test("a message sent during a network stall arrives exactly once")
    func messageInTunnel() async throws {
        try await withWeather { weather in
            let client = ChatClient(try ChatClient.Settings(weather.addresses))
            let running = Task { await client.run() }
            defer { running.cancel() }
            try await weather.next(.clientConnected, within: .seconds(60))

            try await weather.network.stall(as: "tunnel")
            _ = await client.send("are you there?", to: "stukov")
            try await weather.network.heal("tunnel")
            let stored = try await weather.next(.serverStored, within: .seconds(60))
            #expect(stored.value?["conversation"] == "stukov")

            try await weather.network.drop()
            try await weather.next(.clientConnected, within: .seconds(60))
            #expect(try await weather.trace().events.count { $0.name == "server.stored" } == 1)
        }
    }
}
