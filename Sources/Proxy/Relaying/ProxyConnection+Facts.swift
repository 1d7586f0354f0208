import Faults
import TLSLink
import WebSocketWire

/// The facts known about a connection from its ClientHello and first request, and the toxics that these facts select.
extension ProxyConnection {
    /// Returns whether the toxic applies to this connection, according to the facts known so far.
    func isSelected(by toxic: Toxic) -> Bool {
        if toxic.only?.needsRequest == true, facts.request == nil { facts.request = sniffer.takeRequest() }
        return toxic.selects(facts)
    }

    /// Inspects the client's first bytes before they are forwarded, so that toxics selected by these bytes also affect
    /// them.
    func sniff(_ bytes: UnsafeRawBufferPointer) {
        switch sniffer.take(bytes) {
        case .nothing: return
        case .hello(let hello):
            // A ClientHello inside the TLS session that the proxy terminates belongs to a tunnelled protocol.
            guard !client.isSecured else { return }
            if gate == nil, proxy.readsHellos { proxy.emit(.clientHello(serverName: hello.serverName), of: self) }
            updateFacts { $0.serverName = hello.serverName }
        case .request:
            guard gate == nil, proxy.readsRequests, let request = sniffer.takeRequest() else { return }
            proxy.emit(.requested(request.method, request.target), of: self)
            updateFacts { $0.request = request }
        }
    }

    /// Calls `learn` to update the facts, then starts the toxics that are newly selected.
    ///
    /// While the request gate is closed, no toxics are started; all of them start when it opens.
    func updateFacts(_ learn: (inout Selector.Facts) -> Void) {
        let before = facts
        learn(&facts)
        guard gate == nil else { return }
        for appliedFault in proxy.appliedFaults(for: facts, butNotFor: before) { begin(appliedFault) }
    }
}
