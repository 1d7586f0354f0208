#if os(Linux)
    import CNamespaces
    import Glibc
    import Synchronization

    /// The process that stands in the link's namespaces: descriptors are made there by asking it, and the command runs there.
    ///
    /// When this process ends, however it ends, the keeper goes, and with it every process of the command.
    final class NamespaceProcess: Sendable {
        /// A command, its path found.
        struct Command: Sendable {
            var path: String
            var arguments: [String]
            var environment: [String]
        }

        /// How the command ended.
        enum End: Hashable, Sendable {
            case exited(Int32)
            case killed(signal: Int32)
            /// The keeper has gone without a word: somebody killed it.
            case lost
        }

        private static let openSocket = Int32(squall_make_socket.rawValue)

        let id: pid_t
        /// Becomes readable when the keeper has gone.
        let watch: Int32
        private struct Control {
            /// Nil once it is over.
            var descriptor: Int32?
            /// What waitpid gave of the command. It comes unasked, and may come to somebody who waits for an answer.
            var end: Int32?
        }

        /// Whoever asks holds it until the answer is there.
        private let control: Mutex<Control>
        private let privileges: Privileges

        /// Ends with the thread that calls this.
        init(_ command: Command?, hosts: String, _ privileges: Privileges) throws(PacketLinkError) {
            self.privileges = privileges
            var ends: [Int32] = [-1, -1]
            guard squall_socket_pair(&ends) == 0 else { throw Self.failure("make a socket pair") }
            defer { close(ends[1]) }
            control = Mutex(Control(descriptor: ends[0]))
            var isInUserNamespace = !privileges.administers
            var started = Self.start(ends[1], isInUserNamespace, command, hosts)
            if started < 0, errno == EPERM, !isInUserNamespace {
                isInUserNamespace = true
                started = Self.start(ends[1], true, command, hosts)
            }
            guard started > 0 else {
                let why = privileges.whyNoNamespaces(errno)
                close(ends[0])
                throw PacketLinkError(why)
            }
            id = started
            watch = squall_watch_process(started)
            // From here on deinit cleans up.
            guard watch >= 0 else { throw Self.failure("watch a process (pidfd_open, Linux 5.3)") }
            if isInUserNamespace { try mapUser() }
        }

        deinit {
            finish()
            close(watch)
        }

        /// Has it go, with all that it holds and runs, and sees it gone: else it would be left to whoever adopts orphans.
        func finish() {
            control.withLock { control in
                guard let open = control.descriptor else { return }
                close(open)
                control.descriptor = nil
                // The end of the socket would do, if nobody has stopped it.
                kill(id, SIGKILL)
                _ = waitpid(id, nil, 0)
            }
        }

        /// The command sees itself as who it is; in there, its namespaces are its own.
        private func mapUser() throws(PacketLinkError) {
            for (file, text) in [
                ("setgroups", "deny"), ("uid_map", "\(geteuid()) \(geteuid()) 1"),
                ("gid_map", "\(getegid()) \(getegid()) 1"),
            ] {
                let code = TextFile.write(text, to: "/proc/\(id)/\(file)")
                guard code == 0 else {
                    throw PacketLinkError(privileges.whyForbidden("write \(file) of a user namespace", code))
                }
            }
        }

        private static func start(_ control: Int32, _ isInUserNamespace: Bool, _ command: Command?, _ hosts: String)
            -> pid_t
        {
            var arguments = (command?.arguments ?? []).map { strdup($0) } + [nil]
            var environment = (command?.environment ?? []).map { strdup($0) } + [nil]
            defer { for text in arguments + environment { free(text) } }
            let text = Array(hosts.utf8CString)
            return (command?.path ?? "").withCString { path in
                arguments.withUnsafeMutableBufferPointer { arguments in
                    environment.withUnsafeMutableBufferPointer { environment in
                        text.withUnsafeBufferPointer { text in
                            var made = squall_command()
                            made.path = command == nil ? nil : path
                            made.arguments = arguments.baseAddress.map { UnsafePointer($0) }
                            made.environment = environment.baseAddress.map { UnsafePointer($0) }
                            made.hosts = text.baseAddress
                            made.hosts_length = text.count - 1
                            return squall_start_keeper(control, isInUserNamespace ? squall_new_user : 0, &made)
                        }
                    }
                }
            }
        }

        private static func failure(_ operation: String, _ code: Int32 = errno) -> PacketLinkError {
            PacketLinkError("cannot \(operation): \(String(cString: strerror(code)).lowercased())")
        }

        // MARK: - Asking

        private func ask(_ what: squall_request, _ first: Int32 = 0, _ second: Int32 = 0) -> (
            code: Int32, descriptor: Int32
        ) {
            control.withLock { control in
                let request = squall_message(what: Int32(what.rawValue), first: first, second: second)
                guard let socket = control.descriptor, squall_send(socket, request, -1) == 0 else {
                    return (ECHILD, -1)
                }
                var answer = squall_message()
                var descriptor: Int32 = -1
                guard squall_receive(socket, &answer, &descriptor) == 1 else { return (ECHILD, -1) }
                guard answer.what != -1 else {
                    control.end = answer.first
                    return (ECHILD, -1)
                }
                return (answer.what, descriptor)
            }
        }

        /// In the namespace where the keeper stands; never blocks, and no child inherits it. Nil where the kernel has no such
        /// family.
        func socket(_ family: Int32, _ type: __socket_type) throws(PacketLinkError) -> Int32? {
            let (code, descriptor) = ask(squall_make_socket, family, Int32(type.rawValue | SOCK_NONBLOCK.rawValue))
            if code == EAFNOSUPPORT { return nil }
            guard code == 0, descriptor >= 0 else { throw Self.failure("make a socket in a namespace", code) }
            return descriptor
        }

        func openTun() throws(PacketLinkError) -> Int32 {
            let (code, descriptor) = ask(squall_open_tun)
            guard code == 0, descriptor >= 0 else { throw PacketLinkError(privileges.whyNoTun(code)) }
            return descriptor
        }

        /// On into another network namespace.
        func leaveNetwork() throws(PacketLinkError) {
            let code = ask(squall_leave_network).code
            guard code == 0 else {
                throw PacketLinkError(privileges.whyForbidden("make a second network namespace", code))
            }
        }

        /// Whether names can be found inside.
        func mountViews(withHosts: Bool) -> Bool {
            ask(squall_mount, withHosts ? 1 : 0).code == 0
        }

        /// 0 once the command runs, else the error number of what kept it from running.
        func run() -> Int32 { ask(squall_run).code }

        /// Sends the command a signal, unless the keeper, being of the same group, has just had it too; false once it has gone.
        func pass(signal: Int32) -> Bool {
            let request = squall_message(what: Int32(squall_signal.rawValue), first: signal, second: 0)
            return control.withLock { control in
                guard let socket = control.descriptor else { return false }
                _ = squall_send(socket, request, -1)
                return true
            }
        }

        /// How the command ended, once ``watch`` is readable.
        func end() -> End {
            let end = control.withLock { control -> Int32? in
                var message = squall_message()
                var descriptor: Int32 = -1
                if control.end == nil, let socket = control.descriptor,
                    squall_receive(socket, &message, &descriptor) == 1, message.what == -1
                {
                    control.end = message.first
                }
                return control.end
            }
            finish()
            guard let status = end else { return .lost }
            return status & 0x7F == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal: status & 0x7F)
        }
    }
#endif
