/// The properties of the terminal for which a report is rendered: colour support and width.
struct TerminalShape: Sendable {
    private let colour: Bool
    /// The width in columns; nil if the output is not a terminal, in which case lines are not folded.
    private let width: Int?
    /// The minimum width, in columns, to which lines are folded; a narrower terminal wraps the lines itself.
    private static let narrowest = 40

    init(colour: Bool, width: Int?) {
        self.colour = colour
        self.width = width.map { max($0, Self.narrowest) }
    }

    func text(of lines: [StyledLine]) -> String {
        lines.map { $0.rendered(colour: colour, width: width) }.joined(separator: "\n")
    }
}
