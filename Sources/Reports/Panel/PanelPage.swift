package import SquallCore

/// The web panel's page: one HTML document that follows a run in progress and makes no requests to other sites.
///
/// The page draws a run in the same way as a report. Its Content-Security-Policy allows only its own script and style,
/// by their digests, and connections to its own origin.
package struct PanelPage: Sendable {
    /// The HTML document, in UTF-8.
    package let html: [UInt8]
    /// The value of the `Content-Security-Policy` header.
    package let policy: String

    /// Creates the page. `data` contains the actions, the clients and the invariants.
    package init(_ data: JSON) {
        let (script, style) = (PageParts.panelScript, PageParts.panelStyle)
        // The header supports directives that a `meta` element does not, such as `frame-ancestors`.
        policy = PageParts.policy(script: script, style: style, connect: "'self'") + "; frame-ancestors 'none'"
        var page = Array(PageParts.head(title: "Squall panel", script: script, style: style, connect: "'self'").utf8)
        page += style
        page += PageParts.panelBody.utf8
        page += #"<script type="application/json" id="panel">"#.utf8
        data.encode(into: &page, escapingHTML: true)
        page += "</script>\n<script>".utf8
        page += script
        page += "</script>\n</body>\n</html>\n".utf8
        html = page
    }
}
