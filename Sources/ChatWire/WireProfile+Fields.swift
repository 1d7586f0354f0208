package import SquallCore

extension WireProfile {
    /// The settings of the wire format that a profile file can change, in the order used by the documentation.
    package static let fields: [ProfileField<WireProfile>] =
        [
            ProfileField("wire.version", .text, "The protocol version that the server's hello names.") {
                .text($0.version)
            } set: {
                if case .text(let text) = $1 { $0.version = text }
            },
            ProfileField(
                "wire.auth_version",
                .integer(0...Int64.max),
                "The version of the login that the server's hello names."
            ) {
                .integer($0.authVersion)
            } set: {
                if case .integer(let number) = $1 { $0.authVersion = number }
            },
            ProfileField(
                "wire.timestamps",
                .word(TimestampForm.allCases.map(\.rawValue)),
                "The form of timestamps: an ISO-8601 string in UTC, or milliseconds since 1970."
            ) {
                .text($0.timestampForm.rawValue)
            } set: {
                if case .text(let text) = $1, let form = TimestampForm(rawValue: text) { $0.timestampForm = form }
            },
            ProfileField("wire.path.ws", .text, "The path of the WebSocket.") {
                .text($0.webSocketPath)
            } set: {
                if case .text(let text) = $1 { $0.webSocketPath = text }
            },
        ] + RouteKind.allCases.map(field) + FrameRole.allCases.map(field) + WireField.allCases.map(field)

    private static func field(_ route: RouteKind) -> ProfileField<WireProfile> {
        let name = route.rawValue
        let segment = route.placeholder.map { " with \($0) as one segment" } ?? ""
        return ProfileField("wire.path.\(name)", .text, "The path of the \(name) route\(segment).") {
            .text($0[path: route])
        } set: {
            if case .text(let text) = $1 { $0[path: route] = text }
        }
    }

    private static func field(_ role: FrameRole) -> ProfileField<WireProfile> {
        ProfileField("wire.type.\(role.rawValue)", .text, "The type of \(role.rawValue) frames.") {
            .text($0[type: role])
        } set: {
            if case .text(let text) = $1 { $0[type: role] = text }
        }
    }

    private static func field(_ field: WireField) -> ProfileField<WireProfile> {
        let name = field.defaultName
        return ProfileField("wire.field.\(name)", .text, "The wire name of the member or query field \(name).") {
            .text($0[field])
        } set: {
            if case .text(let text) = $1 { $0[field] = text }
        }
    }
}
