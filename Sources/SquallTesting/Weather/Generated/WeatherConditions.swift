// Written from the registry by the tests of SquallTesting; run them with RECORD=1 to write it again.

/// Conditions on events and states that are visible on the wire, and on actions of Squall itself.
extension WeatherCondition {
    /// The client has sent a request to the health route.
    public static var clientRequestedHealth: Self { "client.requested.health" }
    /// The server has answered a request to the health route.
    public static var clientAnsweredHealth: Self { "client.answered.health" }
    /// The client has sent a request to the conversations route.
    public static var clientRequestedConversations: Self { "client.requested.conversations" }
    /// The server has answered a request to the conversations route.
    public static var clientAnsweredConversations: Self { "client.answered.conversations" }
    /// The client has sent a request to the messages route.
    public static var clientRequestedMessages: Self { "client.requested.messages" }
    /// The server has answered a request to the messages route.
    public static var clientAnsweredMessages: Self { "client.answered.messages" }
    /// The client has sent a request to the send route.
    public static var clientRequestedSend: Self { "client.requested.send" }
    /// The server has answered a request to the send route.
    public static var clientAnsweredSend: Self { "client.answered.send" }
    /// The client has sent a request to the mark_read route.
    public static var clientRequestedMarkRead: Self { "client.requested.mark_read" }
    /// The server has answered a request to the mark_read route.
    public static var clientAnsweredMarkRead: Self { "client.answered.mark_read" }
    /// The client has sent a request to the upload route.
    public static var clientRequestedUpload: Self { "client.requested.upload" }
    /// The server has answered a request to the upload route.
    public static var clientAnsweredUpload: Self { "client.answered.upload" }
    /// The client has sent a request to the unread route.
    public static var clientRequestedUnread: Self { "client.requested.unread" }
    /// The server has answered a request to the unread route.
    public static var clientAnsweredUnread: Self { "client.answered.unread" }
    /// The client has sent a request to the agents route.
    public static var clientRequestedAgents: Self { "client.requested.agents" }
    /// The server has answered a request to the agents route.
    public static var clientAnsweredAgents: Self { "client.answered.agents" }
    /// The client has sent a request to the delete route.
    public static var clientRequestedDelete: Self { "client.requested.delete" }
    /// The server has answered a request to the delete route.
    public static var clientAnsweredDelete: Self { "client.answered.delete" }
    /// The client has sent a request to the media route.
    public static var clientRequestedMedia: Self { "client.requested.media" }
    /// The server has answered a request to the media route.
    public static var clientAnsweredMedia: Self { "client.answered.media" }
    /// The client has sent a request to the thumbnail route.
    public static var clientRequestedThumbnail: Self { "client.requested.thumbnail" }
    /// The server has answered a request to the thumbnail route.
    public static var clientAnsweredThumbnail: Self { "client.answered.thumbnail" }
    /// The client has sent a request to the push_token route.
    public static var clientRequestedPushToken: Self { "client.requested.push_token" }
    /// The server has answered a request to the push_token route.
    public static var clientAnsweredPushToken: Self { "client.answered.push_token" }
    /// The client has sent a request to the conversation route.
    public static var clientRequestedConversation: Self { "client.requested.conversation" }
    /// The server has answered a request to the conversation route.
    public static var clientAnsweredConversation: Self { "client.answered.conversation" }
    /// The client has sent a message in a protocol whose frames are unknown.
    public static var clientSentText: Self { "client.sent.text" }
    /// The client has received a message in a protocol whose frames are unknown.
    public static var clientReceivedText: Self { "client.received.text" }
    /// The client has sent the connect frame.
    public static var clientSentConnect: Self { "client.sent.connect" }
    /// The client has sent the ping frame.
    public static var clientSentPing: Self { "client.sent.ping" }
    /// The client has sent the pong frame.
    public static var clientSentPong: Self { "client.sent.pong" }
    /// The client has sent the send frame.
    public static var clientSentSend: Self { "client.sent.send" }
    /// Like `clientSentSend`, but only for the message with this key.
    public static func clientSentSend(_ key: String) -> Self {
        .event("client.sent.send", key)
    }
    /// The client has sent the message_ack frame.
    public static var clientSentMessageAck: Self { "client.sent.message_ack" }
    /// Like `clientSentMessageAck`, but only for the message with this key.
    public static func clientSentMessageAck(_ key: String) -> Self {
        .event("client.sent.message_ack", key)
    }
    /// The client has sent the sync frame.
    public static var clientSentSync: Self { "client.sent.sync" }
    /// The client has sent the read_receipt frame.
    public static var clientSentReadReceipt: Self { "client.sent.read_receipt" }
    /// Like `clientSentReadReceipt`, but only for the message with this key.
    public static func clientSentReadReceipt(_ key: String) -> Self {
        .event("client.sent.read_receipt", key)
    }
    /// The client has sent the typing frame.
    public static var clientSentTyping: Self { "client.sent.typing" }
    /// The client has sent the execute_command frame.
    public static var clientSentExecuteCommand: Self { "client.sent.execute_command" }
    /// The client has sent the stop frame.
    public static var clientSentStop: Self { "client.sent.stop" }
    /// The client has received the hello frame.
    public static var clientReceivedHello: Self { "client.received.hello" }
    /// The client has received the connected frame.
    public static var clientReceivedConnected: Self { "client.received.connected" }
    /// The client has received the auth_error frame.
    public static var clientReceivedAuthError: Self { "client.received.auth_error" }
    /// The client has received the ping frame.
    public static var clientReceivedPing: Self { "client.received.ping" }
    /// The client has received the pong frame.
    public static var clientReceivedPong: Self { "client.received.pong" }
    /// The client has received the confirm frame.
    public static var clientReceivedConfirm: Self { "client.received.confirm" }
    /// Like `clientReceivedConfirm`, but only for the message with this key.
    public static func clientReceivedConfirm(_ key: String) -> Self {
        .event("client.received.confirm", key)
    }
    /// The client has received the message frame.
    public static var clientReceivedMessage: Self { "client.received.message" }
    /// Like `clientReceivedMessage`, but only for the message with this key.
    public static func clientReceivedMessage(_ key: String) -> Self {
        .event("client.received.message", key)
    }
    /// The client has received the replay frame.
    public static var clientReceivedReplay: Self { "client.received.replay" }
    /// The client has received the read_receipt frame.
    public static var clientReceivedReadReceipt: Self { "client.received.read_receipt" }
    /// Like `clientReceivedReadReceipt`, but only for the message with this key.
    public static func clientReceivedReadReceipt(_ key: String) -> Self {
        .event("client.received.read_receipt", key)
    }
    /// The client has received the typing frame.
    public static var clientReceivedTyping: Self { "client.received.typing" }
    /// The client has received the token frame.
    public static var clientReceivedToken: Self { "client.received.token" }
    /// Like `clientReceivedToken`, but only for the message with this key.
    public static func clientReceivedToken(_ key: String) -> Self {
        .event("client.received.token", key)
    }
    /// The client has received the presence frame.
    public static var clientReceivedPresence: Self { "client.received.presence" }
    /// The client has received the error frame.
    public static var clientReceivedError: Self { "client.received.error" }
    /// Like `clientReceivedError`, but only for the message with this key.
    public static func clientReceivedError(_ key: String) -> Self {
        .event("client.received.error", key)
    }
    /// The client has received the draining frame.
    public static var clientReceivedDraining: Self { "client.received.draining" }
    /// The client has received the command_started frame.
    public static var clientReceivedCommandStarted: Self { "client.received.command_started" }
    /// The client has received the stopped frame.
    public static var clientReceivedStopped: Self { "client.received.stopped" }
    /// The client has received the deleted frame.
    public static var clientReceivedDeleted: Self { "client.received.deleted" }
    /// Like `clientReceivedDeleted`, but only for the message with this key.
    public static func clientReceivedDeleted(_ key: String) -> Self {
        .event("client.received.deleted", key)
    }
    /// The upstream server could not be reached.
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
    /// A login with the correct key was rejected because it is not fresh: undated, stale or reused.
    public static var serverLoginRefused: Self { "server.login_refused" }
    /// The client has sent a key where proxies and logs keep it: in a frame other than `connect`, in a request's target
    /// or body, or in a header other than the `Authorization` of a request that needs the key.
    public static var serverKeyExposed: Self { "server.key_exposed" }
    /// One of several servers has stopped, and its connections end.
    public static var serverHostStopped: Self { "server.host.stopped" }
    /// One of several servers accepts connections again.
    public static var serverHostStarted: Self { "server.host.started" }
    /// One of several servers has opened a WebSocket.
    public static var serverHostServed: Self { "server.host.served" }
    /// A request to a server that is down has arrived, and its connection was reset.
    public static var serverHostRefused: Self { "server.host.refused" }
    /// The server has forgotten the client's session and no longer answers on its connection.
    public static var serverSessionForgotten: Self { "server.session_forgotten" }
    /// The server has stored a message and assigned its sequence number. Its `origin` is client or post.
    public static var serverStored: Self { "server.stored" }
    /// Like `serverStored`, but only for the message with this key.
    public static func serverStored(_ key: String) -> Self {
        .event("server.stored", key)
    }
    /// The server begins to send a message token by token. The message is stored when it is complete.
    public static var serverStreamBegan: Self { "server.stream_began" }
    /// Like `serverStreamBegan`, but only for the message with this key.
    public static func serverStreamBegan(_ key: String) -> Self {
        .event("server.stream_began", key)
    }
    /// A send repeated a stored message and had no effect.
    public static var serverDroppedDuplicate: Self { "server.dropped_duplicate" }
    /// Like `serverDroppedDuplicate`, but only for the message with this key.
    public static func serverDroppedDuplicate(_ key: String) -> Self {
        .event("server.dropped_duplicate", key)
    }
    /// The server has begun to process a message. The conversation accepts no other until the processing ends.
    public static var serverPromptBegan: Self { "server.prompt.began" }
    /// Like `serverPromptBegan`, but only for the message with this key.
    public static func serverPromptBegan(_ key: String) -> Self {
        .event("server.prompt.began", key)
    }
    /// The processing of a message has ended: done, failed or stopped. The conversation accepts the next.
    public static var serverPromptEnded: Self { "server.prompt.ended" }
    /// Like `serverPromptEnded`, but only for the message with this key.
    public static func serverPromptEnded(_ key: String) -> Self {
        .event("server.prompt.ended", key)
    }
    /// A command has started, under a new id.
    public static var serverCommandBegan: Self { "server.command.began" }
    /// A command has ended: done or stopped.
    public static var serverCommandEnded: Self { "server.command.ended" }
    /// The server has received a missing part of a file.
    public static var serverUploadPart: Self { "server.upload_part" }
    /// Like `serverUploadPart`, but only for the upload with this key.
    public static func serverUploadPart(_ key: String) -> Self {
        .event("server.upload_part", key)
    }
    /// A file is complete; reported once per file.
    public static var serverUploaded: Self { "server.uploaded" }
    /// Like `serverUploaded`, but only for the upload with this key.
    public static func serverUploaded(_ key: String) -> Self {
        .event("server.uploaded", key)
    }
    /// A message was deleted. The fields show its record and whether the original content was kept.
    public static var serverDeleted: Self { "server.deleted" }
    /// Like `serverDeleted`, but only for the message with this key.
    public static func serverDeleted(_ key: String) -> Self {
        .event("server.deleted", key)
    }
    /// The server has rejected a request to delete a message from a user who did not send it.
    public static var serverDeleteRefused: Self { "server.delete_refused" }
    /// Like `serverDeleteRefused`, but only for the message with this key.
    public static func serverDeleteRefused(_ key: String) -> Self {
        .event("server.delete_refused", key)
    }
    /// A page contains deleted messages. The fields are all texts in order and the number of deleted messages.
    public static var serverListed: Self { "server.listed" }
    /// The server has received a message that a rule answers, or any message in a protocol without frames. Only `squall
    /// record` records its text.
    public static var serverReceivedText: Self { "server.received.text" }
    /// Like `serverReceivedText`, but only for the rule with this key.
    public static func serverReceivedText(_ key: String) -> Self {
        .event("server.received.text", key)
    }
    /// An upstream server has received a close frame.
    public static var serverReceivedClose: Self { "server.received.close" }
    /// An upstream server has sent a close frame.
    public static var serverSentClose: Self { "server.sent.close" }
    /// The server has sent a message that is not a frame of the protocol. Only `squall record` records its text.
    public static var serverSaid: Self { "server.said" }
    /// A frame was not sent, because the profile's protocol has no variant of it for this content.
    public static var serverUnsaid: Self { "server.unsaid" }
    /// A scripted action has taken effect: it has swallowed, delayed, duplicated, held or released a frame or response,
    /// rejected or failed a request or answered it by a rule, ended a connection, or pushed a notification.
    public static var serverActionHit: Self { "server.action.hit" }
    /// The server has received a client's message that has no role: one of the profile's `extras` or `http` requests.
    public static var serverReceivedExtra: Self { "server.received.extra" }
    /// The client has sent something that is not a valid frame, message or request.
    public static var serverProtocolError: Self { "server.protocol_error" }
    /// The server has received the client's connect frame.
    public static var serverReceivedConnect: Self { "server.received.connect" }
    /// The server has rejected the client's connect frame.
    public static var serverRejectedConnect: Self { "server.rejected.connect" }
    /// The server has received the client's ping frame.
    public static var serverReceivedPing: Self { "server.received.ping" }
    /// The server has rejected the client's ping frame.
    public static var serverRejectedPing: Self { "server.rejected.ping" }
    /// The server has received the client's pong frame.
    public static var serverReceivedPong: Self { "server.received.pong" }
    /// The server has rejected the client's pong frame.
    public static var serverRejectedPong: Self { "server.rejected.pong" }
    /// The server has received the client's send frame.
    public static var serverReceivedSend: Self { "server.received.send" }
    /// Like `serverReceivedSend`, but only for the message with this key.
    public static func serverReceivedSend(_ key: String) -> Self {
        .event("server.received.send", key)
    }
    /// The server has rejected the client's send frame.
    public static var serverRejectedSend: Self { "server.rejected.send" }
    /// Like `serverRejectedSend`, but only for the message with this key.
    public static func serverRejectedSend(_ key: String) -> Self {
        .event("server.rejected.send", key)
    }
    /// The server has received the client's message_ack frame.
    public static var serverReceivedMessageAck: Self { "server.received.message_ack" }
    /// Like `serverReceivedMessageAck`, but only for the message with this key.
    public static func serverReceivedMessageAck(_ key: String) -> Self {
        .event("server.received.message_ack", key)
    }
    /// The server has rejected the client's message_ack frame.
    public static var serverRejectedMessageAck: Self { "server.rejected.message_ack" }
    /// Like `serverRejectedMessageAck`, but only for the message with this key.
    public static func serverRejectedMessageAck(_ key: String) -> Self {
        .event("server.rejected.message_ack", key)
    }
    /// The server has received the client's sync frame.
    public static var serverReceivedSync: Self { "server.received.sync" }
    /// The server has rejected the client's sync frame.
    public static var serverRejectedSync: Self { "server.rejected.sync" }
    /// The server has received the client's read_receipt frame.
    public static var serverReceivedReadReceipt: Self { "server.received.read_receipt" }
    /// Like `serverReceivedReadReceipt`, but only for the message with this key.
    public static func serverReceivedReadReceipt(_ key: String) -> Self {
        .event("server.received.read_receipt", key)
    }
    /// The server has rejected the client's read_receipt frame.
    public static var serverRejectedReadReceipt: Self { "server.rejected.read_receipt" }
    /// Like `serverRejectedReadReceipt`, but only for the message with this key.
    public static func serverRejectedReadReceipt(_ key: String) -> Self {
        .event("server.rejected.read_receipt", key)
    }
    /// The server has received the client's typing frame.
    public static var serverReceivedTyping: Self { "server.received.typing" }
    /// The server has rejected the client's typing frame.
    public static var serverRejectedTyping: Self { "server.rejected.typing" }
    /// The server has received the client's execute_command frame.
    public static var serverReceivedExecuteCommand: Self { "server.received.execute_command" }
    /// The server has rejected the client's execute_command frame.
    public static var serverRejectedExecuteCommand: Self { "server.rejected.execute_command" }
    /// The server has received the client's stop frame.
    public static var serverReceivedStop: Self { "server.received.stop" }
    /// The server has rejected the client's stop frame.
    public static var serverRejectedStop: Self { "server.rejected.stop" }
    /// The server has sent the hello frame.
    public static var serverSentHello: Self { "server.sent.hello" }
    /// The server has not sent the hello frame because of a `swallow` step in the script.
    public static var serverSwallowedHello: Self { "server.swallowed.hello" }
    /// The server has sent the connected frame.
    public static var serverSentConnected: Self { "server.sent.connected" }
    /// The server has not sent the connected frame because of a `swallow` step in the script.
    public static var serverSwallowedConnected: Self { "server.swallowed.connected" }
    /// The server has sent the auth_error frame.
    public static var serverSentAuthError: Self { "server.sent.auth_error" }
    /// The server has not sent the auth_error frame because of a `swallow` step in the script.
    public static var serverSwallowedAuthError: Self { "server.swallowed.auth_error" }
    /// The server has sent the ping frame.
    public static var serverSentPing: Self { "server.sent.ping" }
    /// The server has not sent the ping frame because of a `swallow` step in the script.
    public static var serverSwallowedPing: Self { "server.swallowed.ping" }
    /// The server has sent the pong frame.
    public static var serverSentPong: Self { "server.sent.pong" }
    /// The server has not sent the pong frame because of a `swallow` step in the script.
    public static var serverSwallowedPong: Self { "server.swallowed.pong" }
    /// The server has sent the confirm frame.
    public static var serverSentConfirm: Self { "server.sent.confirm" }
    /// Like `serverSentConfirm`, but only for the message with this key.
    public static func serverSentConfirm(_ key: String) -> Self {
        .event("server.sent.confirm", key)
    }
    /// The server has not sent the confirm frame because of a `swallow` step in the script.
    public static var serverSwallowedConfirm: Self { "server.swallowed.confirm" }
    /// Like `serverSwallowedConfirm`, but only for the message with this key.
    public static func serverSwallowedConfirm(_ key: String) -> Self {
        .event("server.swallowed.confirm", key)
    }
    /// The server has sent the message frame.
    public static var serverSentMessage: Self { "server.sent.message" }
    /// Like `serverSentMessage`, but only for the message with this key.
    public static func serverSentMessage(_ key: String) -> Self {
        .event("server.sent.message", key)
    }
    /// The server has not sent the message frame because of a `swallow` step in the script.
    public static var serverSwallowedMessage: Self { "server.swallowed.message" }
    /// Like `serverSwallowedMessage`, but only for the message with this key.
    public static func serverSwallowedMessage(_ key: String) -> Self {
        .event("server.swallowed.message", key)
    }
    /// The server has sent the replay frame.
    public static var serverSentReplay: Self { "server.sent.replay" }
    /// The server has not sent the replay frame because of a `swallow` step in the script.
    public static var serverSwallowedReplay: Self { "server.swallowed.replay" }
    /// The server has sent the read_receipt frame.
    public static var serverSentReadReceipt: Self { "server.sent.read_receipt" }
    /// Like `serverSentReadReceipt`, but only for the message with this key.
    public static func serverSentReadReceipt(_ key: String) -> Self {
        .event("server.sent.read_receipt", key)
    }
    /// The server has not sent the read_receipt frame because of a `swallow` step in the script.
    public static var serverSwallowedReadReceipt: Self { "server.swallowed.read_receipt" }
    /// Like `serverSwallowedReadReceipt`, but only for the message with this key.
    public static func serverSwallowedReadReceipt(_ key: String) -> Self {
        .event("server.swallowed.read_receipt", key)
    }
    /// The server has sent the typing frame.
    public static var serverSentTyping: Self { "server.sent.typing" }
    /// The server has not sent the typing frame because of a `swallow` step in the script.
    public static var serverSwallowedTyping: Self { "server.swallowed.typing" }
    /// The server has sent the token frame.
    public static var serverSentToken: Self { "server.sent.token" }
    /// Like `serverSentToken`, but only for the message with this key.
    public static func serverSentToken(_ key: String) -> Self {
        .event("server.sent.token", key)
    }
    /// The server has not sent the token frame because of a `swallow` step in the script.
    public static var serverSwallowedToken: Self { "server.swallowed.token" }
    /// Like `serverSwallowedToken`, but only for the message with this key.
    public static func serverSwallowedToken(_ key: String) -> Self {
        .event("server.swallowed.token", key)
    }
    /// The server has sent the presence frame.
    public static var serverSentPresence: Self { "server.sent.presence" }
    /// The server has not sent the presence frame because of a `swallow` step in the script.
    public static var serverSwallowedPresence: Self { "server.swallowed.presence" }
    /// The server has sent the error frame.
    public static var serverSentError: Self { "server.sent.error" }
    /// Like `serverSentError`, but only for the message with this key.
    public static func serverSentError(_ key: String) -> Self {
        .event("server.sent.error", key)
    }
    /// The server has not sent the error frame because of a `swallow` step in the script.
    public static var serverSwallowedError: Self { "server.swallowed.error" }
    /// Like `serverSwallowedError`, but only for the message with this key.
    public static func serverSwallowedError(_ key: String) -> Self {
        .event("server.swallowed.error", key)
    }
    /// The server has sent the draining frame.
    public static var serverSentDraining: Self { "server.sent.draining" }
    /// The server has not sent the draining frame because of a `swallow` step in the script.
    public static var serverSwallowedDraining: Self { "server.swallowed.draining" }
    /// The server has sent the command_started frame.
    public static var serverSentCommandStarted: Self { "server.sent.command_started" }
    /// The server has not sent the command_started frame because of a `swallow` step in the script.
    public static var serverSwallowedCommandStarted: Self { "server.swallowed.command_started" }
    /// The server has sent the stopped frame.
    public static var serverSentStopped: Self { "server.sent.stopped" }
    /// The server has not sent the stopped frame because of a `swallow` step in the script.
    public static var serverSwallowedStopped: Self { "server.swallowed.stopped" }
    /// The server has sent the deleted frame.
    public static var serverSentDeleted: Self { "server.sent.deleted" }
    /// Like `serverSentDeleted`, but only for the message with this key.
    public static func serverSentDeleted(_ key: String) -> Self {
        .event("server.sent.deleted", key)
    }
    /// The server has not sent the deleted frame because of a `swallow` step in the script.
    public static var serverSwallowedDeleted: Self { "server.swallowed.deleted" }
    /// Like `serverSwallowedDeleted`, but only for the message with this key.
    public static func serverSwallowedDeleted(_ key: String) -> Self {
        .event("server.swallowed.deleted", key)
    }
    /// The server has received a request to the ws route.
    public static var serverRequestedWs: Self { "server.requested.ws" }
    /// The server has answered a request to the ws route.
    public static var serverAnsweredWs: Self { "server.answered.ws" }
    /// The server has received a request to the health route.
    public static var serverRequestedHealth: Self { "server.requested.health" }
    /// The server has answered a request to the health route.
    public static var serverAnsweredHealth: Self { "server.answered.health" }
    /// The server has received a request to the agents route.
    public static var serverRequestedAgents: Self { "server.requested.agents" }
    /// The server has answered a request to the agents route.
    public static var serverAnsweredAgents: Self { "server.answered.agents" }
    /// The server has received a request to the conversations route.
    public static var serverRequestedConversations: Self { "server.requested.conversations" }
    /// The server has answered a request to the conversations route.
    public static var serverAnsweredConversations: Self { "server.answered.conversations" }
    /// The server has received a request to the messages route.
    public static var serverRequestedMessages: Self { "server.requested.messages" }
    /// The server has answered a request to the messages route.
    public static var serverAnsweredMessages: Self { "server.answered.messages" }
    /// The server has received a request to the send route.
    public static var serverRequestedSend: Self { "server.requested.send" }
    /// The server has answered a request to the send route.
    public static var serverAnsweredSend: Self { "server.answered.send" }
    /// The server has received a request to the mark_read route.
    public static var serverRequestedMarkRead: Self { "server.requested.mark_read" }
    /// The server has answered a request to the mark_read route.
    public static var serverAnsweredMarkRead: Self { "server.answered.mark_read" }
    /// The server has received a request to the unread route.
    public static var serverRequestedUnread: Self { "server.requested.unread" }
    /// The server has answered a request to the unread route.
    public static var serverAnsweredUnread: Self { "server.answered.unread" }
    /// The server has received a request to the upload route.
    public static var serverRequestedUpload: Self { "server.requested.upload" }
    /// The server has answered a request to the upload route.
    public static var serverAnsweredUpload: Self { "server.answered.upload" }
    /// The server has received a request to the push_token route.
    public static var serverRequestedPushToken: Self { "server.requested.push_token" }
    /// The server has answered a request to the push_token route.
    public static var serverAnsweredPushToken: Self { "server.answered.push_token" }
    /// The server has received a request to the conversation route.
    public static var serverRequestedConversation: Self { "server.requested.conversation" }
    /// The server has answered a request to the conversation route.
    public static var serverAnsweredConversation: Self { "server.answered.conversation" }
    /// The server has received a request to the delete route.
    public static var serverRequestedDelete: Self { "server.requested.delete" }
    /// The server has answered a request to the delete route.
    public static var serverAnsweredDelete: Self { "server.answered.delete" }
    /// The server has received a request to the media route.
    public static var serverRequestedMedia: Self { "server.requested.media" }
    /// The server has answered a request to the media route.
    public static var serverAnsweredMedia: Self { "server.answered.media" }
    /// The server has received a request to the thumbnail route.
    public static var serverRequestedThumbnail: Self { "server.requested.thumbnail" }
    /// The server has answered a request to the thumbnail route.
    public static var serverAnsweredThumbnail: Self { "server.answered.thumbnail" }
    /// The server has registered a device for a user's notifications.
    public static var serverPushTokenSaved: Self { "server.push_token.saved" }
    /// A user's device was unregistered, by its client's request or because another user registered it.
    public static var serverPushTokenRemoved: Self { "server.push_token.removed" }
    /// The server has passed a notification for a user to the push service.
    public static var serverPushed: Self { "server.pushed" }
    /// Like `serverPushed`, but only for the message with this key.
    public static func serverPushed(_ key: String) -> Self {
        .event("server.pushed", key)
    }
    /// A notification was not sent because the user has no registered device.
    public static var serverPushUndeliverable: Self { "server.push_undeliverable" }
    /// Like `serverPushUndeliverable`, but only for the message with this key.
    public static func serverPushUndeliverable(_ key: String) -> Self {
        .event("server.push_undeliverable", key)
    }
    /// A fault begins; its key is its `as:` label, or its verb. `clients` is set unless all clients are affected.
    public static var faultBegan: Self { "fault.began" }
    /// Like `faultBegan`, but only for the label with this key.
    public static func faultBegan(_ key: String) -> Self {
        .event("fault.began", key)
    }
    /// A fault takes effect for the first time: a drop, reset or half-open on a connection; a cut, limit or corruption
    /// at its byte; a message fault on its message; a status, a portal or an immediate close on a new connection.
    public static var faultHit: Self { "fault.hit" }
    /// Like `faultHit`, but only for the label with this key.
    public static func faultHit(_ key: String) -> Self {
        .event("fault.hit", key)
    }
    /// A fault ends: it was healed, its duration has passed, or it is instantaneous.
    public static var faultEnded: Self { "fault.ended" }
    /// Like `faultEnded`, but only for the label with this key.
    public static func faultEnded(_ key: String) -> Self {
        .event("fault.ended", key)
    }
    /// A flap begins or ends an outage.
    public static var faultTurned: Self { "fault.turned" }
    /// Like `faultTurned`, but only for the label with this key.
    public static func faultTurned(_ key: String) -> Self {
        .event("fault.turned", key)
    }
    /// A login at the captive portal ends the portal for this client.
    public static var faultLifted: Self { "fault.lifted" }
    /// Like `faultLifted`, but only for the label with this key.
    public static func faultLifted(_ key: String) -> Self {
        .event("fault.lifted", key)
    }
    /// A connection of the client is accepted.
    public static var networkAccepted: Self { "network.accepted" }
    /// A connection is closed for the first time: `side` is the client, server or network; `how` is fin or rst.
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
    /// The run is held, by a command or at the event that caused this one; its clock is stopped.
    public static var runHoldBegan: Self { "run.hold_began" }
    /// The run has resumed after a hold, at the instant at which it was held.
    public static var runHoldEnded: Self { "run.hold_ended" }
    /// The state that the client shows was compared with the server's; `differences` is empty if they agree.
    public static var runCompared: Self { "run.compared" }
    /// A step of the script that stores messages and sends them to every client. Several messages are labelled label-1,
    /// label-2 and so on.
    public static var serverPost: Self { "server.post" }
    /// Like `serverPost`, but only for the message with this key.
    public static func serverPost(_ key: String) -> Self {
        .event("server.post", key)
    }
    /// A step of the script that stores messages without sending them, as if they had been sent before the run.
    public static var serverHistory: Self { "server.history" }
    /// A step of the script that writes a message token by token, then stores and sends it.
    public static var serverStream: Self { "server.stream" }
    /// Like `serverStream`, but only for the message with this key.
    public static func serverStream(_ key: String) -> Self {
        .event("server.stream", key)
    }
    /// A step of the script that notifies every client that a user begins or stops typing.
    public static var serverType: Self { "server.type" }
    /// A step of the script that sets a user's presence and sends it to every client.
    public static var serverPresence: Self { "server.presence" }
    /// A step of the script that assigns a client to a user, as one of the user's devices.
    public static var serverIdentify: Self { "server.identify" }
    /// A step of the script that makes a conversation a group, whose members the agents route lists.
    public static var serverGroup: Self { "server.group" }
    /// A step of the script that sends an error that does not answer any request.
    public static var serverError: Self { "server.error" }
    /// A step of the script that sends a WebSocket text message with any content.
    public static var serverSay: Self { "server.say" }
    /// Like `serverSay`, but only for the message with this key.
    public static func serverSay(_ key: String) -> Self {
        .event("server.say", key)
    }
    /// A step of the script that sends a WebSocket binary message, which the chat protocol does not use.
    public static var serverBinary: Self { "server.binary" }
    /// A step of the script that adds a user to those that the agents route lists, even if no message exists yet.
    public static var serverIntroduce: Self { "server.introduce" }
    /// A step of the script that closes every connection with 1001 and stops listening.
    public static var serverStop: Self { "server.stop" }
    /// A step of the script that starts listening again.
    public static var serverStart: Self { "server.start" }
    /// A step of the script that closes every connection with 1012 and listens again later.
    public static var serverRestart: Self { "server.restart" }
    /// A step of the script that resets every connection and stops listening. The server's state is kept.
    public static var serverCrash: Self { "server.crash" }
    /// A step of the script that forgets sessions and stops answering on their connections, without sending a FIN, an
    /// RST or any other byte.
    public static var serverVanish: Self { "server.vanish" }
    /// A step of the script that announces a shutdown, closes every connection with 1001 after the notice and listens
    /// again later.
    public static var serverDrain: Self { "server.drain" }
    /// A step of the script that stops one of several servers: it closes its connections with 1001 and refuses new
    /// ones. The others are not affected.
    public static var serverDown: Self { "server.down" }
    /// A step of the script that starts a server that is down: it accepts connections again.
    public static var serverUp: Self { "server.up" }
    /// A step of the script that makes the prompt in progress in a conversation end with an error.
    public static var serverFailPrompt: Self { "server.fail_prompt" }
    /// A step of the script that starts the WebSocket closing handshake.
    public static var serverClose: Self { "server.close" }
    /// A step of the script that ends connections without a close frame.
    public static var serverDisconnect: Self { "server.disconnect" }
    /// A step of the script that processes requests as usual but does not send the next frames of a kind.
    public static var serverSwallow: Self { "server.swallow" }
    /// A step of the script that sends frames of a kind late, so that other frames overtake them.
    public static var serverDelay: Self { "server.delay" }
    /// A step of the script that sends the next frames of a kind twice.
    public static var serverDuplicate: Self { "server.duplicate" }
    /// A step of the script that holds frames or responses of a kind until they are released by label. The default
    /// label is the name of the frame or route.
    public static var serverHold: Self { "server.hold" }
    /// Like `serverHold`, but only for the hold with this key.
    public static func serverHold(_ key: String) -> Self {
        .event("server.hold", key)
    }
    /// A step of the script that sends what is held under the label and ends the hold.
    public static var serverRelease: Self { "server.release" }
    /// A step of the script that answers frames of a kind with an error and does not process them.
    public static var serverReject: Self { "server.reject" }
    /// A step of the script that answers frames of a kind with given frames and does not process them.
    public static var serverRule: Self { "server.rule" }
    /// Like `serverRule`, but only for the rule with this key.
    public static func serverRule(_ key: String) -> Self {
        .event("server.rule", key)
    }
    /// A step of the script that answers requests with an HTTP status and does not process them.
    public static var serverFail: Self { "server.fail" }
    /// A step of the script that delays the responses to requests.
    public static var serverSlow: Self { "server.slow" }
    /// A step of the script that removes every rule. What is held stays held.
    public static var serverClear: Self { "server.clear" }
    /// A step of the script that changes which logins are accepted from now on. Existing connections stay.
    public static var serverAuth: Self { "server.auth" }
    /// A step of the script that changes the rate limit.
    public static var serverLimit: Self { "server.limit" }
    /// A step of the script that starts or stops the server's heartbeat pings.
    public static var serverHeartbeat: Self { "server.heartbeat" }
    /// A step of the script that sets whether the server answers clients' pings.
    public static var serverPong: Self { "server.pong" }
    /// A step of the script that sets the skew of the server's clock.
    public static var serverClock: Self { "server.clock" }
    /// A step of the script that restricts a conversation to its members: messages and uploads from others are rejected
    /// from now on.
    public static var serverRestrict: Self { "server.restrict" }
    /// A step of the script that gives a user their own key.
    public static var serverAccount: Self { "server.account" }
    /// A step of the script that pushes a notification, whether or not its message exists. Posted messages are pushed
    /// automatically.
    public static var serverPush: Self { "server.push" }
    /// Like `serverPush`, but only for the message with this key.
    public static func serverPush(_ key: String) -> Self {
        .event("server.push", key)
    }
    /// A step of the script that deletes a conversation with all its messages.
    public static var serverRemoveConversation: Self { "server.remove_conversation" }
}
