import CLibpcap

/// Uses libpcap to read the packets of a pcap or pcapng capture file, as written by Wireshark or tcpdump.
package enum SavedPackets {
    /// The error for a file that cannot be read; the reason is libpcap's message.
    package struct Unreadable: Error, Hashable {
        package var reason: String
    }

    /// Describes the parts of a capture file that could not be read.
    package struct UnreadContents: Hashable {
        /// The number of frames whose link-layer header Squall does not support.
        package var unknown = 0
        /// The reason why the file could not be read to its end, for example because its writer was killed; nil if it
        /// was read completely.
        package var cut: String?
    }

    /// Passes each IP packet to `body`, with its time in nanoseconds since 1970.
    ///
    /// - Throws: ``Unreadable`` if the file is not a capture file.
    package static func read(
        _ path: String,
        _ body: (_ packet: ArraySlice<UInt8>, _ time: Int64) -> Void
    ) throws(Unreadable) -> UnreadContents {
        var reason = [CChar](repeating: 0, count: Int(PCAP_ERRBUF_SIZE))
        guard let file = pcap_open_offline_with_tstamp_precision(path, UInt32(PCAP_TSTAMP_PRECISION_NANO), &reason)
        else {
            let text = reason.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
            throw Unreadable(reason: String(decoding: text, as: UTF8.self))
        }
        defer { pcap_close(file) }
        let kind = pcap_datalink(file)
        var remains = UnreadContents()
        var bytes: UnsafePointer<UInt8>?
        var (count, time) = (UInt32(0), Int64(0))
        while true {
            let result = squall_next_packet(file, &bytes, &count, &time)
            guard result == 1 else {
                if result != PCAP_ERROR_BREAK { remains.cut = String(cString: pcap_geterr(file)) }
                return remains
            }
            let frame = Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
            if let packet = LinkLayer.packet(in: frame, of: kind) { body(packet, time) } else { remains.unknown += 1 }
        }
    }
}
