// Written from the registry by the tests of SquallTesting; run them with RECORD=1 to write it again.

/// Conditions on events and states that are visible on the wire, and on actions of Squall itself.
extension WeatherCondition {
    /// The client has sent a request to the `health` route.
    public static var clientRequestedHealth: Self { "client.requested.health" }
    /// The server has answered the client's request to the `health` route.
    public static var clientAnsweredHealth: Self { "client.answered.health" }
    /// The client has sent a request to the `conversations` route.
    public static var clientRequestedConversations: Self { "client.requested.conversations" }
    /// The server has answered the client's request to the `conversations` route.
    public static var clientAnsweredConversations: Self { "client.answered.conversations" }
    /// The client has sent a request to the `messages` route.
    public static var clientRequestedMessages: Self { "client.requested.messages" }
    /// The server has answered the client's request to the `messages` route.
    public static var clientAnsweredMessages: Self { "client.answered.messages" }
    /// The client has sent a request to the `send` route.
    public static var clientRequestedSend: Self { "client.requested.send" }
    /// The server has answered the client's request to the `send` route.
    public static var clientAnsweredSend: Self { "client.answered.send" }
    /// The client has sent a request to the `mark_read` route.
    public static var clientRequestedMarkRead: Self { "client.requested.mark_read" }
    /// The server has answered the client's request to the `mark_read` route.
    public static var clientAnsweredMarkRead: Self { "client.answered.mark_read" }
    /// The client has sent a request to the `upload` route.
    public static var clientRequestedUpload: Self { "client.requested.upload" }
    /// The server has answered the client's request to the `upload` route.
    public static var clientAnsweredUpload: Self { "client.answered.upload" }
    /// The client has sent a request to the `unread` route.
    public static var clientRequestedUnread: Self { "client.requested.unread" }
    /// The server has answered the client's request to the `unread` route.
    public static var clientAnsweredUnread: Self { "client.answered.unread" }
    /// The client has sent a request to the `agents` route.
    public static var clientRequestedAgents: Self { "client.requested.agents" }
    /// The server has answered the client's request to the `agents` route.
    public static var clientAnsweredAgents: Self { "client.answered.agents" }
    /// The client has sent a request to the `delete` route.
    public static var clientRequestedDelete: Self { "client.requested.delete" }
    /// The server has answered the client's request to the `delete` route.
    public static var clientAnsweredDelete: Self { "client.answered.delete" }
    /// The client has sent a request to the `media` route.
    public static var clientRequestedMedia: Self { "client.requested.media" }
    /// The server has answered the client's request to the `media` route.
    public static var clientAnsweredMedia: Self { "client.answered.media" }
    /// The client has sent a request to the `thumbnail` route.
    public static var clientRequestedThumbnail: Self { "client.requested.thumbnail" }
    /// The server has answered the client's request to the `thumbnail` route.
    public static var clientAnsweredThumbnail: Self { "client.answered.thumbnail" }
    /// The client has sent a request to the `push_token` route.
    public static var clientRequestedPushToken: Self { "client.requested.push_token" }
    /// The server has answered the client's request to the `push_token` route.
    public static var clientAnsweredPushToken: Self { "client.answered.push_token" }
    /// The client has sent a request to the `conversation` route.
    public static var clientRequestedConversation: Self { "client.requested.conversation" }
    /// The server has answered the client's request to the `conversation` route.
    public static var clientAnsweredConversation: Self { "client.answered.conversation" }
    /// The client has sent a message in a protocol whose frames Squall does not know.
    public static var clientSentText: Self { "client.sent.text" }
    /// The client has received a message in a protocol whose frames Squall does not know, or a WebSocket pong (`kind:
    /// pong`).
    public static var clientReceivedText: Self { "client.received.text" }
    /// The client has sent a `connect` frame.
    public static var clientSentConnect: Self { "client.sent.connect" }
    /// The client has sent a `ping` frame.
    public static var clientSentPing: Self { "client.sent.ping" }
    /// The client has sent a `pong` frame.
    public static var clientSentPong: Self { "client.sent.pong" }
    /// The client has sent a `send` frame.
    public static var clientSentSend: Self { "client.sent.send" }
    /// The condition `clientSentSend`, limited to the message with the label or ID `key`.
    public static func clientSentSend(_ key: String) -> Self {
        .event("client.sent.send", key)
    }
    /// The client has sent a `message_ack` frame.
    public static var clientSentMessageAck: Self { "client.sent.message_ack" }
    /// The condition `clientSentMessageAck`, limited to the message with the label or ID `key`.
    public static func clientSentMessageAck(_ key: String) -> Self {
        .event("client.sent.message_ack", key)
    }
    /// The client has sent a `sync` frame.
    public static var clientSentSync: Self { "client.sent.sync" }
    /// The client has sent a `read_receipt` frame.
    public static var clientSentReadReceipt: Self { "client.sent.read_receipt" }
    /// The condition `clientSentReadReceipt`, limited to the message with the label or ID `key`.
    public static func clientSentReadReceipt(_ key: String) -> Self {
        .event("client.sent.read_receipt", key)
    }
    /// The client has sent a `typing` frame.
    public static var clientSentTyping: Self { "client.sent.typing" }
    /// The client has sent an `execute_command` frame.
    public static var clientSentExecuteCommand: Self { "client.sent.execute_command" }
    /// The client has sent a `stop` frame.
    public static var clientSentStop: Self { "client.sent.stop" }
    /// The client has received a `hello` frame.
    public static var clientReceivedHello: Self { "client.received.hello" }
    /// The client has received a `connected` frame.
    public static var clientReceivedConnected: Self { "client.received.connected" }
    /// The client has received an `auth_error` frame.
    public static var clientReceivedAuthError: Self { "client.received.auth_error" }
    /// The client has received a `ping` frame.
    public static var clientReceivedPing: Self { "client.received.ping" }
    /// The client has received a `pong` frame.
    public static var clientReceivedPong: Self { "client.received.pong" }
    /// The client has received a `confirm` frame.
    public static var clientReceivedConfirm: Self { "client.received.confirm" }
    /// The condition `clientReceivedConfirm`, limited to the message with the label or ID `key`.
    public static func clientReceivedConfirm(_ key: String) -> Self {
        .event("client.received.confirm", key)
    }
    /// The client has received a `message` frame.
    public static var clientReceivedMessage: Self { "client.received.message" }
    /// The condition `clientReceivedMessage`, limited to the message with the label or ID `key`.
    public static func clientReceivedMessage(_ key: String) -> Self {
        .event("client.received.message", key)
    }
    /// The client has received a `replay` frame.
    public static var clientReceivedReplay: Self { "client.received.replay" }
    /// The client has received a `read_receipt` frame.
    public static var clientReceivedReadReceipt: Self { "client.received.read_receipt" }
    /// The condition `clientReceivedReadReceipt`, limited to the message with the label or ID `key`.
    public static func clientReceivedReadReceipt(_ key: String) -> Self {
        .event("client.received.read_receipt", key)
    }
    /// The client has received a `typing` frame.
    public static var clientReceivedTyping: Self { "client.received.typing" }
    /// The client has received a `token` frame.
    public static var clientReceivedToken: Self { "client.received.token" }
    /// The condition `clientReceivedToken`, limited to the message with the label or ID `key`.
    public static func clientReceivedToken(_ key: String) -> Self {
        .event("client.received.token", key)
    }
    /// The client has received a `presence` frame.
    public static var clientReceivedPresence: Self { "client.received.presence" }
    /// The client has received an `error` frame.
    public static var clientReceivedError: Self { "client.received.error" }
    /// The condition `clientReceivedError`, limited to the message with the label or ID `key`.
    public static func clientReceivedError(_ key: String) -> Self {
        .event("client.received.error", key)
    }
    /// The client has received a `draining` frame.
    public static var clientReceivedDraining: Self { "client.received.draining" }
    /// The client has received a `command_started` frame.
    public static var clientReceivedCommandStarted: Self { "client.received.command_started" }
    /// The client has received a `stopped` frame.
    public static var clientReceivedStopped: Self { "client.received.stopped" }
    /// The client has received a `deleted` frame.
    public static var clientReceivedDeleted: Self { "client.received.deleted" }
    /// The condition `clientReceivedDeleted`, limited to the message with the label or ID `key`.
    public static func clientReceivedDeleted(_ key: String) -> Self {
        .event("client.received.deleted", key)
    }
    /// The traffic shows that the person at a client has performed a step that Squall had asked for.
    public static var clientPerformed: Self { "client.performed" }
    /// The condition `clientPerformed`, limited to the message with the label or ID `key`.
    public static func clientPerformed(_ key: String) -> Self {
        .event("client.performed", key)
    }
    /// A connection to the upstream server could not be opened.
    public static var networkUpstreamFailed: Self { "network.upstream.failed" }
    /// The state of a foreign client's newest WebSocket, as seen on the wire.
    public static func linkState(_ value: JSONValue) -> Self { .state("link.state", value) }
    /// The server listens again.
    public static var serverStarted: Self { "server.started" }
    /// The server stops listening, and its connections end.
    public static var serverStopped: Self { "server.stopped" }
    /// The server has lost its messages, sessions, read marks, uploads and push tokens.
    public static var serverStateLost: Self { "server.state_lost" }
    /// The server has accepted a connection of the client.
    public static var serverAccepted: Self { "server.accepted" }
    /// A connection of the client has ended; `code` is its close code, if there was one.
    public static var serverClosed: Self { "server.closed" }
    /// The server has rejected a login with the correct key: its date is missing (undated) or too old (stale), or the
    /// login was used before (reused).
    public static var serverLoginRefused: Self { "server.login_refused" }
    /// The client has sent a key where proxies and logs keep it: in a frame other than `connect`, in a request's target
    /// or body, or in a header other than the `Authorization` of a request that needs the key.
    public static var serverKeyExposed: Self { "server.key_exposed" }
    /// One of several servers has stopped, and its connections end.
    public static var serverHostStopped: Self { "server.host.stopped" }
    /// One of several servers accepts connections again.
    public static var serverHostStarted: Self { "server.host.started" }
    /// One of the scenario's server hosts has accepted a WebSocket.
    public static var serverHostServed: Self { "server.host.served" }
    /// A server that is down has received a request and has reset its connection.
    public static var serverHostRefused: Self { "server.host.refused" }
    /// The server has forgotten the client's session and no longer answers on its connection.
    public static var serverSessionForgotten: Self { "server.session_forgotten" }
    /// The server has stored a message and assigned its sequence number. Its `origin` is client or post. `media_is_own`
    /// is true if the path of its media contains the message's own id.
    public static var serverStored: Self { "server.stored" }
    /// The condition `serverStored`, limited to the message with the label or ID `key`.
    public static func serverStored(_ key: String) -> Self {
        .event("server.stored", key)
    }
    /// The server begins to send a message token by token. The message is stored when it is complete.
    public static var serverStreamBegan: Self { "server.stream_began" }
    /// The condition `serverStreamBegan`, limited to the message with the label or ID `key`.
    public static func serverStreamBegan(_ key: String) -> Self {
        .event("server.stream_began", key)
    }
    /// The server has ignored a send because its message is already stored.
    public static var serverDroppedDuplicate: Self { "server.dropped_duplicate" }
    /// The condition `serverDroppedDuplicate`, limited to the message with the label or ID `key`.
    public static func serverDroppedDuplicate(_ key: String) -> Self {
        .event("server.dropped_duplicate", key)
    }
    /// The server has begun to process a message. The conversation accepts no other message until the processing ends.
    public static var serverPromptBegan: Self { "server.prompt.began" }
    /// The condition `serverPromptBegan`, limited to the message with the label or ID `key`.
    public static func serverPromptBegan(_ key: String) -> Self {
        .event("server.prompt.began", key)
    }
    /// The server has ended the processing of a message; `outcome` is done, failed or stopped. The conversation accepts
    /// the next message.
    public static var serverPromptEnded: Self { "server.prompt.ended" }
    /// The condition `serverPromptEnded`, limited to the message with the label or ID `key`.
    public static func serverPromptEnded(_ key: String) -> Self {
        .event("server.prompt.ended", key)
    }
    /// The server has started a command and given it a new ID.
    public static var serverCommandBegan: Self { "server.command.began" }
    /// A command on the server has ended; `outcome` is done or stopped.
    public static var serverCommandEnded: Self { "server.command.ended" }
    /// The server has received a part of a file that it did not have.
    public static var serverUploadPart: Self { "server.upload_part" }
    /// The condition `serverUploadPart`, limited to the upload with the label or ID `key`.
    public static func serverUploadPart(_ key: String) -> Self {
        .event("server.upload_part", key)
    }
    /// The server has received a file completely; the event is emitted once per file.
    public static var serverUploaded: Self { "server.uploaded" }
    /// The condition `serverUploaded`, limited to the upload with the label or ID `key`.
    public static func serverUploaded(_ key: String) -> Self {
        .event("server.uploaded", key)
    }
    /// The server has deleted a message. The fields contain the record of the deletion; `kept` says whether the
    /// original content was kept.
    public static var serverDeleted: Self { "server.deleted" }
    /// The condition `serverDeleted`, limited to the message with the label or ID `key`.
    public static func serverDeleted(_ key: String) -> Self {
        .event("server.deleted", key)
    }
    /// The server has rejected a request to delete a message from a user who did not send it.
    public static var serverDeleteRefused: Self { "server.delete_refused" }
    /// The condition `serverDeleteRefused`, limited to the message with the label or ID `key`.
    public static func serverDeleteRefused(_ key: String) -> Self {
        .event("server.delete_refused", key)
    }
    /// The server has returned a page with deleted messages: `messages` are the page's texts in order, `sequences`
    /// their sequence numbers, and `deleted` is the number of deleted messages.
    public static var serverListed: Self { "server.listed" }
    /// The server has received a message that a rule answers, or any message in a protocol without frames. Only `squall
    /// record` records its text.
    public static var serverReceivedText: Self { "server.received.text" }
    /// The condition `serverReceivedText`, limited to the rule with the label or ID `key`.
    public static func serverReceivedText(_ key: String) -> Self {
        .event("server.received.text", key)
    }
    /// The server has received an HTTP request that a rule answers. `squall record` records every request, with its
    /// text.
    public static var serverReceivedRequest: Self { "server.received.request" }
    /// The condition `serverReceivedRequest`, limited to the rule with the label or ID `key`.
    public static func serverReceivedRequest(_ key: String) -> Self {
        .event("server.received.request", key)
    }
    /// The server has answered such a request. Only `squall record` records its headers and its text.
    public static var serverSentResponse: Self { "server.sent.response" }
    /// The condition `serverSentResponse`, limited to the rule with the label or ID `key`.
    public static func serverSentResponse(_ key: String) -> Self {
        .event("server.sent.response", key)
    }
    /// The upstream server has received a WebSocket close frame.
    public static var serverReceivedClose: Self { "server.received.close" }
    /// The upstream server has sent a WebSocket close frame.
    public static var serverSentClose: Self { "server.sent.close" }
    /// The server has sent a message that is not a frame of the protocol. Only `squall record` records its text.
    public static var serverSaid: Self { "server.said" }
    /// The server has not sent a frame, because the profile's protocol has no variant of the frame for this content.
    public static var serverUnsaid: Self { "server.unsaid" }
    /// A scripted action has taken effect: it has swallowed, delayed, duplicated, held or released a frame or response,
    /// rejected or failed a request or answered it by a rule, ended a connection, or pushed a notification.
    public static var serverActionHit: Self { "server.action.hit" }
    /// The server has received a message without a role in the chat protocol: one of the profile's `extras` or `http`
    /// requests.
    public static var serverReceivedExtra: Self { "server.received.extra" }
    /// The client has sent something that is not a valid frame, message or request.
    public static var serverProtocolError: Self { "server.protocol_error" }
    /// The server has received a `connect` frame from the client.
    public static var serverReceivedConnect: Self { "server.received.connect" }
    /// The server has rejected a `connect` frame from the client.
    public static var serverRejectedConnect: Self { "server.rejected.connect" }
    /// The server has received a `ping` frame from the client.
    public static var serverReceivedPing: Self { "server.received.ping" }
    /// The server has rejected a `ping` frame from the client.
    public static var serverRejectedPing: Self { "server.rejected.ping" }
    /// The server has received a `pong` frame from the client.
    public static var serverReceivedPong: Self { "server.received.pong" }
    /// The server has rejected a `pong` frame from the client.
    public static var serverRejectedPong: Self { "server.rejected.pong" }
    /// The server has received a `send` frame from the client.
    public static var serverReceivedSend: Self { "server.received.send" }
    /// The condition `serverReceivedSend`, limited to the message with the label or ID `key`.
    public static func serverReceivedSend(_ key: String) -> Self {
        .event("server.received.send", key)
    }
    /// The server has rejected a `send` frame from the client.
    public static var serverRejectedSend: Self { "server.rejected.send" }
    /// The condition `serverRejectedSend`, limited to the message with the label or ID `key`.
    public static func serverRejectedSend(_ key: String) -> Self {
        .event("server.rejected.send", key)
    }
    /// The server has received a `message_ack` frame from the client.
    public static var serverReceivedMessageAck: Self { "server.received.message_ack" }
    /// The condition `serverReceivedMessageAck`, limited to the message with the label or ID `key`.
    public static func serverReceivedMessageAck(_ key: String) -> Self {
        .event("server.received.message_ack", key)
    }
    /// The server has rejected a `message_ack` frame from the client.
    public static var serverRejectedMessageAck: Self { "server.rejected.message_ack" }
    /// The condition `serverRejectedMessageAck`, limited to the message with the label or ID `key`.
    public static func serverRejectedMessageAck(_ key: String) -> Self {
        .event("server.rejected.message_ack", key)
    }
    /// The server has received a `sync` frame from the client.
    public static var serverReceivedSync: Self { "server.received.sync" }
    /// The server has rejected a `sync` frame from the client.
    public static var serverRejectedSync: Self { "server.rejected.sync" }
    /// The server has received a `read_receipt` frame from the client.
    public static var serverReceivedReadReceipt: Self { "server.received.read_receipt" }
    /// The condition `serverReceivedReadReceipt`, limited to the message with the label or ID `key`.
    public static func serverReceivedReadReceipt(_ key: String) -> Self {
        .event("server.received.read_receipt", key)
    }
    /// The server has rejected a `read_receipt` frame from the client.
    public static var serverRejectedReadReceipt: Self { "server.rejected.read_receipt" }
    /// The condition `serverRejectedReadReceipt`, limited to the message with the label or ID `key`.
    public static func serverRejectedReadReceipt(_ key: String) -> Self {
        .event("server.rejected.read_receipt", key)
    }
    /// The server has received a `typing` frame from the client.
    public static var serverReceivedTyping: Self { "server.received.typing" }
    /// The server has rejected a `typing` frame from the client.
    public static var serverRejectedTyping: Self { "server.rejected.typing" }
    /// The server has received an `execute_command` frame from the client.
    public static var serverReceivedExecuteCommand: Self { "server.received.execute_command" }
    /// The server has rejected an `execute_command` frame from the client.
    public static var serverRejectedExecuteCommand: Self { "server.rejected.execute_command" }
    /// The server has received a `stop` frame from the client.
    public static var serverReceivedStop: Self { "server.received.stop" }
    /// The server has rejected a `stop` frame from the client.
    public static var serverRejectedStop: Self { "server.rejected.stop" }
    /// The server has sent a `hello` frame to the client.
    public static var serverSentHello: Self { "server.sent.hello" }
    /// The server has withheld a `hello` frame from the client because of a `swallow` step.
    public static var serverSwallowedHello: Self { "server.swallowed.hello" }
    /// The server has sent a `connected` frame to the client.
    public static var serverSentConnected: Self { "server.sent.connected" }
    /// The server has withheld a `connected` frame from the client because of a `swallow` step.
    public static var serverSwallowedConnected: Self { "server.swallowed.connected" }
    /// The server has sent an `auth_error` frame to the client.
    public static var serverSentAuthError: Self { "server.sent.auth_error" }
    /// The server has withheld an `auth_error` frame from the client because of a `swallow` step.
    public static var serverSwallowedAuthError: Self { "server.swallowed.auth_error" }
    /// The server has sent a `ping` frame to the client.
    public static var serverSentPing: Self { "server.sent.ping" }
    /// The server has withheld a `ping` frame from the client because of a `swallow` step.
    public static var serverSwallowedPing: Self { "server.swallowed.ping" }
    /// The server has sent a `pong` frame to the client.
    public static var serverSentPong: Self { "server.sent.pong" }
    /// The server has withheld a `pong` frame from the client because of a `swallow` step.
    public static var serverSwallowedPong: Self { "server.swallowed.pong" }
    /// The server has sent a `confirm` frame to the client.
    public static var serverSentConfirm: Self { "server.sent.confirm" }
    /// The condition `serverSentConfirm`, limited to the message with the label or ID `key`.
    public static func serverSentConfirm(_ key: String) -> Self {
        .event("server.sent.confirm", key)
    }
    /// The server has withheld a `confirm` frame from the client because of a `swallow` step.
    public static var serverSwallowedConfirm: Self { "server.swallowed.confirm" }
    /// The condition `serverSwallowedConfirm`, limited to the message with the label or ID `key`.
    public static func serverSwallowedConfirm(_ key: String) -> Self {
        .event("server.swallowed.confirm", key)
    }
    /// The server has sent a `message` frame to the client.
    public static var serverSentMessage: Self { "server.sent.message" }
    /// The condition `serverSentMessage`, limited to the message with the label or ID `key`.
    public static func serverSentMessage(_ key: String) -> Self {
        .event("server.sent.message", key)
    }
    /// The server has withheld a `message` frame from the client because of a `swallow` step.
    public static var serverSwallowedMessage: Self { "server.swallowed.message" }
    /// The condition `serverSwallowedMessage`, limited to the message with the label or ID `key`.
    public static func serverSwallowedMessage(_ key: String) -> Self {
        .event("server.swallowed.message", key)
    }
    /// The server has sent a `replay` frame to the client.
    public static var serverSentReplay: Self { "server.sent.replay" }
    /// The server has withheld a `replay` frame from the client because of a `swallow` step.
    public static var serverSwallowedReplay: Self { "server.swallowed.replay" }
    /// The server has sent a `read_receipt` frame to the client.
    public static var serverSentReadReceipt: Self { "server.sent.read_receipt" }
    /// The condition `serverSentReadReceipt`, limited to the message with the label or ID `key`.
    public static func serverSentReadReceipt(_ key: String) -> Self {
        .event("server.sent.read_receipt", key)
    }
    /// The server has withheld a `read_receipt` frame from the client because of a `swallow` step.
    public static var serverSwallowedReadReceipt: Self { "server.swallowed.read_receipt" }
    /// The condition `serverSwallowedReadReceipt`, limited to the message with the label or ID `key`.
    public static func serverSwallowedReadReceipt(_ key: String) -> Self {
        .event("server.swallowed.read_receipt", key)
    }
    /// The server has sent a `typing` frame to the client.
    public static var serverSentTyping: Self { "server.sent.typing" }
    /// The server has withheld a `typing` frame from the client because of a `swallow` step.
    public static var serverSwallowedTyping: Self { "server.swallowed.typing" }
    /// The server has sent a `token` frame to the client.
    public static var serverSentToken: Self { "server.sent.token" }
    /// The condition `serverSentToken`, limited to the message with the label or ID `key`.
    public static func serverSentToken(_ key: String) -> Self {
        .event("server.sent.token", key)
    }
    /// The server has withheld a `token` frame from the client because of a `swallow` step.
    public static var serverSwallowedToken: Self { "server.swallowed.token" }
    /// The condition `serverSwallowedToken`, limited to the message with the label or ID `key`.
    public static func serverSwallowedToken(_ key: String) -> Self {
        .event("server.swallowed.token", key)
    }
    /// The server has sent a `presence` frame to the client.
    public static var serverSentPresence: Self { "server.sent.presence" }
    /// The server has withheld a `presence` frame from the client because of a `swallow` step.
    public static var serverSwallowedPresence: Self { "server.swallowed.presence" }
    /// The server has sent an `error` frame to the client.
    public static var serverSentError: Self { "server.sent.error" }
    /// The condition `serverSentError`, limited to the message with the label or ID `key`.
    public static func serverSentError(_ key: String) -> Self {
        .event("server.sent.error", key)
    }
    /// The server has withheld an `error` frame from the client because of a `swallow` step.
    public static var serverSwallowedError: Self { "server.swallowed.error" }
    /// The condition `serverSwallowedError`, limited to the message with the label or ID `key`.
    public static func serverSwallowedError(_ key: String) -> Self {
        .event("server.swallowed.error", key)
    }
    /// The server has sent a `draining` frame to the client.
    public static var serverSentDraining: Self { "server.sent.draining" }
    /// The server has withheld a `draining` frame from the client because of a `swallow` step.
    public static var serverSwallowedDraining: Self { "server.swallowed.draining" }
    /// The server has sent a `command_started` frame to the client.
    public static var serverSentCommandStarted: Self { "server.sent.command_started" }
    /// The server has withheld a `command_started` frame from the client because of a `swallow` step.
    public static var serverSwallowedCommandStarted: Self { "server.swallowed.command_started" }
    /// The server has sent a `stopped` frame to the client.
    public static var serverSentStopped: Self { "server.sent.stopped" }
    /// The server has withheld a `stopped` frame from the client because of a `swallow` step.
    public static var serverSwallowedStopped: Self { "server.swallowed.stopped" }
    /// The server has sent a `deleted` frame to the client.
    public static var serverSentDeleted: Self { "server.sent.deleted" }
    /// The condition `serverSentDeleted`, limited to the message with the label or ID `key`.
    public static func serverSentDeleted(_ key: String) -> Self {
        .event("server.sent.deleted", key)
    }
    /// The server has withheld a `deleted` frame from the client because of a `swallow` step.
    public static var serverSwallowedDeleted: Self { "server.swallowed.deleted" }
    /// The condition `serverSwallowedDeleted`, limited to the message with the label or ID `key`.
    public static func serverSwallowedDeleted(_ key: String) -> Self {
        .event("server.swallowed.deleted", key)
    }
    /// The server has received a request to the `ws` route.
    public static var serverRequestedWs: Self { "server.requested.ws" }
    /// The server has answered a request to the `ws` route.
    public static var serverAnsweredWs: Self { "server.answered.ws" }
    /// The server has received a request to the `health` route.
    public static var serverRequestedHealth: Self { "server.requested.health" }
    /// The server has answered a request to the `health` route.
    public static var serverAnsweredHealth: Self { "server.answered.health" }
    /// The server has received a request to the `agents` route.
    public static var serverRequestedAgents: Self { "server.requested.agents" }
    /// The server has answered a request to the `agents` route.
    public static var serverAnsweredAgents: Self { "server.answered.agents" }
    /// The server has received a request to the `conversations` route.
    public static var serverRequestedConversations: Self { "server.requested.conversations" }
    /// The server has answered a request to the `conversations` route.
    public static var serverAnsweredConversations: Self { "server.answered.conversations" }
    /// The server has received a request to the `messages` route.
    public static var serverRequestedMessages: Self { "server.requested.messages" }
    /// The server has answered a request to the `messages` route.
    public static var serverAnsweredMessages: Self { "server.answered.messages" }
    /// The server has received a request to the `send` route.
    public static var serverRequestedSend: Self { "server.requested.send" }
    /// The server has answered a request to the `send` route.
    public static var serverAnsweredSend: Self { "server.answered.send" }
    /// The server has received a request to the `mark_read` route.
    public static var serverRequestedMarkRead: Self { "server.requested.mark_read" }
    /// The server has answered a request to the `mark_read` route.
    public static var serverAnsweredMarkRead: Self { "server.answered.mark_read" }
    /// The server has received a request to the `unread` route.
    public static var serverRequestedUnread: Self { "server.requested.unread" }
    /// The server has answered a request to the `unread` route.
    public static var serverAnsweredUnread: Self { "server.answered.unread" }
    /// The server has received a request to the `upload` route.
    public static var serverRequestedUpload: Self { "server.requested.upload" }
    /// The server has answered a request to the `upload` route.
    public static var serverAnsweredUpload: Self { "server.answered.upload" }
    /// The server has received a request to the `push_token` route.
    public static var serverRequestedPushToken: Self { "server.requested.push_token" }
    /// The server has answered a request to the `push_token` route.
    public static var serverAnsweredPushToken: Self { "server.answered.push_token" }
    /// The server has received a request to the `conversation` route.
    public static var serverRequestedConversation: Self { "server.requested.conversation" }
    /// The server has answered a request to the `conversation` route.
    public static var serverAnsweredConversation: Self { "server.answered.conversation" }
    /// The server has received a request to the `delete` route.
    public static var serverRequestedDelete: Self { "server.requested.delete" }
    /// The server has answered a request to the `delete` route.
    public static var serverAnsweredDelete: Self { "server.answered.delete" }
    /// The server has received a request to the `media` route.
    public static var serverRequestedMedia: Self { "server.requested.media" }
    /// The server has answered a request to the `media` route.
    public static var serverAnsweredMedia: Self { "server.answered.media" }
    /// The server has received a request to the `thumbnail` route.
    public static var serverRequestedThumbnail: Self { "server.requested.thumbnail" }
    /// The server has answered a request to the `thumbnail` route.
    public static var serverAnsweredThumbnail: Self { "server.answered.thumbnail" }
    /// The server has registered a device for a user's notifications.
    public static var serverPushTokenSaved: Self { "server.push_token.saved" }
    /// The server has unregistered a user's device, because its client requested it or because another user registered
    /// the device.
    public static var serverPushTokenRemoved: Self { "server.push_token.removed" }
    /// The server has passed a notification for one of a user's devices to the push service, with a payload of `bytes`
    /// bytes; `is_cut` says whether the message's text was cut to make it fit.
    public static var serverPushed: Self { "server.pushed" }
    /// The condition `serverPushed`, limited to the message with the label or ID `key`.
    public static func serverPushed(_ key: String) -> Self {
        .event("server.pushed", key)
    }
    /// The push service has refused a notification, with the status and reason that Apple's service gives.
    public static var serverPushRefused: Self { "server.push_refused" }
    /// The condition `serverPushRefused`, limited to the message with the label or ID `key`.
    public static func serverPushRefused(_ key: String) -> Self {
        .event("server.push_refused", key)
    }
    /// The server has not sent a notification, because the user has no registered device.
    public static var serverPushUndeliverable: Self { "server.push_undeliverable" }
    /// The condition `serverPushUndeliverable`, limited to the message with the label or ID `key`.
    public static func serverPushUndeliverable(_ key: String) -> Self {
        .event("server.push_undeliverable", key)
    }
    /// A fault begins. The event's key is the fault's `as:` label, or its verb; `clients` is set unless all clients are
    /// affected.
    public static var faultBegan: Self { "fault.began" }
    /// The condition `faultBegan`, limited to the fault with the label or ID `key`.
    public static func faultBegan(_ key: String) -> Self {
        .event("fault.began", key)
    }
    /// A fault takes effect for the first time: a drop, reset or half-open on a connection; a cut, limit or corruption
    /// at its byte; a message fault on its message; a status, a portal or an immediate close on a new connection.
    public static var faultHit: Self { "fault.hit" }
    /// The condition `faultHit`, limited to the fault with the label or ID `key`.
    public static func faultHit(_ key: String) -> Self {
        .event("fault.hit", key)
    }
    /// A fault ends: it was healed, its duration has passed, or it is instantaneous.
    public static var faultEnded: Self { "fault.ended" }
    /// The condition `faultEnded`, limited to the fault with the label or ID `key`.
    public static func faultEnded(_ key: String) -> Self {
        .event("fault.ended", key)
    }
    /// A flap begins or ends an outage.
    public static var faultTurned: Self { "fault.turned" }
    /// The condition `faultTurned`, limited to the fault with the label or ID `key`.
    public static func faultTurned(_ key: String) -> Self {
        .event("fault.turned", key)
    }
    /// A user's login at the captive portal ends the fault for the user's client.
    public static var faultLifted: Self { "fault.lifted" }
    /// The condition `faultLifted`, limited to the fault with the label or ID `key`.
    public static func faultLifted(_ key: String) -> Self {
        .event("fault.lifted", key)
    }
    /// A connection of the client is accepted.
    public static var networkAccepted: Self { "network.accepted" }
    /// A connection begins to close: `side` (client, server or network) closes it first, by a fin or an rst (`how`).
    public static var networkClosed: Self { "network.closed" }
    /// A third party replays the client's recorded login, if there is one.
    public static var networkLoginReplayed: Self { "network.login_replayed" }
    /// A TLS handshake fails: `how` is the kind of the invalid certificate, `refused` or `stalled`.
    public static var networkHandshakeFailed: Self { "network.handshake.failed" }
    /// A captive portal responds to a request.
    public static var networkAnswered: Self { "network.answered" }
    /// A WebSocket upgrade is answered by the network instead of the server.
    public static var networkUpgradeRefused: Self { "network.upgrade.refused" }
    /// A WebSocket frame passes on a connection whose frames are parsed.
    public static var networkFrame: Self { "network.frame" }
    /// A fault drops, delays or alters a WebSocket message.
    public static var networkFrames: Self { "network.frames" }
    /// A compressed message passes a fault that selects messages but cannot parse it. Emitted once for each fault,
    /// connection and direction.
    public static var networkFramesMissed: Self { "network.frames.missed" }
    /// Bytes of a connection are lost: discarded, or in flight when the connection was lost.
    public static var networkDropped: Self { "network.dropped" }
    /// The script has ended: faults are healed, the server is up, and each client runs in the foreground.
    public static var runCalmBegan: Self { "run.calm_began" }
    /// The run is paused by a hold: a command, or a hold at the event that caused this event. The run's clock is
    /// stopped.
    public static var runHoldBegan: Self { "run.hold_began" }
    /// The run has resumed after a hold. No time has passed on the run's clock.
    public static var runHoldEnded: Self { "run.hold_ended" }
    /// The state that the client shows was compared with the server's; `differences` is empty if they agree.
    public static var runCompared: Self { "run.compared" }
    /// A step of the script that stores messages and sends them to every client. Several messages are labelled label-1,
    /// label-2 and so on.
    public static var serverPost: Self { "server.post" }
    /// The condition `serverPost`, limited to the message with the label or ID `key`.
    public static func serverPost(_ key: String) -> Self {
        .event("server.post", key)
    }
    /// A step of the script that stores messages without sending them, as if they had been sent before the run.
    public static var serverHistory: Self { "server.history" }
    /// A step of the script that writes a message token by token, then stores and sends it.
    public static var serverStream: Self { "server.stream" }
    /// The condition `serverStream`, limited to the message with the label or ID `key`.
    public static func serverStream(_ key: String) -> Self {
        .event("server.stream", key)
    }
    /// A step of the script that notifies every client that a user begins or stops typing.
    public static var serverType: Self { "server.type" }
    /// A step of the script that sets a user's presence and sends it to every client.
    public static var serverPresence: Self { "server.presence" }
    /// A step of the script that assigns a client to a user, as one of the user's devices.
    public static var serverIdentify: Self { "server.identify" }
    /// A step of the script that turns a conversation into a group; the `agents` route lists its members.
    public static var serverGroup: Self { "server.group" }
    /// A step of the script that sends an error that does not answer any request.
    public static var serverError: Self { "server.error" }
    /// A step of the script that sends a WebSocket text message with any content.
    public static var serverSay: Self { "server.say" }
    /// The condition `serverSay`, limited to the message with the label or ID `key`.
    public static func serverSay(_ key: String) -> Self {
        .event("server.say", key)
    }
    /// A step of the script that sends a WebSocket binary message, which the chat protocol does not use.
    public static var serverBinary: Self { "server.binary" }
    /// A step of the script that adds a user to the users that the `agents` route lists, even if no message exists yet.
    public static var serverIntroduce: Self { "server.introduce" }
    /// A step of the script that closes every connection with close code 1001 and stops listening.
    public static var serverStop: Self { "server.stop" }
    /// A step of the script that starts listening again.
    public static var serverStart: Self { "server.start" }
    /// A step of the script that closes every connection with close code 1012 and listens again later.
    public static var serverRestart: Self { "server.restart" }
    /// A step of the script that resets every connection and stops listening. The server's state is kept.
    public static var serverCrash: Self { "server.crash" }
    /// A step of the script that discards sessions and stops responding on their connections, without sending a FIN, an
    /// RST or any other byte.
    public static var serverVanish: Self { "server.vanish" }
    /// A step of the script that announces a shutdown, closes every connection with close code 1001 after the notice,
    /// and listens again later.
    public static var serverDrain: Self { "server.drain" }
    /// A step of the script that stops one of several hosts, which closes its connections with close code 1001 and
    /// refuses new ones. Other hosts are not affected.
    public static var serverDown: Self { "server.down" }
    /// A step of the script that starts a host that is down: the host accepts connections again.
    public static var serverUp: Self { "server.up" }
    /// A step of the script that makes the prompt in progress in a conversation end with an error.
    public static var serverFailPrompt: Self { "server.fail_prompt" }
    /// A step of the script that starts the WebSocket closing handshake.
    public static var serverClose: Self { "server.close" }
    /// A step of the script that ends connections without a close frame.
    public static var serverDisconnect: Self { "server.disconnect" }
    /// A step of the script that processes requests as usual but does not send the next frames of a type.
    public static var serverSwallow: Self { "server.swallow" }
    /// A step of the script that sends frames of a type late, so that other frames overtake them.
    public static var serverDelay: Self { "server.delay" }
    /// A step of the script that sends the next frames of a type twice.
    public static var serverDuplicate: Self { "server.duplicate" }
    /// A step of the script that holds frames of a type, or responses of a route, until they are released by label. The
    /// default label is the name of the frame type or route.
    public static var serverHold: Self { "server.hold" }
    /// The condition `serverHold`, limited to the hold with the label or ID `key`.
    public static func serverHold(_ key: String) -> Self {
        .event("server.hold", key)
    }
    /// A step of the script that sends the frames or responses that are held under the label and ends the hold.
    public static var serverRelease: Self { "server.release" }
    /// A step of the script that answers frames of a type with an error and does not process them.
    public static var serverReject: Self { "server.reject" }
    /// A step of the script that answers frames of a type with the given frames and does not process them.
    public static var serverRule: Self { "server.rule" }
    /// The condition `serverRule`, limited to the rule with the label or ID `key`.
    public static func serverRule(_ key: String) -> Self {
        .event("server.rule", key)
    }
    /// A step of the script that answers HTTP requests with the given response and does not process them.
    public static var serverRespond: Self { "server.respond" }
    /// The condition `serverRespond`, limited to the rule with the label or ID `key`.
    public static func serverRespond(_ key: String) -> Self {
        .event("server.respond", key)
    }
    /// A step of the script that answers requests with an HTTP status and does not process them.
    public static var serverFail: Self { "server.fail" }
    /// A step of the script that delays the responses to requests.
    public static var serverSlow: Self { "server.slow" }
    /// A step of the script that removes every rule for frames and requests. Held frames and responses stay held.
    public static var serverClear: Self { "server.clear" }
    /// A step of the script that changes which logins are accepted from now on. Existing connections are not affected.
    public static var serverAuth: Self { "server.auth" }
    /// A step of the script that changes the limit on the rate of each client's messages.
    public static var serverLimit: Self { "server.limit" }
    /// A step of the script that starts or stops sending heartbeat pings.
    public static var serverHeartbeat: Self { "server.heartbeat" }
    /// A step of the script that starts or stops answering clients' pings.
    public static var serverPong: Self { "server.pong" }
    /// A step of the script that runs with the given clock skew from now on.
    public static var serverClock: Self { "server.clock" }
    /// A step of the script that restricts a conversation to its members: messages and uploads from other users are
    /// rejected from now on.
    public static var serverRestrict: Self { "server.restrict" }
    /// A step of the script that assigns a user a key of their own.
    public static var serverAccount: Self { "server.account" }
    /// A step of the script that pushes a notification, whether or not its message exists. Posted messages are pushed
    /// automatically.
    public static var serverPush: Self { "server.push" }
    /// The condition `serverPush`, limited to the message with the label or ID `key`.
    public static func serverPush(_ key: String) -> Self {
        .event("server.push", key)
    }
    /// A step of the script that deletes a conversation with all its messages.
    public static var serverRemoveConversation: Self { "server.remove_conversation" }
}
