/// The terminal that a report is for: whether it has colours, and how wide it is.
struct TerminalShape: Sendable {
    private let colour: Bool
    /// In columns; nil where there is no terminal, and lines stay as long as they are.
    private let width: Int?
    /// One that is narrower parts the lines itself.
    private static let narrowest = 40

    init(colour: Bool, width: Int?) {
        self.colour = colour
        self.width = width.map { max($0, Self.narrowest) }
    }

    func text(of lines: [StyledLine]) -> String {
        lines.map { $0.rendered(colour: colour, width: width) }.joined(separator: "\n")
    }
}
