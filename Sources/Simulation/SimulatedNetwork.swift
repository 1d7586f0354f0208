import ChatWire
import FakeServer
import Faults
import ReferenceClient
import ScenarioModel
import SquallCore
import Trace

/// The transport of the simulated world: the pipes between clients, relay and server, the listeners' accept modes, the
/// clients' disks, and the queue of pending events.
///
/// Every hop carries real bytes. The network converts a run's outputs to queued events and, when an event is due,
/// converts that event to the inputs that sockets would have produced.
struct SimulatedNetwork {
    /// The one-way latency of a hop between client and relay, or between relay and server.
    static let hopLatency = TimeSpan.microseconds(100)
    /// The number of bytes that a direction buffers before its writer blocks; models SO_SNDBUF plus SO_RCVBUF.
    static let bufferCapacity = 256 * 1024
    /// The time that a client's store takes to perform a write, or to load at launch.
    static let storeLatency = TimeSpan.microseconds(500)

    /// The owner of one end of a pipe.
    enum Owner: Hashable {
        case connection(ConnectionID)
        case exchange(ExchangeID)
        case relay(LinkID, LinkSide)
        case server(LinkID)

        /// The client whose process owns this end; nil if the relay or the server owns it.
        var process: ClientID? {
            switch self {
            case .connection(let id): id.client
            case .exchange(let id): id.client
            case .relay, .server: nil
            }
        }

        /// Whether the end is closed when the client's process is killed.
        var endsWithProcess: Bool {
            if case .exchange(let id) = self { id.owner == .app } else { true }
        }
    }

    /// A network event that is due at a given time.
    enum Event {
        /// A SYN arrives at its listener.
        case syn(pipe: Int)
        /// A client's ClientHello, the first message of a TLS handshake, arrives at the relay.
        case clientHello(pipe: Int)
        /// The SYN-ACK, or the failure of the attempt, arrives at the caller.
        case synAck(pipe: Int, LinkFailure?)
        /// A segment arrives at its reader.
        case arrival(pipe: Int, reader: PipeEnd, Segment)
        /// A reader that has resumed reads the segments held while it was paused.
        case release(pipe: Int, reader: PipeEnd)
        /// The write job with the given number has reached a client's disk.
        case stored(ClientID, Int)
        /// A client has loaded its store.
        case launched(ClientID)
    }

    var queue = EventQueue<Event>()
    var pipes: [SimulatedPipe] = []
    var callers: [Owner] = []
    var callees: [Owner?] = []
    private var pipeOf: [Owner: Int] = [:]
    var exchanges: [ExchangeID: HTTPExchange] = [:]
    /// The value of the `Host` header, identical to the value sent in runs over real sockets.
    private static let host = "chat.test"
    var acceptModes: [ClientID: AcceptMode] = [:]
    let isSecured: Bool
    var handshakes: [ClientID: Handshake] = [:]
    /// TLS handshakes that have failed but whose failure the client has not received yet, keyed by pipe.
    var failedHandshakes: [Int: Handshake] = [:]
    var serverListens = true
    var linkCount: [ClientID: Int] = [:]
    private var disks: [ClientID: SimulatedDisk]
    /// The inputs that the current event causes; a stored property, so that its memory is reused for every event.
    var inputs: [TransportInput] = []
    var shifts: ScheduleShifts
    /// Captures the packets; nil when no capture was requested.
    var tap: SimulatedCapture?

    /// Creates a network without connections. If `isSecured`, clients connect over TLS: the simulation models the
    /// handshakes' results and round trips, not their bytes.
    init(
        stores: [ClientID: StoreImage],
        shifts: ScheduleShifts,
        isSecured: Bool = false,
        tap: SimulatedCapture? = nil
    ) {
        self.isSecured = isSecured
        self.tap = tap
        disks = stores.mapValues { SimulatedDisk($0) }
        self.shifts = shifts
    }

    var nextTime: Instant? { queue.nextTime }

    /// Ends the capture and returns its packets; nil if no capture was requested.
    mutating func captured(until now: Instant) -> PacketCapture? { tap?.finish(at: now) }

    // MARK: - Time

