/// Where a client finds its server, and its own folder.
package struct AdapterAddresses: Hashable, Sendable {
    /// `ws://127.0.1.7:40113/ws`, or `wss:` with TLS.
    package let webSocketURL: String
    /// `http://127.0.1.7:40113`, without a slash at its end; `https:` with TLS.
    package let httpURL: String
    /// A folder of the client's own, which survives `kill`; nil where there is none.
    package let stateFolder: String?
    /// The authority of the server's certificate, in PEM; nil where the addresses are without TLS.
    package let authorityFile: String?

    /// `endpoint` is the server's address and port. With an authority to trust, clients come by TLS.
    package init(endpoint: String, path: String, stateFolder: String? = nil, authorityFile: String? = nil) {
        let letter = authorityFile == nil ? "" : "s"
        webSocketURL = "ws\(letter)://\(endpoint)\(path)"
        httpURL = "http\(letter)://\(endpoint)"
        self.stateFolder = stateFolder
        self.authorityFile = authorityFile
    }

    /// The same for a command that is not asked anything, or wants them before it is.
    package func environment(of client: String, key: String) -> [(name: String, value: String)] {
        [
            ("SQUALL_WS_URL", webSocketURL), ("SQUALL_HTTP_URL", httpURL), ("SQUALL_KEY", key),
            ("SQUALL_CLIENT", client),
            ("SQUALL_STATE_DIR", stateFolder ?? ""), ("SQUALL_CA_FILE", authorityFile ?? ""),
        ]
    }
}
