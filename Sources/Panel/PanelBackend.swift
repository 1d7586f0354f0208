package import Reports
package import SquallCore

/// The subject that a panel displays and controls: a run of `squall serve`, or the proxies of `squall proxy`.
package protocol PanelBackend: Sendable {
    /// Returns the form as a line to copy: a step of a scenario, or an API call.
    func line(of form: PanelForm) -> String
    /// Checks whether a form's action could be performed now; throws the form's errors.
    func check(_ form: PanelForm) throws(PanelRefusal)
    /// Performs a form's action; throws the reason if that is not possible.
    func perform(_ form: PanelForm) async throws(PanelRefusal)
    /// Executes an order to hold the run or to let it continue: `hold`, `release` or `step`.
    func obey(_ order: String) async throws(PanelRefusal)
    /// Returns the part of the current state that events do not report.
    func present() async -> PanelPresent
    /// Returns the record of everything that happened so far, as a file; nil if there is none.
    func record() async -> PanelRecord?
    /// Returns all actions and observations so far as the text of a scenario file; throws the reason if there is none.
    func scenario() async throws(PanelRefusal) -> String
}

extension PanelBackend {
    package func scenario() async throws(PanelRefusal) -> String {
        throw PanelRefusal("this run cannot be recorded as a scenario")
    }
}

/// The part of the current state that a panel requests once a second.
package struct PanelPresent: Hashable, Sendable {
    /// The current state of the invariants; empty if there are none.
    package var lights: [PanelLight]
    /// The proxies in their API's representation; empty if there are none.
    package var proxies: [JSON]

    package init(lights: [PanelLight] = [], proxies: [JSON] = []) {
        (self.lights, self.proxies) = (lights, proxies)
    }
}

/// A file that the browser can save.
package struct PanelRecord: Hashable, Sendable {
    package var name: String
    package var bytes: [UInt8]

    package init(name: String, _ bytes: [UInt8]) {
        (self.name, self.bytes) = (name, bytes)
    }
}

/// The reason why a request was not performed, for display to the user.
package struct PanelRefusal: Error, Hashable, Sendable {
    package var message: String

    package init(_ message: String) {
        self.message = message
    }
}
