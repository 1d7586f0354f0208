import SquallCore

/// What frames are written and read with: a profile's names, made ready once.
///
/// A class, so that a reader or a writer, of which there is one for each object, holds it with one reference.
final class WireTables: Sendable {
    let timestampForm: TimestampForm
    /// For each role the bytes up to and with its type's value.
    let openings: [FrameRole: [UInt8]]
    let clientRoles: [String: FrameRole]
    let serverRoles: [String: FrameRole]
    /// By ``WireField``'s place.
    private let names: [String]
    /// By ``WireField``'s place: the name in quotes and a colon.
    private let keys: [[UInt8]]

    init(types: [FrameRole: String], names: [String], timestampForm: TimestampForm) {
        let keys = names.map { JSON.string($0).encode() + [UInt8(ascii: ":")] }
        self.timestampForm = timestampForm
        self.names = names
        self.keys = keys
        openings = types.mapValues { [UInt8(ascii: "{")] + keys[WireField.type.rawValue] + JSON.string($0).encode() }
        clientRoles = WireTables.roles(FrameRole.fromClient, types)
        serverRoles = WireTables.roles(FrameRole.fromServer, types)
    }

    func name(_ field: WireField) -> String { names[field.rawValue] }

    func key(_ field: WireField) -> [UInt8] { keys[field.rawValue] }

    /// Where two roles of a direction share a type, the first declared has it.
    private static func roles(_ roles: [FrameRole], _ types: [FrameRole: String]) -> [String: FrameRole] {
        Dictionary(roles.map { (types[$0] ?? $0.rawValue, $0) }, uniquingKeysWith: { first, _ in first })
    }
}
