import Faults
import SquallCore
import WebSocketWire

extension CaseRun {
    var opening: OpeningPlan? {
        if case .opening(let plan) = testCase.plan { plan } else { nil }
    }

    // MARK: - Squall as the client

    mutating func request(host: String, path: String) {
        let offers = testCase.deflate?.offers ?? []
        var head = WebSocketHandshake.request(
            host: host,
            path: path,
            key: key,
            subprotocols: opening?.subprotocols ?? [],
            deflate: offers,
            extraHeaders: ["User-Agent": "Squall"]
        )
        if let opening { head = opening.changed(head) }
        let bytes = opening?.raw ?? head.encode()
        log.bytes(bytes, .sent, at: .zero, "HTTP")
        let early = opening?.early.map { WebSocketFrame(.text, maskKey: 0, payload: Array($0.utf8)).encode() } ?? []
        queue(head: bytes + early)
        limit = now + openingTimeout
    }

    /// Queues the handshake head, paced as in the case, and then the end of the connection if the case requires it.
    private mutating func queue(head: [UInt8]) {
        add(head, opening?.pacing ?? .together, payloadFrom: 0)
        if let ending = opening?.ending { queue.append(.end(ending)) }
    }

    mutating func readResponse(_ bytes: [UInt8]) {
        parser.append(bytes)
        do throws(HTTPError) {
            while phase == .opening, let event = try parser.next() {
                switch event {
                case .head(let head) where !head.isInterim:
                    log.bytes(head.encode(), .received, at: elapsed, "HTTP")
                    judge(head)
                case .head, .body, .end: break
                }
            }
        } catch {
            violation = "the response is not HTTP: \(error)"
            openingVerdict = openingVerdict ?? (.failed, violation ?? "")
            finish()
        }
        guard phase == .open else { return }
        let remainder = parser.takeRemainder()
        if !remainder.isEmpty { read(remainder) }
    }

    private mutating func judge(_ head: HTTPResponseHead) {
        status = head.status
        if let expected = opening?.expected { judge(head, expected) }
        guard phase == .opening, refusal == nil else { return }
        guard head.status == 101 else {
            refusal = head
            finish()
            return
        }
        do throws(HandshakeError) {
            let offers = testCase.deflate?.offers ?? []
            try WebSocketHandshake.validate(head, key: key, subprotocols: opening?.subprotocols ?? [], deflate: offers)
            if let agreed = try WebSocketHandshake.agreement(in: head, to: offers) { agree(on: agreed) }
            open()
        } catch {
            violation = "the response is not a valid handshake: \(error)"
            openingVerdict = (.failed, violation ?? "")
            finish()
        }
    }

    /// Evaluates the head of a server's response in a handshake test whose expected outcome is `expected`.
    private mutating func judge(_ head: HTTPResponseHead, _ expected: OpeningPlan.Expected) {
        switch expected {
        case .opens:
            guard head.status != 101 else { return }
            openingVerdict = (.failed, "refused with status \(head.status)")
        case .informational: openingVerdict = (.informational, "answered with status \(head.status)")
        case .refuses(let statuses, let name, let value):
            if head.status == 101 {
                openingVerdict = (.failed, "the request was accepted")
            } else if !statuses.contains(head.status) {
                let wanted = statuses.sorted().map(String.init).joined(separator: " or ")
                openingVerdict = (.nonStrict, "refused with status \(head.status) instead of \(wanted)")
            } else if let name,
                !head.headers.values(of: name).contains(where: { value == nil || $0.contains(value ?? "") })
            {
                openingVerdict = (.nonStrict, "refused with status \(head.status), but without \(name): \(value ?? "")")
            } else {
                openingVerdict = (.ok, "refused with status \(head.status)")
            }
        case .fails: return
        }
        refusal = head
        finish()
    }

    /// Evaluates a server that closed the connection without a response.
    mutating func openingEnded() {
        guard openingVerdict == nil, let expected = opening?.expected else { return }
        switch expected {
        case .refuses where opening?.ending != nil: openingVerdict = (.ok, "the connection was ended")
        case .refuses: openingVerdict = (.nonStrict, "the connection was ended without a response")
        case .informational: openingVerdict = (.informational, "the connection was ended without a response")
        case .opens, .fails: openingVerdict = (.failed, "the connection was ended without a response")
        }
    }

    // MARK: - Squall as the server

    mutating func answer(_ request: HTTPRequestHead) {
        limit = now + openingTimeout
        do throws(HandshakeError) {
            var extra: HTTPHeaders = [:]
            let choice = testCase.deflate?.choose(among: WebSocketHandshake.extensions(offeredIn: request))
            if let choice { extra.append("Sec-WebSocket-Extensions", choice.answer.text) }
            var head = try WebSocketHandshake.accept(request, extraHeaders: extra)
            if let opening { head = opening.changed(head) }
            let bytes = opening?.raw ?? head.encode()
            log.bytes(bytes, .sent, at: elapsed, "HTTP")
            if let choice { agree(on: choice.agreement) }
            let early = opening?.early.map { WebSocketFrame(.text, payload: Array($0.utf8)).encode() } ?? []
            queue(head: bytes + early)
            // This text reveals whether the client considers the connection open despite the failed handshake: only
            // such a client replies to it.
            if let opening, [.fails, .informational].contains(opening.expected), opening.raw == nil {
                queue.append(.write(WebSocketFrame(.text, payload: Array("are you there?".utf8)).encode()))
            }
            guard opening == nil || opening?.expected == .opens else { return }
            open()
        } catch {
            log.bytes(error.response.encode(), .sent, at: elapsed, "HTTP")
            write(error.response.encode())
            violation = "the request is not a valid handshake: \(error)"
            openingVerdict = (.failed, violation ?? "")
            finish()
        }
    }

    // MARK: - Both roles

    private mutating func agree(on agreed: DeflateAgreement) {
        agreement = agreed
        deflater = agreed.deflater(for: role)
        decoder.allowsCompression = true
        assembler = MessageAssembler(
            maxSize: Self.maxMessage,
            inflater: agreed.inflater(for: role, enforcesWindow: testCase.deflate?.enforcesWindow ?? false)
        )
    }

    private mutating func open() {
        phase = .open
        wasOpen = true
        limit = nil
        unimplemented = obstacle
        if unimplemented != nil {
            (steps, expectation) = ([], .closing(codes: [1000]))
            begin(closing: [0x03, 0xE8])
        } else if echo != nil {
            beginEcho()
        }
    }

    /// The reason why the case cannot run with the negotiated extensions; nil if it can.
    private var obstacle: String? {
        guard testCase.deflate != nil else { return nil }
        if agreement == nil { return "the peer declines permessage-deflate" }
        return testCase.compresses && deflater == nil ? "zlib does not support a window of 256 bytes" : nil
    }
}
