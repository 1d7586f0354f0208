import ChatWire
import Faults
import SquallCore
import WebSocketWire

/// Records where a client exposes an API key outside the login, for example in a URL, which proxies may log.
///
/// A profile that defines its own frames also defines its own login, so its traffic is not searched.
extension ChatServer {
    /// The minimum length, in bytes, of a key to search for; a shorter key may occur in ordinary words.
    private static var shortestKey: Int { 6 }
    /// The maximum number of leading bytes of a body that are searched, so that searching a large file takes little
    /// time.
    private static var longestBody: Int { 16_384 }

    /// Searches a frame for API keys. Only a `connect` frame may contain the key.
    mutating func searchForKeys(in text: String, as frame: Decoded<ClientFrame>, on id: LinkID) {
        guard wire.frames == nil else { return }
        if case .frame(.connect) = frame { return }
        noteKeys(in: text.utf8, at: "frame", on: id)
    }

    /// Searches a request for API keys. Only the `Authorization` header of a request that needs the key may contain it.
    mutating func searchForKeys(in head: HTTPRequestHead, _ body: [UInt8], on id: LinkID) {
        guard wire.frames == nil else { return }
        let route = ChatRoute.parse(method: head.method, target: head.path, wire)
        let needsKey = route.map { $0.kind.needsKey } ?? false
        noteKeys(in: head.path.utf8, at: "target", on: id)
        for field in head.headers.fields where !(needsKey && field.name.lowercased() == "authorization") {
            noteKeys(in: field.value.utf8, at: "header \(field.name.lowercased())", on: id)
        }
        noteKeys(in: body.prefix(Self.longestBody), at: "body", on: id)
    }

    private mutating func noteKeys(in bytes: some Collection<UInt8>, at place: String, on id: LinkID) {
        let keys = ([profile.auth.key] + accounts.keys).filter { $0.utf8.count >= Self.shortestKey }
        guard keys.contains(where: { bytes.contains(Array($0.utf8)) }) else { return }
        note("server.key_exposed", ["place": .string(place)], of: id.client)
    }
}
