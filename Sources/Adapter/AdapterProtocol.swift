/// The adapter protocol, version 1: one JSON object per line, from Squall on standard input and to Squall on standard
/// output.
package enum AdapterProtocol {
    package static let version: Int64 = 1
}
