/// The name that a peer gives itself, cleaned so that it fits on a line of a list of known failures.
package enum AgentName {
    /// The name without control characters, line breaks and surrounding white space, and without a final `*`, which is
    /// a wildcard in such a list. The result may be empty.
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
