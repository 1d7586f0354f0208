package import SquallCore

/// What can happen on a link: a kind with its attributes, how long it lasts, and which connections it spares.
package struct Fault: Hashable, Sendable {
    /// One case a fault; each type says beside its attributes what it does.
    package enum Kind: Hashable, Sendable {
        case latency(Latency)
        case bandwidth(Bandwidth)
        case slicer(Slicer)
        case slowClose(SlowClose)
        case limitData(LimitData)
        case timeout(Timeout)
        case drop(Drop)
        case resetPeer(ResetPeer)
        case refuse(Refuse)
        case acceptThenClose(AcceptThenClose)
        case cut(Cut)
        case stall(Stall)
        case blackhole(Blackhole)
        case halfOpen(HalfOpen)
        case captivePortal(CaptivePortal)
        case upgradeStatus(UpgradeStatus)
        case flap(Flap)
        case corrupt(Corrupt)
        case frames(Frames)
        case slowHTTP(SlowHTTP)
        case certificate(Certificate)
        case brokenHandshake(BrokenHandshake)
    }

    package var kind: Kind
    /// Its own end after this span; nil: it lasts until it is healed.
    package var duration: TimeSpan?
    /// The share of connections that a fault of their bytes hits, drawn once for each connection.
    package var toxicity: Ratio

    package init(_ kind: Kind, for duration: TimeSpan? = nil, toxicity: Ratio = .always) {
        self.kind = kind
        self.duration = duration
        self.toxicity = toxicity
    }

    /// The name in scenario files: `slow_close`.
    package var verb: String { type(of: kind.behaviour).action.verb }

    /// What it has to meet to be anything at all: a run in which it does not proves nothing. Nil for weather that lasts, and may
    /// pass over nobody.
    package var target: FaultTarget? { type(of: kind.behaviour).target }
}

extension Fault {
    /// Which direction of a connection a fault shapes; upstream is towards the server.
    package enum Stream: String, Hashable, Sendable, CaseIterable {
        case upstream, downstream, both

        package func includes(_ direction: Direction) -> Bool {
            switch self {
            case .upstream: direction == .upstream
            case .downstream: direction == .downstream
            case .both: true
            }
        }
    }
}

extension Fault.Kind {
    var behaviour: any LinkFault {
        switch self {
        case .latency(let fault): fault
        case .bandwidth(let fault): fault
        case .slicer(let fault): fault
        case .slowClose(let fault): fault
        case .limitData(let fault): fault
        case .timeout(let fault): fault
        case .drop(let fault): fault
        case .resetPeer(let fault): fault
        case .refuse(let fault): fault
        case .acceptThenClose(let fault): fault
        case .cut(let fault): fault
        case .stall(let fault): fault
        case .blackhole(let fault): fault
        case .halfOpen(let fault): fault
        case .captivePortal(let fault): fault
        case .upgradeStatus(let fault): fault
        case .flap(let fault): fault
        case .corrupt(let fault): fault
        case .frames(let fault): fault
        case .slowHTTP(let fault): fault
        case .certificate(let fault): fault
        case .brokenHandshake(let fault): fault
        }
    }
}
