import CLibcurl
import ChatWire
import Faults
import ReferenceClient
import Sockets
import WebSocketWire

/// One of a client's HTTP exchanges, performed by libcurl over a dedicated connection.
final class CurlExchange: WireEnd {
    enum Outcome {
        case response(ChatResponse)
        case failed(LinkFailure)
        /// Squall itself could not perform the exchange.
        case impossible(LiveError)
    }

    /// The maximum size of a response body, in bytes; libcurl aborts a larger transfer.
    static let bodyLimit = 64 << 20

    let id: ExchangeID
    let isLost: Bool
    private let address: LocalAddress
    private let settings: SocketSettings
    private(set) var handle: UnsafeMutableRawPointer?
    private var headerList: UnsafeMutablePointer<curl_slist>?
    private var placeList: UnsafeMutablePointer<curl_slist>?

    /// The socket that libcurl uses; nil before it opens one and after it closes it.
    private(set) var socket: SystemSocket?
    private(set) var socketError: SocketError?
    private var wasClosed = false
    var onSocket: (CurlExchange, Int) -> Void = { _, _ in }

    /// The parser for the response head. It is used in place of libcurl's because it is stricter, and because simulated
    /// runs use it too.
    private var parser: HTTPResponseParser
    private var head: HTTPResponseHead?
    private var body: [UInt8] = []

    init(
        _ id: ExchangeID,
        _ request: ChatRequest,
        port: Int,
        isLost: Bool,
        address: LocalAddress,
        authority: String? = nil,
        options: LiveOptions
    ) throws(LiveError) {
        self.id = id
        self.isLost = isLost
        self.address = address
        settings = options.sockets
        parser = HTTPResponseParser(answering: request.method)
        guard let handle = curl_easy_init() else { throw .http(reason: "no handle for a transfer") }
        self.handle = handle
        do throws(LiveError) {
            try configure(handle, port: port)
            if let authority { try secure(handle, host: options.host, port: port, believing: authority) }
            try write(request, host: options.host, to: handle)
            try listen(handle)
        } catch {
            free()
            throw error
        }
    }

    deinit { free() }

    /// Frees the libcurl handle, which must have been removed from its multi handle.
    func free() {
        if let handle { curl_easy_cleanup(handle) }
        handle = nil
        curl_slist_free_all(headerList)
        headerList = nil
        curl_slist_free_all(placeList)
        placeList = nil
    }

    // MARK: - Options

