import Foundation
import SquallCore
import TestSupport
import Testing

/// The folder of the report to measure.
private let measured = ProcessInfo.processInfo.environment["SQUALL_PAGE"]

/// Measures the page of the existing report in the folder that `SQUALL_PAGE` names; run by `make bench-page`.
@Suite(.enabled(if: Browser.path != nil && measured != nil, "SQUALL_PAGE names no report"))
struct PageWeightTests {
    @Test("The HTML report of the measured suite has less than two megabytes, and its first paint is timed")
    func thePageIsLight() throws {
        let folder = try #require(measured)
        let file = URL(fileURLWithPath: folder, relativeTo: Tool.package).appendingPathComponent("index.html")
        let size = try #require(try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int)
        let browser = try Browser()
        try browser.command("Emulation.setCPUThrottlingRate", ["rate": 4])
        var paints: [Int64] = []
        for _ in 0..<5 {
            try browser.open(address: "about:blank")
            try browser.open(address: file.absoluteURL.absoluteString)
            let content = "performance.getEntriesByName('first-contentful-paint')[0]"
            try browser.wait(until: content)
            paints.append(try browser.value(of: "Math.round(\(content).startTime)").intValue ?? 0)
        }
        let nodes = try browser.value(of: "document.querySelectorAll('*').length").intValue ?? 0
        let median = paints.sorted()[paints.count / 2]
        print("\(size) bytes, \(nodes) elements, first content after \(median) ms (\(paints.sorted()))")
        #expect(size < 2_000_000)
        #expect(browser.complaints == [])
    }
}
