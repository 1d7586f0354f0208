import Faults
import TLSLink

/// 2026-11-22 12:00 UTC, in seconds since 1970.
let noon: Int64 = 1_795_348_800

extension TLSSession {
    func receive(_ bytes: [UInt8]) -> [TLSOutput] { bytes.withUnsafeBytes { receive($0) } }
    func write(_ text: String) -> [TLSOutput] { Array(text.utf8).withUnsafeBytes { write($0) } }
}

/// A client session and a server session, connected by a simulated network.
struct SessionPair {
    let client: any TLSSession
    let server: any TLSSession
    /// The maximum number of bytes that the simulated network delivers at once.
    var pieceSize = Int.max
    private(set) var clientSaw: [TLSOutput] = []
    private(set) var serverSaw: [TLSOutput] = []

    init(
        _ kind: CertificateKind = .valid,
        names: [String] = ["chat.test"],
        asking name: String = "chat.test",
        trust: TLSTrust? = nil,
        by now: Int64 = realNow()
    ) throws {
        let authority = try TLS.makeAuthority(at: now)
        server = try authority.session(as: names, showing: kind, at: now)
        client = try TLS.client(of: name, trusting: trust ?? .authority(authority))
    }

    /// Exchanges bytes until neither session has output.
    mutating func converse(beginning: [TLSOutput]? = nil, by side: LinkSide = .client) {
        var toServer: [UInt8] = []
        var toClient: [UInt8] = []
        if let beginning {
            take(beginning, from: side, &toServer, &toClient)
        } else {
            take(client.start(), from: .client, &toServer, &toClient)
            take(server.start(), from: .server, &toServer, &toClient)
        }
        while !toServer.isEmpty || !toClient.isEmpty {
            if !toServer.isEmpty {
                let piece = Array(toServer.prefix(pieceSize))
                toServer.removeFirst(piece.count)
                take(server.receive(piece), from: .server, &toServer, &toClient)
            }
            if !toClient.isEmpty {
                let piece = Array(toClient.prefix(pieceSize))
                toClient.removeFirst(piece.count)
                take(client.receive(piece), from: .client, &toServer, &toClient)
            }
        }
    }

    private mutating func take(
        _ outputs: [TLSOutput],
        from side: LinkSide,
        _ toServer: inout [UInt8],
        _ toClient: inout [UInt8]
    ) {
        for output in outputs {
            if case .wire(let bytes) = output {
                if side == .client { toServer += bytes } else { toClient += bytes }
            } else if side == .client {
                clientSaw.append(output)
            } else {
                serverSaw.append(output)
            }
        }
    }

    mutating func forget() {
        clientSaw = []
        serverSaw = []
    }
}

extension [TLSOutput] {
    var plaintext: String {
        String(
            decoding: flatMap { output in if case .plaintext(let bytes) = output { bytes } else { [UInt8]() } },
            as: UTF8.self
        )
    }

    var failure: TLSFailure? {
        for case .failed(let failure) in self { return failure }
        return nil
    }

    var wire: [UInt8] {
        flatMap { output in if case .wire(let bytes) = output { bytes } else { [UInt8]() } }
    }
}
