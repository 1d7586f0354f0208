/// Reasons why an expectation is inconclusive although nothing contradicts it.
package enum ScriptEnd {
    /// The prefix of the reason if a step of the script was not performed and its effects are therefore missing.
    package static let unfinished = "the script did not finish"
}
