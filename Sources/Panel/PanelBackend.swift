package import Reports
package import SquallCore

/// What a panel shows and controls: a run of `squall serve`, or the proxies of `squall proxy`.
package protocol PanelBackend: Sendable {
    /// The form as a line to copy: a step of a scenario, or a call of an API.
    func line(of form: PanelForm) -> String
    /// Checks whether a form could be performed now; throws its mistakes.
    func check(_ form: PanelForm) throws(PanelRefusal)
    /// Performs a form; throws the reason if that is not possible.
    func perform(_ form: PanelForm) async throws(PanelRefusal)
    /// Carries out an order to hold the run or to let it continue: `hold`, `release` or `step`.
    func obey(_ order: String) async throws(PanelRefusal)
    /// The present state, as far as events do not show it.
    func present() async -> PanelPresent
    /// Everything that happened so far, as a file; nil if there is no such record.
    func record() async -> PanelRecord?
    /// Everything done and observed so far, as the text of a scenario file; throws the reason if there is none.
    func scenario() async throws(PanelRefusal) -> String
}

extension PanelBackend {
    package func scenario() async throws(PanelRefusal) -> String {
        throw PanelRefusal("this run cannot be recorded as a scenario")
    }
}

/// The part of the state that a panel requests once a second.
package struct PanelPresent: Hashable, Sendable {
    /// The current state of the standing invariants; empty if there are none.
    package var lights: [PanelLight]
    /// The proxies as their API shows them; empty if there are none.
    package var proxies: [JSON]

    package init(lights: [PanelLight] = [], proxies: [JSON] = []) {
        (self.lights, self.proxies) = (lights, proxies)
    }
}

/// A file for the browser to save.
package struct PanelRecord: Hashable, Sendable {
    package var name: String
    package var bytes: [UInt8]

    package init(name: String, _ bytes: [UInt8]) {
        (self.name, self.bytes) = (name, bytes)
    }
}

/// The reason why a request was not carried out, for the reader.
package struct PanelRefusal: Error, Hashable, Sendable {
    package var message: String

    package init(_ message: String) {
        self.message = message
    }
}
