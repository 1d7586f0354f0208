import SquallCore
import TestSupport

extension Browser {
    /// Opens a page and returns its address once the first view has been drawn.
    @discardableResult
    func openDrawn(_ page: String, at fragment: String = "") throws -> String {
        let address = try open(page, at: fragment)
        try value(of: "drawn")
        return address
    }

    /// Navigates to another view of the page, and returns once that view has been drawn.
    func go(to fragment: String) throws {
        let changed = "new Promise((done) => addEventListener('hashchange', () => done(0), { once: true }))"
        try value(of: "(() => { const changed = \(changed); location.hash = '\(fragment)'; return changed; })()")
        try value(of: "drawn")
    }

    /// Presses a key, and returns once the resulting view has been drawn.
    func pressDrawn(_ key: String) throws {
        try press(key)
        try value(of: "drawn")
    }
}
