import SquallCore

/// How clients receive frames over HTTP instead of a WebSocket.
package enum HTTPPolling: String, CaseIterable, Sendable {
    /// Long polling as in Engine.IO; see ``EngineIO``.
    case engineIO = "engine-io"
    /// Long polling as in Matrix; see ``MatrixSync``.
    case matrixSync = "matrix-sync"

    /// Parses `wire.frames.polling`; returns nil if the profile does not enable polling.
    static func read(_ value: JSON?, _ mistakes: inout TemplateMistakes) -> HTTPPolling? {
        guard let value else { return nil }
        if let polling = value.stringValue.flatMap(HTTPPolling.init) { return polling }
        let names = allCases.map(\.rawValue).joined(separator: " or ")
        mistakes.add([.member("polling")], "'polling' must be \(names)")
        return nil
    }
}
