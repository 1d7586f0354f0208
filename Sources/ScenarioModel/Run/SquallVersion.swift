/// The version of Squall, as shown in traces and by `--version`.
package enum SquallVersion {
    package static let current = "0.1.0"
}
