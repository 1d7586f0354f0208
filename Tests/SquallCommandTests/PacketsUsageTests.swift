import TestSupport
import Testing

/// Tests the usage errors of `squall packets`, which can be tested on any machine because they need no virtual links.
@Suite(.ownThread) struct PacketsUsageTests {
    @Test(
        "Invalid arguments of squall packets are reported",
        arguments: [
            (["--loss", "5", "--", "true"], "loss: '5' is not a percentage: write it as in 5%"),
            ([] as [String], "give a command"),
            (["--reach", "80", "--reach", "80=81", "--", "true"], "server.test:80 is specified twice"),
            (["--mtu", "576", "--", "true"], "--mtu must be 1280 to 65535, not 576"),
            (["--listen", "9000", "--", "true"], "'9000' is not PORT=HOST:PORT"),
            (["--listen", "70000=localhost:80"], "'70000=localhost:80' is not PORT=HOST:PORT"),
            (["--listen", "web=localhost:80"], "'web=localhost:80' is not PORT=HOST:PORT"),
            (["--reach", "listen.test:1=80", "--", "true"], "listen.test is reserved"),
            (["--delay", "5ms 1ms", "--jitter", "2ms", "--", "true"], "already includes the jitter"),
        ]
    )
    func saysWhatIsWrong(_ arguments: [String], _ words: String) throws {
        let ending = try Command(["packets"] + arguments).ending()
        #expect(ending.status == 64)
        #expect(ending.errors.contains(words), "\(ending.errors)")
    }

    #if !os(Linux)
        @Test("squall packets on another system reports that it requires Linux")
        func saysThatItIsLinuxOnly() throws {
            let ending = try Command.run("packets", "--", "true")
            #expect(ending.status == 70)
            #expect(ending.errors.contains("squall packets needs Linux"))
        }
    #endif
}
