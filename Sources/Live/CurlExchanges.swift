import CLibcurl
import ChatWire
import ReferenceClient
import Sockets
import SquallCore

/// The HTTP exchanges of a run's clients, driven by libcurl's multi handle on the run's event loop.
///
/// No call blocks: libcurl runs once per event-loop iteration, and readiness is polled with a timeout of zero. If
/// libcurl had its own thread, the event loop could not control the order of its results.
final class CurlExchanges {
    weak var network: LiveNetwork?

    private let address: LocalAddress
    private let options: LiveOptions
    /// The PEM certificate of the trusted authority; nil if exchanges use plain HTTP.
    private let authority: String?
    private var multi: UnsafeMutableRawPointer?
    private var exchanges: [ExchangeID: CurlExchange] = [:]
    private var byHandle: [UnsafeMutableRawPointer: CurlExchange] = [:]
    private var bySocket: [Int32: CurlExchange] = [:]
    /// The sockets that libcurl closed during a call; ``handBack()`` handles them afterwards.
    private var closing: [(socket: SystemSocket, exchange: CurlExchange)] = []

    /// Whether a call to libcurl is in progress, during which libcurl must not be called again.
    private var isPerforming = false

    private static let isReady = curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK

    init(address: LocalAddress, authority: String? = nil, options: LiveOptions) throws(LiveError) {
        self.address = address
        self.authority = authority
        self.options = options
        guard Self.isReady, let multi = curl_multi_init() else { throw .http(reason: "it could not be initialised") }
        self.multi = multi
    }

    deinit { close() }

    // MARK: - Exchanges

    /// Begins an exchange with the listener at `port`. If `isLost` is true, the connection must never be established.
    func begin(_ id: ExchangeID, _ request: ChatRequest, port: Int, isLost: Bool) {
        guard let multi else { return }
        do throws(LiveError) {
            let exchange = try CurlExchange(
                id,
                request,
                port: port,
                isLost: isLost,
                address: address,
                authority: authority,
                options: options
            )
            guard let handle = exchange.handle else { return }
            exchange.onSocket = { [weak self] in self?.opened($0, port: $1) }
            let this = Unmanaged.passUnretained(self).toOpaque()
            _ = squall_set_close_callback(handle) { context, descriptor in
                guard let context else { return 0 }
                Unmanaged<CurlExchanges>.fromOpaque(context).takeUnretainedValue().closed(descriptor)
                return 0
            }
            _ = squall_set_pointer(handle, CURLOPT_CLOSESOCKETDATA, this)
            guard curl_multi_add_handle(multi, handle) == CURLM_OK else {
                throw .http(reason: "a transfer could not be added")
            }
            exchanges[id] = exchange
            byHandle[handle] = exchange
        } catch {
            network?.onFailure(error)
        }
        // libcurl runs immediately, so that SYNs are sent in the order of the client's calls.
        turn()
    }

    /// Cancels an exchange: its outcome is not reported, and its connection ends with a FIN.
    func cancel(_ id: ExchangeID) {
        guard let exchange = exchanges.removeValue(forKey: id) else { return }
        release(exchange)
        handBack()
    }

    /// Ends an exchange as the kernel does when the client's process is killed: the socket is closed immediately.
    func discard(_ id: ExchangeID) {
        guard let exchange = exchanges.removeValue(forKey: id) else { return }
        release(exchange)
        for (socket, _) in closing { socket.close() }
        closing.removeAll()
    }

    private func release(_ exchange: CurlExchange) {
        guard let multi, let handle = exchange.handle else { return }
        byHandle[handle] = nil
        curl_multi_remove_handle(multi, handle)
        exchange.free()
        // libcurl 7.88 closes the socket of an unfinished connection attempt without the callback.
        if let socket = exchange.closed() { bySocket[socket.descriptor] = nil }
    }

    // MARK: - Turns

    /// Runs libcurl without blocking, and reports the exchanges that have ended.
    func turn() {
        guard let multi, !byHandle.isEmpty, !isPerforming else { return }
        var running: Int32 = 0
        isPerforming = true
        let code = curl_multi_perform(multi, &running)
        isPerforming = false
        guard code == CURLM_OK else {
            network?.onFailure(.http(reason: String(cString: curl_multi_strerror(code))))
            return
        }
        var outcomes: [(id: ExchangeID, outcome: CurlExchange.Outcome)] = []
        var result = CURLE_OK
        while let handle = squall_next_done(multi, &result) {
            guard let exchange = byHandle[handle] else { continue }
            outcomes.append((exchange.id, exchange.outcome(result)))
            exchanges[exchange.id] = nil
            release(exchange)
        }
        handBack()
        for (id, outcome) in outcomes { network?.answered(id, outcome) }
    }

    /// Whether libcurl has an exchange that needs event-loop iterations to make progress.
    var isBusy: Bool { byHandle.values.contains { !$0.isLost } }

    /// Describes the work that libcurl can do now; nil if libcurl is waiting for the peer.
    func pendingWork() -> String? {
        guard let multi, isBusy else { return nil }
        var milliseconds = 0
        curl_multi_timeout(multi, &milliseconds)
        if milliseconds == 0 { return "libcurl has pending work" }
        var ready: Int32 = 0
        curl_multi_wait(multi, nil, 0, 0, &ready)
        return ready > 0 ? "libcurl has data to read or write" : nil
    }

    // MARK: - Sockets

    private func opened(_ exchange: CurlExchange, port: Int) {
        if let socket = exchange.socket { bySocket[socket.descriptor] = exchange }
        network?.opened(exchange, port: port)
    }

    /// Handles a socket that libcurl wants to close; libcurl calls this instead of closing the socket.
    private func closed(_ descriptor: Int32) {
        guard let exchange = bySocket.removeValue(forKey: descriptor), let socket = exchange.closed() else {
            SystemSocket(descriptor).close()
            return
        }
        closing.append((socket, exchange))
    }

    /// Passes the sockets that libcurl has released to ``LiveNetwork``, which ends their connections with a FIN.
    ///
    /// If a socket with unread bytes were closed here, the kernel would send an RST instead.
    private func handBack() {
        let closing = closing
        self.closing.removeAll()
        for (socket, exchange) in closing {
            // A socket without a peer was never connected or was reset, so there is no connection to end.
            if let network, socket.peerPort != nil {
                network.handedBack(socket, of: exchange)
            } else {
                socket.close()
            }
        }
    }

    /// Aborts all exchanges without reporting them, and frees libcurl's handles.
    func close() {
        guard let multi else { return }
        for exchange in exchanges.values { release(exchange) }
        exchanges.removeAll()
        for (socket, _) in closing { socket.close() }
        closing.removeAll()
        curl_multi_cleanup(multi)
        self.multi = nil
    }
}
