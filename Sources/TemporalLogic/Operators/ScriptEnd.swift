/// Reasons for verdicts that are inconclusive because of how the script ended.
package enum ScriptEnd {
    /// The opening words of the reason given when a step of the script was not performed.
    package static let unfinished = "the script did not finish"
}
