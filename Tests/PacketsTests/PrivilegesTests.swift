#if os(Linux)
    import Glibc
    import Testing
    @testable import Packets

    /// Tests the messages about missing privileges, which depend on the system's settings.
    struct PrivilegesTests {
        private func user(_ settings: [String: String] = [:], tunMode: UInt32? = 0o666) -> Privileges {
            var privileges = Privileges()
            (privileges.settings, privileges.tunMode) = (settings, tunMode)
            return privileges
        }

        private func root(isFiltered: Bool = false) -> Privileges {
            var privileges = Privileges()
            (privileges.isRoot, privileges.isFiltered) = (true, isFiltered)
            return privileges
        }

        @Test("The error explains why namespaces cannot be created and how to allow them")
        func saysWhyThereAreNoNamespaces() {
            let rejected = "cannot create network namespaces: operation not permitted. "
            #expect(
                user(["kernel/unprivileged_userns_clone": "0"]).whyNoNamespaces(EPERM) == rejected
                    + "Not root, and only root may create user namespaces: "
                    + "sysctl -w kernel.unprivileged_userns_clone=1, or run as root"
            )
            #expect(
                user(["kernel/apparmor_restrict_unprivileged_userns": "1"]).whyNoNamespaces(EPERM) == rejected
                    + "Not root, and creating user namespaces is forbidden by AppArmor: sysctl -w "
                    + "kernel.apparmor_restrict_unprivileged_userns=0, or run as root"
            )
            #expect(
                user(["user/max_user_namespaces": "0"]).whyNoNamespaces(ENOSPC)
                    == "cannot create network namespaces: no space left on device. The machine allows none: raise "
                    + "user.max_user_namespaces (sysctl -w user.max_user_namespaces=1000)"
            )
            #expect(
                root(isFiltered: true).whyNoNamespaces(EPERM) == rejected
                    + "A seccomp filter forbids it; in a container: --privileged, or --cap-add SYS_ADMIN --security-opt "
                    + "seccomp=unconfined"
            )
            #expect(
                root().whyNoNamespaces(EPERM) == rejected
                    + "This root user lacks CAP_SYS_ADMIN; in a container: --cap-add SYS_ADMIN"
            )
            #expect(
                user().whyNoNamespaces(EINVAL).hasSuffix(
                    "The kernel is built without network, PID, mount or user namespaces"
                )
            )
        }

        @Test("The error explains why /dev/net/tun cannot be opened and how to allow it") func saysWhyThereIsNoTun() {
            #expect(
                user(tunMode: nil).whyNoTun(ENOENT)
                    == "cannot open /dev/net/tun: no such file or directory. The device is absent: "
                    + "load the tun module (modprobe tun); in a container: --device /dev/net/tun"
            )
            #expect(
                user(tunMode: 0o600).whyNoTun(EACCES)
                    == "cannot open /dev/net/tun: permission denied. Its mode is 600 and this "
                    + "user is not root: chmod 666 /dev/net/tun, as most distributions have it, or run as root"
            )
            #expect(
                user().whyNoTun(EPERM).hasSuffix("The container's devices do not include it: --device /dev/net/tun")
            )
            #expect(user().whyNoTun(ENODEV).hasSuffix("The kernel has no TUN driver (CONFIG_TUN; modprobe tun)"))
        }

        @Test("The error explains why an operation in a namespace is refused") func saysWhyNamespacesHaveNoPower() {
            let restricted = user(["kernel/apparmor_restrict_unprivileged_userns": "1"])
            #expect(
                restricted.whyForbidden("create a TUN device", EPERM)
                    == "cannot create a TUN device: operation not permitted. Not root, "
                    + "and user namespaces are restricted by AppArmor: "
                    + "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0, or run as root"
            )
            #expect(
                user().whyForbidden("create a TUN device", EBUSY)
                    == "cannot create a TUN device: device or resource busy"
            )
        }
    }
#endif
