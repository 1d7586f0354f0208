/// Normalizes the names that peers give themselves, so that each fits on one line in a list of known failures.
package enum AgentName {
    /// Returns the name stripped of control characters, line breaks, surrounding white space, and a trailing `*`, which
    /// is a wildcard in a list of known failures. The result may be empty.
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
