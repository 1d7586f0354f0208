package import Reports
package import SquallCore

/// The interface through which a panel displays and controls a run of `squall serve` or the proxies of `squall proxy`.
package protocol PanelBackend: Sendable {
    /// Returns the scenario step or the API call that is equivalent to the form, for the user to copy.
    func line(of form: PanelForm) -> String
    /// Checks whether a form's action could be performed now; if not, throws an error that states the reason.
    func check(_ form: PanelForm) throws(PanelError)
    /// Performs a form's action, or throws an error that states why that is not possible.
    func perform(_ form: PanelForm) async throws(PanelError)
    /// Carries out a command to hold the run or to let it continue: `hold`, `release` or `step`.
    func perform(_ order: String) async throws(PanelError)
    /// Returns the part of the current state that is not reported by events.
    func present() async -> PanelState
    /// Returns the recording of everything that has happened so far, as a file; nil if there is none.
    func record() async -> PanelRecording?
    /// Returns a scenario file with all actions and observations so far.
    ///
    /// - Throws: ``PanelError``, with the reason, if there is no such scenario.
    func scenario() async throws(PanelError) -> String
}

extension PanelBackend {
    package func scenario() async throws(PanelError) -> String {
        throw PanelError("this run cannot be recorded as a scenario")
    }
}

/// The part of the current state that a panel requests once a second.
package struct PanelState: Hashable, Sendable {
    /// The indicators that show the current state of the invariants; empty if there are none.
    package var lights: [PanelLight]
    /// The changes to the server and the devices that last until another step undoes them.
    package var changes: [PanelChange]
    /// The proxies' JSON representations, as in their API; empty if there are no proxies.
    package var proxies: [JSON]

    package init(lights: [PanelLight] = [], changes: [PanelChange] = [], proxies: [JSON] = []) {
        (self.lights, self.changes, self.proxies) = (lights, changes, proxies)
    }
}

/// A file that the browser can save.
package struct PanelRecording: Hashable, Sendable {
    package var name: String
    package var bytes: [UInt8]

    package init(name: String, _ bytes: [UInt8]) {
        (self.name, self.bytes) = (name, bytes)
    }
}

/// The reason why a request was not performed, for display to the user.
package struct PanelError: Error, Hashable, Sendable {
    package var message: String

    package init(_ message: String) {
        self.message = message
    }
}
