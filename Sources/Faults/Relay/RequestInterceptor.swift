import SquallCore
import WebSocketWire

/// Looks at a connection's first request in the server's place, and answers it or lets it pass.
struct RequestInterceptor: Sendable {
    enum Rule: Hashable, Sendable {
        case portal(Fault.CaptivePortal)
        case upgradeStatus(Fault.UpgradeStatus)
    }

    enum Verdict: Hashable, Sendable {
        case undecided
        /// To the server with all that has come so far.
        case pass([Piece])
        /// The whole answer, and the event that tells of it.
        case answer([UInt8], status: Int, event: String)
        case close(LinkEnd)
    }

    private let rule: Rule
    private var parser = HTTPRequestParser()
    /// All that has come so far; bounded by the parser's limit of a head.
    private var seen: [Piece] = []

    init(_ rule: Rule) {
        self.rule = rule
    }

    var isPortal: Bool {
        if case .portal = rule { true } else { false }
    }

    mutating func take(_ piece: Piece) -> Verdict {
        guard case .bytes(let bytes) = piece else {
            if case .portal = rule { return .close(.fin) }
            return .pass(seen + [piece])
        }
        if case .upgradeStatus = rule { seen.append(piece) }
        parser.append(bytes)
        do {
            guard case .head(let request)? = try parser.next() else { return .undecided }
            switch rule {
            case .portal(let fault):
                let answer = fault.answer(to: request)
                return .answer(answer.bytes, status: answer.status, event: "network.answered")
            case .upgradeStatus(let fault):
                guard let answer = fault.answer(to: request) else { return .pass(seen) }
                return .answer(answer.bytes, status: answer.status, event: "network.upgrade.refused")
            }
        } catch {
            // No HTTP: nothing that a portal could answer, and none of the upgrade's business.
            if case .portal = rule { return .close(.rst) }
            return .pass(seen)
        }
    }
}
