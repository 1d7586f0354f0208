import ChatWire
import Synchronization

/// Collects bytes on a run's event loop for the test to read.
final class Collector: Sendable {
    private let state = Mutex<[UInt8]>([])

    func append(_ bytes: [UInt8]) { state.withLock { $0 += bytes } }
    var bytes: [UInt8] { state.withLock { $0 } }
    var count: Int { state.withLock { $0.count } }
}

final class ResponseCollector: Sendable {
    private let state = Mutex<ChatResponse?>(nil)

    func set(_ response: ChatResponse) { state.withLock { $0 = response } }
    var response: ChatResponse? { state.withLock { $0 } }
}
