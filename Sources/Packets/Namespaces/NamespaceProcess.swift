#if os(Linux)
    import CNamespaces
    import Glibc
    import Synchronization

    /// A child process inside the link's namespaces that creates sockets there on request, and runs the command.
    ///
    /// If this process exits for any reason, the kernel kills the child and, with it, all of the command's processes,
    /// because the child is the init process of their PID namespace.
    final class NamespaceProcess: Sendable {
        /// A command whose path has been resolved.
        struct Command: Sendable {
            var path: String
            var arguments: [String]
            var environment: [String]
        }

        /// How the command ended.
        enum End: Hashable, Sendable {
            case exited(Int32)
            case killed(signal: Int32)
            /// The namespace process was killed before it reported how the command ended.
            case lost
        }

        private static let openSocket = Int32(squall_make_socket.rawValue)

        let id: pid_t
        /// A file descriptor (pidfd) that becomes readable when the namespace process has exited.
        let pidfd: Int32
        private struct Control {
            /// The control socket; nil once the process has been killed and reaped.
            var descriptor: Int32?
            /// The command's `waitpid` status; nil until it has been received. The child sends it unprompted, so it may
            /// arrive while a reply is awaited.
            var end: Int32?
        }

        /// The state of the control socket. Its lock is held from a request until its reply, so that replies are not
        /// mixed up.
        private let control: Mutex<Control>
        private let privileges: Privileges

        /// Starts the process in new namespaces, with a user namespace if this process lacks CAP_SYS_ADMIN.
        ///
        /// The process is killed when the calling thread ends, because the kernel's parent-death signal is bound to the
        /// thread.
        ///
        /// - Throws: ``PacketLinkError`` if the namespaces cannot be created.
        init(_ command: Command?, hosts: String, _ privileges: Privileges) throws(PacketLinkError) {
            self.privileges = privileges
            var ends: [Int32] = [-1, -1]
            guard squall_socket_pair(&ends) == 0 else { throw Self.failure("create a socket pair") }
            defer { close(ends[1]) }
            control = Mutex(Control(descriptor: ends[0]))
            var isInUserNamespace = !privileges.hasSysAdmin
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
            pidfd = squall_watch_process(started)
            // All properties are initialised, so throwing from here on runs `deinit`.
            guard pidfd >= 0 else { throw Self.failure("watch a process (pidfd_open, Linux 5.3)") }
            if isInUserNamespace { try mapUser() }
        }

        deinit {
            finish()
            close(pidfd)
        }

        /// Kills the process and everything that it runs, and reaps the process, so that no zombie is left.
        func finish() {
            control.withLock { control in
                guard let open = control.descriptor else { return }
                close(open)
                control.descriptor = nil
                // Closing the socket makes the process exit, unless a signal has stopped it. SIGKILL also ends a
                // stopped process.
                kill(id, SIGKILL)
                _ = waitpid(id, nil, 0)
            }
        }

        /// Maps this process's user and group ids into the user namespace, so that the command runs with the same ids.
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

        /// Starts the process. Returns its id, or a negative number with `errno` set.
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

        // MARK: - Requests

        /// Sends a request and waits for its reply: an error number, and a descriptor or -1.
        ///
        /// The error number is ECHILD if the child has exited.
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

        /// Creates a non-blocking socket in the child's current namespace; returns nil if the kernel does not support
        /// the address family.
        func socket(_ family: Int32, _ type: __socket_type) throws(PacketLinkError) -> Int32? {
            let (code, descriptor) = ask(squall_make_socket, family, Int32(type.rawValue | SOCK_NONBLOCK.rawValue))
            if code == EAFNOSUPPORT { return nil }
            guard code == 0, descriptor >= 0 else { throw Self.failure("create a socket in a namespace", code) }
            return descriptor
        }

        /// Opens /dev/net/tun in the child's current namespace.
        func openTun() throws(PacketLinkError) -> Int32 {
            let (code, descriptor) = ask(squall_open_tun)
            guard code == 0, descriptor >= 0 else { throw PacketLinkError(privileges.whyNoTun(code)) }
            return descriptor
        }

        /// Moves the child to a new network namespace.
        func leaveNetwork() throws(PacketLinkError) {
            let code = ask(squall_leave_network).code
            guard code == 0 else {
                throw PacketLinkError(privileges.whyForbidden("create a second network namespace", code))
            }
        }

        /// Mounts the command's view of the file system.
        ///
        /// Returns whether that succeeded. If `withHosts` is true, service names then resolve inside the namespace.
        func mountViews(withHosts: Bool) -> Bool {
            ask(squall_mount, withHosts ? 1 : 0).code == 0
        }

        /// Starts the command. Returns 0 on success, otherwise the error number.
        func run() -> Int32 { ask(squall_run).code }

        /// Forwards a signal to the command, unless the command has already received it as a member of the process
        /// group.
        ///
        /// Returns false if the namespace process has exited.
        func pass(signal: Int32) -> Bool {
            let request = squall_message(what: Int32(squall_signal.rawValue), first: signal, second: 0)
            return control.withLock { control in
                guard let socket = control.descriptor else { return false }
                _ = squall_send(socket, request, -1)
                return true
            }
        }

        /// Returns how the command ended. Call it once ``pidfd`` is readable.
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
