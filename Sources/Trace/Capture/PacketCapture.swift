package import SquallCore

/// The packets of one run, as somebody beside its network saw them.
package struct PacketCapture: Hashable, Sendable {
    /// What of a run is kept, in bytes: packets beyond it are counted only.
    package static let limit = 16 << 20

    /// Where a packet was seen: an interface of the file, which Wireshark shows and filters by (`frame.interface_name`).
    package enum Place: UInt32, Hashable, Sendable, CaseIterable {
        /// Between a client and the network, as the client sees it.
        case client
        /// Between the network and the server, as the server sees it.
        case server
    }

    /// An IPv4 address, the first byte highest, and a port.
    package struct Endpoint: Hashable, Sendable {
        package var address: UInt32
        package var port: UInt16

        package init(address: UInt32, port: UInt16) {
            self.address = address
            self.port = port
        }
    }

    /// One IP packet.
    package struct Packet: Hashable, Sendable {
        /// When it passed, on the run's own clock: the time of the trace.
        package var time: Instant
        package var place: Place
        package var bytes: [UInt8]
        /// What cannot be seen from the packet alone, for whoever reads the file.
        package var comment: String?

        package init(time: Instant, place: Place, bytes: [UInt8], comment: String? = nil) {
            self.time = time
            self.place = place
            self.bytes = bytes
            self.comment = comment
        }
    }

    /// A host that has a name.
    package struct Host: Hashable, Sendable {
        /// Four bytes, the first one highest.
        package var address: UInt32
        package var name: String

        package init(address: UInt32, name: String) {
            self.address = address
            self.name = name
        }
    }

    /// What wrote it.
    package var tool: String
    /// What a reader has to know of the whole file.
    package var note: String
    /// What each place is, with its addresses and ports.
    package var places: [Place: String] = [:]
    package var hosts: [Host] = []
    /// What TLS connections are read with: lines as BoringSSL and OpenSSL log them (`SSLKEYLOGFILE`).
    package var secrets: [UInt8] = []
    /// In the order of time.
    package var packets: [Packet] = []
    /// Packets that passed unseen, because the system had no room for them.
    package var dropped = 0
    /// Packets that were seen behind the limit, and not kept.
    package var leftOut = 0

    package init(tool: String, note: String) {
        self.tool = tool
        self.note = note
    }
}
