import Foundation

/// The relays configured to terminate TLS, each with a certificate for a P-256 key.
enum SecuredPeers {
    /// Starts the installed relays. Returns an empty array if OpenSSL is not installed or if Squall was built without
    /// TLS.
    static func all(_ servers: Relay.Ports, _ options: Options, in session: Session) -> [Relay] {
        guard SystemTLS() != nil else {
            Session.progress("tls: no OpenSSL here to be the client\n")
            return []
        }
        let port = Sockets.freePort()
        guard
            let squall = Relay(
                "squall",
                options.squall,
                servers,
                in: session,
                apiPort: port,
                file: "squall-tls",
                write: list,
                arguments: { ["proxy", "--port", "\(port)", "--config", $0] }
            )
        else {
            Session.progress("tls: \(options.squall) was built without it; make bench-proxy TLS=1\n")
            return []
        }
        var relays = options.wants(column: "squall") ? [squall] : []
        guard let certificate = makeCertificate(in: session.folder) else {
            Session.progress("tls: no openssl here to make a certificate for HAProxy and nginx\n")
            return relays
        }
        if options.wants(column: "haproxy x1"),
            let relay = Relay(
                "haproxy x1",
                "/usr/sbin/haproxy",
                servers,
                in: session,
                file: "haproxy-tls",
                write: {
                    Peers.haproxy(threads: 1, $0, $1, securing: " ssl crt \(certificate) ssl-min-ver TLSv1.3")
                },
                arguments: { ["-f", $0] }
            )
        {
            relays.append(relay)
        }
        if options.wants(column: "nginx x1"),
            let relay = Relay(
                "nginx x1",
                "/usr/sbin/nginx",
                servers,
                in: session,
                file: "nginx-tls",
                write: {
                    Peers.nginx(
                        workers: 1,
                        $0,
                        $1,
                        securing:
                            "ssl_certificate \(certificate); ssl_certificate_key \(certificate); ssl_protocols TLSv1.3;"
                    )
                },
                arguments: { ["-c", $0, "-p", session.folder.path, "-e", "/dev/null"] }
            )
        {
            relays.append(relay)
        }
        return relays
    }

    private static func list(_ listen: [Int], _ upstream: [Int]) -> String {
        let entries = zip(listen, upstream).enumerated().map { index, ports in
            #"{"name":"p\#(index)","listen":"127.0.0.1:\#(ports.0)","upstream":"127.0.0.1:\#(ports.1)","#
                + #""tls":{"mode":"terminate"}}"#
        }
        return "[\(entries.joined(separator: ","))]"
    }

    /// Creates a certificate for `localhost`, and writes it with its key to a file.
    private static func makeCertificate(in folder: URL) -> String? {
        let (key, certificate) = (folder.appendingPathComponent("k.pem"), folder.appendingPathComponent("c.pem"))
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
            "-days", "2", "-subj", "/CN=localhost", "-keyout", key.path, "-out", certificate.path,
        ]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return nil }
        process.waitUntilExit()
        let both = folder.appendingPathComponent("both.pem")
        guard process.terminationStatus == 0, let first = try? Data(contentsOf: certificate),
            let second = try? Data(contentsOf: key), (try? (first + second).write(to: both)) != nil
        else { return nil }
        return both.path
    }
}
