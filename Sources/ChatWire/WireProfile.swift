package import WebSocketWire

/// The wire format of the chat protocol: names of frames and fields, paths, versions and the timestamp format.
///
/// The meaning of the frames is fixed. A profile renames them, or maps them to an app's own frames with a ``FrameMap``.
/// Lookup tables for both directions are built in advance, so that encoding or decoding a frame needs no search.
package struct WireProfile: Sendable {
    /// The protocol version in `hello`.
    package var version: String
    /// The login version in `hello`. A client that supports only a lower version must warn its user.
    package var authVersion: Int64
    package var timestampForm: TimestampForm {
        didSet { tables = WireTables(types: types, names: names, timestampForm: timestampForm) }
    }
    /// The path of the WebSocket.
    package var webSocketPath: String {
        didSet { webSocketTemplate = PathTemplate(webSocketPath, placeholder: nil) }
    }
    /// The frames of the app's own protocol; nil if the app uses the built-in protocol's frames with the names below.
    package var frames: FrameMap?

    private var types: [FrameRole: String]
    /// The wire names, indexed by the raw value of ``WireField``.
    private var names: [String]
    private var templates: [RouteKind: PathTemplate]
    /// The parsed form of ``webSocketPath``, excluded from comparisons because it is derived.
    private var webSocketTemplate: PathTemplate
    private(set) var tables: WireTables

    package init(
        version: String = "0.2.0",
        authVersion: Int64 = 1,
        timestampForm: TimestampForm = .iso8601,
        webSocketPath: String = "/ws"
    ) {
        self.version = version
        self.authVersion = authVersion
        self.timestampForm = timestampForm
        self.webSocketPath = webSocketPath
        webSocketTemplate = PathTemplate(webSocketPath, placeholder: nil)
        let types = Dictionary(uniqueKeysWithValues: FrameRole.allCases.map { ($0, $0.rawValue) })
        let names = WireField.allCases.map(\.defaultName)
        self.types = types
        self.names = names
        templates = Dictionary(
            uniqueKeysWithValues: RouteKind.allCases.map {
                ($0, PathTemplate($0.defaultPath, placeholder: $0.placeholder))
            }
        )
        tables = WireTables(types: types, names: names, timestampForm: timestampForm)
    }

    /// The wire value of `type` in frames with this role.
    package subscript(type role: FrameRole) -> String {
        get { types[role] ?? role.rawValue }
        set {
            types[role] = newValue
            tables = WireTables(types: types, names: names, timestampForm: timestampForm)
        }
    }

    /// The wire name of a field.
    package subscript(field: WireField) -> String {
        get { names[field.rawValue] }
        set {
            names[field.rawValue] = newValue
            tables = WireTables(types: types, names: names, timestampForm: timestampForm)
        }
    }

    /// The path of a route, with ``RouteKind/placeholder`` as one segment if the route has one.
    package subscript(path route: RouteKind) -> String {
        get { template(route).text }
        set { templates[route] = PathTemplate(newValue, placeholder: route.placeholder) }
    }

    func template(_ route: RouteKind) -> PathTemplate {
        templates[route] ?? PathTemplate(route.defaultPath, placeholder: route.placeholder)
    }

    /// Whether the protocol's frames are unknown, so that the server sends only what a scenario specifies.
    package var isUnknown: Bool { frames?.isUnknown == true }

    /// Returns whether a request opens a WebSocket. In an unknown protocol, a WebSocket may have any path.
    ///
    /// In a protocol with polling, poll requests have the same path as the WebSocket, so the request must also ask for
    /// an upgrade.
    package func isWebSocket(_ head: HTTPRequestHead) -> Bool {
        guard !isUnknown, frames?.polling == nil else {
            return head.asksForWebSocket && (isUnknown || isWebSocket(target: head.path))
        }
        return isWebSocket(target: head.path)
    }

    /// Returns whether a request's target is the WebSocket's path, with any query.
    package func isWebSocket(target: String) -> Bool {
        guard let path = PathTemplate.split(target)?.path else { return false }
        return webSocketTemplate.match(path) != nil
    }
}

extension HTTPRequestHead {
    /// Whether the request asks for an upgrade to a WebSocket (RFC 6455, section 4.1).
    package var asksForWebSocket: Bool {
        headers.elements(of: "upgrade").contains { $0.lowercased() == "websocket" }
    }
}

extension WireProfile: Hashable {
    package static func == (left: WireProfile, right: WireProfile) -> Bool {
        left.version == right.version && left.authVersion == right.authVersion
            && left.timestampForm == right.timestampForm && left.webSocketPath == right.webSocketPath
            && left.frames == right.frames && left.types == right.types && left.names == right.names
            && left.templates == right.templates
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(version)
        hasher.combine(authVersion)
        hasher.combine(timestampForm)
        hasher.combine(webSocketPath)
        hasher.combine(frames)
        hasher.combine(types)
        hasher.combine(names)
        hasher.combine(templates)
    }
}
