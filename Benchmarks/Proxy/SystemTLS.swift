#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// A TLS client that uses the machine's OpenSSL, which is loaded at run time so that the benchmark builds without it.
/// All relays are measured with the same client.
///
/// It uses TLS 1.3 with AES-128-GCM and does not verify certificates. An instance may be used only by the thread that
/// created it.
final class SystemTLS {
    private static let names = [
        "libssl.so.3", "libssl.so", "/opt/homebrew/opt/openssl@3/lib/libssl.3.dylib",
        "/usr/local/opt/openssl@3/lib/libssl.3.dylib",
    ]
    private static let tls13 = 0x0304
    /// The values of SSL_CTRL_SET_MIN_PROTO_VERSION and SSL_CTRL_SET_TLSEXT_HOSTNAME, which OpenSSL's headers define
    /// only as macros.
    private static let (setLeastVersion, setServerName): (Int32, Int32) = (123, 55)

    private typealias Make = @convention(c) (OpaquePointer?) -> OpaquePointer?
    private typealias Free = @convention(c) (OpaquePointer?) -> Void
    private typealias Control = @convention(c) (OpaquePointer?, Int32, Int, UnsafeMutableRawPointer?) -> Int

    private let context: OpaquePointer
    private let freeContext: Free
    private let make: Make
    private let free: Free
    private let control: Control
    private let setDescriptor: @convention(c) (OpaquePointer?, Int32) -> Int32
    private let handshake: @convention(c) (OpaquePointer?) -> Int32
    private let write: @convention(c) (OpaquePointer?, UnsafeRawPointer?, Int32) -> Int32
    private let read: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, Int32) -> Int32

    /// Loads the library; fails if it is not installed or lacks a required function.
    init?() {
        guard let library = Self.names.lazy.compactMap({ dlopen($0, RTLD_NOW) }).first else { return nil }
        func find<Function>(_ name: String, as type: Function.Type) -> Function? {
            dlsym(library, name).map { unsafeBitCast($0, to: type) }
        }
        typealias Method = @convention(c) () -> OpaquePointer?
        typealias SetSuites = @convention(c) (OpaquePointer?, UnsafePointer<CChar>?) -> Int32
        guard let method = find("TLS_client_method", as: Method.self),
            let makeContext = find("SSL_CTX_new", as: Make.self),
            let controlContext = find("SSL_CTX_ctrl", as: Control.self),
            let setSuites = find("SSL_CTX_set_ciphersuites", as: SetSuites.self),
            let freeContext = find("SSL_CTX_free", as: Free.self),
            let make = find("SSL_new", as: Make.self),
            let free = find("SSL_free", as: Free.self),
            let control = find("SSL_ctrl", as: Control.self),
            let setDescriptor = find("SSL_set_fd", as: (@convention(c) (OpaquePointer?, Int32) -> Int32).self),
            let handshake = find("SSL_connect", as: (@convention(c) (OpaquePointer?) -> Int32).self),
            let write = find(
                "SSL_write",
                as: (@convention(c) (OpaquePointer?, UnsafeRawPointer?, Int32) -> Int32).self
            ),
            let read = find(
                "SSL_read",
                as: (@convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, Int32) -> Int32).self
            ),
            let context = makeContext(method())
        else { return nil }
        self.context = context
        (self.freeContext, self.make, self.free, self.control) = (freeContext, make, free, control)
        (self.setDescriptor, self.handshake, self.write, self.read) = (setDescriptor, handshake, write, read)
        guard controlContext(context, Self.setLeastVersion, Self.tls13, nil) == 1,
            setSuites(context, "TLS_AES_128_GCM_SHA256") == 1
        else { return nil }
    }

    deinit { freeContext(context) }

    /// A connection with a completed handshake.
    struct Link {
        fileprivate let session: OpaquePointer
        let descriptor: Int32
    }

    /// Connects and performs the handshake; returns nil if nothing listens on the port or the handshake fails.
    func connect(to port: Int) -> Link? {
        guard let descriptor = Sockets.connect(to: port) else { return nil }
        guard let session = make(context) else {
            Sockets.drop(descriptor)
            return nil
        }
        let link = Link(session: session, descriptor: descriptor)
        var name = Array("localhost".utf8CString)
        _ = name.withUnsafeMutableBytes { control(session, Self.setServerName, 0, $0.baseAddress) }
        guard setDescriptor(session, descriptor) == 1, handshake(session) == 1 else {
            drop(link)
            return nil
        }
        return link
    }

    func sendAll(_ link: Link, _ bytes: UnsafeRawBufferPointer) -> Bool {
        write(link.session, bytes.baseAddress, Int32(bytes.count)) == bytes.count
    }

    func receiveAll(_ link: Link, _ bytes: UnsafeMutableRawBufferPointer) -> Bool {
        var received = 0
        while received < bytes.count {
            let count = read(link.session, bytes.baseAddress.map { $0 + received }, Int32(bytes.count - received))
            guard count > 0 else { return false }
            received += Int(count)
        }
        return true
    }

    /// Closes the socket with an RST, so that its port is not left in TIME_WAIT.
    func drop(_ link: Link) {
        free(link.session)
        Sockets.drop(link.descriptor)
    }
}
