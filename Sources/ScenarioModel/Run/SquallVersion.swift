/// The tool's version as traces and `--version` show it.
package enum SquallVersion {
    package static let current = "0.1.0"
}
