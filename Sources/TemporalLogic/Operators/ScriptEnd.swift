/// Texts for expectations that are inconclusive because of how the script ended.
package enum ScriptEnd {
    /// The beginning of the reason when a step of the script was not performed, so its effects are missing.
    package static let unfinished = "the script did not finish"
}
