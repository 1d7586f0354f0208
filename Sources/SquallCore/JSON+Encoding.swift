extension JSON {
    /// Encodes the value as compact JSON, which decodes to an equal value.
    ///
    /// With `escapingHTML`, `<`, U+2028 and U+2029 are escaped, so that the text is safe in a `<script>` element.
    package func encode(escapingHTML: Bool = false) -> [UInt8] {
        var bytes: [UInt8] = []
        encode(into: &bytes, escapingHTML: escapingHTML)
        return bytes
    }

    /// Appends the value as compact JSON to `bytes`.
    package func encode(into bytes: inout [UInt8], escapingHTML: Bool = false) {
        JSONWriter.write(self, into: &bytes, pretty: false, escapingHTML: escapingHTML)
    }

    /// Encodes the value with one member or element on each line, indented by two spaces, without a final newline.
    package func encodePretty(escapingHTML: Bool = false) -> [UInt8] {
        var bytes: [UInt8] = []
        JSONWriter.write(self, into: &bytes, pretty: true, escapingHTML: escapingHTML)
        return bytes
    }
}
