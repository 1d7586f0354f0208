import SquallCore
import Trace

/// Uses the trace of a run to determine the state of the devices at any time.
struct DeviceWatch {
    /// A change of a client's `connection.state`.
    struct StateChange: Hashable {
        var time: Instant
        var client: ClientID
        var state: String
    }

    /// The state of a single device.
    private struct Device {
        var isRunning = false
        var isInForeground = true
        var isConnected = false
        /// The observables currently set whose values exist only in the process's memory, such as a preview, a dialog,
        /// or a sign-in that waits for a sign-out to finish.
        var drafts: Set<String> = []
        /// The time at which the user last attached a file. A later step at the same instant may already have sent it.
        var attached: Instant?
        /// Whether the disk has ever been full.
        var hadFullDisk = false
        var screen: DeviceState.Screen
    }

    private(set) var changes: [StateChange] = []
    private let events: ArraySlice<TraceEvent>
    private let clients: [ClientID]
    private var devices: [ClientID: Device]
    private var next: Int
    /// The time of the most recent action by any user; nil if there has been none.
    private var touched: Instant?

    init(_ recording: Recording, clients: [ClientID]) {
        events = recording.events.prefix { $0.name != EndState.calmBegan }
        self.clients = clients
        devices = Dictionary(
            clients.map { ($0, Device(screen: DeviceState.Screen(client: $0))) },
            uniquingKeysWith: { first, _ in first }
        )
        next = events.startIndex
        var states: [ClientID: String] = [:]
        for event in events where event.name == "connection.state" {
            guard let client = event.client, case .set(let value) = event.observation.change,
                let state = value.stringValue, states.updateValue(state, forKey: client) != state
            else { continue }
            changes.append(StateChange(time: event.time, client: client, state: state))
        }
    }

    /// Returns the state of the devices after all events up to `time`, which must not decrease from one call to the
    /// next.
    mutating func state(at time: Instant, of clients: [ClientID]) -> DeviceState {
        while next < events.endIndex, events[next].time <= time {
            take(events[next])
            next += 1
        }
        let hit = (clients.isEmpty ? self.clients : clients).compactMap { devices[$0] }
        var state = DeviceState(clients: clients)
        state.isRunning = hit.allSatisfy(\.isRunning)
        state.isInForeground = hit.allSatisfy(\.isInForeground)
        state.hasDraft = hit.contains { !$0.drafts.isEmpty || $0.attached == time }
        state.hadFullDisk = hit.contains(where: \.hadFullDisk)
        state.screens = hit.map(\.screen)
        state.touched = touched.map { time - $0 }
        state.connected = hit.filter(\.isConnected).map(\.screen.client)
        return state
    }

    private mutating func take(_ event: TraceEvent) {
        guard let client = event.client else { return }
        // If the client is not running, it accepts a message, a file or its user's sign-in only after its process has
        // started.
        if event.name.hasPrefix("user.")
            || ["client.accepted", "client.shared", "client.signed_in"].contains(event.name)
        {
            touched = event.time
        }
        switch event.name {
        case "client.started", "client.woke": devices[client]?.isRunning = true
        case "client.suspended": devices[client]?.isRunning = false
        case "client.killed":
            devices[client]?.isRunning = false
            devices[client]?.screen.hasList = false
            devices[client]?.drafts = []
        case "device.background": devices[client]?.isInForeground = false
        case "device.foreground": devices[client]?.isInForeground = true
        case "user.open_list": devices[client]?.screen.hasList = true
        case "device.disk": devices[client]?.hadFullDisk = true
        // The preview appears only once the client has processed the command, so record it now.
        case "user.attach":
            devices[client]?.drafts.insert("preview.file")
            devices[client]?.attached = event.time
        case "preview.file", "dialog.text", "composer.text", "app.signing_out":
            guard case .set(let value) = event.observation.change else { break }
            if value == .null || value == "" || value == false {
                devices[client]?.drafts.remove(event.name)
            } else {
                devices[client]?.drafts.insert(event.name)
            }
        case "connection.state":
            if case .set(let value) = event.observation.change { devices[client]?.isConnected = value == "connected" }
        case "view.conversation":
            if case .set(let value) = event.observation.change {
                devices[client]?.screen.conversation = value.stringValue
            }
        default: break
        }
    }
}
