/// One element of a `Sec-WebSocket-Extensions` header: an extension name with parameters (RFC 6455 section 9.1).
package struct WebSocketExtension: Hashable, Sendable {
    package struct Parameter: Hashable, Sendable {
        package var name: String
        /// The unquoted value; nil for a parameter without a value.
        package var value: String?

        package init(_ name: String, _ value: String? = nil) {
            self.name = name
            self.value = value
        }
    }

    package var name: String
    package var parameters: [Parameter]

    package init(_ name: String, _ parameters: [Parameter] = []) {
        self.name = name
        self.parameters = parameters
    }

    /// The extension in header syntax.
    package var text: String {
        var text = name
        for parameter in parameters {
            text += "; \(parameter.name)"
            if let value = parameter.value { text += "=\(value)" }
        }
        return text
    }

    /// Parses all extensions in the header's values, in order. Returns nil if one of the values is malformed.
    package static func list(_ values: [String]) -> [WebSocketExtension]? {
        var found: [WebSocketExtension] = []
        for value in values {
            var reader = ExtensionReader(value)
            repeat {
                guard let next = reader.element() else { return nil }
                found.append(next)
            } while reader.take(UInt8(ascii: ","))
            guard reader.isAtEnd else { return nil }
        }
        return found
    }
}

/// Parses tokens and quoted strings (RFC 9110 sections 5.6.2 and 5.6.4).
private struct ExtensionReader {
    private var rest: Substring.UTF8View.SubSequence

    init(_ text: String) {
        rest = Substring(text).utf8[...]
    }

    var isAtEnd: Bool { rest.allSatisfy(isBlank) }

    mutating func take(_ byte: UInt8) -> Bool {
        rest = rest.drop(while: isBlank)
        guard rest.first == byte else { return false }
        rest.removeFirst()
        return true
    }

    /// Parses one extension: `token *( ";" token [ "=" ( token | quoted-string ) ] )`.
    mutating func element() -> WebSocketExtension? {
        guard let name = token() else { return nil }
        var element = WebSocketExtension(name)
        while take(UInt8(ascii: ";")) {
            guard let name = token() else { return nil }
            guard take(UInt8(ascii: "=")) else {
                element.parameters.append(.init(name))
                continue
            }
            guard let value = take(UInt8(ascii: "\"")) ? quoted() : token() else { return nil }
            element.parameters.append(.init(name, value))
        }
        return element
    }

    private mutating func token() -> String? {
        rest = rest.drop(while: isBlank)
        let token = rest.prefix(while: isTokenByte)
        guard !token.isEmpty else { return nil }
        rest = rest[token.endIndex...]
        return String(Substring(token))
    }

    /// Parses a quoted string up to the closing quote. Its content must also be a token (RFC 6455 section 9.1).
    private mutating func quoted() -> String? {
        var bytes: [UInt8] = []
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""):
                return !bytes.isEmpty && bytes.allSatisfy(isTokenByte) ? String(decoding: bytes, as: UTF8.self) : nil
            case UInt8(ascii: "\\"):
                guard let escaped = rest.popFirst() else { return nil }
                bytes.append(escaped)
            default: bytes.append(byte)
            }
        }
        return nil
    }
}
