/// Reasons for verdicts that are inconclusive because of how the script ended.
package enum ScriptEnd {
    /// The text that begins the reason if a step of the script was not performed, so that its effects are missing.
    package static let unfinished = "the script did not finish"
}
