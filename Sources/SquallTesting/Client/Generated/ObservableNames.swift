// Written from the registry by the tests of SquallTesting; run them with RECORD=1 to write it again.

/// The names of all observables and events that a client can report.
extension ObservableName {
    /// Whether the phone reports a network.
    public static var networkReachable: Self { "network.reachable" }
    /// Whether a captive portal responds instead of the server.
    public static var networkCaptive: Self { "network.captive" }
    /// The state of the client's connection to the server.
    public static var connectionState: Self { "connection.state" }
    /// The transport that currently carries messages.
    public static var connectionTransport: Self { "connection.transport" }
    /// The host to which the client last tried to connect; null before the first attempt.
    public static var connectionHost: Self { "connection.host" }
    /// The text of the connection badge, from the profile's table of labels.
    public static var connectionLabel: Self { "connection.label" }
    /// The colour of the connection badge.
    public static var connectionTone: Self { "connection.tone" }
    /// The number of failed connection attempts since the counter was last reset.
    public static var connectionAttempt: Self { "connection.attempt" }
    /// The reason why the last connection attempt failed or the last connection ended; null while connected.
    public static var connectionLastError: Self { "connection.last_error" }
    /// The number of open byte streams to the server.
    public static var connectionOpenSockets: Self { "connection.open_sockets" }
    /// The full delay before the next connection attempt, not the time remaining; null if no attempt is scheduled.
    public static var connectionNextAttemptIn: Self { "connection.next_attempt_in" }
    /// The round-trip time of the last ping that was answered; null if no ping was answered.
    public static var connectionRtt: Self { "connection.rtt" }
    /// The quality of the connection, estimated from the answers to the client's pings.
    public static var connectionQuality: Self { "connection.quality" }
    /// Whether the server has accepted the user's key on the current connection.
    public static var authAuthenticated: Self { "auth.authenticated" }
    /// Whether the user must enter another key before the client can connect.
    public static var authRequiresReauth: Self { "auth.requires_reauth" }
    /// The warning that the server's version is newer than the client's; null if there is no warning.
    public static var authVersionWarning: Self { "auth.version_warning" }
    /// The client has begun an attempt to connect; `number` counts the attempts since the last reset.
    public static var clientAttemptBegan: Self { "client.attempt.began" }
    /// An attempt to connect has failed or was abandoned; `retry_after` is the delay that the server requested.
    public static var clientAttemptFailed: Self { "client.attempt.failed" }
    /// The client has completed the handshake with the server and is now connected.
    public static var clientConnected: Self { "client.connected" }
    /// The client has lost or closed a connection after its handshake was complete.
    public static var clientDisconnected: Self { "client.disconnected" }
    /// The client has begun to wait before its next attempt to connect; `attempt` counts from 1 since the last reset.
    public static var clientBackoffBegan: Self { "client.backoff.began" }
    /// The client has cancelled the wait before its next attempt to connect.
    public static var clientBackoffCancelled: Self { "client.backoff.cancelled" }
    /// The client has made its maximum number of connection attempts and makes no more.
    public static var clientGaveUp: Self { "client.gave_up" }
    /// The client has ignored a frame of an unknown type.
    public static var clientUnknownFrame: Self { "client.unknown_frame" }
    /// The client has ignored a message that is not a valid frame.
    public static var clientMalformedFrame: Self { "client.malformed_frame" }
    /// The highest sequence number up to which the client has received every message; null before the first connection.
    public static var syncLastSequence: Self { "sync.last_sequence" }
    /// Whether the client is fetching messages that it missed.
    public static var syncInFlight: Self { "sync.in_flight" }
    /// Whether the client polls over HTTP instead of using the WebSocket.
    public static var pollActive: Self { "poll.active" }
    /// The client has detected a gap in the sequence numbers of the messages that it received.
    public static var clientGapDetected: Self { "client.gap_detected" }
    /// The number of the user's messages that the server has not confirmed.
    public static var outboxCount: Self { "outbox.count" }
    /// The header's text about queued messages; null if none are queued.
    public static var outboxHeaderText: Self { "outbox.header_text" }
    /// The client has accepted a message from the user; from now on the message must not be lost.
    public static var clientAccepted: Self { "client.accepted" }
    /// The number of the user's files that are not completely uploaded.
    public static var uploadsPending: Self { "uploads.pending" }
    /// The state of a file's upload.
    public static var uploadState: Self { "upload.state" }
    /// The percentage of a file's bytes that the server has confirmed.
    public static var uploadProgress: Self { "upload.progress" }
    /// The size of an upload's chunks in bytes; null before the first upload.
    public static var uploadChunkSize: Self { "upload.chunk_size" }
    /// The client has accepted a file from the user; from now on the file must not be lost.
    public static var clientShared: Self { "client.shared" }
    /// The client has handed a file to the phone's transfer service, which uploads it.
    public static var clientHandedOver: Self { "client.handed_over" }
    /// The server has confirmed to the client that it has received a file completely.
    public static var clientUploaded: Self { "client.uploaded" }
    /// The open conversation; null if there is none.
    public static var viewConversation: Self { "view.conversation" }
    /// The state of the conversation view.
    public static var viewPhase: Self { "view.phase" }
    /// The messages on the screen, in the order shown.
    public static var viewRows: Self { "view.rows" }
    /// The messages of the conversation, in the order shown.
    public static var conversationMessages: Self { "conversation.messages" }
    /// The text of the message.
    public static var messageText: Self { "message.text" }
    /// Milliseconds since 1970, by the phone's clock until the server confirms the message, then by the server's.
    public static var messageTimestamp: Self { "message.timestamp" }
    /// The delivery status of the user's message.
    public static var messageStatus: Self { "message.status" }
    /// The status icon of the message; null once the message is delivered.
    public static var messageIcon: Self { "message.icon" }
    /// Whether the message's clock icon pulses, which it does while the message is being sent.
    public static var messageIconPulses: Self { "message.icon_pulses" }
    /// The colour of the message's status icon; null once the message is delivered.
    public static var messageTone: Self { "message.tone" }
    /// The hint shown below the message; null if there is no hint.
    public static var messageHint: Self { "message.hint" }
    /// Whether the user can tap the message to send it again.
    public static var messageRetryAvailable: Self { "message.retry_available" }
    /// Whether another user has read the user's message.
    public static var messageRead: Self { "message.read" }
    /// The text received so far of a streamed message; null once it is complete.
    public static var streamText: Self { "stream.text" }
    /// Whether the client is fetching pages of messages, for a refresh by the user or to fill a gap.
    public static var refreshInFlight: Self { "refresh.in_flight" }
    /// A message that the client already had has arrived again and was ignored.
    public static var clientDroppedDuplicate: Self { "client.dropped_duplicate" }
    /// The client has begun to fetch messages again; `cause` is `user` (a refresh) or `gap` (missing messages).
    public static var clientRefreshBegan: Self { "client.refresh.began" }
    /// A refresh of messages has succeeded or failed; `added` is the number of new messages.
    public static var clientRefreshEnded: Self { "client.refresh.ended" }
    /// The phone has given haptic feedback: `success` or `failure`.
    public static var clientHaptic: Self { "client.haptic" }
    /// The users who are typing in the conversation.
    public static var peerTyping: Self { "peer.typing" }
    /// The problem that the banner reports; null if there is no banner.
    public static var bannerKind: Self { "banner.kind" }
    /// The banner's text; null if there is no banner.
    public static var bannerText: Self { "banner.text" }
    /// The banner's colour; null if there is no banner.
    public static var bannerTone: Self { "banner.tone" }
    /// The action that resolves the problem that the banner reports; null if there is no banner.
    public static var bannerAction: Self { "banner.action" }
    /// Whether the banner is above the list or at its end; null if there is no banner.
    public static var bannerPlacement: Self { "banner.placement" }
    /// Whether a banner is visible at the current scroll position.
    public static var bannerInSight: Self { "banner.in_sight" }
    /// Whether the banner pulses, which it does while the client reconnects, unless `banner.style` is calm.
    public static var bannerPulses: Self { "banner.pulses" }
    /// The toast's text; null if there is no toast.
    public static var toastText: Self { "toast.text" }
    /// The alert's title; null if there is no alert.
    public static var alertTitle: Self { "alert.title" }
    /// The alert's text; null if there is no alert.
    public static var alertText: Self { "alert.text" }
    /// The labels of the alert's buttons; empty if there is no alert.
    public static var alertActions: Self { "alert.actions" }
    /// The client has opened a URL in another app.
    public static var clientOpenedUrl: Self { "client.opened_url" }
    /// The number of connection attempts that have succeeded or failed.
    public static var metricsAttempts: Self { "metrics.attempts" }
    /// The number of connection attempts that have succeeded.
    public static var metricsConnections: Self { "metrics.connections" }
    /// The percentage of connection attempts that have succeeded; null before the first attempt has ended.
    public static var metricsSuccessPercent: Self { "metrics.success_percent" }
    /// The mean time from the loss of a connection to the next connection; null before the first reconnection.
    public static var metricsMeanReconnect: Self { "metrics.mean_reconnect" }
    /// The mean time from the user's tap to the server's confirmation of the message; null before the first
    /// confirmation.
    public static var metricsMeanDelivery: Self { "metrics.mean_delivery" }
    /// The mean latency of presence changes; absent before the first measurement.
    public static var metricsMeanPresence: Self { "metrics.mean_presence" }
    /// The 95th percentile of the latency of presence changes; absent before the first measurement.
    public static var metricsPresenceP95: Self { "metrics.presence_p95" }
    /// The ids of commands that the server has started, in the order of their start.
    public static var commandsStarted: Self { "commands.started" }
    /// The number of commands that the client has sent and the server has not answered.
    public static var commandsUnanswered: Self { "commands.unanswered" }
    /// The client's request to the `health` route has failed or timed out.
    public static var clientRequestFailedHealth: Self { "client.request_failed.health" }
    /// The client's request to the `conversations` route has failed or timed out.
    public static var clientRequestFailedConversations: Self { "client.request_failed.conversations" }
    /// The client's request to the `messages` route has failed or timed out.
    public static var clientRequestFailedMessages: Self { "client.request_failed.messages" }
    /// The client's request to the `send` route has failed or timed out.
    public static var clientRequestFailedSend: Self { "client.request_failed.send" }
    /// The client's request to the `mark_read` route has failed or timed out.
    public static var clientRequestFailedMarkRead: Self { "client.request_failed.mark_read" }
    /// The client's request to the `upload` route has failed or timed out.
    public static var clientRequestFailedUpload: Self { "client.request_failed.upload" }
    /// The client's request to the `unread` route has failed or timed out.
    public static var clientRequestFailedUnread: Self { "client.request_failed.unread" }
    /// The client's request to the `agents` route has failed or timed out.
    public static var clientRequestFailedAgents: Self { "client.request_failed.agents" }
    /// The client's request to the `delete` route has failed or timed out.
    public static var clientRequestFailedDelete: Self { "client.request_failed.delete" }
    /// The client's request to the `media` route has failed or timed out.
    public static var clientRequestFailedMedia: Self { "client.request_failed.media" }
    /// The client's request to the `thumbnail` route has failed or timed out.
    public static var clientRequestFailedThumbnail: Self { "client.request_failed.thumbnail" }
    /// The client's request to the `push_token` route has failed or timed out.
    public static var clientRequestFailedPushToken: Self { "client.request_failed.push_token" }
    /// The client's request to the `conversation` route has failed or timed out.
    public static var clientRequestFailedConversation: Self { "client.request_failed.conversation" }
    /// The app's process has crashed.
    public static var clientCrashed: Self { "client.crashed" }
    /// The client delays its start until the phone allows it to read its key.
    public static var clientKeyUnreadable: Self { "client.key_unreadable" }
    /// During a sign-out, the client has asked the server to remove the push token.
    public static var clientSignOutToken: Self { "client.sign_out.token" }
    /// During a sign-out, the client has cleared the state of the user's screen and notifications.
    public static var clientSignOutState: Self { "client.sign_out.state" }
    /// During a sign-out, the client has closed the connection and deleted the key.
    public static var clientSignOutSession: Self { "client.sign_out.session" }
    /// During a sign-out, the client has deleted the user's name.
    public static var clientSignOutUser: Self { "client.sign_out.user" }
    /// The client could not remove the push token from the server during a sign-out.
    public static var clientSignOutTokenLeft: Self { "client.sign_out.token_left" }
    /// A user has signed in.
    public static var clientSignedIn: Self { "client.signed_in" }
    /// The user has signed out.
    public static var clientSignedOut: Self { "client.signed_out" }
    /// The open conversation according to the app's state; null if there is none.
    public static var appViewing: Self { "app.viewing" }
    /// The signed-in user according to the app's state; null if there is none.
    public static var appUser: Self { "app.user" }
    /// Whether a sign-out is in progress.
    public static var appSigningOut: Self { "app.signing_out" }
    /// The state of the registration of the phone's push token with the server.
    public static var pushTokenState: Self { "push_token.state" }
    /// The client has begun an attempt to save the push token on the server; attempts are numbered from 1.
    public static var clientPushTokenTried: Self { "client.push_token.tried" }
    /// An attempt to save the push token on the server has failed.
    public static var clientPushTokenFailed: Self { "client.push_token.failed" }
    /// The server has saved the push token.
    public static var clientPushTokenSaved: Self { "client.push_token.saved" }
    /// All attempts to save the push token on the server have failed; the client tries again at its next launch.
    public static var clientPushTokenGivenUp: Self { "client.push_token.given_up" }
    /// The phone's permission to show notifications, as last read by the app.
    public static var permissionState: Self { "permission.state" }
    /// Whether the phone shows its prompt, with which the app asks for the permission to show notifications.
    public static var permissionPrompt: Self { "permission.prompt" }
    /// The app has asked for the permission to show notifications.
    public static var clientPermissionRequested: Self { "client.permission_requested" }
    /// The text of the banner for denied notifications; null if there is no banner.
    public static var permissionBannerText: Self { "permission.banner_text" }
    /// The label of the button on the banner for denied notifications; null if there is no banner.
    public static var permissionBannerAction: Self { "permission.banner_action" }
    /// The colour of the banner for denied notifications; null if there is no banner.
    public static var permissionBannerTone: Self { "permission.banner_tone" }
    /// The icon of the banner for denied notifications; null if there is no banner.
    public static var permissionBannerIcon: Self { "permission.banner_icon" }
    /// The accessibility label of the banner for denied notifications; null if there is no banner.
    public static var permissionBannerLabel: Self { "permission.banner_label" }
    /// A notification is shown to the user, in the ways listed in `presentation`.
    public static var clientNotified: Self { "client.notified" }
    /// A push for the conversation on the screen is not shown as a notification.
    public static var clientNotificationSuppressed: Self { "client.notification_suppressed" }
    /// The messages whose notifications are on the phone, newest last.
    public static var notifications: Self { "notifications" }
    /// The notification's id.
    public static var notificationId: Self { "notification.id" }
    /// The notification's title.
    public static var notificationTitle: Self { "notification.title" }
    /// The notification's text.
    public static var notificationBody: Self { "notification.body" }
    /// The group to which the notification belongs; null if there is none.
    public static var notificationThread: Self { "notification.thread" }
    /// The notification's category, which determines its buttons.
    public static var notificationCategory: Self { "notification.category" }
    /// The labels of the notification's buttons.
    public static var notificationActions: Self { "notification.actions" }
    /// How the notification was presented: `banner`, `sound`, `badge`; empty if it was suppressed.
    public static var notificationPresentation: Self { "notification.presentation" }
    /// The summary of a group of notifications; null if the group has fewer than two.
    public static var notificationSummary: Self { "notification.summary" }
    /// The conversation of a tapped notification until it is on the screen; null if there is none.
    public static var deepLinkPending: Self { "deep_link.pending" }
    /// The reason why the conversation of a tapped notification cannot be shown; null if there is no error.
    public static var deepLinkError: Self { "deep_link.error" }
    /// The text that explains why the conversation of a tapped notification cannot be shown; null if there is no error.
    public static var deepLinkText: Self { "deep_link.text" }
    /// A tapped notification has opened its conversation.
    public static var clientDeepLinkOpened: Self { "client.deep_link.opened" }
    /// The conversation of a tapped notification could not be opened.
    public static var clientDeepLinkFailed: Self { "client.deep_link.failed" }
    /// The message that is briefly highlighted; null if there is none.
    public static var highlightTarget: Self { "highlight.target" }
    /// The conversation partner's name in the header; null if no conversation is open.
    public static var viewHeaderName: Self { "view.header_name" }
    /// The text shown while messages are loading; null at any other time.
    public static var viewLoadingText: Self { "view.loading_text" }
    /// Whether the dimmed rows of the previous conversation are shown.
    public static var viewStale: Self { "view.stale" }
    /// The text shown in an empty conversation; null if the conversation is not empty.
    public static var viewEmptyText: Self { "view.empty_text" }
    /// The messages that an empty conversation suggests to the user.
    public static var viewSuggestions: Self { "view.suggestions" }
    /// The partner's presence, shown in an empty conversation; null if the conversation is not empty or the partner is
    /// unknown.
    public static var viewPartnerStatus: Self { "view.partner_status" }
    /// The time when the partner was last seen, shown in an empty conversation; null if the conversation is not empty
    /// or the partner is present.
    public static var viewPartnerLastSeen: Self { "view.partner_last_seen" }
    /// The partner's description, shown in an empty conversation; null if the conversation is not empty or the partner
    /// is unknown.
    public static var viewPartnerAbout: Self { "view.partner_about" }
    /// The text in the message input field; absent until the field is first used.
    public static var composerText: Self { "composer.text" }
    /// The screen has slid `left`, to a conversation further down the list, or `right`, to one further up.
    public static var clientTransition: Self { "client.transition" }
    /// Whether the conversation has older messages that the client has not loaded.
    public static var historyHasMore: Self { "history.has_more" }
    /// The text of the control above the oldest message; null if there is no control.
    public static var historyControlText: Self { "history.control_text" }
    /// Whether a request for older messages is in flight.
    public static var historyInFlight: Self { "history.in_flight" }
    /// The client has requested a page of older messages.
    public static var clientHistoryBegan: Self { "client.history.began" }
    /// A request for older messages has succeeded or failed; `added` messages were new.
    public static var clientHistoryEnded: Self { "client.history.ended" }
    /// The search for a message has ended: `found`, `not_there`, `failed` to fetch a page, or `given_up`.
    public static var clientSearchEnded: Self { "client.search.ended" }
    /// The first visible message of the open conversation; null while its end is visible. Reported from the first
    /// scroll on.
    public static var scrollAnchor: Self { "scroll.anchor" }
    /// The list has scrolled to its `end` or to a `message`; `cause` is `user`, `new_message`, `own_message`, `history`
    /// or `target`.
    public static var clientScrolled: Self { "client.scrolled" }
    /// The first unseen message, which is below the 'new messages' separator; null if there is no separator.
    public static var newMarkerBefore: Self { "new_marker.before" }
    /// The number of messages below the 'new messages' separator.
    public static var newMarkerCount: Self { "new_marker.count" }
    /// The number of the conversation's unread messages.
    public static var unread: Self { "unread" }
    /// Whether the conversation's view is on the screen.
    public static var viewActive: Self { "view.active" }
    /// The total number of unread messages on the app's icon; reported once a message was unread or the list was
    /// opened.
    public static var badgeApp: Self { "badge.app" }
    /// A conversation no longer has unread messages.
    public static var clientConversationRead: Self { "client.conversation_read" }
    /// The list of conversations, the one with the newest message first; reported once the list was opened.
    public static var listConversations: Self { "list.conversations" }
    /// The text of the conversation's newest message in the list; null if there is none.
    public static var listPreview: Self { "list.preview" }
    /// The text of the conversation's badge in the list; null if there is no badge.
    public static var badgeText: Self { "badge.text" }
    /// The colour of the conversation's badge in the list; null if there is no badge.
    public static var badgeTone: Self { "badge.tone" }
    /// The presence of another user.
    public static var peerPresence: Self { "peer.presence" }
    /// The time at which the user was last seen, as text; null while the user is present. Reported once the list was
    /// opened.
    public static var peerLastSeen: Self { "peer.last_seen" }
    /// The partner's presence in the list of conversations; null in a group.
    public static var listPresence: Self { "list.presence" }
    /// The colour of the presence dot in the list of conversations; null in a group.
    public static var listTone: Self { "list.tone" }
    /// The partner's presence in the header of the open conversation; null in a group.
    public static var headerPresence: Self { "header.presence" }
    /// The colour of the presence dot in the header; null in a group.
    public static var headerTone: Self { "header.tone" }
    /// The partner's status text in the header, or a neutral text; null if there is no conversation.
    public static var headerSubtitle: Self { "header.subtitle" }
    /// Whether a user is typing in the open conversation.
    public static var headerTyping: Self { "header.typing" }
    /// The number of members of the open group who are present; null if no group is open or a presence is out of date.
    public static var headerOnline: Self { "header.online" }
    /// The members of the open group, with present members first; empty if no group is open.
    public static var headerMembers: Self { "header.members" }
    /// The presence of a user, as shown in a group's list of members.
    public static var memberPresence: Self { "member.presence" }
    /// The presence shown for a user has changed; `latency` is the time since the change itself.
    public static var clientPresenceChanged: Self { "client.presence_changed" }
    /// The presence of users could not be fetched, so no user is shown as present.
    public static var clientPresenceUnavailable: Self { "client.presence_unavailable" }
    /// The age of a message of the open conversation by the server's clock; absent unless times are shown.
    public static var messageTimeText: Self { "message.time_text" }
    /// The heading above the first message of a day; null for other messages, absent unless times are shown.
    public static var messageDay: Self { "message.day" }
    /// The message's timestamp to the second, reported once the message has been long-pressed.
    public static var messageExactTime: Self { "message.exact_time" }
    /// The file name of the image in the preview; null if there is none.
    public static var previewFile: Self { "preview.file" }
    /// The size in bytes at which the image in the preview would be sent; null if there is none.
    public static var previewBytes: Self { "preview.bytes" }
    /// The source of the image in the preview; null if there is none.
    public static var previewSource: Self { "preview.source" }
    /// The percentage of the user's image that the server has confirmed.
    public static var imageProgress: Self { "image.progress" }
    /// The state of the image that the message's bubble shows.
    public static var imageState: Self { "image.state" }
    /// The width of the image's bubble in points; the bubble has the image's aspect ratio.
    public static var imageWidth: Self { "image.width" }
    /// The height of the image's bubble in points; the bubble has the image's aspect ratio.
    public static var imageHeight: Self { "image.height" }
    /// The size of the image cache in bytes.
    public static var imageCacheBytes: Self { "image_cache.bytes" }
    /// The user has chosen an image, which the preview shows.
    public static var clientAttached: Self { "client.attached" }
    /// The actions in the message's menu; empty while the menu is closed.
    public static var menuActions: Self { "menu.actions" }
    /// The explanation of the message's status in its menu; null while the menu is closed.
    public static var menuExplanation: Self { "menu.explanation" }
    /// The question in the dialog; null if there is no dialog.
    public static var dialogText: Self { "dialog.text" }
    /// The labels of the dialog's buttons; empty if there is no dialog.
    public static var dialogActions: Self { "dialog.actions" }
    /// The dialog's colour; null if there is no dialog.
    public static var dialogTone: Self { "dialog.tone" }
    /// The number of the user's deletions that the server has not confirmed.
    public static var deletionsPending: Self { "deletions.pending" }
    /// Whether the message is shown as deleted, by a placeholder.
    public static var messageDeleted: Self { "message.deleted" }
    /// Whether the user can still undo the message's deletion.
    public static var messageUndoAvailable: Self { "message.undo_available" }
    /// The kind of content that the message shows; reported only if it is, or once was, not plain text.
    public static var messageKind: Self { "message.kind" }
    /// The user has confirmed the deletion of the message.
    public static var clientDeleteBegan: Self { "client.delete.began" }
    /// The user has undone the deletion of the message.
    public static var clientDeleteUndone: Self { "client.delete.undone" }
    /// The server has confirmed the deletion of a message, or has rejected it, so that the message is shown again.
    public static var clientDeleteEnded: Self { "client.delete.ended" }
    /// The number of messages from the share extension that the app has not taken over yet.
    public static var sharedWaiting: Self { "shared.waiting" }
    /// The number of the user's images that were uploaded; absent before the first upload has finished.
    public static var metricsImages: Self { "metrics.images" }
    /// The percentage of finished image uploads that succeeded.
    public static var metricsImageSuccessPercent: Self { "metrics.image_success_percent" }
    /// The mean time from the user's tap until the server has received the image; null before the first upload has
    /// finished.
    public static var metricsMeanImageUpload: Self { "metrics.mean_image_upload" }
    /// The number of the user's deletions that the server has confirmed; absent before the first deletion has finished.
    public static var metricsDeletions: Self { "metrics.deletions" }
    /// The percentage of finished deletions that succeeded.
    public static var metricsDeletionSuccessPercent: Self { "metrics.deletion_success_percent" }
    /// The percentage of the server's unread counts that equal the client's counts; absent before the first comparison.
    public static var metricsBadgeAccuracyPercent: Self { "metrics.badge_accuracy_percent" }
    /// The percentage of delayed or retried messages whose delivery succeeded; absent before the first such message has
    /// finished.
    public static var metricsRetrySuccessPercent: Self { "metrics.retry_success_percent" }
    /// The client has refused a command; `definite` says whether the command was certainly not carried out.
    public static var clientRefused: Self { "client.refused" }
    /// The client has added a line to the report.
    public static var clientLog: Self { "client.log" }
}
