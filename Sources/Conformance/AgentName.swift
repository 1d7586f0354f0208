/// What a peer calls itself, made fit to be an agent's name: a line of its own in a list of known failures.
package enum AgentName {
    /// Without control characters and line breaks, without white space around it, and without `*` at its end, which
    /// stands for any more in such a list; may be empty.
    package static func cleaned(_ name: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in name.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: continue
            default: scalars.append(scalar)
            }
        }
        let start = String(scalars).drop(while: \.isWhitespace)
        return String(start.reversed().drop { $0.isWhitespace || $0 == "*" }.reversed())
    }
}
