/// The header fields of a message, in order. Names are compared ignoring ASCII case (RFC 9110 section 5.1).
///
/// Each byte of a value is represented by one scalar up to U+00FF, so that encoding a parsed value restores its bytes.
package struct HTTPHeaders: Hashable, Sendable, ExpressibleByDictionaryLiteral {
    package struct Field: Hashable, Sendable {
        package var name: String
        package var value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    package var fields: [Field]

    package init(_ fields: [Field] = []) {
        self.fields = fields
    }

    /// Creates the fields in the given order; a name may occur more than once.
    package init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { Field(name: $0, value: $1) }
    }

    package mutating func append(_ name: String, _ value: String) {
        fields.append(Field(name: name, value: value))
    }

    /// Returns the first value of the field with this name, or nil if there is none.
    package subscript(name: String) -> String? {
        fields.first { isSame($0.name, name) }?.value
    }

    /// Returns all values of the fields with this name, in order.
    package func values(of name: String) -> [String] {
        fields.compactMap { isSame($0.name, name) ? $0.value : nil }
    }

    /// Parses all fields with this name as comma-separated lists, and returns their elements, including empty ones.
    package func elements(of name: String) -> [String] {
        values(of: name).flatMap { value in
            guard value.utf8.contains(UInt8(ascii: ",")) else { return [String(Substring(trimmed(value.utf8)))] }
            return value.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
                .map { String(Substring(trimmed($0))) }
        }
    }
}

/// Returns whether two strings are equal, ignoring ASCII case.
func isSame(_ left: String, _ right: String) -> Bool {
    // Most names have the usual spelling, so the strings are compared exactly first.
    left.utf8.count == right.utf8.count
        && (left == right || zip(left.utf8, right.utf8).allSatisfy { lowercased($0) == lowercased($1) })
}

private func lowercased(_ byte: UInt8) -> UInt8 {
    UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
}

/// Removes leading and trailing optional whitespace (OWS in RFC 9110 section 5.6.3).
func trimmed<Bytes: BidirectionalCollection<UInt8>>(_ bytes: Bytes) -> Bytes.SubSequence {
    let head = bytes.drop(while: isBlank)
    guard let last = head.lastIndex(where: { !isBlank($0) }) else { return head }
    return head[...last]
}

/// Returns whether the byte is a space or a tab.
func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09
}
