import Faults
import WebSocketWire

extension CaseRun {
    typealias Verdict = (behavior: CaseBehavior, why: String, closeBehavior: CloseBehavior, closeWhy: String)

    func judge() -> Verdict {
        if let opened = judgeOpening() { return opened }
        guard wasOpen else {
            let why = violation ?? unopened
            return (.failed, why, .failed, why)
        }
        let (close, closeWhy) = judgeClose()
        if let unimplemented { return (.unimplemented, unimplemented, close, closeWhy) }
        var (behavior, why) = judgeEvents()
        if let violation { (behavior, why) = (.failed, violation) }
        if behavior != .failed {
            // A peer that did not notice, or answered with the wrong code where the code is what the case is about.
            if mustReact, droppedByUs && peerEnd == nil && remoteClose == nil {
                (behavior, why) = (.failed, "the peer left the connection open")
            } else if case .peers = expectation.ending, closedByUs {
                (behavior, why) = (.failed, "we had to close")
            } else if close == .wrongCode && expectation.codeMatters {
                (behavior, why) = (.failed, closeWhy)
            } else if ![.ok, .failedByClient].contains(close), expectation.closeMatters {
                (behavior, why) = (.failed, "\(closeWhy)\(peersClose)")
            }
        }
        if expectation.isInformational {
            return (.informational, why, .informational, closeWhy)
        }
        return (behavior, why, close, closeWhy)
    }

    /// Why nothing could be played, in the peer's terms.
    private var unopened: String {
        if let refusal { return "refused with status \(refusal.status)" }
        switch peerEnd {
        case .fin?: return "the connection was ended without an answer to the handshake"
        case .rst?: return "the connection was reset without an answer to the handshake"
        case nil: return "no answer to the handshake came within \(openingPatience)"
        }
    }

    /// Whether it would be a fault of the peer's to leave the connection as it is.
    private var mustReact: Bool {
        switch expectation.ending {
        case .peers: true
        case .ours(_, let isClean): !isClean
        case .any: true
        }
    }

    /// Nil where it is what came after the opening that counts.
    private func judgeOpening() -> Verdict? {
        guard let opening else { return nil }
        if let (behavior, why) = openingVerdict {
            let close: CloseBehavior = behavior == .failed ? .failed : behavior == .informational ? .informational : .ok
            return (behavior, why, close, why)
        }
        switch opening.expected {
        case .opens: return nil
        case .fails: return (.ok, "the client ended the connection", .ok, "the client ended the connection")
        case .tells: return (.informational, "the peer ended the connection", .informational, "")
        case .refuses: return (.failed, "no answer came", .failed, "no answer came")
        }
    }

    private func judgeEvents() -> (CaseBehavior, String) {
        if let echo {
            if let fault = echo.fault { return (.failed, fault) }
            guard echo.isComplete else {
                return (.failed, "\(echo.done) of \(echo.plan.count) messages came back\(peersClose)")
            }
            return (.ok, "all \(echo.plan.count) messages came back")
        }
        guard let match = expectation.alternatives.first(where: { $0.isMet(by: events) }) else {
            return (.failed, difference)
        }
        if let needed = expectation.needed, !hasNeeded {
            return (.failed, "\(needed.summary) did not come\(peersClose)")
        }
        switch match.behavior {
        case .nonStrict: return (.nonStrict, "legal, but not what the RFC would rather have")
        default: return (match.behavior, "as it should be")
        }
    }

    /// The first event that is not the strictest alternative's.
    private var difference: String {
        let wanted = expectation.alternatives.first?.events ?? []
        for (place, event) in events.enumerated() where place >= wanted.count || wanted[place] != event {
            let instead = place < wanted.count ? wanted[place].summary : "nothing more"
            return "\(event.summary) came instead of \(instead)"
        }
        return wanted.count > events.count
            ? "\(wanted[events.count].summary) did not come\(peersClose)" : "other events than allowed"
    }

    /// What the peer said instead, where it has closed by itself.
    private var peersClose: String {
        guard let remoteClose, !closedByUs else { return "" }
        guard let code = remoteClose.code?.rawValue else { return "; the peer closed without a code" }
        let reason = remoteClose.reason.isEmpty ? "" : ", \(remoteClose.reason.debugDescription)"
        return "; the peer closed with \(code)\(reason)"
    }

    private func judgeClose() -> (CloseBehavior, String) {
        let codes: [UInt16]
        if violation != nil { return (.failed, "we had to fail the connection") }
        switch expectation.ending {
        case .any: return (.ok, "any end will do")
        case .ours(let allowed, let isClean):
            codes = allowed
            guard closedByUs else { return (.failed, "the peer ended the connection that we should have closed") }
            guard wasClean || !isClean else { return (.unclean, "the closing handshake was not completed") }
        case .peers(let allowed):
            codes = allowed
            guard !closedByUs else { return (.failed, "we had to close what the peer should have failed") }
        }
        if let code = remoteClose?.code?.rawValue, !codes.contains(code) {
            let wanted = codes.map(String.init).joined(separator: " or ")
            return (.wrongCode, "the close code is \(code), where it should be \(wanted) or none")
        }
        if role == .client && droppedByUs && remoteClose != nil {
            return (.failedByClient, "the server left it to its client to end the TCP connection")
        }
        return (.ok, "the connection ended as it should")
    }
}

extension CaseEvent {
    /// In a few words.
    package var summary: String {
        switch self {
        case .text(let bytes): "a text of \(Self.show(bytes))"
        case .binary(let bytes): "a binary message of \(Self.hex(bytes))"
        case .pong(let bytes): "a pong of \(Self.show(bytes))"
        case .waited(let name): "pause \(name) with the connection open"
        }
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        bytes.count <= 24 && !bytes.isEmpty ? "bytes \(AutobahnJSON.hex(bytes))" : "\(bytes.count) bytes"
    }

    private static func show(_ bytes: [UInt8]) -> String {
        bytes.count <= 24 ? String(decoding: bytes, as: UTF8.self).debugDescription : "\(bytes.count) bytes"
    }
}
