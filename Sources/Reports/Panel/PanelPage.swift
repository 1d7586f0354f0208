package import SquallCore

/// The page of a panel: one HTML document without requests to other sites, which follows a run in progress.
///
/// It has the lanes, ribbons and styles of the report. Its Content-Security-Policy allows only its own script and
/// style, by their digests, and connections to its own origin.
package struct PanelPage: Sendable {
    /// The document, in UTF-8.
    package let html: [UInt8]
    /// The value of the header `Content-Security-Policy`.
    package let policy: String

    /// Makes the page with its data: the actions, the clients and the invariants.
    package init(_ data: JSON) {
        let (script, style) = (PageParts.panelScript, PageParts.panelStyle)
        // A header can express more than the document itself.
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