    private func configure(_ handle: UnsafeMutableRawPointer, port: Int) throws(LiveError) {
        try check(squall_set_string(handle, CURLOPT_URL, "http://\(address):\(port)/"))
        // Any proxy set in the environment is ignored, because exchanges use loopback.
        try check(squall_set_string(handle, CURLOPT_PROXY, ""))
        try check(squall_set_long(handle, CURLOPT_NOSIGNAL, 1))
        try check(squall_set_long(handle, CURLOPT_FOLLOWLOCATION, 0))
        try check(squall_set_long(handle, CURLOPT_FRESH_CONNECT, 1))
        try check(squall_set_long(handle, CURLOPT_FORBID_REUSE, 1))
        try check(squall_set_long(handle, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1)))
        try check(squall_set_long(handle, CURLOPT_HTTP09_ALLOWED, 0))
        // The client has its own timeouts; libcurl's default connect timeout of 300 s must not expire before them.
        try check(squall_set_long(handle, CURLOPT_CONNECTTIMEOUT_MS, Int(Int32.max)))
    }

    /// Configures HTTPS to `host`. Connections go to the run's address and `port`, and only certificates issued by
    /// `authority` are accepted.
    private func secure(
        _ handle: UnsafeMutableRawPointer,
        host: String,
        port: Int,
        believing authority: String
    ) throws(LiveError) {
        try check(squall_set_string(handle, CURLOPT_URL, "https://\(host):\(port)/"))
        guard let list = curl_slist_append(nil, "::\(address):\(port)") else {
            throw .http(reason: "no memory for an address")
        }
        placeList = list
        try check(squall_set_list(handle, CURLOPT_CONNECT_TO, list))
        try check(squall_set_authorities(handle, authority))
        // Session resumption is disabled: the relay's certificate must be sent in every handshake.
        try check(squall_set_long(handle, CURLOPT_SSL_SESSIONID_CACHE, 0))
    }

    /// Sets the method, target, headers and body of the request.
    ///
    /// The headers are sent in the order that ``HTTPExchangeBytes`` defines, and libcurl adds no headers of its own.
    private func write(
        _ request: ChatRequest,
        host: String,
        to handle: UnsafeMutableRawPointer
    ) throws(LiveError) {
        let method = HTTPExchangeBytes.method(of: request)
        if HTTPExchangeBytes.carriesBody(request) {
            try check(squall_set_long(handle, CURLOPT_POST, 1))
            try check(squall_set_offset(handle, CURLOPT_POSTFIELDSIZE_LARGE, Int64(request.body.count)))
            let copied = request.body.withUnsafeBytes { bytes in
                // If the body is empty, the pointer may be null, in which case libcurl would read the body from a
                // callback.
                withUnsafeBytes(of: UInt8(0)) { empty in
                    let start = bytes.baseAddress ?? empty.baseAddress
                    return squall_set_pointer(handle, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: start))
                }
            }
            try check(copied)
        } else if method == "HEAD" {
            try check(squall_set_long(handle, CURLOPT_NOBODY, 1))
        } else {
            try check(squall_set_long(handle, CURLOPT_HTTPGET, 1))
        }
        try check(squall_set_string(handle, CURLOPT_CUSTOMREQUEST, method))
        try check(squall_set_string(handle, CURLOPT_REQUEST_TARGET, HTTPExchangeBytes.target(of: request)))
        for field in HTTPExchangeBytes.headers(of: request, host: host) {
            // libcurl omits a header with an empty value unless the line ends in a semicolon.
            try append(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
        }
        try append("Expect:")
        try check(squall_set_list(handle, CURLOPT_HTTPHEADER, headerList))
    }

    private func append(_ line: String) throws(LiveError) {
        guard let longer = curl_slist_append(headerList, line) else { throw .http(reason: "no memory for a header") }
        headerList = longer
    }

    /// Sets the callbacks that receive the head and the body, and the one that opens the socket.
    private func listen(_ handle: UnsafeMutableRawPointer) throws(LiveError) {
        // An unretained pointer is sufficient: libcurl calls back only while the handle exists, and this object owns
        // the handle.
        let this = Unmanaged.passUnretained(self).toOpaque()
        try check(
            squall_set_data_callback(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
                CurlExchange.take(bytes, size, count, context) { $0.takeHeader($1) }
            }
        )
        try check(squall_set_pointer(handle, CURLOPT_HEADERDATA, this))
        try check(
            squall_set_data_callback(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
                CurlExchange.take(bytes, size, count, context) { $0.takeBody($1) }
            }
        )
        try check(squall_set_pointer(handle, CURLOPT_WRITEDATA, this))
        try check(
            squall_set_open_callback(handle) { context, _, _ in
                guard let context else { return -1 }
                return Unmanaged<CurlExchange>.fromOpaque(context).takeUnretainedValue().open()
            }
        )
        try check(squall_set_pointer(handle, CURLOPT_OPENSOCKETDATA, this))
    }

    private func check(_ code: CURLcode) throws(LiveError) {
        guard code != CURLE_OK else { return }
        throw .http(reason: String(cString: curl_easy_strerror(code)))
    }

    // MARK: - The socket

    /// Opens a socket with the run's buffer sizes, bound to the run's address and a free port, and returns its
    /// descriptor; -1 on failure.
    ///
    /// Because the socket is bound, its port is known before the relay accepts the connection, and captures can be
    /// filtered by host.
    private func open() -> Int32 {
        do throws(SocketError) {
            let socket = try SystemSocket.tcp()
            socket.configure(settings)
            do throws(SocketError) {
                try socket.bind(to: address, port: 0)
            } catch {
                socket.close()
                throw error
            }
            self.socket = socket
            onSocket(self, socket.localPort ?? 0)
            return socket.descriptor
        } catch {
            socketError = error
            return -1
        }
    }

    /// Records that libcurl is closing its socket, and returns the socket; nil if there is none.
    func closed() -> SystemSocket? {
        defer { socket = nil }
        wasClosed = true
        return socket
    }

    var isOpen: Bool { socket != nil }
    var readMode: ReadMode { .none }
    var hasEnded: Bool { wasClosed }
    var hasSeenEnd: Bool { wasClosed }
    var undelivered: Int { socket?.unacknowledged ?? 0 }
    func acknowledgeNow() { socket?.acknowledgeNow() }

    // MARK: - The response

    private static func take(
        _ bytes: UnsafeMutablePointer<CChar>?,
        _ size: Int,
        _ count: Int,
        _ context: UnsafeMutableRawPointer?,
        _ body: (CurlExchange, UnsafeRawBufferPointer) -> Bool
    ) -> Int {
        let (length, overflow) = size.multipliedReportingOverflow(by: count)
        guard let context, !overflow else { return 0 }
        let exchange = Unmanaged<CurlExchange>.fromOpaque(context).takeUnretainedValue()
        return body(exchange, UnsafeRawBufferPointer(start: bytes, count: length)) ? length : 0
    }

    /// Parses one header line. Returns false, which aborts the transfer, if the bytes are not HTTP.
    private func takeHeader(_ bytes: UnsafeRawBufferPointer) -> Bool {
        // libcurl passes the trailer fields of a chunked body to this callback as well; they do not belong to the head.
        guard head == nil else { return true }
        parser.append(Array(bytes))
        do {
            while head == nil, case .head(let found)? = try parser.next() {
                if !found.isInterim { head = found }
            }
            return true
        } catch {
            return false
        }
    }

    private func takeBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard body.count + bytes.count <= Self.bodyLimit else { return false }
        body.append(contentsOf: bytes)
        return true
    }

    /// Translates libcurl's result into an outcome for the client.
    func outcome(_ code: CURLcode) -> Outcome {
        if let socketError { return .impossible(.socket(socketError)) }
        guard code != CURLE_OK else {
            // libcurl treats a stream that ends within the head as a response without a body, but the exchange must be
            // reported as failed.
            guard let head else { return .failed(.endOfStream) }
            return .response(ChatResponse(head, body: body))
        }
        var systemError = 0
        if let handle { _ = squall_get_long(handle, CURLINFO_OS_ERRNO, &systemError) }
        switch CurlResult(code, systemError: Int32(truncatingIfNeeded: systemError)) {
        case .link(let failure): return .failed(failure)
        case .own(let reason): return .impossible(.http(reason: reason))
        }
    }
}
