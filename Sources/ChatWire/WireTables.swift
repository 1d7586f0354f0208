import SquallCore

/// The lookup tables for encoding and decoding frames, built once from a profile's names.
///
/// This is a class, so that each object's reader or writer stores only one reference to the tables.
final class WireTables: Sendable {
    let timestampForm: TimestampForm
    /// For each role, the encoded beginning of a frame up to and including the type's value.
    let openings: [FrameRole: [UInt8]]
    let clientRoles: [String: FrameRole]
    let serverRoles: [String: FrameRole]
    /// The wire names, indexed by the raw value of ``WireField``.
    private let names: [String]
    /// The encoded names with quotes and colon, indexed by the raw value of ``WireField``.
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

    /// Maps types to roles; if two roles in the same direction share a type, the one declared first wins.
    private static func roles(_ roles: [FrameRole], _ types: [FrameRole: String]) -> [String: FrameRole] {
        Dictionary(roles.map { (types[$0] ?? $0.rawValue, $0) }, uniquingKeysWith: { first, _ in first })
    }
}
