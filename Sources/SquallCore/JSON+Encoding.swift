extension JSON {
    /// The compact text, which decodes to this value again.
    ///
    /// With `escapingHTML`, safe to stand inside a `<script>` element: `<`, U+2028 and U+2029 are escaped too.
    package func encode(escapingHTML: Bool = false) -> [UInt8] {
        var bytes: [UInt8] = []
        encode(into: &bytes, escapingHTML: escapingHTML)
        return bytes
    }

    /// Appends the compact text.
    package func encode(into bytes: inout [UInt8], escapingHTML: Bool = false) {
        JSONWriter.write(self, into: &bytes, pretty: false, escapingHTML: escapingHTML)
    }

    /// A member or an element a line, two spaces a level; no line feed at the end.
    package func encodePretty(escapingHTML: Bool = false) -> [UInt8] {
        var bytes: [UInt8] = []
        JSONWriter.write(self, into: &bytes, pretty: true, escapingHTML: escapingHTML)
        return bytes
    }
}
