import SquallCore
import TestSupport

extension Browser {
    /// Opens a page, and returns its address once its first view is drawn.
    @discardableResult
    func openDrawn(_ page: String, at fragment: String = "") throws -> String {
        let address = try open(page, at: fragment)
        try value(of: "drawn")
        return address
    }

    /// Navigates to another view of the page, and returns once that view is drawn.
    func go(to fragment: String) throws {
        let changed = "new Promise((done) => addEventListener('hashchange', () => done(0), { once: true }))"
        try value(of: "(() => { const changed = \(changed); location.hash = '\(fragment)'; return changed; })()")
        try value(of: "drawn")
    }

    /// Presses a key, and returns once the resulting view is drawn.
    func pressDrawn(_ key: String) throws {
        try press(key)
        try value(of: "drawn")
    }
}
