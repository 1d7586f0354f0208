import Foundation
import SquallCore
import TLSLink

/// A TLS client that uses Squall's own engine, with a time limit for every wait.
final class SecuredPeer {
    let peer: Peer
    private let session: any TLSSession
    private(set) var failure: TLSFailure?
    private(set) var text = ""
    private(set) var hasHeardGoodbye = false

    /// Connects and performs as much of the handshake as possible within the time limit.
    init(connectingTo port: Int, name: String = "chat.test", trusting trust: TLSTrust, within seconds: Double = 10)
        throws
    {
        peer = try Peer(connectingTo: port)
        session = try TLS.client(of: name, trusting: trust)
        take(session.start())
        read(within: seconds) { self.session.isSecured || self.failure != nil }
    }

    var isSecured: Bool { session.isSecured }

    func send(_ text: String) { Array(text.utf8).withUnsafeBytes { take(session.write($0)) } }
    func sendCloseNotify() { take(session.endOutput()) }

    /// Reads until the received text contains `wanted`. Returns false if it never does.
    func hears(_ wanted: String, within seconds: Double = 10) -> Bool {
        read(within: seconds) { self.text.contains(wanted) || self.failure != nil }
        return text.contains(wanted)
    }

    func hearsGoodbye(within seconds: Double = 10) -> Bool {
        read(within: seconds) { self.hasHeardGoodbye || self.failure != nil }
        return hasHeardGoodbye
    }

    private func read(within seconds: Double, until isDone: () -> Bool) {
        let limit = Date().addingTimeInterval(seconds)
        while !isDone(), Date() < limit {
            let (bytes, end) = peer.receive(1, within: limit.timeIntervalSinceNow)
            bytes.withUnsafeBytes { take(session.receive($0)) }
            guard end == nil else {
                if end != .silence { take(session.inputEnded()) }
                return
            }
        }
    }

    private func take(_ outputs: [TLSOutput]) {
        for output in outputs {
            switch output {
            case .wire(let bytes): peer.send(bytes)
            case .plaintext(let bytes): text += String(decoding: bytes, as: UTF8.self)
            case .ended: hasHeardGoodbye = true
            case .failed(let failure): self.failure = failure
            case .secured: break
            }
        }
    }
}