    /// Handles the earliest event and returns its time and the inputs that it causes; nil when the queue is empty.
    mutating func advance() -> (now: Instant, inputs: [TransportInput])? {
        guard let (now, event) = queue.pop() else { return nil }
        inputs.removeAll(keepingCapacity: true)
        switch consume event {
        case .syn(let pipe): syn(pipe, at: now)
        case .clientHello(let pipe): clientHello(pipe, at: now)
        case .synAck(let pipe, let failure): synAck(pipe, failure, at: now)
        case .arrival(let pipe, let reader, let segment): arrive(segment, pipe, reader: reader, at: now)
        case .release(let pipe, let reader): release(pipe, reader, at: now)
        case .stored(let client, let number):
            if disks[client]?.complete(number) ?? false { inputs.append(.client(client, .persisted(number))) }
        case .launched(let client): inputs.append(.launched(client, disks[client]?.image ?? StoreImage()))
        }
        return (now, inputs)
    }

    mutating func schedule(_ event: Event, after delay: TimeSpan, at now: Instant) {
        queue.push(event, at: now + shifts.shifted(delay), tie: shifts.tie())
    }

    // MARK: - The run's outputs

    mutating func perform(_ output: TransportOutput, at now: Instant) {
        switch output {
        case .launch(let client): schedule(.launched(client), after: Self.storeLatency, at: now)
        case .kill(let client): kill(client, at: now)
        case .client(let client, let wanted): perform(wanted, of: client, at: now)
        case .relay(let wanted): perform(wanted, at: now)
        case .server(let wanted): perform(wanted, at: now)
        // Foreign clients (not Squall's own) and control programs have their own clocks, so they are never simulated.
        case .foreign, .conducted: break
        }
    }

    private mutating func perform(_ output: ClientOutput, of client: ClientID, at now: Instant) {
        switch output {
        case .connect(let id): connect(.connection(id), at: now)
        case .write(let id, let bytes): write(bytes, by: .connection(id), at: now)
        case .end(let id, let how): end(.connection(id), how, at: now)
        case .request(let id, let request):
            exchanges[id] = HTTPExchange(request, host: Self.host)
            connect(.exchange(id), at: now)
        case .cancel(let id):
            exchanges[id] = nil
            end(.exchange(id), .fin, at: now)
        case .persist(let number, let writes):
            disks[client, default: SimulatedDisk()].begin(number, writes)
            schedule(.stored(client, number), after: Self.storeLatency, at: now)
        case .observe, .crashed, .transfer, .phone: break
        }
    }

    private mutating func perform(_ output: RelayOutput, at now: Instant) {
        switch output {
        case .acceptMode(let client, let acceptMode):
            acceptModes[client] = acceptMode
            acceptModeChanged(to: acceptMode) { $0.process == client }
        case .handshake(let client, let handshake): handshakes[client] = handshake
        case .connectUpstream(let link): connect(.relay(link, .server), at: now)
        case .write(let link, let side, let bytes): write(bytes, by: .relay(link, side), at: now)
        case .end(let link, let side, let how): end(.relay(link, side), how, at: now)
        case .readMode(let link, let side, let readMode): set(readMode, of: .relay(link, side), at: now)
        case .observe: break
        }
    }

    private mutating func perform(_ output: ServerOutput, at now: Instant) {
        switch output {
        case .write(let link, let bytes): write(bytes, by: .server(link), at: now)
        case .end(let link, let how): end(.server(link), how, at: now)
        case .listen(let listens):
            serverListens = listens
            acceptModeChanged(to: serverMode) { $0.process == nil }
        case .observe, .push: break
        }
    }

    /// Kills a client's process: its pending writes are lost, and the kernel closes each of its sockets with a FIN.
    private mutating func kill(_ client: ClientID, at now: Instant) {
        disks[client]?.discardPendingWrites()
        for pipe in pipes.indices where pipes[pipe].hasOwner[.caller] && callers[pipe].process == client {
            guard callers[pipe].endsWithProcess else { continue }
            if case .exchange(let id) = callers[pipe] { exchanges[id] = nil }
            if !pipes[pipe].established { tap?.abandon(pipe, at: now) }
            send(.fin, pipe, from: .caller, at: now)
            pipes[pipe].reader[.caller] = .closed
            leave(pipe, .caller)
        }
    }

    // MARK: - Sending and receiving

    private func owner(of pipe: Int, _ end: PipeEnd) -> Owner? {
        end == .caller ? callers[pipe] : callees[pipe]
    }

    /// Makes `owner` the owner of this end of a pipe, and ends its ownership of any other pipe.
    mutating func take(_ pipe: Int, _ end: PipeEnd, by owner: Owner) {
        if let before = pipeOf.updateValue(pipe, forKey: owner) { pipes[before].hasOwner[end] = false }
        pipes[pipe].hasOwner[end] = true
    }

    /// Removes the owner of this end of a pipe.
    mutating func leave(_ pipe: Int, _ end: PipeEnd) {
        pipes[pipe].hasOwner[end] = false
        if let owner = owner(of: pipe, end) { pipeOf[owner] = nil }
    }

