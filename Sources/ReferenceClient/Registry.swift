package import SquallCore

extension Client {
    /// All of the client's observables and events.
    package static let registry: [RegistryEntry] =
        Connection.registry + Session.registry + Outbox.registry + Uploads.registry + Conversations.registry
        + Peers.registry + Notices.registry + Metrics.registry + Tasks.registry + Exchanges.registry
        + FrameLog.registry + process
        + Account.registry + AppState.registry + PushToken.registry + Notifications.registry + DeepLink.registry
        + Highlight.registry
        + Screen.registry + History.registry + Scroll.registry
        + Unread.registry + Listing.registry + People.registry + Times.registry
        + Media.registry + Deletions.registry + ShareExtension.registry + Tally.registry

    private static let process: [RegistryEntry] = [
        .event("client.started", [], provenance: .injected, level: .device, "The app's process has started."),
        .event("client.killed", [], provenance: .injected, level: .device, "The app's process was killed."),
        .event("client.suspended", [], provenance: .injected, level: .device, "The app's process was suspended."),
        .event("client.woke", ["order"], provenance: .injected, level: .device, "The app's process was resumed."),
        .event("client.crashed", ["reason"], "The app's process has crashed."),
        .event("client.key_unreadable", [], "The client delays its start until the phone allows it to read its key."),
    ]
}

extension RegistryEntry {
    static func observable(
        _ name: String,
        _ value: ValueKind,
        key: String? = nil,
        parity: ParityClass = .exact,
        _ meaning: String
    ) -> RegistryEntry {
        RegistryEntry(.observable, name, value, key: key, parity: parity, meaning)
    }

    static func event(
        _ name: String,
        _ fields: [EventField] = [],
        measured: [EventField] = [],
        key: String? = nil,
        provenance: Provenance = .reported,
        level: AdapterLevel = .reports,
        _ meaning: String
    ) -> RegistryEntry {
        RegistryEntry(
            .event,
            name,
            .fields(fields + measured, measured: measured.map(\.name)),
            key: key,
            provenance: provenance,
            parity: .log,
            level: level,
            meaning
        )
    }
}

extension ValueKind {
    static func words<Word: RawRepresentable<String> & CaseIterable>(_ type: Word.Type) -> ValueKind {
        .word(type.allCases.map(\.rawValue))
    }
}
