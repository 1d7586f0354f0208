#if os(Linux)
    import Glibc

    /// The privileges and system settings that packet links require. Error messages use them to state what is missing.
    struct Privileges: Hashable, Sendable {
        var isRoot = false
        /// Whether the process has CAP_SYS_ADMIN in its user namespace.
        var hasSysAdmin = false
        /// Whether a seccomp filter is active.
        var isFiltered = false
        /// The values of the settings under /proc/sys, keyed by path; settings that this kernel lacks are omitted.
        var settings: [String: String] = [:]
        /// The permission bits of /dev/net/tun; nil if it does not exist.
        var tunMode: UInt32?

        static let settingPaths = [
            "kernel/unprivileged_userns_clone", "kernel/apparmor_restrict_unprivileged_userns",
            "user/max_user_namespaces", "user/max_net_namespaces", "user/max_pid_namespaces", "user/max_mnt_namespaces",
        ]

        /// Reads the privileges from the system.
        static func read() -> Privileges {
            var privileges = Privileges()
            privileges.isRoot = geteuid() == 0
            for line in TextFile.read("/proc/self/status").split(separator: "\n") {
                let fields = line.split(whereSeparator: \.isWhitespace)
                guard fields.count == 2 else { continue }
                if fields[0] == "CapEff:" {
                    privileges.hasSysAdmin = (UInt64(fields[1], radix: 16) ?? 0) >> 21 & 1 == 1
                }
                if fields[0] == "Seccomp:" { privileges.isFiltered = fields[1] != "0" }
            }
            for path in settingPaths {
                let text = TextFile.read("/proc/sys/\(path)")
                if !text.isEmpty { privileges.settings[path] = text.filter { !$0.isWhitespace } }
            }
            var status = stat()
            if stat("/dev/net/tun", &status) == 0 { privileges.tunMode = UInt32(status.st_mode) & 0o777 }
            return privileges
        }

        // MARK: - Error messages

        /// Explains why namespaces could not be created; `code` is the error number.
        func whyNoNamespaces(_ code: Int32) -> String {
            let begin = "cannot create network namespaces: \(Self.text(code)). "
            for path in Self.settingPaths.dropFirst(2) where settings[path] == "0" {
                return begin
                    + "The machine allows none: raise \(path.replacingSlashes) "
                    + "(sysctl -w \(path.replacingSlashes)=1000)"
            }
            if code == ENOSPC { return begin + "As many as the machine allows are in use (sysctl user)" }
            if code == EINVAL {
                return begin + "The kernel is built without network, PID, mount or user namespaces"
            }
            if hasSysAdmin || isRoot, isFiltered {
                return begin + "A seccomp filter forbids it; in a container: --privileged, or --cap-add SYS_ADMIN "
                    + "--security-opt seccomp=unconfined"
            }
            if isRoot { return begin + "This root user lacks CAP_SYS_ADMIN; in a container: --cap-add SYS_ADMIN" }
            if settings["kernel/unprivileged_userns_clone"] == "0" {
                return begin
                    + "Not root, and only root may create user namespaces: "
                    + "sysctl -w kernel.unprivileged_userns_clone=1, or run as root"
            }
            return begin
                + "Not root, and creating user namespaces is forbidden"
                + "\(restriction.isEmpty ? ":" : "\(restriction), or") run as root"
        }

        /// Explains why an operation inside the new namespaces failed.
        func whyForbidden(_ operation: String, _ code: Int32) -> String {
            guard code == EPERM || code == EACCES, !hasSysAdmin, !restriction.isEmpty else {
                return "cannot \(operation): \(Self.text(code))"
            }
            return
                """
                cannot \(operation): \(Self.text(code)). Not root, and user namespaces are \
                restricted\(restriction), or run as root
                """
        }

        /// The part of a sentence that describes the AppArmor restriction and how to lift it; empty if there is no
        /// restriction.
        private var restriction: String {
            guard settings["kernel/apparmor_restrict_unprivileged_userns"] == "1" else { return "" }
            return " by AppArmor: sysctl -w kernel.apparmor_restrict_unprivileged_userns=0"
        }

        /// Explains why /dev/net/tun could not be opened.
        func whyNoTun(_ code: Int32) -> String {
            let begin = "cannot open /dev/net/tun: \(Self.text(code)). "
            guard let tunMode else {
                return begin
                    + "The device is absent: load the tun module (modprobe tun); in a container: --device /dev/net/tun"
            }
            switch code {
            case ENODEV, ENXIO: return begin + "The kernel has no TUN driver (CONFIG_TUN; modprobe tun)"
            case EACCES:
                return begin
                    + "Its mode is \(String(tunMode, radix: 8)) and this user is not root: chmod 666 /dev/net/tun, "
                    + "as most distributions have it, or run as root"
            case EPERM: return begin + "The container's devices do not include it: --device /dev/net/tun"
            default: return begin + "Its mode is \(String(tunMode, radix: 8))"
            }
        }

        private static func text(_ code: Int32) -> String {
            String(cString: strerror(code)).lowercased()
        }
    }

    /// Reads and writes small system files, such as those in /proc.
    enum TextFile {
        /// Returns the content of a file; empty if it cannot be read.
        static func read(_ path: String) -> String {
            guard let file = fopen(path, "r") else { return "" }
            defer { fclose(file) }
            return read(file)
        }

        /// Returns the unread part of an open file.
        static func read(_ file: UnsafeMutablePointer<FILE>) -> String {
            var bytes: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = fread(&buffer, 1, buffer.count, file)
                guard count > 0 else { break }
                bytes += buffer[..<count]
            }
            return String(decoding: bytes, as: UTF8.self)
        }

        /// Writes `text` in a single `write` call, as /proc requires. Returns 0 or the error number.
        static func write(_ text: String, to path: String) -> Int32 {
            let file = open(path, O_WRONLY | O_CLOEXEC)
            guard file >= 0 else { return errno }
            defer { close(file) }
            let bytes = Array(text.utf8)
            return Glibc.write(file, bytes, bytes.count) == bytes.count ? 0 : errno
        }
    }

    extension String {
        /// The path in sysctl's notation: `user.max` for `user/max`, for example.
        fileprivate var replacingSlashes: String {
            String(map { $0 == "/" ? "." : $0 })
        }
    }
#endif
