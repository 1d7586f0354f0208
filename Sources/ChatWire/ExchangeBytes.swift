/// Encodes HTTP requests exactly as libcurl sends them in a live client.
///
/// Every header field is set explicitly and in this order, so that libcurl adds none of its own and no libcurl version
/// changes the order. The simulated client writes the same bytes, so that a fault at byte n affects the same position
/// in simulated and live runs.
///
///     GET /conversations HTTP/1.1          POST /messages HTTP/1.1
///     Host: chat.test                      Host: chat.test
///     Accept: application/json             Accept: application/json
///     Authorization: Bearer key-1          Authorization: Bearer key-1
///     Connection: close                    Connection: close
///                                          Content-Type: application/json
///                                          Content-Length: 17
///
///                                          {"text":"Hello."}
package enum HTTPExchangeBytes {
    /// Returns the whole request: request line, header fields, empty line and body.
    package static func request(_ request: ChatRequest, host: String) -> [UInt8] {
        var text = "\(method(of: request)) \(target(of: request)) HTTP/1.1\r\n"
        for field in headers(of: request, host: host) {
            text += field.value.isEmpty ? "\(field.name):\r\n" : "\(field.name): \(field.value)\r\n"
        }
        text += "\r\n"
        return Array(text.utf8) + request.body
    }

    /// Returns the header fields in the order they are sent.
    package static func headers(of request: ChatRequest, host: String) -> [(name: String, value: String)] {
        var fields = [
            (name: "Host", value: printable(request.host ?? host)), (name: "Accept", value: "application/json"),
        ]
        if let authorization = request.authorization {
            fields.append((name: "Authorization", value: printable(authorization)))
        }
        fields.append((name: "Connection", value: "close"))
        if carriesBody(request) {
            fields.append((name: "Content-Type", value: printable(request.contentType)))
            fields.append((name: "Content-Length", value: String(request.body.count)))
        }
        return fields
    }

    /// Returns whether the request has a `Content-Length` field. It does if there is a body, or if the method usually
    /// has one (RFC 9110, section 8.6).
    package static func carriesBody(_ request: ChatRequest) -> Bool {
        !request.body.isEmpty || ["POST", "PUT", "PATCH"].contains(request.method)
    }

    /// Removes from the method all characters that are not valid in a token (RFC 9110, section 5.6.2); returns `GET` if
    /// none remain.
    package static func method(of request: ChatRequest) -> String {
        let punctuation = Set("!#$%&'*+-.^_`|~".utf8)
        let bytes = request.method.utf8.filter { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || punctuation.contains(byte)
        }
        return bytes.isEmpty ? "GET" : String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the path and the query of the request.
    ///
    /// Spaces and control bytes, which would end the request line early, are percent-encoded.
    package static func target(of request: ChatRequest) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in request.target.utf8 {
            if byte <= 0x20 || byte == 0x7F {
                bytes += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 0x0F)]]
            } else {
                bytes.append(byte)
            }
        }
        return bytes.isEmpty ? "/" : String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the value with every control byte replaced by a space, because a header value cannot contain control
    /// bytes (RFC 9110, section 5.5).
    ///
    /// Leading and trailing white space is removed.
    private static func printable(_ value: String) -> String {
        let bytes = value.utf8.map { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F ? 0x20 : $0 }
        let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        let start = bytes.firstIndex { !isBlank($0) } ?? bytes.endIndex
        let end = bytes.lastIndex { !isBlank($0) } ?? start
        return start < bytes.endIndex ? String(decoding: bytes[start...end], as: UTF8.self) : ""
    }
}