    private func place(of owner: Owner) -> (pipe: Int, end: PipeEnd)? {
        guard let pipe = pipeOf[owner] else { return nil }
        return (pipe, callers[pipe] == owner ? .caller : .callee)
    }

    private mutating func write(_ bytes: [UInt8], by owner: Owner, at now: Instant) {
        guard let (pipe, end) = place(of: owner), !bytes.isEmpty else { return }
        send(.bytes(bytes), pipe, from: end, at: now)
    }

    /// Sends a segment, or blocks it if the buffer is full; if only some of its bytes fit, it is split.
    mutating func send(_ segment: Segment, _ pipe: Int, from end: PipeEnd, at now: Instant) {
        let reader = end.opposite
        guard pipes[pipe].established else { return }
        switch segment {
        case .rst: break
        case .fin:
            if pipes[pipe][readBy: reader].finWritten { return }
            pipes[pipe][readBy: reader].finWritten = true
            guard pipes[pipe][readBy: reader].blocked.isEmpty else {
                pipes[pipe][readBy: reader].blocked.append(.fin)
                return
            }
        case .bytes(let bytes):
            if pipes[pipe][readBy: reader].finWritten { return }
            let room = Self.bufferCapacity - pipes[pipe][readBy: reader].occupied
            guard pipes[pipe][readBy: reader].blocked.isEmpty, room > 0 else {
                pipes[pipe][readBy: reader].blocked.append(segment)
                return
            }
            if bytes.count > room {
                pipes[pipe][readBy: reader].blocked.append(.bytes(Array(bytes[room...])))
                depart(.bytes(Array(bytes[..<room])), pipe, reader: reader, at: now)
                return
            }
        }
        depart(segment, pipe, reader: reader, at: now)
    }

    /// Schedules the arrival of a segment, never before that of an earlier segment in the same direction.
    private mutating func depart(_ segment: Segment, _ pipe: Int, reader: PipeEnd, at now: Instant) {
        if case .bytes(let bytes) = segment { pipes[pipe][readBy: reader].occupied += bytes.count }
        let arrival = max(now + shifts.shifted(Self.hopLatency), pipes[pipe][readBy: reader].lastArrival)
        tap?.carry(segment, pipe, from: reader.opposite, leaves: now, arrives: arrival)
        let overtakes = arrival == pipes[pipe][readBy: reader].lastArrival
        pipes[pipe][readBy: reader].lastArrival = overtakes ? arrival + shifts.order : arrival
        queue.push(
            .arrival(pipe: pipe, reader: reader, segment),
            at: pipes[pipe][readBy: reader].lastArrival,
            tie: shifts.tie()
        )
    }

    private mutating func arrive(
        _ segment: Segment,
        _ pipe: Int,
        reader: PipeEnd,
        at now: Instant
    ) {
        if tap != nil { tap?.arrive(pipe, reader, pipes[pipe], at: now) }
        switch pipes[pipe].reader[reader] {
        case .closed:
            // The RST bypasses `send`, which would only check that the pipe is established: once bytes have arrived, it
            // must be.
            if case .bytes = segment { depart(.rst, pipe, reader: reader.opposite, at: now) }
            return
        case .draining:
            if case .bytes(let bytes) = segment { taken(bytes.count, pipe, reader: reader, at: now) }
            return
        case .machine: break
        }
        let readMode = pipes[pipe].readMode[reader]
        if case .rst = segment {
            // A paused socket still receives a reset; a socket in `unacknowledged` mode receives no packets.
            if readMode == .unacknowledged { return }
            pipes[pipe][readBy: reader].held.removeAll()
            return deliver(.rst, pipe, reader: reader, at: now)
        }
        guard readMode == .none, pipes[pipe][readBy: reader].held.isEmpty else {
            pipes[pipe][readBy: reader].held.append(segment)
            return
        }
        return deliver(segment, pipe, reader: reader, at: now)
    }

