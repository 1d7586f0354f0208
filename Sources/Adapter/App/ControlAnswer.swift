import SquallCore

/// A response from the control port: its status and JSON body.
package struct ControlAnswer: Hashable, Sendable {
    package var status: Int
    /// The response body; empty if there is none.
    package var body: [UInt8]
    package var contentType = "application/json"

    /// Creates a response with messages for the app, each a JSON object, numbered from `first`.
    static func messages(_ messages: some Sequence<[UInt8]>, first: Int64) -> ControlAnswer {
        var body = Array(#"{"first":\#(first),"messages":["#.utf8)
        for (index, message) in messages.enumerated() {
            if index > 0 { body.append(UInt8(ascii: ",")) }
            body += message
        }
        return ControlAnswer(status: 200, body: body + Array("]}".utf8))
    }

    /// Creates a response with the number of the last message accepted from the app.
    static func taken(_ number: Int64, status: Int = 200) -> ControlAnswer {
        let json: JSON = ["taken": .integer(number)]
        return ControlAnswer(status: status, body: json.encode())
    }

    /// Creates the response for a user who opens the URL in a browser.
    package static func about(isConnected: Bool) -> ControlAnswer {
        let state = isConnected ? "an app is connected" : "no app is connected"
        let text = "This is the control port of squall run, which an app polls for its commands: \(state).\n"
        return ControlAnswer(status: 200, body: Array(text.utf8), contentType: "text/plain")
    }

    package static func refused(_ status: Int, _ why: String) -> ControlAnswer {
        let json: JSON = ["error": .string(why)]
        return ControlAnswer(status: status, body: json.encode())
    }

    static let replaced = refused(
        410,
        "another instance of the app uses this URL now: this one must stop polling (a reloaded page and a restarted app "
            + "are new instances)"
    )
    static let over = refused(410, "squall has ended: the app must stop polling")
}
