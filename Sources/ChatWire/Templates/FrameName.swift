/// The name of a client's frame that other frames can refer to.
package enum FrameName: Hashable, Sendable {
    case role(FrameRole)
    /// One of the profile's `extras`, which have no role.
    case extra(String)

    package var word: String {
        switch self {
        case .role(let role): role.rawValue
        case .extra(let name): name
        }
    }

    package var role: FrameRole? {
        if case .role(let role) = self { role } else { nil }
    }
}
