import ArgumentParser
import Panel
import Sockets

/// Command-line options for the web panel.
struct PanelOptions: ParsableArguments {
    @Flag(
        help:
            "Serve a page that shows what happens and has a button for everything that can be done; its address is printed."
    )
    var panel = false

    @Option(help: "With --panel: the port of the page; 0 chooses a free one.")
    var panelPort = 0

    @Option(
        help: "With --panel: the IPv4 address that the page is served on; 0.0.0.0 is every address of this machine."
    )
    var panelHost = "127.0.0.1"

    func validate() throws {
        guard panel || panelPort == 0 && panelHost == "127.0.0.1" else {
            throw ValidationError("--panel-port and --panel-host need --panel")
        }
        guard 0...65_535 ~= panelPort else {
            throw ValidationError("--panel-port must be 0 to 65535, not \(panelPort)")
        }
        guard LocalAddress(panelHost) != nil else {
            throw ValidationError("--panel-host must be an IPv4 address of this machine, not '\(panelHost)'")
        }
    }

    /// The address of the panel; nil if there is no panel.
    var place: PanelServer.Place? {
        guard panel, let address = LocalAddress(panelHost) else { return nil }
        let names = HostNames.reachable(at: panelHost).filter { !$0.contains(":") }
        return PanelServer.Place(address: address, port: panelPort, names: names + ["localhost", "127.0.0.1"])
    }
}
