/// The script, the style and the initial elements of every page.
enum PageParts {
    /// The parts of the script that draw a run. Each part follows the parts on which it depends.
    private static let drawing = [
        PackageResources.dom_js, PackageResources.words_js, PackageResources.events_js, PackageResources.rows_js,
        PackageResources.lanes_js, PackageResources.ribbons_js, PackageResources.inspector_js,
    ]

    /// The script of a report page.
    static let script: [UInt8] =
        (drawing + [
            PackageResources.data_js, PackageResources.list_js, PackageResources.suite_js, PackageResources.run_js,
            PackageResources.main_js,
        ]).flatMap(\.self)

    /// The style sheet of a report page.
    static let style: [UInt8] = [
        PackageResources.colours_css, PackageResources.suite_css, PackageResources.run_css, PackageResources.lanes_css,
        PackageResources.print_css,
    ].flatMap(\.self)

    /// The script of a page that compares two reports.
    static let comparisonScript: [UInt8] =
        (drawing + [PackageResources.data_js, PackageResources.comparison_js]).flatMap(\.self)

    /// The style sheet of a page that compares two reports.
    static let comparisonStyle: [UInt8] = [
        PackageResources.colours_css, PackageResources.suite_css, PackageResources.run_css, PackageResources.lanes_css,
        PackageResources.comparison_css,
    ].flatMap(\.self)

    /// The script of the web panel.
    static let panelScript: [UInt8] =
        (drawing + [
            PackageResources.feed_js, PackageResources.live_lanes_js, PackageResources.actions_js,
            PackageResources.board_js, PackageResources.hints_js, PackageResources.panel_js,
        ]).flatMap(\.self)

    /// The style sheet of the web panel.
    static let panelStyle: [UInt8] = [
        PackageResources.colours_css, PackageResources.run_css, PackageResources.lanes_css, PackageResources.panel_css,
    ].flatMap(\.self)

    /// Returns the Content-Security-Policy of a page that may use only its own script and style.
    ///
    /// - Parameter connect: The sources to which the script may connect; nil if there are none.
    static func policy(script: [UInt8], style: [UInt8], connect: String? = nil) -> String {
        let connections = connect.map { ["connect-src \($0)"] } ?? []
        return
            ([
                "default-src 'none'",
                "script-src '\(SHA256.source(of: script))'",
                "style-src '\(SHA256.source(of: style))'",
            ] + connections + [
                "base-uri 'none'",
                "form-action 'none'",
                "require-trusted-types-for 'script'",
                "trusted-types 'none'",
            ]).joined(separator: "; ")
    }

    static func head(
        title: String = "Squall report",
        script: [UInt8],
        style: [UInt8],
        connect: String? = nil
    ) -> String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="\(policy(script: script, style: style, connect: connect))">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <meta name="referrer" content="no-referrer">
        <title>\(title)</title>
        <style>
        """
    }

    static let body = """
        </style>
        </head>
        <body>
        <noscript>This report needs JavaScript, which is disabled in this browser. \
        The same results are in results.json and junit.xml, in the same folder.</noscript>
        <main id="page"></main>

        """

    static let panelBody = """
        </style>
        </head>
        <body>
        <noscript>This panel needs JavaScript, which is disabled in this browser. \
        The terminal of squall serve takes the same steps, and the API of squall proxy the same calls.</noscript>
        <main id="page"></main>

        """
}
