import ArgumentParser
import Live
import Sockets
import Squall
import SquallCore

/// The options for the control port, from which an app polls its commands.
struct ControlOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "With --client http: the port that the app polls for its commands; 0 chooses a free one. (default: 0)",
            valueName: "port"
        )
    )
    var controlPort: Int?

    @Option(
        help: ArgumentHelp(
            """
            With --client http: the IPv4 address that the control port listens on; 0.0.0.0 is every address of this \
            machine. (default: 127.0.0.1)
            """,
            valueName: "address"
        )
    )
    var controlHost: String?

    @Option(
        help: ArgumentHelp(
            "With --client http: a file that has the control port's URL until the run has ended, for a script.",
            valueName: "file"
        )
    )
    var controlFile: String?

    @Option(
        help: ArgumentHelp(
            "With --client http: how long to wait for the app to connect, such as 10m. (default: 2m)",
            valueName: "time"
        ),
        transform: PositiveTime.init
    )
    var controlWait: PositiveTime?

    /// The name of the first option that was given; nil if no option was given.
    var given: String? {
        let all: [(name: String, isGiven: Bool)] = [
            ("--control-port", controlPort != nil), ("--control-host", controlHost != nil),
            ("--control-file", controlFile != nil), ("--control-wait", controlWait != nil),
        ]
        return all.first(where: \.isGiven)?.name
    }

    func validate() throws {
        if let controlPort, !(0...65_535 ~= controlPort) {
            throw ValidationError("--control-port must be 0 to 65535, not \(controlPort)")
        }
        if controlFile == "-" {
            throw ValidationError("--control-file: '-' is not an output file; the URL is printed in any case")
        }
        if let controlHost, LocalAddress(controlHost) == nil {
            throw ValidationError("--control-host must be an IPv4 address of this machine, not '\(controlHost)'")
        }
    }

    var choice: AppChoice {
        var place = AppPort.Place(port: controlPort ?? 0)
        if let controlHost, let address = LocalAddress(controlHost) {
            place.address = address
            place.name = HostNames.reachable(at: controlHost).first { !$0.contains(":") } ?? controlHost
        }
        if let controlWait { place.timeout = controlWait.span }
        return AppChoice(place, file: controlFile)
    }
}
