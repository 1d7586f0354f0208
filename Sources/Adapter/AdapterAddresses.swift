/// The addresses that a client needs to reach its server, and the folder for the client's stored state.
package struct AdapterAddresses: Hashable, Sendable {
    /// The WebSocket's URL, such as `ws://127.0.1.7:40113/ws`; with TLS, it begins with `wss:`.
    package let webSocketURL: String
    /// The base URL for HTTP, such as `http://127.0.1.7:40113`; with TLS, it begins with `https:`. It does not end in a
    /// slash.
    package let httpURL: String
    /// The path of the folder for the client's stored state, which survives `kill`; nil if there is no such folder.
    package let stateFolder: String?
    /// The PEM file of the certificate authority that issued the server's certificate; nil if TLS is not used.
    package let authorityFile: String?
    /// Whether the client must discard its stored state because a new run is beginning; nil for a client with a
    /// ``stateFolder``, whose state Squall manages.
    package let isFresh: Bool?

    /// Creates the addresses of the server at `endpoint`, such as `127.0.1.7:40113`. If `authorityFile` is given, the
    /// URLs use TLS.
    package init(
        endpoint: String,
        path: String,
        stateFolder: String? = nil,
        authorityFile: String? = nil,
        isFresh: Bool? = nil
    ) {
        let letter = authorityFile == nil ? "" : "s"
        webSocketURL = "ws\(letter)://\(endpoint)\(path)"
        httpURL = "http\(letter)://\(endpoint)"
        self.stateFolder = stateFolder
        self.authorityFile = authorityFile
        self.isFresh = isFresh
    }

    /// Returns the addresses as environment variables, for a command without an adapter or a command that needs them
    /// before it receives `init`.
    package func environment(of client: String, key: String) -> [(name: String, value: String)] {
        [
            ("SQUALL_WS_URL", webSocketURL), ("SQUALL_HTTP_URL", httpURL), ("SQUALL_KEY", key),
            ("SQUALL_CLIENT", client),
            ("SQUALL_STATE_DIR", stateFolder ?? ""), ("SQUALL_CA_FILE", authorityFile ?? ""),
        ]
    }
}
