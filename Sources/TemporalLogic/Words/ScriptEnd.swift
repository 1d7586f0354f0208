/// Why an expectation could not be judged although nothing contradicts it.
package enum ScriptEnd {
    /// The reason begins with this if a step of the script was not carried out, so that what it would have caused is
    /// missing.
    package static let unfinished = "the script did not finish"
}
