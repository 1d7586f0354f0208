/// The adapter protocol, version 1: one JSON object per line, from Squall to the client on standard input and from the
/// client to Squall on standard output.
package enum AdapterProtocol {
    package static let version: Int64 = 1
}
