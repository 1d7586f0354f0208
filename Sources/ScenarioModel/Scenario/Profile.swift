package import ChatWire
package import FakeServer
package import ReferenceClient
package import SquallCore

/// All the numbers, strings and wire names used to run a scenario. A profile is pure data and contains no code.
package struct Profile: Hashable, Sendable {
    package var name: String
    package var wire: WireProfile
    package var client: ClientProfile
    package var server: ServerProfile
    /// The default time limit of a `wait` or an expectation, used if neither the step nor its file specifies one.
    package var expectWithin: TimeSpan

    package init(
        name: String = "default",
        wire: WireProfile = WireProfile(),
        client: ClientProfile = ClientProfile(),
        server: ServerProfile = ServerProfile(),
        expectWithin: TimeSpan = .seconds(30)
    ) {
        self.name = name
        self.wire = wire
        self.client = client
        self.server = server
        self.expectWithin = expectWithin
    }

    /// The fields of a profile with their names in files: the fields of the client, the server, the wire and the
    /// scenario itself.
    package static let fields: [ProfileField<Profile>] =
        ClientProfile.fields.map { $0.lifted(to: \.client) }
        + ServerProfile.fields.map { $0.lifted(to: \.server) }
        + WireProfile.fields.map { $0.lifted(to: \.wire) }
        + [
            ProfileField("expect.within", .duration, "the default bound of waits and expectations") {
                .duration($0.expectWithin)
            } set: {
                if case .duration(let span) = $1 { $0.expectWithin = span }
            }
        ]

    private static let fieldIndex: [String: Int] = Dictionary(
        fields.enumerated().map { ($1.name, $0) },
        uniquingKeysWith: { first, _ in first }
    )

    package static func field(named name: String) -> ProfileField<Profile>? {
        fieldIndex[name].map { fields[$0] }
    }

    /// The profile value that `$name` refers to in a scenario file; nil if the profile has no such field.
    package subscript(name: String) -> ArgumentValue? {
        Self.field(named: name)?.get(self)
    }
}

extension ProfileField {
    fileprivate func lifted<Whole>(to part: any WritableKeyPath<Whole, Profile> & Sendable) -> ProfileField<Whole> {
        let (get, set) = (get, set)
        return ProfileField<Whole>(
            name,
            kind,
            meaning,
            get: { get($0[keyPath: part]) },
            set: { set(&$0[keyPath: part], $1) }
        )
    }
}
