/// The script, the style and the initial elements of every page.
enum PageParts {
    /// The files of the script, each after those that it depends on.
    static let script: [UInt8] = [
        PackageResources.dom_js, PackageResources.words_js, PackageResources.data_js, PackageResources.suite_js,
        PackageResources.rows_js, PackageResources.lanes_js, PackageResources.ribbons_js, PackageResources.inspector_js,
        PackageResources.issue_js, PackageResources.run_js, PackageResources.main_js,
    ].flatMap(\.self)

    static let style: [UInt8] = [
        PackageResources.colours_css, PackageResources.suite_css, PackageResources.run_css, PackageResources.lanes_css,
        PackageResources.print_css,
    ].flatMap(\.self)

    static func head(script: [UInt8], style: [UInt8]) -> String {
        let policy = [
            "default-src 'none'",
            "script-src '\(SHA256.source(of: script))'",
            "style-src '\(SHA256.source(of: style))'",
            "base-uri 'none'",
            "form-action 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types 'none'",
        ].joined(separator: "; ")
        return """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="\(policy)">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta name="referrer" content="no-referrer">
            <title>Squall report</title>
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
}
