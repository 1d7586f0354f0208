package import FakeServer

/// What TLS the links of a run have.
package struct LinkSecurity: Hashable, Sendable {
    /// Whether clients come by wss and https.
    package var ofClients: Bool
    /// Whether somebody else's server is spoken to by TLS.
    package var ofUpstream: Bool
    /// A PEM file of whom to believe about that server; nil for whom the system believes.
    package var upstreamAuthority: String?

    package static let none = LinkSecurity(ServerProfile())

    package init(_ profile: ServerProfile) {
        ofClients = profile.tls
        ofUpstream = (try? UpstreamAddress(parsing: profile.upstream))?.isSecured ?? false
        upstreamAuthority = profile.upstreamAuthority.isEmpty ? nil : profile.upstreamAuthority
    }

    package var isAny: Bool { ofClients || ofUpstream }
}
