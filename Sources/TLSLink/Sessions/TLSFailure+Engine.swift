#if TLS
    import NIOSSL

    extension TLSFailure {
        /// Creates a failure whose reason is BoringSSL's error name in lower case, without the protocol version.
        ///
        /// For example, `TLSV1_ALERT_UNKNOWN_CA`, an alert from the peer, becomes `alert_unknown_ca`.
        init(_ error: any Error) {
            switch error {
            case NIOSSLError.handshakeFailed(let inner), NIOSSLError.shutdownFailed(let inner):
                self.init(reason: Self.name(in: "\(inner)") ?? "handshake_failed")
            case NIOSSLError.unableToValidateCertificate:
                self.init(reason: "name_mismatch")
            case let error as NIOSSLExtraError where error == .failedToValidateHostname:
                self.init(reason: "name_mismatch")
            default:
                self.init(reason: Self.name(in: "\(error)") ?? "broken")
            }
        }

        private static func name(in text: String) -> String? {
            let mark = "OPENSSL_internal:"
            var rest = Substring(text)
            while let colon = rest.firstIndex(of: ":") {
                let head = rest[...colon]
                rest = rest[rest.index(after: colon)...]
                guard head.hasSuffix(mark) else { continue }
                let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }.lowercased()
                guard !name.isEmpty else { return nil }
                for prefix in ["sslv3_alert_", "tlsv1_alert_", "tlsv13_alert_"] where name.hasPrefix(prefix) {
                    return "alert_" + name.dropFirst(prefix.count)
                }
                return name
            }
            return nil
        }
    }
#endif
