/// The properties of the terminal that a report is for: colours and width.
struct TerminalShape: Sendable {
    private let colour: Bool
    /// The width in columns; nil when there is no terminal, and lines are not folded.
    private let width: Int?
    /// The least width that lines are folded to; a narrower terminal wraps them itself.
    private static let narrowest = 40

    init(colour: Bool, width: Int?) {
        self.colour = colour
        self.width = width.map { max($0, Self.narrowest) }
    }

    func text(of lines: [StyledLine]) -> String {
        lines.map { $0.rendered(colour: colour, width: width) }.joined(separator: "\n")
    }
}
