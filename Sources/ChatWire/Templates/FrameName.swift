/// The name of a client frame, by which other frames can refer to it.
package enum FrameName: Hashable, Sendable {
    case role(FrameRole)
    /// One of the profile's extra frames, which have no role in the chat.
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
