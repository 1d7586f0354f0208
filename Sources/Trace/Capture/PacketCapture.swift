package import SquallCore

/// The packets of one run, as captured on both sides of its network.
package struct PacketCapture: Hashable, Sendable {
    /// The maximum total size of the packets, in bytes. Packets beyond it are counted but not stored.
    package static let limit = 16 << 20

    /// The point at which a packet was captured. Each point is an interface in the capture file, and can be selected
    /// with Wireshark's filter `frame.interface_name`.
    package enum CapturePoint: UInt32, Hashable, Sendable, CaseIterable {
        /// The connection between a client and the network, as the client sees it.
        case client
        /// The connection between the network and the server, as the server sees it.
        case server
    }

    /// An IPv4 address and a port. The address is an integer whose most significant byte is the address's first byte.
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
        /// The time of capture on the run's clock, as in the trace.
        package var time: Instant
        package var place: CapturePoint
        package var bytes: [UInt8]
        /// A comment about something that the packet itself does not show.
        package var comment: String?

        package init(time: Instant, place: CapturePoint, bytes: [UInt8], comment: String? = nil) {
            self.time = time
            self.place = place
            self.bytes = bytes
            self.comment = comment
        }
    }

    /// A host name and its address.
    package struct Host: Hashable, Sendable {
        /// The IPv4 address, as an integer whose most significant byte is the address's first byte.
        package var address: UInt32
        package var name: String

        package init(address: UInt32, name: String) {
            self.address = address
            self.name = name
        }
    }

    /// The name and version of the program that writes the file.
    package var tool: String
    /// A comment on the whole capture file.
    package var note: String
    /// A description of each capture point, with its addresses and ports.
    package var places: [CapturePoint: String] = [:]
    package var hosts: [Host] = []
    /// The secrets for decrypting TLS, as lines in the format that BoringSSL and OpenSSL write (`SSLKEYLOGFILE`).
    package var secrets: [UInt8] = []
    /// The packets, ordered by time.
    package var packets: [Packet] = []
    /// The number of packets that were not captured because the kernel's buffer was full.
    package var dropped = 0
    /// The number of packets beyond ``limit``, which are not stored.
    package var leftOut = 0

    package init(tool: String, note: String) {
        self.tool = tool
        self.note = note
    }
}
