import Faults
import Foundation
import SquallCore
import Testing

@testable import Proxy

/// Compares the documentation page's table of events with the code. ``Bench`` checks that every event emitted in the
/// other tests is in that table.
///
/// If `RECORD=1` is set in the environment, the test updates an outdated table instead of failing.
@Suite struct EventPageTests {
    private static let file = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Sources/Squall/Squall.docc/Proxy.md")

    private static var table: String {
        let rows = ProxyEventEntry.all.map { entry in
            "| `\(entry.name)` | \(entry.fields.map { "`\($0)`" }.joined(separator: ", ")) | \(entry.meaning) |"
        }
        return (["| `event` | fields | |", "| --- | --- | --- |"] + rows).joined(separator: "\n")
    }

    @Test("The events page documents every event in the code") func thePageHasEveryEventOfTheCode() throws {
        let page = try String(contentsOf: Self.file, encoding: .utf8)
        let parts = page.components(separatedBy: "<!-- BEGIN events -->\n")
        try #require(parts.count == 2)
        let rest = try #require(parts[1].range(of: "<!-- END -->"))
        let wanted = parts[0] + "<!-- BEGIN events -->\n\n\(Self.table)\n\n" + parts[1][rest.lowerBound...]
        if ProcessInfo.processInfo.environment["RECORD"] == "1", wanted != page {
            try wanted.write(to: Self.file, atomically: true, encoding: .utf8)
            return
        }
        #expect(page == wanted, "run the tests with RECORD=1")
    }

    @Test("Every event has a distinct name, and every event of a connection is documented") func names() {
        let names = ProxyEventEntry.all.map(\.name)
        #expect(Set(names).count == names.count)
        for name in ProxyEvent.relayedObservations { #expect(names.contains(ProxyEvent.name(of: name)), "\(name)") }
    }

    private static let kinds: [ProxyEvent.Kind] = [
        .listening("127.0.0.1:1"), .stopped, .removed, .accepted(from: SystemAddress(path: "/x")),
        .datagrams(from: "127.0.0.1:1"), .upstreamFailed(.refused), .closed(toServer: 1, toClient: 2), .reset,
        .requested("GET", "/"), .clientHello(serverName: "a.example"),
        .tlsEstablished(.client, serverName: "a.example"),
        .handshakeFailed(.server, "expired"), .truncated(.client), .scheduleStepRun(schedule: "s", step: 0),
        .problem("x"),
        .observed(
            .happened("network.closed", ["side": "client", "how": "fin", "link": 1], by: .injected)
        ),
    ]

    @Test("Every event has exactly the fields that the events page documents")
    func eventsHaveTheFieldsOfTheirRow() throws {
        let noop = try Toxic(creating: ["type": "noop"]) { _ in false }
        for kind in Self.kinds + ProxyEvent.ToxicChange.allCases.map({ .toxic($0, noop) }) {
            let event = ProxyEvent(kind, number: 1, at: .zero, proxy: "p", link: 1)
            let entry = try #require(ProxyEventEntry.all.first { $0.name == event.name }, "\(event.name)")
            let members = try #require(JSON.decode(event.line).members).map(\.name)
            #expect(members == ["n", "t_ns", "event", "proxy", "link"] + entry.fields)
        }
    }
}