    private mutating func deliver(
        _ segment: Segment,
        _ pipe: Int,
        reader: PipeEnd,
        at now: Instant
    ) {
        guard pipes[pipe].hasOwner[reader], let owner = owner(of: pipe, reader) else { return }
        switch segment {
        case .bytes(let bytes):
            taken(bytes.count, pipe, reader: reader, at: now)
            switch owner {
            case .connection(let id): inputs.append(.client(id.client, .received(id, bytes)))
            case .exchange(let id): conclude(id, exchanges[id]?.receive(bytes) ?? nil, at: now)
            case .relay(let link, let side): inputs.append(.relay(.received(link, from: side, bytes)))
            case .server(let link): inputs.append(.server(.received(link, bytes)))
            }
        case .fin, .rst:
            let reset = if case .rst = segment { true } else { false }
            if reset { abandon(pipe, reader) }
            switch owner {
            case .connection(let id): inputs.append(.client(id.client, .ended(id, reset ? .reset : .endOfStream)))
            case .exchange(let id): conclude(id, exchanges[id]?.end(reset ? .reset : .endOfStream) ?? nil, at: now)
            case .relay(let link, let side): inputs.append(.relay(.ended(link, side: side, reset ? .rst : .fin)))
            case .server(let link): inputs.append(.server(.ended(link, reset ? .rst : .fin)))
            }
        }
    }

    /// Records that the reader has removed bytes from the buffer, and sends blocked segments that now fit.
    private mutating func taken(_ count: Int, _ pipe: Int, reader: PipeEnd, at now: Instant) {
        pipes[pipe][readBy: reader].occupied -= count
        while let segment = pipes[pipe][readBy: reader].blocked.first {
            let room = Self.bufferCapacity - pipes[pipe][readBy: reader].occupied
            guard room > 0 else { return }
            if case .bytes(let bytes) = segment, bytes.count > room {
                pipes[pipe][readBy: reader].blocked[0] = .bytes(Array(bytes[room...]))
                depart(.bytes(Array(bytes[..<room])), pipe, reader: reader, at: now)
                return
            }
            pipes[pipe][readBy: reader].blocked.removeFirst()
            depart(segment, pipe, reader: reader, at: now)
        }
    }

    /// Ends an exchange and reports its outcome; does nothing if `outcome` is nil.
    private mutating func conclude(_ id: ExchangeID, _ outcome: HTTPExchange.Outcome?, at now: Instant) {
        guard let outcome else { return }
        exchanges[id] = nil
        end(.exchange(id), .fin, at: now)
        switch outcome {
        case .answered(let response): inputs.append(.client(id.client, .response(id, response)))
        case .failed(let failure): inputs.append(.client(id.client, .requestFailed(id, failure)))
        }
    }

    // MARK: - Closing

    private mutating func end(_ owner: Owner, _ how: LinkEnd, at now: Instant) {
        guard let (pipe, end) = place(of: owner) else { return }
        if !pipes[pipe].established { tap?.abandon(pipe, at: now) }
        // The relay and the server keep reading after their FIN; a client that closes a connection does not.
        let stays = owner.process == nil && how == .fin
        switch how {
        case .fin: send(.fin, pipe, from: end, at: now)
        case .rst:
            pipes[pipe][readBy: end.opposite].blocked.removeAll()
            send(.rst, pipe, from: end, at: now)
        }
        guard !stays else { return }
        // As with real sockets, a socket that has sent its FIN keeps reading for a while, so late bytes cause no RST.
        pipes[pipe].reader[end] = how == .fin ? .draining : .closed
        leave(pipe, end)
        for segment in pipes[pipe][readBy: end].held {
            if case .bytes(let bytes) = segment { taken(bytes.count, pipe, reader: end, at: now) }
        }
        pipes[pipe][readBy: end].held.removeAll()
    }

    /// Discards the blocked output and all future output of `reader`, which has received a reset.
    private mutating func abandon(_ pipe: Int, _ reader: PipeEnd) {
        pipes[pipe][readBy: reader.opposite].finWritten = true
        pipes[pipe][readBy: reader.opposite].blocked.removeAll()
    }

    private mutating func set(_ readMode: ReadMode, of owner: Owner, at now: Instant) {
        guard let (pipe, end) = place(of: owner) else { return }
        pipes[pipe].readMode[end] = readMode
        guard readMode == .none, !pipes[pipe][readBy: end].held.isEmpty else { return }
        queue.push(.release(pipe: pipe, reader: end), at: now)
    }

    /// Delivers the segments that were held while the reader was paused, in order; later arrivals follow them.
    ///
    /// Readers that resume at the same instant deliver in the order in which the relay resumed them, as in live runs.
    private mutating func release(_ pipe: Int, _ reader: PipeEnd, at now: Instant) {
        guard pipes[pipe].readMode[reader] == .none else { return }
        let held = pipes[pipe][readBy: reader].held
        pipes[pipe][readBy: reader].held.removeAll()
        tap?.release(pipe, reader, at: now)
        for segment in held { deliver(segment, pipe, reader: reader, at: now) }
    }
}
