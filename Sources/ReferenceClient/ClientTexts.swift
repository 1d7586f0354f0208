/// The strings that the client displays to the user, one struct per part of the user interface.
///
/// The client replaces placeholders such as `{name}` with values.
package struct ClientTexts: Hashable, Sendable {
    package var label = Label()
    package var banner = Banner()
    package var toast = Toast()
    package var alert = Alert()
    package var header = Header()
    package var message = Message()
    package var menu = Menu()
    package var dialog = Dialog()
    package var explanation = Explanation()
    package var notification = Notification()
    package var permission = Permission()
    package var deepLink = DeepLink()
    package var loading = Loading()
    package var empty = Empty()
    package var history = History()
    package var time = Time()

    /// The text of the badge in each state of the connection (catalogue C-19).
    package struct Label: Hashable, Sendable {
        package var idle = ""
        package var connecting = "CONNECTING"
        package var authenticating = "CONNECTING"
        package var connected = "CONNECTED"
        package var reconnecting = "RECONNECTING"
        package var degraded = "POLLING ({interval})"
        package var offline = "OFFLINE"
        package var captivePortal = "LOGIN REQUIRED"
        package var draining = "RECONNECTING"
        package var authRequired = "KEY REFUSED"
        package var unavailable = "UNABLE TO CONNECT"
        package var suspended = "PAUSED"
    }

    package struct Banner: Hashable, Sendable {
        package var reconnecting = "RECONNECTING... MESSAGES MAY BE DELAYED."
        package var polling = "REAL-TIME UNAVAILABLE. CHECKING EVERY {interval}."
        package var offline = "OFFLINE. MESSAGES WILL BE SENT LATER."
        package var offlineQueued = "Offline - messages queued"
        package var captivePortal = "NETWORK LOGIN REQUIRED."
        package var unavailable = "Unable to connect"
        package var rateLimited = "Slow down. Message rate limit exceeded."
        package var keyRefused = "Authentication failed. Please scan the QR code again."
        package var keyMissing = "API key not configured. Please scan QR code in Settings."
        package var version = "The server is newer than this app (auth version {version}). Please update."
        package var refreshFailed = "Messages could not be refreshed."
        package var readRefused = "This conversation could not be marked as read."
        package var error = "{message}"
        package var sessionLocked = "Still working on your last message. Send this one again when it is answered."
        package var commandNotSent = "Not connected. The command was not run."
        package var commandUnanswered = "The connection was lost. Whether the command ran is not known."
        package var stopNotSent = "Not connected. Nothing was stopped."
        package var deleteRefused = "This message could not be deleted."
        package var historyFailed = "Earlier messages could not be loaded."
        package var listFailed = "The conversations could not be loaded."
        package var partnersFailed = "The contacts could not be loaded."
        package var fileRefused = "The server does not take this file."
        package var sendFailed = "A message to {name} was not sent."
        package var diskFull = "The phone's storage is full. Messages cannot be kept."
    }

    package struct Toast: Hashable, Sendable {
        package var synced = "Reconnected. {count} messages synced."
    }

    package struct Alert: Hashable, Sendable {
        package var portalTitle = "Network Login Required"
        package var portalText =
            "This network wants a login before anything can be sent. Open Safari to log in, then come back and retry."
        package var portalOpen = "Open Safari"
        package var portalRetry = "Retry"
    }

    package struct Header: Hashable, Sendable {
        package var queued = "{count} messages queued"
        package var queuedOne = "1 message queued"
        package var neutral = "DIRECT CHANNEL"
        package var online = "{count} of {all} online"
        package var lastSeen = "last seen {time}"
    }

    package struct Time: Hashable, Sendable {
        package var now = "now"
        package var minutes = "{count}m ago"
        package var hours = "{count}h ago"
        package var days = "{count}d ago"
        package var today = "Today"
        package var yesterday = "Yesterday"
        package var weekdays = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday"
    }

    package struct Message: Hashable, Sendable {
        package var failed = "Tap to retry"
        package var refused = "The server refused this message."
        package var queued = "Sending when online"
        package var imageFailed = "Image not uploaded. Tap to retry"
        package var imageRefused = "The server does not take this image here."
        package var deleted = "Message deleted"
        package var unsupported = "This app cannot show this message. Please update."
    }

    package struct Menu: Hashable, Sendable {
        package var delete = "Delete"
        package var retry = "Retry"
    }

    package struct Dialog: Hashable, Sendable {
        package var delete = "Delete this message? Everybody will see that it was deleted."
        package var confirm = "Delete"
        package var cancel = "Keep"
    }

    /// The explanation of each message status, displayed when the user asks for it.
    package struct Explanation: Hashable, Sendable {
        package var queued = "Waiting for a connection. It will be sent by itself."
        package var sending = "On its way to the server."
        package var failed = "Not sent. Nothing is lost: retry it whenever you like."
        /// The explanation of a failed message that cannot be sent again.
        package var refused = "Not sent: the server does not accept it."
        package var delivered = "The server has it."
        package var deleted = "Deleted for everybody."
        package var deleting = "Deleted on this phone, and for everybody once the server knows."
    }

    package struct Notification: Hashable, Sendable {
        package var title = "{name}"
        /// A notification title that omits the sender's name; displayed only with a planted defect.
        package var rawTitle = "Message from {id}"
        package var summary = "{count} messages from {name}."
        package var reply = "Reply"
        package var view = "View"
        package var dismiss = "Dismiss"
    }

    package struct Permission: Hashable, Sendable {
        package var denied = "Enable notifications in Settings to stay updated"
        package var settings = "Open Settings"
        package var label = "Notifications are off. Enable notifications in Settings to stay updated."
    }

    package struct DeepLink: Hashable, Sendable {
        package var absent = "This conversation is no longer available"
        package var forbidden = "Unauthorized access"
        package var unreachable = "Network error: {reason}"
        package var messageGone = "This message is no longer available"
    }

    /// The texts displayed while messages are being loaded.
    package struct Loading: Hashable, Sendable {
        /// The text displayed while no conversation is open yet.
        package var first = "Loading..."
        package var conversation = "Loading conversation with {name}..."
    }

    /// The texts displayed in an empty conversation (catalogue C-33).
    package struct Empty: Hashable, Sendable {
        package var clear = "CHANNEL CLEAR. TRANSMIT WHEN READY."
        /// The text displayed if the partner is known and the conversation has never contained a message.
        package var neverWritten = "CHANNEL OPEN. NO TRANSMISSIONS LOGGED."
        /// The suggested messages, separated by `|`.
        package var suggestions = "Status report, please.|What are you working on?|What can you do?"
        /// The text displayed for every empty conversation, whether or not its partner is known; used only with a
        /// planted defect.
        package var generic = "NO MESSAGES"
    }

    /// The labels of the control above the oldest message.
    package struct History: Hashable, Sendable {
        package var loadEarlier = "LOAD EARLIER MESSAGES"
        package var loading = "LOADING..."
    }
}

extension String {
    /// Returns the string with every `{name}` replaced by `value`.
    package func filling(_ name: String, with value: String) -> String {
        var parts = utf8.split(separator: UInt8(ascii: "{"), omittingEmptySubsequences: false)[...]
        guard parts.count > 1 else { return self }
        var filled = String(parts.removeFirst()) ?? ""
        let closing = name.utf8.count
        for part in parts {
            if part.starts(with: name.utf8), part.dropFirst(closing).first == UInt8(ascii: "}") {
                filled += value
                filled += Substring(part.dropFirst(closing + 1))
            } else {
                filled += "{"
                filled += Substring(part)
            }
        }
        return filled
    }
}
