#if os(Linux)
    import Glibc

    /// The TCP connections of a network namespace, as `/proc/net/tcp` has them.
    ///
    /// Open descriptors lead there also when no process stands there any more.
    final class ConnectionTable {
        /// FIN_WAIT1, LAST_ACK and CLOSING: closed here, and not all of it acknowledged.
        private static let sending: Set<Substring> = ["04", "09", "0B"]

        /// None where the system does not show them.
        private let files: [UnsafeMutablePointer<FILE>]

        init(whereStands process: pid_t) {
            files = ["tcp", "tcp6"].compactMap { fopen("/proc/\(process)/net/\($0)", "re") }
        }

        deinit {
            for file in files { fclose(file) }
        }

        /// Whether a connection that its process has closed has more to send, or waits for its acknowledgement.
        var areSending: Bool {
            files.contains { file in
                rewind(file)
                let text = TextFile.read(file)
                return text.split(separator: "\n").dropFirst().contains { line in
                    let fields = line.split(separator: " ", maxSplits: 4)
                    return fields.count > 3 && Self.sending.contains(fields[3])
                }
            }
        }
    }
#endif
