/// Action names from other tools and from common usage, each with the equivalent step.
package enum ActionSynonym {
    /// Returns help that suggests a step for a word that is not an action; nil if its likely meaning is unknown.
    package static func help(for word: String) -> String? {
        steps[word.lowercased()].map { "write '\($0)'" } ?? (packets.contains(word.lowercased()) ? ofPackets : nil)
    }

    /// Common names for faults that affect single IP packets. Scenarios have no such faults, because TCP hides the loss
    /// of a packet from both endpoints.
    private static let packets: Set<String> = [
        "drop_packets", "loss", "lose", "netem", "packet_drop", "packet_loss", "packetloss", "packets",
    ]
    private static let ofPackets = """
        TCP hides lost packets from both ends: write 'network: { latency: 500ms }', or run a command behind \
        'squall packets --loss 5%'
        """

    /// The equivalent step for each word. Each step is valid without any preceding step.
    package static let steps: [String: String] = [
        "abort": "network: reset_peer",
        "airplane": "device: { network: off }",
        "airplane_mode": "device: { network: off }",
        "captive": "network: captive_portal",
        "cell": "device: handoff",
        "cellular": "device: handoff",
        "close_connection": "server: { close: 1001 }",
        "connection_lost": "network: drop",
        "connection_refused": "network: refuse",
        "delay": "network: { latency: 500ms }",
        "disconnect": "network: drop",
        "dos": "server: { limit: { count: 1, per: 1m } }",
        "fin": "network: drop",
        "flaky": "network: { flap: { up: 5s, down: 2s } }",
        "freeze": "network: stall",
        "garbage": "network: { corrupt: 1 }",
        "half_close": "network: half_open",
        "halfopen": "network: half_open",
        "hang": "network: stall",
        "http_error": "server: { fail: { route: ws, status: 503 } }",
        "internet": "device: { network: off }",
        "jitter": "network: { latency: { delay: 200ms, jitter: 100ms } }",
        "kick": "server: { disconnect: fin }",
        "lag": "network: { latency: 500ms }",
        "maintenance": "server: { drain: { retry_after: 30s } }",
        "message": "server: { post: kerrigan }",
        "mitm": "network: captive_portal",
        "offline": "device: { network: off }",
        "online": "device: { network: on }",
        "outage": "server: { restart: { down: 30s } }",
        "partition": "network: blackhole",
        "portal": "network: captive_portal",
        "rate_limit": "server: { limit: { count: 1, per: 1m } }",
        "reboot_server": "server: { restart: { down: 5s } }",
        "reconnect": "network: drop",
        "reset": "network: reset_peer",
        "rst": "network: reset_peer",
        "server_down": "server: stop",
        "shutdown": "server: stop",
        "slow": "network: { latency: 500ms }",
        "slow_network": "network: { bandwidth: 2000 }",
        "throttle": "network: { bandwidth: 2000 }",
        "unauthorized": "server: { auth: { accept: false } }",
        "unplug": "network: blackhole",
        "wifi": "device: handoff",
        "wlan": "device: handoff",
    ]
}
