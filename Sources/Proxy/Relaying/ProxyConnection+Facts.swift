import Faults
import TLSLink
import WebSocketWire

/// What is known of a connection by what its client says, and what it meets because of that.
extension ProxyConnection {
    /// Whether the toxic is for this connection, as far as is known by now.
    func isSelected(by toxic: Toxic) -> Bool {
        if toxic.only?.needsRequest == true, facts.request == nil { facts.request = sniffer.takeRequest() }
        return toxic.selects(facts)
    }

    /// Before they go on, so that what they bring about hits them too.
    func sniff(_ bytes: UnsafeRawBufferPointer) {
        switch sniffer.take(bytes) {
        case .nothing: return
        case .hello(let hello):
            // One within TLS that ends here is somebody else's.
            guard !client.isSecured else { return }
            if gate == nil, proxy.readsHellos { proxy.emit(.clientHello(serverName: hello.serverName), of: self) }
            updateFacts { $0.serverName = hello.serverName }
        case .request:
            guard gate == nil, proxy.readsRequests, let request = sniffer.takeRequest() else { return }
            proxy.emit(.requested(request.method, request.target), of: self)
            updateFacts { $0.request = request }
        }
    }

    /// Toxics that were there before this was known of it begin now; while the gate is closed they all do when it opens.
    func updateFacts(_ learn: (inout Selector.Facts) -> Void) {
        let before = facts
        learn(&facts)
        guard gate == nil else { return }
        for appliedFault in proxy.appliedFaults(for: facts, butNotFor: before) { begin(appliedFault) }
    }
}
