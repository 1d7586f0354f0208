package import FakeServer

/// The TLS settings of a run's links.
package struct LinkSecurity: Hashable, Sendable {
    /// Whether clients connect over wss and https.
    package var ofClients: Bool
    /// Whether the relay connects to the upstream server over TLS.
    package var ofUpstream: Bool
    /// The path of a PEM file with the certificate authorities to trust for the upstream server; nil for the system's
    /// authorities.
    package var upstreamAuthority: String?

    package static let none = LinkSecurity(ServerProfile())

    package init(_ profile: ServerProfile) {
        ofClients = profile.tls
        ofUpstream = (try? UpstreamAddress(parsing: profile.upstream))?.isSecured ?? false
        upstreamAuthority = profile.upstreamAuthority.isEmpty ? nil : profile.upstreamAuthority
    }

    package var isAny: Bool { ofClients || ofUpstream }
}
