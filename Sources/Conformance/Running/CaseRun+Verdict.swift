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
            // Valid events alone are not enough: the peer must also have reacted and, in a case that tests the close
            // code, have used an allowed one.
            if mustReact, droppedByUs && peerEnd == nil && remoteClose == nil {
                (behavior, why) = (.failed, "the peer left the connection open")
            } else if case .peers = expectation.ending, closedByUs {
                (behavior, why) = (.failed, "the peer did not fail the connection")
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

    /// The reason why the connection did not open.
    private var unopened: String {
        if let refusal { return "refused with status \(refusal.status)" }
        switch peerEnd {
        case .fin?: return "the connection was ended without a response to the handshake"
        case .rst?: return "the connection was reset without a response to the handshake"
        case nil: return "received no response to the handshake within \(openingTimeout)"
        }
    }

    /// Whether the case requires the peer to end the connection.
    private var mustReact: Bool {
        switch expectation.ending {
        case .peers: true
        case .ours(_, let isClean): !isClean
        case .any: true
        }
    }

    /// Returns the verdict of a handshake test, or nil if the verdict depends on the events after the handshake.
    private func judgeOpening() -> Verdict? {
        guard let opening else { return nil }
        if let (behavior, why) = openingVerdict {
            let close: CloseBehavior = behavior == .failed ? .failed : behavior == .informational ? .informational : .ok
            return (behavior, why, close, why)
        }
        switch opening.expected {
        case .opens: return nil
        case .fails: return (.ok, "the client ended the connection", .ok, "the client ended the connection")
        case .informational: return (.informational, "the peer ended the connection", .informational, "")
        case .refuses: return (.failed, "received no response", .failed, "received no response")
        }
    }

    private func judgeEvents() -> (CaseBehavior, String) {
        if let echo {
            if let fault = echo.fault { return (.failed, fault) }
            guard echo.isComplete else {
                return (.failed, "\(echo.done) of \(echo.plan.count) messages were echoed\(peersClose)")
            }
            return (.ok, "all \(echo.plan.count) messages were echoed")
        }
        guard let match = expectation.alternatives.first(where: { $0.isMet(by: events) }) else {
            return (.failed, difference)
        }
        if let needed = expectation.needed, !hasNeeded {
            return (.failed, "missing \(needed.summary)\(peersClose)")
        }
        switch match.behavior {
        case .nonStrict: return (.nonStrict, "allowed, but not what the RFC recommends")
        default: return (match.behavior, "as expected")
        }
    }

    /// A description of the first difference from the strictest alternative.
    private var difference: String {
        let wanted = expectation.alternatives.first?.events ?? []
        for (index, event) in events.enumerated() where index >= wanted.count || wanted[index] != event {
            let instead = index < wanted.count ? wanted[index].summary : "nothing more"
            return "received \(event.summary) instead of \(instead)"
        }
        return wanted.count > events.count
            ? "missing \(wanted[events.count].summary)\(peersClose)" : "the events are not allowed"
    }

    /// A description of the code and the reason in the peer's close frame; empty unless the peer closed first.
    private var peersClose: String {
        guard let remoteClose, !closedByUs else { return "" }
        guard let code = remoteClose.code?.rawValue else { return "; the peer closed without a code" }
        let reason = remoteClose.reason.isEmpty ? "" : ", \(remoteClose.reason.debugDescription)"
        return "; the peer closed with \(code)\(reason)"
    }

    private func judgeClose() -> (CloseBehavior, String) {
        let codes: [UInt16]
        if violation != nil { return (.failed, "Squall had to fail the connection") }
        switch expectation.ending {
        case .any: return (.ok, "any ending is allowed")
        case .ours(let allowed, let isClean):
            codes = allowed
            guard closedByUs else { return (.failed, "the peer ended the connection before Squall closed it") }
            guard wasClean || !isClean else { return (.unclean, "the closing handshake was not completed") }
        case .peers(let allowed):
            codes = allowed
            guard !closedByUs else {
                return (.failed, "Squall had to close a connection that the peer should have failed")
            }
        }
        if let code = remoteClose?.code?.rawValue, !codes.contains(code) {
            let wanted = codes.map(String.init).joined(separator: " or ")
            return (.wrongCode, "the close code is \(code) instead of \(wanted) or none")
        }
        if role == .client && droppedByUs && remoteClose != nil {
            return (.failedByClient, "the server left it to its client to end the TCP connection")
        }
        return (.ok, "the connection ended as expected")
    }
}

extension CaseEvent {
    /// A short description of the event.
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
