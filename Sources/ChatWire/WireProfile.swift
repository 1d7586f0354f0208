/// How the chat protocol is spelled: names of frames and fields, paths, versions, the form of a moment.
///
/// What the frames mean is fixed; a profile renames them, or maps them to frames of another form by ``FrameMap``. Tables
/// for both directions are kept ready, so that a frame costs no search.
package struct WireProfile: Sendable {
    /// What `hello` says.
    package var version: String
    /// What `hello` says; a client that knows a lower one only must tell its user.
    package var authVersion: Int64
    package var timestampForm: TimestampForm {
        didSet { tables = WireTables(types: types, names: names, timestampForm: timestampForm) }
    }
    /// Where the WebSocket is opened.
    package var webSocketPath: String {
        didSet { webSocketTemplate = PathTemplate(webSocketPath, placeholder: nil) }
    }
    /// The app's own frames; nil for those of the built-in protocol, under the names below.
    package var frames: FrameMap?

    private var types: [FrameRole: String]
    /// By ``WireField``'s place.
    private var names: [String]
    private var templates: [RouteKind: PathTemplate]
    /// Made of the others, and so left out of comparisons.
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

    /// The `type` of a frame.
    package subscript(type role: FrameRole) -> String {
        get { types[role] ?? role.rawValue }
        set {
            types[role] = newValue
            tables = WireTables(types: types, names: names, timestampForm: timestampForm)
        }
    }

    /// The name of a member.
    package subscript(field: WireField) -> String {
        get { names[field.rawValue] }
        set {
            names[field.rawValue] = newValue
            tables = WireTables(types: types, names: names, timestampForm: timestampForm)
        }
    }

    /// The path of a route, with ``RouteKind/placeholder`` as a segment of its own where the route has one.
    package subscript(path route: RouteKind) -> String {
        get { template(route).text }
        set { templates[route] = PathTemplate(newValue, placeholder: route.placeholder) }
    }

    func template(_ route: RouteKind) -> PathTemplate {
        templates[route] ?? PathTemplate(route.defaultPath, placeholder: route.placeholder)
    }

    /// Whether a request's target is the WebSocket's, whatever its query.
    package func isWebSocket(target: String) -> Bool {
        guard let path = PathTemplate.split(target)?.path else { return false }
        return webSocketTemplate.match(path) != nil
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
