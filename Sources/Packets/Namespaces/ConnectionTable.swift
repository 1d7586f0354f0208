#if os(Linux)
    import Glibc

    /// The TCP connections of a network namespace, read from `/proc/net/tcp`.
    ///
    /// The files are kept open because they refer to the namespace even after its last process has exited.
    final class ConnectionTable {
        /// The states FIN_WAIT1, LAST_ACK and CLOSING: this side has closed, and its FIN has not been acknowledged yet.
        private static let sending: Set<Substring> = ["04", "09", "0B"]

        /// The open files in `/proc`; empty if the system does not provide them.
        private let files: [UnsafeMutablePointer<FILE>]

        init(whereStands process: pid_t) {
            files = ["tcp", "tcp6"].compactMap { fopen("/proc/\(process)/net/\($0)", "re") }
        }

        deinit {
            for file in files { fclose(file) }
        }

        /// Whether a closed connection still has unsent or unacknowledged data, or an unacknowledged FIN.
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
