import ArgumentParser
import Live
import Sockets

/// A local address and a port on the command line, such as `192.168.1.5:9000`.
struct ListenOption: ExpressibleByArgument, Hashable, Sendable {
    let place: LiveOptions.ListenAddress

    init?(argument: String) {
        guard let colon = argument.lastIndex(of: ":"), let address = LocalAddress(String(argument[..<colon])),
            let port = UInt16(argument[argument.index(after: colon)...]), port > 0
        else { return nil }
        place = LiveOptions.ListenAddress(address: address, port: Int(port))
    }
}
