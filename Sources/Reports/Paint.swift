import Foundations

/// Colour for a terminal, or none.
struct Paint {
    let on: Bool

    func green(_ text: String) -> String { painted(text, .green) }
    func yellow(_ text: String) -> String { painted(text, .yellow) }
    func dim(_ text: String) -> String { painted(text, .dim) }
    func bold(_ text: String) -> String { painted(text, .bold) }

    private func painted(_ text: String, _ style: StyledLine.Style) -> String {
        on ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
    }
}
